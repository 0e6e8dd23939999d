"""The mounting of an encoder on its wheel, measured from one turn by hand and a section that a person names.

The pegs strike the clapper where sections meet, so the strikes of a turn give the boundaries of the sections to a
fraction of a count. Only a person can say which section is which. The offset is not needed: it is the result.
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
_TOLERANCE_COUNTS = 1  # An index edge may coincide with the edge of a count.


class MountingError(Exception):
    """The offset cannot be determined. The message says why, and what to do."""


class NearPegError(MountingError):
    """The wheel is too near a peg to determine its section."""


@dataclass(frozen=True, slots=True)
class Mounting:
    """A measured mounting.

    Attributes:
        index_offset_counts: the value for the table's file.
        farthest_mdeg: the largest distance of a strike from its peg, in thousandths of a degree.
    """

    index_offset_counts: int
    farthest_mdeg: int


class MountingProbe:
    """Measures the mounting while a wheel is turned by hand.

    Args:
        geometry: from the table's file; its offset is not used.
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
        self.restart()

    @property
    def pegs(self) -> int:
        """The number of strikes since the last change of direction, at most those of one turn."""
        return min(len(self._strikes), self._geometry.sections)

    @property
    def index_seen(self) -> bool:
        """The turn, from index to index, has begun."""
        return self._origin is not None

    @property
    def ready(self) -> bool:
        """A full turn in one direction, from index to index, is complete."""
        return self._measured is not None and len(self._strikes) >= self._geometry.sections

    def feed(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        if not len(batch):
            return
        first, last = batch.seqnos[0], batch.seqnos[-1]
        if last - first + 1 != len(batch.seqnos) or self._next_seqno not in (None, first):
            self.restart()
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
        """The largest distance of a strike from its peg, in thousandths of a degree.

        Raises:
            MountingError: the measurement is incomplete or inconsistent.
        """
        return self._pegs()[1]

    @property
    def direction(self) -> int:
        """The direction of the full turn: +1 counterclockwise, -1 clockwise, 0 before it is complete."""
        return self._made

    def mounting(self, section: int) -> Mounting:
        """The offset, given the section at the clapper: an index into the wheel's order.

        Raises:
            NearPegError: the wheel is too near a peg.
            MountingError: the measurement is incomplete or inconsistent.
        """
        phase, farthest = self._pegs()
        at = self._position() - phase
        free = (self._geometry.contact + self._geometry.tolerance) / self._geometry.counts_per_turn
        if min(at % 1, -at % 1) < min(free, 0.4):
            raise NearPegError("the wheel is too near a peg; turn it to the middle of the section")
        turn, sections = self._geometry.counts_per_turn, self._geometry.sections
        offset = round((section - math.floor(at) - phase) * turn / sections) % turn
        return Mounting(offset, farthest)

    def section(self, offset: int) -> int:
        """The section at the clapper, given an offset."""
        turn, sections = self._geometry.counts_per_turn, self._geometry.sections
        return math.floor(self._position() + offset * sections / turn) % sections

    # -- edges -----------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Start again: the counts so far are unreliable, or of the other direction."""
        self._strikes: list[int] = []
        self._origin: int | None = None
        self._measured: int | None = None
        self._made = 0

    def _turn(self, letters: bytes) -> None:
        for letter in letters:
            direction = self._quadrature.edge(letter)
            if direction == 0:
                self.restart()
            elif direction != self._direction and not self.ready:
                self.restart()  # After the turn, the wheel may move either way.
            self._direction = direction or self._direction
            self._count += direction

    def _index(self, rises: bool) -> None:
        if rises == self._index_level:
            self.restart()
        self._index_level = rises
        # In both directions the same edge of the mark is used.
        if not self._direction or rises != (self._direction > 0):
            return
        if self._origin is None:
            self._origin, self._strikes = self._count, []
        elif not self.ready:
            self._measured, self._origin, self._made = (
                abs(self._count - self._origin),
                self._count,
                self._direction,
            )

    # -- the result ------------------------------------------------------------------------------------------

    def _position(self) -> float:
        """The position of the wheel, in sections from the index mark."""
        if self._origin is None:
            raise MountingError("edges were lost or the index was not seen; turn the wheel once around again")
        middle = self._count - self._origin + 0.5  # A count is an interval.
        return middle * self._geometry.sections / self._geometry.counts_per_turn

    def _pegs(self) -> tuple[float, int]:
        """The phase of the pegs from the index mark, in sections, and the largest deviation, in mdeg."""
        turn, sections = self._geometry.counts_per_turn, self._geometry.sections
        if not self.ready or self._measured is None or self._origin is None:
            raise MountingError(
                "the wheel has not made a full turn in one direction; turn it once around, and a little more"
            )
        if abs(self._measured - turn) > _TOLERANCE_COUNTS:
            raise MountingError(
                f"the encoder gave {self._measured} counts in a turn, and counts_per_turn says {turn}; correct it, "
                "or see that no pulse is lost"
            )
        origin = self._origin
        positions = [(count - origin + 0.5) * sections / turn for count in self._strikes]
        phase = cmath.phase(sum(cmath.exp(2j * math.pi * place) for place in positions)) / (2 * math.pi)
        off = [(place - phase + 0.5) % 1 - 0.5 for place in positions]
        farthest = int(max(map(abs, off)) * MDEG_PER_TURN / sections)
        pegs = {round(place - phase) % sections for place in positions}
        # The tolerance is of the mounting; a count to each side is the encoder's.
        if farthest > self._geometry.tolerance_mdeg + MDEG_PER_TURN // turn or len(pegs) != sections:
            raise MountingError(
                f"the clapper was struck by {len(pegs)} of {sections} pegs, up to {farthest / 1000:.1f} degrees "
                "off; see that the encoder does not slip and the clapper's contact does not chatter, and turn again"
            )
        return phase, farthest
