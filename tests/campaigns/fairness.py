"""False alarms and true ones of the fairness test: ``python -m campaigns.fairness --wheels N --spins M --seed S``.

Fair wheels of 54 sections are looked at after every spin, exactly (:mod:`campaigns.fair_wheels`): at each odds the
part of the wheels that ever reach them must not exceed what was promised. Unfair ones are spun until they are found
(:mod:`campaigns.unfair_wheels`). Beside both stands what a chi-square does that is looked at once a day, of 1,000
spins, and that alarms at p < 1/10,000.

The promise is a bound on a probability. What is counted over so many wheels scatters around it; a count fails here
that chance would exceed once in a thousand times if the probability were the promised one.
"""

import math
import os
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from campaigns import fair_wheels, unfair_wheels
from campaigns.fair_wheels import DAY, ODDS, FalseAlarms, spin_fair
from campaigns.unfair_wheels import FAULTS, SECTIONS, Found, find

from benchmarks.report import machine
from controller.bench.workers import spread
from controller.commands.columns import columns
from controller.commands.progress import shown_progress

_TOGETHER = 200
"""Wheels of a batch: what they need fits into a processor's cache."""
_BY_CHANCE = 0.001


def false_alarms(
    wheels: int, spins: int, seed: int, processes: int, progress: Callable[[int], None] = lambda wheels: None
) -> FalseAlarms:
    """Of fair wheels."""
    batches = [
        fair_wheels.Batch(SECTIONS, min(_TOGETHER, wheels - done), spins, (seed, done))
        for done in range(0, wheels, _TOGETHER)
    ]
    total = FalseAlarms()
    for _, part in spread(spin_fair, batches, processes):
        total.add(part)
        progress(part.wheels)
    return total


def detections(
    wheels: int, seed: int, processes: int, progress: Callable[[int], None] = lambda wheels: None
) -> list[Found]:
    """Of unfair wheels, fault by fault."""
    batches = [
        unfair_wheels.Batch(fault, min(_TOGETHER, wheels - done), (seed + 1 + fault, done))
        for fault in range(len(FAULTS))
        for done in range(0, wheels, _TOGETHER)
    ]
    found = [Found() for _ in FAULTS]
    for number, part in spread(partial(find, odds=max(ODDS)), batches, processes):
        found[batches[number].fault].add(part)
        progress(len(part.evidence))
    return found


def allowed(wheels: int, odds: int) -> int:
    """The most false alarms that chance may make of a promise that is only just kept."""
    chance, most, log_term = 0.0, 0, wheels * math.log1p(-1 / odds)
    while True:
        chance += math.exp(log_term)
        if 1 - chance <= _BY_CHANCE:
            return most
        log_term += math.log((wheels - most) / (most + 1) / (odds - 1))
        most += 1


# -- as text -------------------------------------------------------------------------------------------------------


def _print_false(seen: FalseAlarms, spins: int) -> bool:
    """Print them; whether the promise is kept."""
    print(
        f"\n{seen.wheels:,} fair wheels of {SECTIONS} sections, {spins:,} spins each, looked at after every spin:"
    )
    rows, kept = [], True
    for odds in ODDS:
        count, most = seen.odds[odds], allowed(seen.wheels, odds)
        kept &= count <= most
        rate, promised = f"{count / seen.wheels:.4%}", f"{1 / odds:.2%}"
        verdict = "kept" if count <= most else f"BROKEN: more than {most}"
        rows.append((f"{odds:,} to 1", f"{count:,}", rate, promised, verdict))
    print(columns(("evidence ever", "wheels", "rate", "promised", ""), rows, frozenset({0, 1, 2, 3})))
    print(f"{seen.looked:,} spins were near enough to some odds to be looked at one by one.")
    print(f"\nA chi-square once a day ({DAY:,} spins), alarm at p < 1/{max(ODDS):,}, over the same wheels:")
    days = sorted({1, 10, 30, spins // DAY} - {0})
    by_day = []
    for day in [day for day in days if day <= spins // DAY]:
        count = sum(1 for first in seen.daily if first <= day)
        share = count / seen.wheels
        by_day.append((f"{day}", f"{count:,}", f"{share:.4%}", f"{share * max(ODDS):.1f}"))
    print(columns(("days", "false alarms", "rate", "times 1/10,000"), by_day, frozenset({0, 1, 2, 3})))
    return kept


def _print_found(found: Sequence[Found]) -> None:
    print(f"\nSpins until {len(found[0].evidence):,} unfair wheels of each kind are found, at {max(ODDS):,} to 1")
    print(f"(days of {DAY:,} spins):")
    rows = []
    for fault, part in zip(FAULTS, found, strict=True):
        for name, spins in (("evidence", part.evidence), ("chi-square", part.chi_square)):
            median, most = (float(np.quantile(spins, share, method="higher")) for share in (0.5, 0.9))
            rows.append((fault.name, name, _spins(median), _days(median), _spins(most), _days(most)))
    print(columns(("fault", "by", "median", "days", "90%", "days"), rows, frozenset({2, 3, 4, 5})))


def _spins(spins: float) -> str:
    return f"{spins:,.0f}" if math.isfinite(spins) else f"> {unfair_wheels.MOST:,}"


def _days(spins: float) -> str:
    return f"{spins / DAY:,.0f}" if math.isfinite(spins) else f"> {unfair_wheels.MOST // DAY:,}"


def _arguments(words: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m campaigns.fairness", description=__doc__)
    parser.add_argument("--wheels", type=_count, default=1000, metavar="N", help="fair wheels (default 1000)")
    parser.add_argument("--spins", type=_count, default=100_000, metavar="M", help="of each (default 100000)")
    parser.add_argument(
        "--unfair", type=_count, default=200, metavar="N", help="wheels of each fault (default 200)"
    )
    parser.add_argument("--seed", type=_count, default=1, metavar="S", help="of everything random (default 1)")
    parser.add_argument("--processes", type=_count, default=os.cpu_count() or 1, metavar="N")
    return parser.parse_args(words)


def _count(word: str) -> int:
    if not (word.isascii() and word.isdigit() and int(word) > 0):
        raise ArgumentTypeError(f"'{word}' is no number from 1 on")
    return int(word)


def main(words: Sequence[str] | None = None) -> int:
    """Spin them all; 1 if the promise is broken."""
    arguments = _arguments(words)
    # The processes are spread over the processors already.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    print(machine())
    start = time.perf_counter()
    with shown_progress("fair wheels", arguments.wheels) as progress:
        seen = false_alarms(arguments.wheels, arguments.spins, arguments.seed, arguments.processes, progress)
    kept = _print_false(seen, arguments.spins)
    print(f"{time.perf_counter() - start:.0f} seconds.")
    start = time.perf_counter()
    with shown_progress("unfair wheels", arguments.unfair * len(FAULTS)) as progress:
        found = detections(arguments.unfair, arguments.seed, arguments.processes, progress)
    _print_found(found)
    print(f"{time.perf_counter() - start:.0f} seconds.")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
