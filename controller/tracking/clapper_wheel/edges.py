"""A wheel's edges, split and decoded: the one path to strikes for the tracker, calibration and the report.

A batch is split at the edges of index and contact. The encoder's edges between two of them form one run.
"""

import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from controller.events.event import Fault, Health
from controller.tracking.quadrature import Quadrature
from controller.tracking.tracker import SWAP_A_B, EdgeNumbers, sensor_fault
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

_OTHERS = re.compile(f"[{INDEX}{CLAPPER}]".encode(), re.IGNORECASE)
_RISES = f"{INDEX}{CLAPPER}".encode()
_CONTACT = CLAPPER.encode() + CLAPPER.lower().encode()
_SLOW_NS: Final = 200_000_000
"""A wheel whose strikes are further apart is slow."""
_KEPT: Final = 12
"""So many edges of the contact are kept: more than a rest has after its last long passage."""

ContactEdge = tuple[int, int]
"""When the contact changed, and the wheel's direction for a strike, else 0."""


class Contact:
    """The clapper's contact: closed while the clapper hangs free, and then its line is low.

    It opens when a peg bends the clapper (a strike), and closes when the clapper is free again (a release). A
    strike is an opening after ``debounce_ns`` without a change. Any other opening is chatter: it was no release.

    Attributes:
        bent: the contact is open after the last edge.
        slow: the last strike was that of a slow wheel.
        edges: the last ones, without chatter.
    """

    def __init__(self, bent: bool, debounce_ns: int) -> None:
        self.bent = bent
        self.slow = True
        self.edges: deque[ContactEdge] = deque(maxlen=_KEPT)
        self._debounce_ns = debounce_ns
        self._changed_ns = -debounce_ns
        self._struck_ns = -_SLOW_NS

    def strikes(self, at_ns: int, direction: int) -> bool:
        """A rising edge: the contact opens. Returns whether it is a strike.

        Args:
            direction: in which the wheel moves.
        """
        struck = not self.bent and at_ns - self._changed_ns >= self._debounce_ns
        self.bent, self._changed_ns = True, at_ns
        if struck:
            self.slow, self._struck_ns = at_ns - self._struck_ns >= _SLOW_NS, at_ns
            self.edges.append((at_ns, direction))
        elif self.edges and not self.edges[-1][1]:
            self.edges.pop()  # It was no release.
        return struck

    def releases(self, at_ns: int) -> None:
        """A falling edge: the contact closes, perhaps not the last one before the next strike."""
        self.bent, self._changed_ns = False, at_ns
        self.edges.append((at_ns, 0))

    def realign(self, bent: bool, at_ns: int) -> None:
        """The contact's level, whatever its edges said."""
        if bent != self.bent:
            self.bent, self._changed_ns = bent, at_ns


class WheelEdges(ABC):
    """Takes the edges of one wheel.

    Args:
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
        backwards: whether the encoder counts backwards.
        debounce_ns: how long the contact may chatter.
    """

    def __init__(self, levels: Mapping[str, bool], backwards: bool, debounce_ns: int) -> None:
        self._backwards = backwards
        self._quadrature = Quadrature(*self._encoder_levels(levels))
        self._contact = Contact(levels[CLAPPER], debounce_ns)
        self._numbers = EdgeNumbers()
        self._count = 0
        """The encoder's count. It has no zero that means anything."""

    def _encoder_levels(self, levels: Mapping[str, bool]) -> tuple[bool, bool]:
        a, b = levels[ENCODER_A], levels[ENCODER_B]
        return (b, a) if self._backwards else (a, b)

    def _take(self, batch: EdgeBatch) -> None:
        edges, stamps = batch.edges, batch.timestamps_ns
        for found, lost in self._numbers.check(batch):
            self._lost(found, stamps[0], lost)
        if self._backwards:
            edges = edges.translate(SWAP_A_B)
        place = 0
        for other in _OTHERS.finditer(edges):
            at = other.start()
            if at > place:
                self._encoder(edges[place:at], stamps, place)
            place, letter = at + 1, edges[at]
            if letter in _CONTACT:
                self._clapper(letter in _RISES, stamps[at])
            else:
                self._index_line(letter in _RISES, stamps[at])
        if place < len(edges):
            self._encoder(edges[place:], stamps, place)

    def _encoder(self, letters: bytes, stamps: Sequence[int], first: int) -> None:
        """The encoder's edges between two of the other lines; the stamp of the first is ``stamps[first]``."""
        quadrature = self._quadrature
        direction = quadrature.heading(letters)
        if direction:
            quadrature.follow(letters, direction)
            self._run(len(letters), direction, stamps, first)
            return
        for i, letter in enumerate(letters, first):
            direction = quadrature.edge(letter)
            if direction:
                self._run(1, direction, stamps, i)
            else:
                self._lost(sensor_fault("unseen-edge", "encoder", Health.LOSSY), stamps[i])
            if quadrature.stuck:
                line, quadrature.stuck = quadrature.stuck, None
                self._lost(sensor_fault("stuck-line", line, Health.STUCK), stamps[i])

    @abstractmethod
    def _lost(self, found: Fault, at_ns: int, gap: int = 0) -> None:
        """Edges before this moment were not seen, or are out of order.

        Args:
            gap: how many, of whichever line, if sequence numbers tell.
        """

    @abstractmethod
    def _run(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        """The wheel moved by this many counts in one direction."""

    @abstractmethod
    def _clapper(self, strikes: bool, at_ns: int) -> None:
        """An edge of the clapper's contact."""

    @abstractmethod
    def _index_line(self, rises: bool, at_ns: int) -> None:
        """An edge of the index."""
