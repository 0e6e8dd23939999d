"""Determines which keys of a matrix keypad are down, from its scans. Uses no pins and no clock.

Three pressed keys on three corners of a rectangle also connect row and column of the fourth, so that the four
cannot be distinguished. Such keys are in doubt, and their state is not guessed. Two keys at once are never in
doubt.
"""

from collections import Counter
from collections.abc import Set
from typing import NamedTuple


class Crossing(NamedTuple):
    """The place of a key, from 0."""

    row: int
    column: int


class MatrixChange(NamedTuple):
    """A key that went down or came up."""

    key: Crossing
    down: bool
    at_ns: int
    """The end of the first scan that showed it."""


def in_doubt(low: Set[Crossing]) -> set[Crossing]:
    """The keys that lie, with two others that read low, on three corners of a rectangle, or with three on four.

    Three corners alone are a scan during which a key moved: the fourth row had been read, or was still to be.
    """
    in_row = Counter(key.row for key in low)
    in_column = Counter(key.column for key in low)
    bends = [key for key in low if in_row[key.row] > 1 and in_column[key.column] > 1]
    rows, columns = {key.row for key in bends}, {key.column for key in bends}
    return {key for key in low if key.row in rows or key.column in columns}


class Matrix:
    """Tracks the keys of a keypad over its scans.

    Args:
        scans: a key counts once it reads alike in so many scans in a row.
        low: the keys that read low before the first scan. They are no presses.
    """

    def __init__(self, scans: int, low: Set[Crossing] = frozenset()) -> None:
        self._scans = scans
        self._down = set(low - in_doubt(low))
        """The keys that count as down."""
        self._since: dict[Crossing, list[int]] = {}
        """When each key that does not read as it counts did so, in scans in a row."""

    @property
    def down(self) -> list[Crossing]:
        """The keys that count as down."""
        return sorted(self._down)

    def scan(self, low: Set[Crossing], at_ns: int) -> list[MatrixChange]:
        """Take a scan: the keys that read low, and when it ended. Returns what changed by it, releases first."""
        sure = low - in_doubt(low)
        # A key in doubt that counts as down stays so; one that reads high is up, whatever the others do.
        differs = (sure - self._down) | (self._down - low)
        self._since = {key: [*self._since.get(key, ()), at_ns] for key in differs}
        settled = [key for key, stamps in self._since.items() if len(stamps) >= self._scans]
        changes = sorted(MatrixChange(key, key not in self._down, self._since.pop(key)[0]) for key in settled)
        self._down ^= set(settled)
        return sorted(changes, key=lambda change: change.down)
