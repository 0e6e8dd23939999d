"""This tree beside another checkout of it, in turns in one run: ``python -m benchmarks.compared FOLDER``.

For instance ``git worktree add FOLDER b02d03e``. Both run under this interpreter. From start to ready and its
processor time, resident memory, key to lamps, processor time of a round of each game (``simulate``, on virtual
time), and lines of code. Machines are shared: a ratio is that of the medians of all turns, this tree's to the
other's.
"""

import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import startup
from benchmarks.report import Measured, main
from benchmarks.startup import TREE
from controller.configuration.shipped import shipped_tables

TURNS, ROUNDS = 5, 1000
PARTS = {"software": ("controller", "hal", "config"), "tests": ("tests",), "measurements": ("benchmarks", "tools")}
_P50 = re.compile(r"(p50 of \d+|without the commit, p50) +([0-9.]+) ms")
Figures = dict[str, float]


def starts(tree: Path, bytecode: Path) -> Figures:
    """Seconds, and MB, of the start of each table."""
    found: Figures = {}
    for game in startup.GAMES:
        _compile(game, bytecode, tree)
        one = startup.start(game, 0.0, bytecode, tree)
        found[f"{game}: start to ready, ms"] = one.ready_s * 1000
        found[f"{game}: its processor time, ms"] = one.busy_s * 1000
        found[f"{game}: resident memory, MB"] = one.resident_mb
    return found


@cache
def _compile(game: str, bytecode: Path, tree: Path) -> None:
    startup.start(game, 0.0, bytecode, tree)


def keys(tree: Path) -> Figures:
    """From a key to the lamps."""
    printed = _run(tree, "benchmarks.latency")
    p50 = [float(figure) for _, figure in _P50.findall(printed)]
    return dict(zip(("key to lamps, p50, ms", "the same without the commit, ms"), p50, strict=True))


def rounds(tree: Path, games: tuple[str, ...], number: int) -> Figures:
    """Processor time of a round. A table plays some 30 to 100 rounds, and its start counts with them.

    The start of the process does not count.
    """
    return {
        f"{game}: a round, ms": (_busy_ms(tree, game, number + 1) - _busy_ms(tree, game, 1)) / number
        for game in games
    }


def _busy_ms(tree: Path, game: str, number: int) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    _run(tree, "controller", "simulate", game, "--rounds", str(number), "--seed", "2", "--workers", "1")
    after = getrusage(RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _run(tree: Path, module: str, *words: str) -> str:
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: a figure missed its target.
        raise RuntimeError(f"{tree}: {' '.join(command[1:])} ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def lines(tree: Path) -> Figures:
    """Lines of Python that are neither empty nor a comment alone; docstrings are among them."""
    return {
        f"lines of {part}": sum(_lines(file) for package in packages for file in (tree / package).rglob("*.py"))
        for part, packages in PARTS.items()
    }


def _lines(file: Path) -> int:
    text = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return sum(line != "" and not line.startswith("#") for line in text)


def compared(other: Path, turns: int, measures: list[Callable[[Path], Figures]]) -> Iterator[Measured]:
    """Every figure, of this tree and of the other one."""
    found: dict[Path, dict[str, list[float]]] = {TREE: {}, other: {}}
    for turn in range(turns):
        for tree in (TREE, other) if turn % 2 else (other, TREE):
            for measure in measures:
                for what, figure in measure(tree).items():
                    found[tree].setdefault(what, []).append(figure)
        print(f"turn {turn + 1} of {turns}", file=sys.stderr, flush=True)
    for what, figures in found[TREE].items():
        here, there = median(figures), median(found[other][what])
        yield Measured(what, f"{here:.4g} beside {there:.4g}", f"{here / there:.2f}")


def measured() -> int:
    parser = ArgumentParser(prog="python -m benchmarks.compared", description=__doc__)
    parser.add_argument("folder", type=Path, help="a checkout of another commit")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"of both (default {TURNS})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of each game and turn (default {ROUNDS})")
    parser.add_argument(
        "--only", choices=("starts", "keys", "rounds", "lines"), action="append", help="default all"
    )
    arguments = parser.parse_args()
    other: Path = arguments.folder.resolve()
    if not (other / "controller").is_dir():
        parser.error(f"{other} has no folder controller; name a checkout")
    games = tuple(sorted(shipped_tables()))
    with TemporaryDirectory() as bytecode:
        measures: dict[str, Callable[[Path], Figures]] = {
            "starts": lambda tree: starts(tree, Path(bytecode)),
            "keys": keys,
            "rounds": lambda tree: rounds(tree, games, arguments.rounds),
            "lines": lines,
        }
        chosen = [measures[name] for name in arguments.only or measures]
        return main(lambda: list(compared(other, arguments.turns, chosen)))


if __name__ == "__main__":
    sys.exit(measured())
