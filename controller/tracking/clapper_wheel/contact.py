"""The clapper's contact from edge to edge: its level, its last edges, and how fast the wheel was between them."""

from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

SLOW_NS: Final = 200_000_000
"""A wheel whose strikes are further apart is slow."""
_KEPT: Final = 12
"""So many edges of the contact are kept: more than a rest has after its last long passage."""
_LONG_NS: Final = 150_000_000
"""A peg that bends the leather for longer has slowed the wheel down almost to a stop."""
_NEVER_NS: Final = -1 << 60
_FEW_COUNTS: Final = 3
"""Over fewer counts a late stamp matters too much for a speed."""

Speed = tuple[int, int]
"""Counts, and within how many nanoseconds."""
SlowPass = tuple[int, int, int]
"""The wheel's direction when a peg closed the contact, when it did, and when the contact opened."""


class ContactEdges:
    """The last edges of the contact: the moment of each, and the wheel's direction if it closed, else 0."""

    def __init__(self) -> None:
        self._edges: deque[tuple[int, int]] = deque(maxlen=_KEPT)

    def closes(self, at_ns: int, direction: int) -> None:
        """A strike, the wheel moving in this direction."""
        self._edges.append((at_ns, direction))

    def opens(self, at_ns: int) -> None:
        """An opening, perhaps not the last one before the next strike."""
        self._edges.append((at_ns, 0))

    def chatters(self) -> None:
        """It had not opened yet."""
        if self._edges and not self._edges[-1][1]:
            self._edges.pop()

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._edges)

    @property
    def last_ns(self) -> int:
        """When the last of them came; 0 if there is none."""
        return self._edges[-1][0] if self._edges else 0

    def slow_passages(self) -> Iterator[SlowPass]:
        """When a peg has bent the leather for so long that it nearly stopped the wheel."""
        for (from_ns, direction), (to_ns, closed) in pairwise(self._edges):
            if direction and not closed and to_ns - from_ns > _LONG_NS:
                yield direction, from_ns, to_ns


class Contact:
    """What is known of the contact's edges so far.

    A strike is a closing after the contact was open and quiet for ``debounce_ns``. Any other closing is chatter:
    the contact had not opened yet.

    Attributes:
        closed: after the last edge.
        edges: the last of them.
    """

    def __init__(self, closed: bool, debounce_ns: int) -> None:
        self.closed = closed
        self.edges = ContactEdges()
        self._debounce_ns = debounce_ns
        self._changed_ns = -debounce_ns
        self._struck_ns = _NEVER_NS
        self._last: tuple[int, int] | None = None

    def strikes(self, at_ns: int) -> bool:
        """Whether a closing at this moment is a strike."""
        return not self.closed and at_ns - self._changed_ns >= self._debounce_ns

    def is_slow(self, at_ns: int) -> bool:
        """Whether a strike at this moment is that of a slow wheel."""
        return at_ns - self._struck_ns >= SLOW_NS

    def closes(self, at_ns: int, path: int, direction: int) -> Speed | None:
        """A strike; returns the wheel's speed since the last edge, None if that is not known.

        Args:
            path: the number of encoder edges seen so far.
            direction: in which the wheel moves.
        """
        self.closed, self._changed_ns, self._struck_ns = True, at_ns, at_ns
        self.edges.closes(at_ns, direction)
        return self._speed(path, at_ns)

    def opens(self, at_ns: int, path: int) -> Speed | None:
        """An opening, perhaps not the last one before the next strike; otherwise as for a strike."""
        self.closed, self._changed_ns = False, at_ns
        self.edges.opens(at_ns)
        return self._speed(path, at_ns)

    def chatters(self, at_ns: int) -> None:
        """A closing that is no strike."""
        self.closed, self._changed_ns = True, at_ns
        self.edges.chatters()

    def realign(self, closed: bool, at_ns: int) -> None:
        """The contact's level, whatever its edges said."""
        if closed != self.closed:
            self.closed, self._changed_ns = closed, at_ns

    def rests(self) -> None:
        """The wheel stands: what follows begins at no speed."""
        self._last = None

    def _speed(self, path: int, at_ns: int) -> Speed | None:
        """From one edge of the contact to the next, where one late stamp matters little."""
        last, self._last = self._last, (path, at_ns)
        if last is None or path - last[0] < _FEW_COUNTS:
            return None
        return path - last[0], at_ns - last[1]
