"""The clapper's contact from edge to edge: its level, its last edges, and how fast the wheel was between them."""

from collections import deque
from typing import Final

SLOW_NS: Final = 200_000_000
"""A wheel whose strikes are further apart is slow."""
_KEPT: Final = 12
"""So many edges of the contact are kept: more than a rest has after its last long passage."""
_NEVER_NS: Final = -1 << 60
_FEW_COUNTS: Final = 3
"""Over fewer counts a late stamp matters too much for a speed."""

Speed = tuple[int, int]
"""Counts, and within how many nanoseconds."""
ContactEdge = tuple[int, int]
"""When the contact closed or opened, and the wheel's direction if it closed, else 0."""


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
        self.edges: deque[ContactEdge] = deque(maxlen=_KEPT)
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
        self.edges.append((at_ns, direction))
        return self._speed(path, at_ns)

    def opens(self, at_ns: int, path: int) -> Speed | None:
        """An opening, perhaps not the last one before the next strike; otherwise as for a strike."""
        self.closed, self._changed_ns = False, at_ns
        self.edges.append((at_ns, 0))
        return self._speed(path, at_ns)

    def chatters(self, at_ns: int) -> None:
        """A closing that is no strike."""
        self.closed, self._changed_ns = True, at_ns
        if self.edges and not self.edges[-1][1]:
            self.edges.pop()  # It had not opened yet.

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
