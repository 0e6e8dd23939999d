"""How far the wheel has turned in one direction, and when it is at rest.

Both take runs: stretches of edges in one direction, with the stamps of their edges. Neither knows about sections.
"""

from collections.abc import Sequence
from typing import Final

from controller.events.event import Direction

REST_COUNTS: Final = 2
"""A wheel that moves no more than this is at rest."""
_STEP: Final = REST_COUNTS + 1
_STOPS: Final = 2.42
"""A wheel that slows down evenly stands at the latest after so many times what its last count took: 1 + √2."""


def direction_of(step: int) -> Direction:
    """Counts grow along the rim in the order of the sections, so the wheel turns counterclockwise."""
    return Direction.COUNTERCLOCKWISE if step > 0 else Direction.CLOCKWISE


class Travel:
    """The longest run in one direction since the wheel last stood, from turning point to turning point.

    A turning point is a reversal by more than one section: rocking the wheel by hand makes one each time, and so
    never adds up. What a run has made stays made, however far the leather of the last peg pushes the wheel back.
    """

    def __init__(self, count: int, counts_per_turn: int, sections: int) -> None:
        self._counts_per_turn = counts_per_turn
        self._sections = sections
        self._half_turn = counts_per_turn // 2 + 1
        self.restart(count)

    def restart(self, count: int) -> None:
        """The wheel stands at this count."""
        self._origin = count
        self._extreme = count
        self._next_mark = self._half_turn
        self._revolutions = 0
        self.thrown = False
        """The wheel has made more than half a turn one way."""
        self._made = (0, 0)
        self._after = 0
        """Counts of the longest run since then."""
        self._direction = 0

    @property
    def counts(self) -> int:
        """Counts of the longest run."""
        return max(self._made[0], abs(self._extreme - self._origin))

    @property
    def direction(self) -> int:
        """Of the longest run: +1 or -1; 0 before the wheel has moved."""
        return self._made[1] if self._made[0] > abs(self._extreme - self._origin) else self._direction

    @property
    def back(self) -> int:
        """Counts of the longest run after the longest of all: how far the wheel was turned back."""
        last = abs(self._extreme - self._origin)
        return max(self._after, last) if self._made[0] > last else 0

    def advance(self, count: int, direction: int) -> bool:
        """The wheel has run to ``count``. True if a mark (half a turn, a revolution) was reached."""
        if direction == self._direction:
            if (count - self._extreme) * direction > 0:
                self._extreme = count
        elif self._direction == 0:
            self._direction = direction
            self._extreme = count
        elif (count - self._extreme) * direction * self._sections > self._counts_per_turn:
            self._turn(count, direction)
        return (self._extreme - self._origin) * self._direction >= self._next_mark

    def _turn(self, count: int, direction: int) -> None:
        run = abs(self._extreme - self._origin), self._direction
        self._made, self._after = (run, 0) if run > self._made else (self._made, max(self._after, run[0]))
        self._origin = self._extreme
        self._extreme = count
        self._direction = direction
        self._revolutions = 0
        self._next_mark = self._counts_per_turn if self.thrown else self._half_turn

    def take_mark(self) -> tuple[int, int] | None:
        """The next mark that was reached: its count, and the revolutions completed there (0: half a turn)."""
        if abs(self._extreme - self._origin) < self._next_mark:
            return None
        at = self._origin + self._direction * self._next_mark
        if not self.thrown:
            self.thrown = True
            self._next_mark = self._counts_per_turn
            return at, 0
        self._revolutions += 1
        self._next_mark += self._counts_per_turn
        return at, self._revolutions


NEVER: Final = 1 << 62
"""A moment that does not come."""
STANDS_NS: Final = 500_000_000
"""A wheel that has not moved for this long is seen to stand, if not certain to."""


