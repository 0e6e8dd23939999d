"""One way to run every campaign: its command line, parts on several processors, and tallies that add up."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
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
    if games:
        parser.add_argument(
            "--games", nargs="+", default=games, choices=games, metavar="GAME", help="only these (default: all)"
        )
    return parser


def run(work: Callable[[P], T], parts: Sequence[P], total: T, chosen: Namespace | None = None) -> T:
    """Do every part, and add its tally to the total: the same however many workers there are.

    Args:
        work: a function of a module, because it is sent to other processes.
        chosen: the command line; None for one process.
    """
    done: dict[int, Any] = {}
    with shown_progress("parts", len(parts)) as progress:
        for number, tally in spread(partial(_named, work), parts, chosen.workers if chosen else 1):
            done[number] = tally
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


def in_memory() -> TemporaryDirectory[str]:
    """A temporary folder, in memory if there is one: a kill leaves what was written, synced or not."""
    return TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None)
