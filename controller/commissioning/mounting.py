"""How an encoder sits on its wheel: found from one turn by hand, and a section that a person names.

The pegs strike the clapper where sections meet, so that a turn of strikes says where sections begin, to a part of a
count; which section is which, only a person can say. Needs no offset: it finds the one for a table's file.
"""

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass

from controller.tracking.clapper_wheel.clapper import ClapperLevel
from controller.tracking.clapper_wheel.geometry import MDEG_PER_TURN, WheelGeometry
from controller.tracking.quadrature import Quadrature
from controller.tracking.reading import OTHERS, SWAP_A_B, read
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

_STRIKE = ord(CLAPPER)
_SLACK = 1  # An index edge may fall on the very edge of a count.


class MountingError(Exception):
    """The offset cannot be told. The message says why, and what to do."""


class NearPegError(MountingError):
    """The wheel stands too near a peg to say in which section it is."""


@dataclass(frozen=True, slots=True)
class Mounting:
    """What was found.

    Attributes:
        index_offset_counts: for the table's file.
        farthest_mdeg: how far from its peg the worst strike was seen.
    """

    index_offset_counts: int
    farthest_mdeg: int


class MountingProbe:
    """Watches a wheel that is turned by hand.

    Args:
        geometry: of the table's file; its offset does not matter.
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
    """

    def __init__(self, geometry: WheelGeometry, levels: Mapping[str, bool]) -> None:
        self._geometry = geometry
        a, b = levels[ENCODER_A], levels[ENCODER_B]
        self._quadrature = Quadrature(b, a) if geometry.reversed else Quadrature(a, b)
        self._level = ClapperLevel(levels[CLAPPER], geometry.debounce_ns)
        self._index_level = levels[INDEX]
        self._next_seqno: int | None = None
        self._count = 0
        self._direction = 0
        self.again()

    @property
    def pegs(self) -> int:
        """How many strikes came since the wheel was last turned around, one turn of them at the most."""
        return min(len(self._strikes), self._geometry.sections)

    @property
    def index_seen(self) -> bool:
        """The turn has begun: from index to index."""
        return self._origin is not None

    @property
    def ready(self) -> bool:
        """A whole turn was made one way, from index to index."""
        return self._apart is not None and len(self._strikes) >= self._geometry.sections

    def feed(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        if not len(batch):
            return
        first, last = batch.seqnos[0], batch.seqnos[-1]
        if last - first + 1 != len(batch.seqnos) or self._next_seqno not in (None, first):
            self.again()
        self._next_seqno = last + 1
        edges = batch.edges.translate(SWAP_A_B) if self._geometry.reversed else batch.edges
        reading = read(edges, edges.translate(None, OTHERS), batch.timestamps_ns)
        self._level.add(reading.others, reading.others_ns)
        done = 0
        for event in self._level.events():
            self._turn(reading.train[done : reading.places[event]])
            done = reading.places[event]
            if reading.others[event] != _STRIKE:
                self._index(reading.others[event] < 0x60)
            elif not self.ready:
                self._strikes.append(self._count)
        self._turn(reading.train[done:])

    def farthest_mdeg(self) -> int:
        """How far from its peg the worst strike of a turn was seen, if all is as it should be.

        Raises:
            MountingError: it is not.
        """
        return self._pegs()[1]

    @property
    def direction(self) -> int:
        """The way of the whole turn: +1 counterclockwise, -1 clockwise, 0 before it was made."""
        return self._way

    def mounting(self, section: int) -> Mounting:
        """The offset, given the section at the clapper: an index into the wheel's order.

        Raises:
            NearPegError: it stands too near a peg.
            MountingError: it cannot be told.
        """
        phase, farthest = self._pegs()
        at = self._place() - phase
        free = (self._geometry.contact + self._geometry.tolerance) / self._geometry.counts_per_turn
        if min(at % 1, -at % 1) < min(free, 0.4):
            raise NearPegError("the wheel stands too near a peg; turn it to the middle of the section")
        turn, sections = self._geometry.counts_per_turn, self._geometry.sections
        offset = round((section - math.floor(at) - phase) * turn / sections) % turn
        return Mounting(offset, farthest)

    def section(self, offset: int) -> int:
        """The section at the clapper if the offset is right."""
        turn, sections = self._geometry.counts_per_turn, self._geometry.sections
        return math.floor(self._place() + offset * sections / turn) % sections

    # -- what comes ------------------------------------------------------------------------------------------

    def again(self) -> None:
        """Begin anew: what was counted so far cannot be trusted, or was the other way."""
        self._strikes: list[int] = []
        self._origin: int | None = None
        self._apart: int | None = None
        self._way = 0

    def _turn(self, letters: bytes) -> None:
        for letter in letters:
            direction = self._quadrature.edge(letter)
            if direction == 0:
                self.again()
            elif direction != self._direction and not self.ready:
                self.again()  # Once the turn is made, it may be turned to and fro.
            self._direction = direction or self._direction
            self._count += direction

    def _index(self, rises: bool) -> None:
        if rises == self._index_level:
            self.again()
        self._index_level = rises
        # Either way round it is the same edge of the mark that counts.
        if not self._direction or rises != (self._direction > 0):
            return
        if self._origin is None:
            self._origin, self._strikes = self._count, []
        elif not self.ready:
            self._apart, self._origin, self._way = abs(self._count - self._origin), self._count, self._direction

    # -- what it comes to ------------------------------------------------------------------------------------

    def _place(self) -> float:
        """Where the wheel stands, in sections from the index mark."""
        if self._origin is None:
            raise MountingError("edges were lost or the index was not seen; turn the wheel once around again")
        middle = self._count - self._origin + 0.5  # A count is an interval.
        return middle * self._geometry.sections / self._geometry.counts_per_turn

    def _pegs(self) -> tuple[float, int]:
        """Where the pegs stand, in parts of a section from the index mark; and how far the worst strike lay off."""
        turn, sections = self._geometry.counts_per_turn, self._geometry.sections
        if not self.ready or self._apart is None or self._origin is None:
            raise MountingError(
                "the wheel has not made a whole turn one way; turn it once around, and a little more"
            )
        if abs(self._apart - turn) > _SLACK:
            raise MountingError(
                f"the encoder gave {self._apart} counts in a turn, and counts_per_turn says {turn}; correct it, or "
                "see that no pulse is lost"
            )
        origin = self._origin
        places = [(count - origin + 0.5) * sections / turn for count in self._strikes]
        phase = cmath.phase(sum(cmath.exp(2j * math.pi * place) for place in places)) / (2 * math.pi)
        off = [(place - phase + 0.5) % 1 - 0.5 for place in places]
        farthest = int(max(map(abs, off)) * MDEG_PER_TURN / sections)
        pegs = {round(place - phase) % sections for place in places}
        # The tolerance is of the mounting; a count to each side is the encoder's.
        if farthest > self._geometry.tolerance_mdeg + MDEG_PER_TURN // turn or len(pegs) != sections:
            raise MountingError(
                f"the clapper was struck by {len(pegs)} of {sections} pegs, up to {farthest / 1000:.1f} degrees "
                "off; see that the encoder does not slip and the clapper's contact does not chatter, and turn again"
            )
        return phase, farthest
