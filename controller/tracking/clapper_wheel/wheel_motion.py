"""How the wheel moves, by its encoder alone: counts, direction, turns, and rest."""

from controller.events.event import Event, RevolutionCompleted, WheelThrown
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.hand import Hand
from controller.tracking.motion import Rest, Travel, direction_of
from controller.tracking.quadrature import Quadrature
from controller.tracking.reading import Stamps


class WheelMotion:
    """The movement since the wheel last stood.

    Attributes:
        count: the encoder's count; it has no zero that means anything.
        direction: +1 or -1, as it moved last; 0 before it has moved.
        path: edges of the encoder, in whichever direction.
        events: what the movement proved and nobody has taken yet.
    """

    def __init__(self, geometry: WheelGeometry, a: bool, b: bool) -> None:
        self.quadrature = Quadrature(b, a) if geometry.reversed else Quadrature(a, b)
        self.count = self.direction = self.path = 0
        self.travel = Travel(0, geometry.counts_per_turn, geometry.sections)
        self.rest = Rest(0, geometry.rest_ns)
        self.hand = Hand(geometry, 0)
        self.events: list[Event] = []
        self.moved: tuple[Stamps, int, int] = (0,), 0, 0
        """The last edges in one direction: their stamps, where the last of them stands, and how many they are."""

    @property
    def moved_ns(self) -> int:
        """When the encoder last moved."""
        stamps, last, _ = self.moved
        return stamps[last]

    def advance(self, edges: int, direction: int, stamps: Stamps, first: int) -> None:
        """The wheel has moved by this many counts in one direction, without standing still in between."""
        start = self.count
        self.rest.advance(start, edges, direction, stamps, first)
        self.direction = direction
        self.path += edges
        self.moved = stamps, first + edges - 1, edges
        hand = self.hand
        hand.stretches.append((start, edges, direction, stamps, first))
        if len(hand.stretches) > hand.enough:
            hand.keep_the_last()
        self.count = count = start + direction * edges
        if self.travel.advance(count, direction):
            self._marks(start, direction, stamps, first)

    def _marks(self, start: int, direction: int, stamps: Stamps, first: int) -> None:
        while mark := self.travel.take_mark():
            at, revolutions = mark
            at_ns = stamps[first + (at - start) * direction - 1]
            turning = direction_of(direction)
            if revolutions:
                self.events.append(RevolutionCompleted(at_ns, revolutions, turning))
            else:
                self.events.append(WheelThrown(at_ns, turning))

    def settle(self, origin: int) -> None:
        """The wheel was found to be at rest; ``origin`` is the count at the index mark."""
        self.quadrature.rested()
        self.rest.settle(self.count)
        self.travel.restart(self.count)
        self.hand.restart(self.count, origin)
