"""How often a fair wheel is called unfair, and how soon an unfair one: ``python -m benchmarks.fairness``.

*False alarms*: fair wheels of 54 sections are spun, the direction by chance, and the evidence is looked at after
every spin. That is exact, and yet not slow: over a block of spins no alternative's stake can be higher than at the
block's beginning times its gains within the block, its losses left out. Only where the sum of these bounds reaches
the threshold are the block's halves looked at, down to the single spin. Beside it stands a chi-square of all spins
so far that is looked at once a day, at the same odds.

*Detection*: unfair wheels, looked at once a day by both.
"""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Measured, main
from controller.bench.progress import shown_progress
from controller.bench.workers import spread
from controller.fairness.chi_square import upper_tail
from controller.fairness.evidence import Evidence
from controller.fairness.mixtures import Mixture, mixture

Counts = NDArray[np.float32]
Stops = NDArray[np.int64]

SECTIONS = 54
DAY = 1000
"""Spins."""
ODDS = (10, 100, 1000, 10_000)
EXACT = 1000
"""From these odds on every spin is looked at; for lesser ones, the ends of the blocks."""
BLOCK, FIRST_BLOCK = 200, 25
"""Spins; the short ones while the boldest alternatives still have their stakes."""
SHARE = 50
"""Wheels that are spun together."""
_MARGIN = 0.05
"""Of a logarithm, for what single precision may be off; beyond it, double precision decides."""
MOST_SPINS = 4_000_000


# -- false alarms --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fair:
    """Fair wheels to be spun."""

    seed: int
    wheels: int
    spins: int


@dataclass(slots=True)
class Alarms:
    """How many wheels were called unfair.

    Attributes:
        by_odds: of the evidence.
        chi_square: of the daily chi-square, at the highest odds.
        refined: blocks that had to be looked at more closely.
    """

    by_odds: dict[int, int] = field(default_factory=lambda: dict.fromkeys(ODDS, 0))
    chi_square: int = 0
    refined: int = 0

    def add(self, other: "Alarms") -> None:
        for odds, count in other.by_odds.items():
            self.by_odds[odds] += count
        self.chi_square += other.chi_square
        self.refined += other.refined


class Looks:
    """Looks at the evidence of many wheels at once, in single precision."""

    def __init__(self, of: Mixture) -> None:
        self._factors = of.log_factors.astype(np.float32)
        self._gains = np.maximum(self._factors, 0)
        self._weights = of.log_weights.astype(np.float32)

    def now_and_highest(self, before: Counts, within: Counts) -> tuple[Counts, Counts]:
        """Natural logarithms of the e-values before a block, and bounds for the highest within it.

        Args:
            before, within: wheels by scopes by sections.
        """
        stakes = before @ self._factors + self._weights
        now = _log_sums(stakes)
        stakes += within @ self._gains
        return now, _log_sums(stakes)


def _log_sums(logs: Counts) -> Counts:
    """The logarithm of each wheel's sum. ``logs`` is wheels by scopes by shapes."""
    flat = logs.reshape(len(logs), -1)
    highest = flat.max(axis=1)
    sums: Counts = highest + np.log(np.exp(np.maximum(flat - highest[:, None], np.float32(-80))).sum(axis=1))
    return sums


def _scopes(stops: Stops, turns: Stops) -> Counts:
    """Counts by wheel, scope and section, of stops and directions by wheel and spin."""
    wheels = len(stops)
    place = (np.arange(wheels)[:, None] * 2 + turns) * SECTIONS + stops
    counts = np.bincount(place.ravel(), minlength=wheels * 2 * SECTIONS).reshape(wheels, 2, SECTIONS)
    found: Counts = np.concatenate([counts.sum(axis=1, keepdims=True), counts], axis=1).astype(np.float32)
    return found


def blocks(spins: int) -> Iterator[int]:
    """The lengths of the blocks that so many spins are cut into."""
    done = 0
    while done < spins:
        length = min(BLOCK if done >= 10 * BLOCK else FIRST_BLOCK, spins - done)
        yield length
        done += length


