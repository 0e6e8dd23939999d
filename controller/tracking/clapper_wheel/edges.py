"""A wheel's edges, split and decoded: the one path to strikes for the tracker, calibration and the report.

A batch is split at the edges of index and contact. The encoder's edges between two of them form one run.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from controller.tracking.clapper_wheel.way import Contact
from controller.tracking.quadrature import Quadrature
from controller.tracking.tracker import SWAP_A_B, Doubt, EdgeNumbers
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

_OTHERS = re.compile(f"[{INDEX}{CLAPPER}]".encode(), re.IGNORECASE)
_RISES = f"{INDEX}{CLAPPER}".encode()
_CONTACT = CLAPPER.encode() + CLAPPER.lower().encode()


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
        if wrong := self._numbers.check(batch):
            self._wrong(wrong, stamps[0])
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
                self._lost_edge(stamps[i])
            if quadrature.stuck:
                self._suspect_line(stamps[i])

    @abstractmethod
    def _wrong(self, found: Sequence[tuple[Doubt, int]], at_ns: int) -> None:
        """Edges before this moment were lost or are out of order: why, and how many."""

    @abstractmethod
    def _run(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        """The wheel moved by this many counts in one direction."""

    @abstractmethod
    def _lost_edge(self, at_ns: int) -> None:
        """The edge before this one of the encoder was never seen."""

    @abstractmethod
    def _suspect_line(self, at_ns: int) -> None:
        """``stuck`` of the decoder says which of the encoder's lines stands still; to be cleared."""

    @abstractmethod
    def _clapper(self, closes: bool, at_ns: int) -> None:
        """An edge of the clapper's contact."""

    @abstractmethod
    def _index_line(self, rises: bool, at_ns: int) -> None:
        """An edge of the index."""
