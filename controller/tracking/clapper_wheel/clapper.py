"""The clapper's contact: which of its edges are strikes, and its level at any moment."""

from bisect import bisect_right
from collections.abc import Sequence

from hal.events import CLAPPER

STRIKE, OPENS = ord(CLAPPER), ord(CLAPPER.lower())
CHATTER = ord("+")
"""The kind of a rising edge that is no strike."""


_FEW_COUNTS = 3


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
    """The contact over the batch of edges that is being looked at.

    A strike is a rising edge after the contact was open and quiet for ``debounce_ns``. Any other rising edge is
    chatter: the contact had not opened yet.
    """

    def __init__(self, deflected: bool, debounce_ns: int) -> None:
        self._debounce_ns = debounce_ns
        self._before = deflected
        self._changed_ns = -debounce_ns
        self._letters = b""
        self._at_ns: Sequence[int] = ()

    def add(self, letters: bytes, at_ns: Sequence[int]) -> None:
        """The next batch: the edges of clapper and index, in order."""
        self._before = self._level(len(self._letters))
        self._letters, self._at_ns = letters, at_ns

    def kinds(self) -> bytes:
        """The batch's edges by kind: strikes, openings, chatter, and the index's letters. Call it once."""
        kinds = bytearray(self._letters)
        deflected, changed_ns, debounce_ns = self._before, self._changed_ns, self._debounce_ns
        for i, (letter, at_ns) in enumerate(zip(self._letters, self._at_ns, strict=True)):
            if letter == STRIKE:
                if deflected or at_ns - changed_ns < debounce_ns:
                    kinds[i] = CHATTER
                deflected, changed_ns = True, at_ns
            elif letter == OPENS:
                deflected, changed_ns = False, at_ns
        self._changed_ns = changed_ns
        return bytes(kinds)

    def at(self, at_ns: int) -> bool:
        """Whether the clapper is deflected at a moment, which is not before the batch began."""
        return self._level(bisect_right(self._at_ns, at_ns))

    def _level(self, edges: int) -> bool:
        rises, falls = self._letters.rfind(STRIKE, 0, edges), self._letters.rfind(OPENS, 0, edges)
        return self._before if rises == falls else rises > falls
