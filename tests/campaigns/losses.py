"""What a campaign of interruptions may find lost, and the words and arguments that such campaigns share."""

import os
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

MEMORY = Path("/dev/shm")


@dataclass(slots=True)
class Losses:
    """What is wrong after interruptions. Losses of parts add up to those of the whole."""

    missing: list[str] = field(default_factory=list)
    """Entries whose append had returned and that were not there, or others."""
    wrong: list[str] = field(default_factory=list)
    """States and decisions that are not those of an uninterrupted machine."""
    early: list[str] = field(default_factory=list)
    """Lamps before their record."""
    broken: list[str] = field(default_factory=list)
    """Journals that do not verify, tables that do not start or do not go on."""

    @property
    def passed(self) -> bool:
        """Nothing was lost."""
        return not (self.missing or self.wrong or self.early or self.broken)

    def add_losses(self, other: Self) -> None:
        """Take in another's."""
        self.missing += other.missing
        self.wrong += other.wrong
        self.early += other.early
        self.broken += other.broken

    def print_losses(self) -> None:
        """For people."""
        print(f"  entries that were acknowledged and are missing: {len(self.missing)}")
        print(f"  wrong states: {len(self.wrong)}")
        print(f"  lamps before their record: {len(self.early)}")
        print(f"  journals that do not verify, tables that do not go on: {len(self.broken)}")
        for line in (*self.missing, *self.wrong, *self.early, *self.broken):
            print(f"    {line}")


def add_arguments(parser: ArgumentParser, games: Sequence[str], what: str) -> None:
    """The arguments of every such campaign.

    Args:
        games: all there are.
        what: what is kept in the folder, in words.
    """
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of everything random (default 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument(
        "--games", nargs="+", default=games, choices=games, metavar="GAME", help="only these (default: all)"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=MEMORY if os.access(MEMORY, os.W_OK) else None,
        help=f"{what} (default: {MEMORY}, in memory)",
    )
    parser.add_argument("--mirror", action="store_true", help="journals on two media; each alone is tried, too")
