"""An identification that nobody turned the key for, keyed where the digits are the game's.

A floorperson who keys too early, or forgets the key, keys a number, ``enter``, a PIN, ``enter``. At the first
``enter`` it is known what was keyed before, and what the game made of it: so the PIN is kept from the game. Pure.
"""

from collections.abc import Callable
from typing import NamedTuple

LONGEST_ENTRY = 3
"""Digits of the longest entry that is one value: three dice. Longer are cards or positions, one by one."""
PATIENCE_NS = 30 * 1_000_000_000
"""Digits that are further apart are not keyed one after another."""


class KeyedRun(NamedTuple):
    """Digits that were keyed for the game, one after another, with no other key between.

    Attributes:
        taken: how many of the presses the game took.
        refused: how many it did not take.
        at_ns: when the last one was pressed.
    """

    digits: str = ""
    taken: int = 0
    refused: int = 0
    at_ns: int = 0

    def and_then(self, control: str, at_ns: int, taken: bool) -> "KeyedRun":
        """The run after another key.

        Args:
            taken: the game takes it.
        """
        if not control.isdecimal():
            return KeyedRun()
        before = self if at_ns - self.at_ns <= PATIENCE_NS else KeyedRun()
        return KeyedRun(before.digits + control, before.taken + taken, before.refused + (not taken), at_ns)

    def identifies(self, knows: Callable[[str], bool], enter_taken: bool) -> bool:
        """Whether ``enter`` now begins a PIN.

        A number that somebody has is one, unless it is an entry that the game takes as it stands: 17, or 1-2-3.
        One that nobody has may be mistyped, if the game can make no entry of it.
        """
        if not self.digits:
            return False
        too_long = len(self.digits) > LONGEST_ENTRY
        if enter_taken and too_long and not self.taken:
            return True
        if not enter_taken and (self.refused or too_long):
            return True
        several = self.taken > 1  # One may be a choice of a menu.
        return bool(self.refused or too_long or (several and not enter_taken)) and knows(self.digits)
