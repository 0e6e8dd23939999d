"""Quadrature decoding: an encoder's edges become signed counts.

A wheel that turns one way produces the endless train ``ABabABab…``, the other way ``BAbaBAba…``. A stretch of
edges that is a slice of one of the two is recognised by a single comparison, which costs about the same for ten
edges as for one. Whatever is not a clean slice is decoded edge by edge.
"""

from typing import Final

LONGEST: Final = 4096
"""The longest stretch that is recognised at once."""
STUCK_EDGES: Final = 3
"""So many edges on one line without any on the other: a wheel that turns never does that, and more would let a line
that breaks on the last peg pass for the wheel's rock-back (found by the fault campaign)."""

_LOWER: Final = 0x20
_FORWARD: Final = b"ABab" * (LONGEST // 4 + 1)
_BACKWARD: Final = b"BAba" * (LONGEST // 4 + 1)


class Quadrature:
    """The encoder's two lines, as a phase from 0 to 3: ``AB`` = 00, 10, 11, 01."""

    def __init__(self, a: bool, b: bool) -> None:
        self._phase = (0, 3, 1, 2)[2 * a + b]
        self._same_line = 0
        self._last_line = 0

    @property
    def levels(self) -> tuple[bool, bool]:
        """A and B after the last edge."""
        return self._phase in (1, 2), self._phase in (2, 3)

    def realign(self, a: bool, b: bool) -> None:
        """The lines' levels, whatever their edges said. Levels that are as they said change nothing."""
        if self.levels != (a, b):
            self._phase = (0, 3, 1, 2)[2 * a + b]
            self._same_line = 0

    def run(self, edges: bytes) -> int:
        """Decode two edges or more that are one clean run: its direction, +1 or -1; 0 if they are none, and nothing
        was decoded."""
        count, phase = len(edges), self._phase
        back = -phase & 3
        if count > LONGEST or (self._same_line == STUCK_EDGES - 1 and edges[0] | _LOWER == self._last_line):
            return 0  # Or the first edge is one too many on its line: it has to be looked at alone.
        if edges == _FORWARD[phase : phase + count]:
            direction = 1
        elif edges == _BACKWARD[back : back + count]:
            direction = -1
        else:
            return 0
        self._phase = (phase + direction * count) & 3
        self._same_line = 1
        self._last_line = edges[-1] | _LOWER
        return direction

    def rested(self) -> None:
        """The wheel stands, perhaps on an edge that it crosses again when it leaves: no line need be stuck."""
        self._same_line = 0

    def edge(self, letter: int) -> int:
        """The direction of one edge; 0 if its line already had this level: an edge in between was never seen."""
        phase = self._phase
        if letter == _FORWARD[phase]:
            direction = 1
        else:
            direction = -1 if letter == _BACKWARD[-phase & 3] else 0
        self._phase = (phase + direction) & 3
        return direction

    def counted(self, letter: int) -> str | None:
        """An edge was decoded, and what follows from it is done: a rest before it, too.

        Returns:
            the line that stands still while this one keeps changing, said once; None if none does.
        """
        line = letter | _LOWER
        self._same_line = self._same_line + 1 if line == self._last_line else 1
        self._last_line = line
        if self._same_line != STUCK_EDGES:
            return None
        return "encoder_b" if line == ord("a") else "encoder_a"
