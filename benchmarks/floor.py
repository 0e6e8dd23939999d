"""A thousand tables on one broker and one floor, and what fails meanwhile: ``python -m benchmarks.floor``.

The tables were played beforehand on simulated hardware, each for itself. In the run their entries are recorded in
their journals as their time comes, and each table has a publisher and a certificate of its own, at a real
Mosquitto; the floor's process stores what it receives. Meanwhile the broker is killed and started again, then the
floor's process, and a tenth of the tables lose their network for a fifth of the time. In the end every round of
every journal must be in the store, once, with its hash; no gap may be left, and nothing be disputed.

All of it is on this computer, and the tables take more of it than broker and floor.
"""

import argparse
import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from tempfile import TemporaryDirectory

from benchmarks.floor_figures import Figures, figures, markdown, measured
from benchmarks.floor_plan import FILES, PROCESSES, Plan
from benchmarks.floor_run import Ran, Run
from benchmarks.floor_tables import play
from benchmarks.report import machine, table
from controller.bench.workers import spread

TABLES, MINUTES = 1000, 10.0


def prepare(plan: Plan, folder: Path) -> Path:
    """Play the tables that were not played yet; returns the folder of their plays."""
    plays = folder / "plays"
    plays.mkdir(exist_ok=True)
    for _ in spread(play, plan.seats(folder, plays), PROCESSES):
        pass
    return plays


def run(plan: Plan, folder: Path) -> Ran:
    """One run, in a folder that may hold plays of the same seed and minutes.

    Raises:
        AssertionError: a process ended by itself, or did not begin.
    """
    _raise_limit(FILES * -(-plan.tables // plan.hosts) + 1000)
    plays = prepare(plan, folder)
    with TemporaryDirectory(dir=folder) as place:
        return Run(plan, Path(place), plays).run()


def _raise_limit(files: int) -> None:
    """Let this process and those that it starts have so many files open, or as many as they may."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (min(hard, max(soft, files)), hard))


def measure(plans: Sequence[Plan], folder: Path | None = None) -> list[Figures]:
    """Runs, one after the other, in a folder of their own each."""
    found = []
    for plan in plans:
        with TemporaryDirectory(dir=folder) as place:
            print(f"{plan.tables} tables for {plan.seconds:.0f} s ...", file=sys.stderr, flush=True)
            ran = run(plan, Path(place))
            _report(ran)
            found.append(figures(ran))
    return found


def _report(ran: Ran) -> None:
    """Print what is wrong, as much as a person would read."""
    difference = ran.difference
    for what in ("missing", "twice", "other", "alerts"):
        for line in getattr(difference, what)[:10]:
            print(f"{what}: {line}", file=sys.stderr)
    if difference.refused:
        print(f"refused: {difference.refused}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.floor", description=__doc__)
    parser.add_argument(
        "--tables", type=int, nargs="+", default=[TABLES], help=f"one number or several (default {TABLES})"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        nargs="+",
        default=[MINUTES],
        help=f"of play, one for all or one for each number of tables (default {MINUTES:.0f})",
    )
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument(
        "--speed",
        type=float,
        nargs="+",
        default=[1.0],
        help="times faster than real time, one for all or one for each number of tables;"
        " 0.1 where the computer bears a tenth of them (default 1)",
    )
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite", help="default sqlite")
    parser.add_argument(
        "--workers", type=int, default=0, help="how many share the store (PostgreSQL); default one process alone"
    )
    parser.add_argument("--folder", type=Path, help="where everything is written; a thousand tables take some GB")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


def _plans(given: argparse.Namespace) -> list[Plan]:
    """What is to be run, one after the other.

    Raises:
        ValueError: with a sentence, if the options do not go together.
    """
    if given.workers and given.store != "postgresql":
        raise ValueError("--workers share a store in PostgreSQL: --store postgresql")
    sizes = len(given.tables)
    for option, values in (("--minutes", given.minutes), ("--speed", given.speed)):
        if len(values) not in (1, sizes) or min(values) <= 0:
            raise ValueError(f"{option} takes one number above 0, or one for each of the {sizes} numbers of tables")
    each = zip(given.tables, itertools.cycle(given.minutes), itertools.cycle(given.speed), strict=False)
    return [
        Plan(tables, minutes, given.seed, speed, given.store == "postgresql", given.workers)
        for tables, minutes, speed in each
    ]


def main() -> int:
    parser = _parser()
    given = parser.parse_args()
    try:
        plans = _plans(given)
    except ValueError as error:
        parser.error(str(error))
    found = measure(plans, given.folder)
    if given.json:
        print(json.dumps([one.plain() for one in found], indent=2))
    else:
        print(machine())
        print(table([line for one in found for line in measured(one)]))
        print(f"\n{markdown(found)}")
    return 0 if all(one.passed for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
