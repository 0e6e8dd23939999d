"""One way to run every campaign: its command line, parts on several processors, and tallies that add up.

With ``--keep FILE`` the tally of each part is kept as soon as it is done. The same command then goes on from there.
"""

import os
import pickle
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, TypeVar

from controller.bench.simulate import spread
from controller.commands.output import progress as shown_progress

P = TypeVar("P")
T = TypeVar("T")
_MEMORY = Path("/dev/shm")
_HOW = ("workers", "keep")
"""Arguments that change no figure."""


@dataclass
class Tally:
    """Counts of a part of a campaign: numbers, counters and lists."""

    def add(self, other: Self) -> None:
        """Add another part's counts."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def command_line(name: str, text: str | None, games: Sequence[str] = ()) -> ArgumentParser:
    """The arguments that every campaign has; with games, ``--games``, too."""
    parser = ArgumentParser(prog=f"python -m campaigns.{name}", description=text)
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of everything random (default 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep what is done, and go on from there")
    if games:
        parser.add_argument(
            "--games", nargs="+", default=games, choices=games, metavar="GAME", help="only these (default: all)"
        )
    return parser


def run(work: Callable[[P], T], parts: Sequence[P], total: T, chosen: Namespace | None = None) -> T:
    """Do every part, and add its tally to the total: the same however many workers there are.

    Args:
        work: a function of a module, because it is sent to other processes.
        chosen: the command line; None for one process that keeps nothing.

    Raises:
        ValueError: what was kept is of another command.
    """
    file = chosen.keep if chosen is not None else None
    done: dict[int, Any] = _kept(file, chosen) if file is not None else {}
    left = [number for number in range(len(parts)) if number not in done]
    with shown_progress("parts", len(left)) as progress:
        workers = chosen.workers if chosen else 1
        for at, tally in spread(partial(_named, work), [parts[number] for number in left], workers):
            done[left[at]] = tally
            if file is not None:
                _keep(file, left[at], tally)
            progress(1)
    for number in range(len(parts)):
        total.add(done[number])
    return total


def _named(work: Callable[[Any], Any], part: object) -> Any:
    try:
        return work(part)
    except Exception as error:
        error.add_note(f"in the part {part}")
        raise


def _kept(file: Path, chosen: Namespace | None) -> dict[int, Any]:
    """The tallies that are in a file, by part. A record that was cut short is taken away."""
    command = {name: value for name, value in vars(chosen).items() if name not in _HOW}
    found: dict[int, Any] = {}
    with file.open("a+b") as stream:
        stream.seek(0)
        whole = 0
        with suppress(EOFError, pickle.UnpicklingError):
            while True:
                number, tally = pickle.load(stream)  # Our own.
                found[number], whole = tally, stream.tell()
        stream.truncate(whole)
    if not found:
        _keep(file, -1, command)
    elif found.pop(-1) != command:
        raise ValueError(f"{file} keeps another campaign; name another file")
    return found


def _keep(file: Path, number: int, tally: object) -> None:
    with file.open("ab") as stream:
        pickle.dump((number, tally), stream)


def in_memory() -> TemporaryDirectory[str]:
    """A temporary folder, in memory if there is one: a kill leaves what was written, synced or not."""
    return TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None)