class Rest:
    """At rest: no more than two counts of movement for ``rest_ns``.

    The wheel is at rest once all its positions of the last ``rest_ns`` lie within two counts. That window reaches
    back to the moment when the wheel last left a position three counts away from where it is now. But one that
    creeps, or slowly turns back, stays there for as long and moves on: it is at rest once it has stood
    :data:`_STOPS` times as long as its last counts took, or for twice ``rest_ns``, for an encoder may tremble for
    ever.
    """

    def __init__(self, count: int, rest_ns: int) -> None:
        self._rest_ns = rest_ns
        self._home = count
        self._left_ns = [0] * 8
        """When each of the nearest positions was last left, by the position modulo 8."""
        self._since_ns = 0
        """When a position three counts away was last left."""
        self._stirred_ns = 0
        self._from_ns = 0
        """Since when the wheel may have been at rest."""
        self._last_ns: Sequence[int] = (0, 0, 0)
        """The last three edges."""
        self._extended_ns = NEVER
        self.due_ns = NEVER
        """When the wheel will be at rest unless it moves before; NEVER while it stands."""

    @property
    def moving(self) -> bool:
        return self.due_ns != NEVER

    def stands(self, now_ns: int) -> bool:
        """It may have been at rest for :data:`STANDS_NS`, and is not certain to be."""
        return self.moving and now_ns - self._from_ns >= STANDS_NS

    def extend(self) -> bool:
        """Wait as long again, once: bent leather may still push the wheel back, slowly. True if that is granted."""
        if self._extended_ns != NEVER:
            return False
        self._extended_ns = self._from_ns
        self.due_ns = self._from_ns + 2 * self._rest_ns
        return True

    def wait_for_next_count(self) -> bool:
        """Wait until a wheel as slow as in its last counts would have come to the next. True if that is not yet."""
        before_ns, one_ns, last_ns = self._last_ns
        took_ns = max(one if one < self._rest_ns else 0 for one in (last_ns - one_ns, one_ns - before_ns))
        latest_ns = self._from_ns + 2 * self._rest_ns
        waited = self.due_ns
        self.due_ns = max(waited, min(last_ns + round(took_ns * _STOPS), latest_ns))
        return self.due_ns > waited

    def _stirs(self, since_ns: int) -> None:
        """The wheel may be at rest since then; if it was before, it is waited for anew."""
        self._from_ns = since_ns
        if since_ns != self._extended_ns:
            self._extended_ns = NEVER
        self.due_ns = since_ns + (self._rest_ns if self._extended_ns == NEVER else 2 * self._rest_ns)

    def stir(self, at_ns: int) -> None:
        """The wheel evidently moves, though the encoder may not say so."""
        self._stirred_ns = at_ns
        if self.due_ns == NEVER or at_ns > self._from_ns:
            self._stirs(at_ns)

    def settle(self, count: int) -> None:
        """The wheel was found to be at rest."""
        self._home = count
        self.due_ns = self._extended_ns = NEVER

    @property
    def runs_until_ns(self) -> int:
        """Before this moment the wheel does not stand still; 0 while it stands.

        In the run in which it starts it may. And whatever it waits for besides, each count may end.
        """
        return self._from_ns + self._rest_ns if self.moving else 0

    def advance(self, count: int, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        """The wheel has run from ``count``, by this many edges, without standing still in between.

        As long as it stood, edge by edge.
        """
        passed = edges - _STEP if edges > _STEP else 0  # What lies further back than three counts says nothing.
        recent = stamps[first + passed : first + edges]
        self._last_ns = recent if edges >= _STEP else (*self._last_ns[edges:], *recent)
        at, left_ns, since_ns = count + direction * passed, self._left_ns, self._since_ns
        for at_ns in recent:
            left_ns[at & 7] = at_ns
            before_ns = left_ns[at - 2 * direction & 7]
            if before_ns > since_ns:
                since_ns = before_ns
            at += direction
        self._since_ns = since_ns
        if self.due_ns != NEVER:
            self._stirs(since_ns if since_ns > self._stirred_ns else self._stirred_ns)
        elif abs(at - self._home) > REST_COUNTS:
            self.stir(recent[-1])  # It moves from now on, however long ago it made the first of these counts.