def false_alarms(fair: Fair) -> Alarms:
    """Spin fair wheels and look at each after every spin."""
    rng = np.random.default_rng(fair.seed)
    looks, alarms = Looks(mixture(SECTIONS)), Alarms()
    before = np.zeros((fair.wheels, 3, SECTIONS), dtype=np.float32)
    highest = np.zeros(fair.wheels)
    """The highest logarithm that was seen."""
    worst = np.zeros(fair.wheels)
    """The highest chi-square at the end of a day."""
    done = 0
    for length in blocks(fair.spins):
        stops = rng.integers(0, SECTIONS, (fair.wheels, length))
        turns = rng.integers(0, 2, (fair.wheels, length))
        within = _scopes(stops, turns)
        now, bound = looks.now_and_highest(before, within)
        highest = np.maximum(highest, now)
        for wheel in np.flatnonzero(bound >= math.log(EXACT) - _MARGIN):
            alarms.refined += 1
            seen = _highest(looks, before[wheel], stops[wheel], turns[wheel])
            highest[wheel] = max(highest[wheel], seen)
        before += within
        done += length
        if done % DAY == 0:
            worst = np.maximum(worst, _chi_squares(before[:, 0]))
    for odds in ODDS:
        alarms.by_odds[odds] = int((highest >= math.log(odds)).sum())
    alarms.chi_square = int((worst >= critical(1 / ODDS[-1], SECTIONS - 1)).sum())
    return alarms


def _highest(looks: Looks, before: Counts, stops: Stops, turns: Stops) -> float:
    """The highest e-value within a block of one wheel, as a logarithm: after every spin that can matter."""
    if len(stops) == 1:
        after = before + _scopes(stops[None], turns[None])[0]
        counts = {
            name: [int(n) for n in after[1 + way]] for way, name in enumerate(("clockwise", "counterclockwise"))
        }
        return Evidence(SECTIONS, counts).log10 * math.log(10)
    middle, found = len(stops) // 2, -math.inf
    for part in (slice(0, middle), slice(middle, None)):
        within = _scopes(stops[None, part], turns[None, part])
        _, bound = looks.now_and_highest(before[None], within)
        if bound[0] >= math.log(EXACT) - _MARGIN:
            found = max(found, _highest(looks, before, stops[part], turns[part]))
        before = before + within[0]
    return found


def _chi_squares(counts: Counts) -> NDArray[np.float64]:
    expected = counts.sum(axis=1, keepdims=True, dtype=np.float64) / SECTIONS
    squares: NDArray[np.float64] = ((counts - expected) ** 2 / expected).sum(axis=1)
    return squares


def critical(p: float, degrees: int) -> float:
    """The statistic that is reached with this probability."""
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if upper_tail(middle, degrees) > p else (low, middle)
    return high


# -- detection -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bias:
    """An unfair wheel: so many degrees of it come more often by a part of 1."""

    what: str
    degrees: float
    favour: float

    def chances(self) -> NDArray[np.float64]:
        """Of each section; one that the sector covers in part is favoured in part."""
        width = 360 / SECTIONS
        covered = np.clip((self.degrees - np.arange(SECTIONS) * width) / width, 0, 1)
        factors = 1 + self.favour * covered
        chances: NDArray[np.float64] = factors / factors.sum()
        return chances


BIASES = (
    Bias("a section favoured by 10%", 360 / SECTIONS, 0.10),
    Bias("a sector of 10° favoured by 5%", 10, 0.05),
    Bias("a section favoured by 50%", 360 / SECTIONS, 0.50),
    Bias("three sections favoured by 20%", 3 * 360 / SECTIONS, 0.20),
)


@dataclass(frozen=True, slots=True)
class Unfair:
    """Unfair wheels to be spun."""

    bias: Bias
    seed: int
    wheels: int


@dataclass(frozen=True, slots=True)
class Found:
    """After how many spins each wheel was called unfair; MOST_SPINS and one for never."""

    evidence: tuple[int, ...]
    chi_square: tuple[int, ...]


