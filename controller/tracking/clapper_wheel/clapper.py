"""The clapper's contact: which of its edges are strikes, and its level at any moment."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from hal.events import CLAPPER

STRIKE: Final = ord(CLAPPER)
OPENS: Final = ord(CLAPPER.lower())
CHATTER: Final = ord("+")
"""The kind of a rising edge that is no strike."""


_FEW_COUNTS: Final = 3


class ContactPace:
    """How fast the wheel is from one edge of the contact to the next: one late stamp matters little there."""

    def __init__(self) -> None:
        self._last: tuple[int, int] | None = None

    def at(self, path: int, at_ns: int) -> tuple[int, int] | None:
        """Counts since the contact's last edge, and nanoseconds; None if that is too little.

        Args:
            path: the number of encoder edges seen so far.
        """
        last, self._last = self._last, (path, at_ns)
        if last is None or path - last[0] < _FEW_COUNTS:
            return None
        return path - last[0], at_ns - last[1]


class ClapperLevel:
    """The contact over the edges that are being looked at.

    A strike is a rising edge after the contact was open and quiet for ``debounce_ns``. Any other rising edge is
    chatter: the contact had not opened yet.
    """

    def __init__(self, deflected: bool, debounce_ns: int) -> None:
        self.debounce_ns = debounce_ns
        self.closed = deflected
        """The level after the last edge."""
        self.changed_ns = -debounce_ns
        """When that was."""
        self._before = deflected
        self._letters = b""
        self._at_ns: Sequence[int] = ()

    def passed(self, closed: bool, changed_ns: int) -> None:
        """Edges have passed that somebody else looked at: the level after them, and when it changed."""
        self.closed = self._before = closed
        self.changed_ns = changed_ns
        self._letters, self._at_ns = b"", ()

    def closes(self, at_ns: int) -> None:
        """The next edge, alone, which is a strike."""
        self._letters, self._at_ns, self._before = CLAPPER.encode(), (at_ns,), self.closed
        self.closed, self.changed_ns = True, at_ns

    def kinds(self, letters: bytes, at_ns: Sequence[int]) -> bytes:
        """The next edges, in order, by kind: strikes, openings, chatter; and the index's letters as they are."""
        kinds = bytearray(letters)
        self._letters, self._at_ns = letters, at_ns
        deflected, changed_ns, debounce_ns = self.closed, self.changed_ns, self.debounce_ns
        self._before = deflected
        for i, (letter, now_ns) in enumerate(zip(letters, at_ns, strict=True)):
            if letter == STRIKE:
                if deflected or now_ns - changed_ns < debounce_ns:
                    kinds[i] = CHATTER
                deflected, changed_ns = True, now_ns
            elif letter == OPENS:
                deflected, changed_ns = False, now_ns
        self.closed, self.changed_ns = deflected, changed_ns
        return bytes(kinds)

    def at(self, at_ns: int) -> bool:
        """Whether the clapper is deflected at a moment, which is not before the first of the edges."""
        return self._level(bisect_right(self._at_ns, at_ns))

    def _level(self, edges: int) -> bool:
        rises, falls = self._letters.rfind(STRIKE, 0, edges), self._letters.rfind(OPENS, 0, edges)
        return self._before if rises == falls else rises > falls
