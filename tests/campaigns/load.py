"""A busy table for days, and a journal that has grown for years: ``python -m campaigns.load``.

Days: a table of each kind on simulated hardware plays 72 hours of virtual time without a pause, its journal in a
file; memory is what the kernel reports of the process, after the first hours and at the end. Years: a journal of a
million rounds is written (the entries of one round again and again, each in the chain), and a table is started on
it, beside a new one in the same run.
"""

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Measured, main
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import Entry
from controller.journal.journal import Journal

HOURS, ROUNDS = 72, 1_000_000
GAMES = ("dreamcatcher", "roulette", "sic-bo")
WARM_HOURS = 12
MOST_GROWTH_MB = 4.0
"""In the 60 hours after the first twelve. What grows without end would show in days."""
MOST_SLOWER = 2.0
"""A start on the long journal, against one on a new journal."""
STARTS = 9


# -- days ----------------------------------------------------------------------------------------------------------


def resident_mb() -> float:
    """Memory of this process, from the kernel."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def days(game: str, hours: int, seed: int, folder: Path) -> list[Measured]:
    """Play one table for so many hours of its own time."""
    oracle = Oracle()
    rig = Rig(load_table(table_path(game)).config, folder / f"{game}.journal", {"seed": seed}, listeners=(oracle,))
    dealer = Dealer(rig, random.Random(seed), oracle)
    warm_mb = 0.0
    while rig.clock.now_ns() < hours * 3600 * NS_PER_S:
        dealer.act()
        if not warm_mb and rig.clock.now_ns() > min(WARM_HOURS, hours / 6) * 3600 * NS_PER_S:
            warm_mb = resident_mb()
    grown = resident_mb() - warm_mb
    verdict = rig.journal.verify()
    wrong = len(oracle.tally.wrong) + bool(verdict.problem)
    rig.table.stop()
    rig.journal.close()
    return [
        Measured(f"{game}: rounds in {hours} hours", f"{oracle.tally.rounds}"),
        Measured(f"{game}: entries, and wrong results", f"{verdict.entries}, {wrong}", "", "none wrong", not wrong),
        Measured(
            f"{game}: memory grown after the first {WARM_HOURS} hours",
            f"{grown:.1f} MB",
            "",
            f"at most {MOST_GROWTH_MB:.0f} MB",
            grown <= MOST_GROWTH_MB,
        ),
    ]


# -- years ---------------------------------------------------------------------------------------------------------


def one_round(folder: Path) -> list[Entry]:
    """The entries of a whole round, from its opening to the last before the next one."""
    table = Rig(load_table(table_path("dreamcatcher")).config, folder / "one.journal")
    table.turn(1.2)
    for _ in range(2):
        table.press("no-more-bets")
        table.spin(3.3, stop_on="40")
        table.press("done", "done", "clear")
    entries = list(table.journal.entries())
    table.table.stop()
    table.journal.close()
    opened = [k for k, entry in enumerate(entries) if entry.checkpoint is not None]
    return entries[opened[1] : opened[2]]


def grow(file: Path, rounds: int, pattern: list[Entry]) -> int:
    """Write a journal of so many rounds. Not synced: it is the reading that is measured. Returns its entries."""
    journal = Journal(file)
    journal._db.execute("PRAGMA synchronous=OFF")
    journal._db.execute("BEGIN")
    for number in range(1, rounds + 1):
        for entry in pattern:
            kept = entry.checkpoint and _renumbered(entry.checkpoint, number)
            body = entry.body.replace(f'"number":{pattern[0].round}', f'"number":{number}')
            journal.append(number, entry.at_ns, 0, entry.kind, body, kept)
        if number % 10_000 == 0:
            journal._db.execute("COMMIT")
            journal._db.execute("BEGIN")
            print(f"\r{number} rounds written", end="", file=sys.stderr, flush=True)
    journal._db.execute("COMMIT")
    print("\r", end="", file=sys.stderr)
    count = len(journal)
    journal.close()
    return count


def _renumbered(checkpoint: str, number: int) -> str:
    kept = json.loads(checkpoint)
    kept["data"]["round"] = number
    return json.dumps(kept, separators=(",", ":"), sort_keys=True)


def start_s(file: Path) -> float:
    """Open a journal and start a table on it; the time that this takes in a process that is warm."""
    config = load_table(table_path("dreamcatcher")).config
    begun = time.perf_counter()
    rig = Rig(config, file)
    took = time.perf_counter() - begun
    rig.table.stop()
    rig.journal.close()
    return took


def years(rounds: int, folder: Path) -> list[Measured]:
    """Starts on a long journal and on a short one, by turns."""
    pattern = one_round(folder)
    entries = grow(folder / "long.journal", rounds, pattern)
    grow(folder / "short.journal", 1, pattern)
    size_mb = (folder / "long.journal").stat().st_size / 1e6
    starts: dict[str, list[float]] = {"long": [], "short": []}
    for _ in range(STARTS):
        for name, taken in starts.items():
            taken.append(start_s(folder / f"{name}.journal"))
    long, short = median(starts["long"]), median(starts["short"])
    begun = time.perf_counter()
    journal = Journal(folder / "long.journal", read_only=True)
    verdict = journal.verify()
    journal.close()
    took = time.perf_counter() - begun
    ratio = long / short
    fits = not verdict.problem
    return [
        Measured(f"a journal of {rounds} rounds", f"{entries} entries, {size_mb:.0f} MB"),
        Measured("start on a journal of one round", f"{short * 1000:.1f} ms", "1"),
        Measured(
            "start on the long one",
            f"{long * 1000:.1f} ms",
            f"{ratio:.2f}",
            f"at most {MOST_SLOWER:.0f}",
            ratio <= MOST_SLOWER,
        ),
        Measured("all of it verified", f"{took:.0f} s", "", "every entry fits", fits),
    ]


def measure(hours: int = HOURS, rounds: int = ROUNDS, seed: int = 1, folder: Path | None = None) -> list[Measured]:
    """Days and years."""
    with TemporaryDirectory(dir=folder) as place:
        lines = [line for game in GAMES for line in days(game, hours, seed, Path(place))]
        return [*lines, *years(rounds, Path(place))]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m campaigns.load", description=__doc__)
    parser.add_argument("--hours", type=int, default=HOURS, help=f"of virtual time (default {HOURS})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of the long journal (default {ROUNDS})")
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument("--folder", type=Path, help="where the journals are written; a million rounds take some GB")
    given = parser.parse_args()
    sys.exit(main(lambda: measure(given.hours, given.rounds, given.seed, given.folder)))