def detection(unfair: Unfair) -> Found:
    """Spin unfair wheels, a day at a time, until both tests have called each unfair."""
    rng = np.random.default_rng(unfair.seed)
    chances = np.repeat(unfair.bias.chances(), 2) / 2
    looks, bar = Looks(mixture(SECTIONS)), critical(1 / ODDS[-1], SECTIONS - 1)
    counts = np.zeros((unfair.wheels, 3, SECTIONS), dtype=np.float64)
    first = np.full((2, unfair.wheels), MOST_SPINS + 1)
    for done in range(DAY, MOST_SPINS + 1, DAY):
        open_ = np.flatnonzero((first > MOST_SPINS).any(axis=0))
        if not len(open_):
            break
        day = rng.multinomial(DAY, chances, len(open_)).reshape(-1, SECTIONS, 2).transpose(0, 2, 1)
        counts[open_, 1:] += day
        counts[open_, 0] += day.sum(axis=1)
        single = counts[open_].astype(np.float32)
        now, _ = looks.now_and_highest(single, np.zeros_like(single))
        for test, called in enumerate((now >= math.log(ODDS[-1]), _chi_squares(single[:, 0]) >= bar)):
            calls = open_[called]
            first[test, calls] = np.minimum(first[test, calls], done)
    return Found(tuple(map(int, first[0])), tuple(map(int, first[1])))


# -- all of it -----------------------------------------------------------------------------------------------------


def measure(wheels: int, spins: int, unfair: int, seed: int, workers: int) -> list[Measured]:
    """Spin them all."""
    seeds = np.random.SeedSequence(seed).generate_state(wheels // SHARE + 1 + 2 * len(BIASES) * unfair)
    shares = [Fair(int(seeds[at]), min(SHARE, wheels - at * SHARE), spins) for at in range(-(-wheels // SHARE))]
    alarms = Alarms()
    with shown_progress("fair wheels", wheels) as progress:
        for number, part in spread(false_alarms, shares, workers):
            alarms.add(part)
            progress(shares[number].wheels)
    lines = [_promise(alarms, odds, wheels) for odds in ODDS]
    lines.append(
        Measured(
            f"a chi-square looked at daily, at p < 1/{ODDS[-1]:,} each day",
            f"{alarms.chi_square:,} of {wheels:,} fair wheels called unfair within {spins:,} spins",
        )
    )
    lines.append(Measured("blocks looked at more closely", f"{alarms.refined:,}"))
    trials = [Unfair(bias, int(seeds[-1 - n]), unfair) for n, bias in enumerate(BIASES)]
    with shown_progress("biases", len(trials)) as progress:
        found: dict[int, Found] = {}
        for number, seen in spread(detection, trials, workers):
            found[number] = seen
            progress(1)
    for number, trial in enumerate(trials):
        lines += _spins_until(trial.bias.what, found[number])
    return lines


def _promise(alarms: Alarms, odds: int, wheels: int) -> Measured:
    count = alarms.by_odds[odds]
    how = "every spin" if odds >= EXACT else f"every {BLOCK} spins"
    # By chance a rate of just 1/odds gives up to so many.
    most = wheels / odds + 4 * math.sqrt(wheels / odds) + 1
    figure = f"{count:,} of {wheels:,} fair wheels"
    return Measured(
        f"e-value ever at {odds:,} or more, looked at after {how}",
        figure,
        f"{count / wheels * odds:.2f}",
        f"at most 1 in {odds:,}",
        count <= most,
    )


def _spins_until(what: str, found: Found) -> list[Measured]:
    return [
        Measured(f"{what}: {test}", _quantiles(spins))
        for test, spins in (("evidence", found.evidence), ("daily chi-square", found.chi_square))
    ]


def _quantiles(spins: Sequence[int]) -> str:
    told = []
    for name, part in (("half", 0.5), ("nine in ten", 0.9)):
        at = sorted(spins)[math.ceil(part * len(spins)) - 1]
        told.append(f"{name} not within {MOST_SPINS:,}" if at > MOST_SPINS else f"{name} within {at:,}")
    return ", ".join(told) + " spins"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fairness", description=__doc__)
    parser.add_argument("--wheels", type=int, default=10_000, help="fair ones (default 10,000)")
    parser.add_argument("--spins", type=int, default=100_000, help="of each (default 100,000)")
    parser.add_argument("--unfair", type=int, default=100, help="unfair wheels of each kind (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    given = parser.parse_args()
    sys.exit(main(lambda: measure(given.wheels, given.spins, given.unfair, given.seed, given.workers)))
