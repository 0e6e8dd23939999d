"""From one pulse of the index to the next: what was seen meanwhile, and what that vouches for.

Index and counts share the encoder's shaft: a turn of other than so many counts has lost edges. The strikes of that
turn say whether the shaft turned with the wheel. Asked by ``trust.py``.
"""

from controller.events.event import Fault
from controller.tracking.clapper_wheel.geometry import WheelGeometry

INDEX_SLACK = 1  # An index edge may fall on the very edge of a count.


class IndexInterval:
    """The interval that began with the index's last pulse.

    Attributes:
        one_way: the wheel has not turned back, nor touched a peg twice.
        strikes: of the clapper.
        loss: why counts may be wrong; None if nothing says so.
        gap: how many edges, of whichever line, the sequence numbers say were lost.
    """

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        self._count: int | None = None
        self._direction = 0
        self.one_way = False
        self.strikes = 0
        self.loss: Fault | None = None
        self.gap = 0

    def begin(self, count: int, direction: int, one_way: bool) -> None:
        """A pulse of the index at this count."""
        self._count, self._direction, self.one_way = count, direction, one_way
        self.strikes = 0
        self.loss, self.gap = None, 0

    def forget(self) -> None:
        """No pulse is known any more."""
        self._count = None
        self.loss, self.gap = None, 0

    def since(self, count: int) -> int:
        """The count of the last pulse; if none is known, the interval begins at the given count."""
        if self._count is None:
            self._count = count
            self.one_way = False
        return self._count

    def missed(self, count: int) -> None:
        """A pulse should have come by now: the next one is due from here on."""
        self._count = count
        self.one_way = False

    def overdue(self, count: int, turns: int) -> bool:
        """Whether the wheel has made more than so many turns without a pulse."""
        slack = turns * self._geometry.counts_per_turn + INDEX_SLACK
        return self._count is not None and abs(count - self._count) > slack

    def is_turn(self, count: int, direction: int) -> bool:
        """Whether the interval that ends at this count was one turn, one way, of as many counts as it has."""
        return (
            self.one_way
            and self._count is not None
            and direction == self._direction
            and abs(abs(count - self._count) - self._geometry.counts_per_turn) <= INDEX_SLACK
        )

    def strikes_astray(self) -> int:
        """By how many the strikes differ from one in each section."""
        return abs(self.strikes - self._geometry.sections)

    def vouches(self, direction: int, error: int) -> bool:
        """Whether wheel and shaft turned together, if the interval ends so many counts off the mark."""
        return (
            self.one_way
            and direction == self._direction
            and self.strikes_astray() == 0
            and self.gap in (0, abs(error))
        )
