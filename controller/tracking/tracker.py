"""A sensor head's edges, decoded: the one path to counts for the trackers, calibration and the report.

The encoder's edges of a batch form runs. The edges of the other lines are put aside, each with the edge of the
encoder that it comes before, and are taken when the wheel is there.
"""

import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Final

from controller.events.event import Event, Fault, Health, SensorHealth
from controller.events.words import text
from controller.tracking.motion import NEVER
from controller.tracking.quadrature import Quadrature
from hal.events import ENCODER_A, ENCODER_B, INDEX, EdgeBatch

SWAP_A_B: Final = bytes.maketrans(b"AaBb", b"BbAa")
"""Turns the letters of an encoder that counts backwards into those of one that does not."""
_TOGETHER_NS = 20_000
"""Two gates of an encoder switch within this time. At the fastest, a fine encoder's own edges are 55 µs apart."""
_ENCODER: Final = (ENCODER_A + ENCODER_B).encode() + (ENCODER_A + ENCODER_B).lower().encode()
_INDEX: Final = INDEX.encode() + INDEX.lower().encode()
_IS_ENCODER: Final = bytes(letter in _ENCODER for letter in range(256))
_NOT_ENCODER: Final = bytes(letter for letter in range(256) if letter not in _ENCODER)
_OTHER, _NOT_INDEX = re.compile(b"[^" + _ENCODER + b"]"), re.compile(b"[^" + _INDEX + b"]")
_LOWER: Final = 0x20
"""The bit of a falling edge's letter."""


def sensor_fault(code: str, sensor: str, health: Health, **figures: str | int) -> Fault:
    """What the detector with this code found wrong with a sensor."""
    return Fault(sensor, health, text(code, **figures))


class HeadEdges(ABC):
    """Takes the edges of one sensor head.

    Args:
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
        backwards: whether the encoder counts backwards.
    """

    def __init__(self, levels: Mapping[str, bool], backwards: bool) -> None:
        self._backwards = backwards
        self._quadrature = Quadrature(*self._encoder_levels(levels))
        self._next_seqno: int | None = None
        self._last_ns = 0
        self._count = 0
        """The encoder's count. It has no zero that means anything."""
        self._aside: deque[tuple[int, int, int]] = deque()
        """Edges of other lines: before which of the batch's edges of the encoder, the letter, and when. After a
        batch, those of the index that wait for the next edge."""

    def _encoder_levels(self, levels: Mapping[str, bool]) -> tuple[bool, bool]:
        a, b = levels[ENCODER_A], levels[ENCODER_B]
        return (b, a) if self._backwards else (a, b)

    def _take(self, batch: EdgeBatch) -> None:
        self._check(batch)
        edges, stamps = batch.edges, batch.timestamps_ns
        self._set_aside(edges, stamps)
        if self._aside:
            stamps = [*compress(stamps, edges.translate(_IS_ENCODER))]
            edges = edges.translate(None, _NOT_ENCODER)
        if self._backwards:
            edges = edges.translate(SWAP_A_B)
        self._decode(edges, stamps)
        self._others_until(len(edges))

    def _set_aside(self, edges: bytes, stamps: Sequence[int]) -> None:
        """Put aside what is not the encoder's; for edges of the index that waited, the batch says how they lie."""
        waiting, self._aside = self._aside, deque()
        for _, letter, at_ns in waiting:
            self._aside.append((_place_of_index(edges, stamps, 0, at_ns), letter, at_ns))
        for i, other in enumerate(_OTHER.finditer(edges)):
            at = other.start()
            place, letter, at_ns = at - i, edges[at], stamps[at]
            if letter in _INDEX:
                place += _place_of_index(edges, stamps, at + 1, at_ns)
            self._aside.append((place, letter, at_ns))

    def _others_until(self, place: int) -> None:
        """What other lines did before an edge of the encoder, the wheel being where it is."""
        while self._aside and self._aside[0][0] <= place:
            self._take_other()

    def _take_other(self) -> None:
        _, letter, at_ns = self._aside.popleft()
        if letter in _INDEX:
            self._index(not letter & _LOWER, at_ns)
        else:
            self._other(letter & ~_LOWER, not letter & _LOWER, at_ns)

    def _check(self, batch: EdgeBatch) -> None:
        """Sequence numbers and stamps go on where those of the batch before ended."""
        stamps = batch.timestamps_ns
        lost = batch.lost(self._next_seqno)
        backwards = not self._last_ns <= stamps[0] <= stamps[-1]
        self._next_seqno, self._last_ns = batch.seqnos[-1] + 1, stamps[-1]
        if lost:
            self._lost(sensor_fault("edges-lost", "encoder", Health.LOSSY, edges=lost), stamps[0], lost)
        if backwards:
            self._lost(sensor_fault("stamps", "encoder", Health.NOISY), stamps[0])

    def _decode(self, letters: bytes, stamps: Sequence[int]) -> None:
        first, edges = 0, len(letters)
        while first < edges:
            self._others_until(first)
            end = self._come_to(stamps, first, edges)
            while end > first + 1 and not (direction := self._quadrature.run(letters[first:end])):
                end = (first + end) // 2  # It turns somewhere, or an edge was not seen.
            if end == first + 1:
                self._decode_one(letters[first], stamps, first)
            else:
                self._run(end - first, direction, stamps, first)
            first = end

    def _decode_one(self, letter: int, stamps: Sequence[int], at: int) -> None:
        quadrature = self._quadrature
        direction = quadrature.edge(letter)
        if direction:
            self._run(1, direction, stamps, at)
        else:
            self._lost(sensor_fault("unseen-edge", "encoder", Health.LOSSY), stamps[at])
        if line := quadrature.counted(letter):
            if self._backwards:  # The decoder knows the lines by the other name.
                line = "encoder_a" if line == "encoder_b" else "encoder_b"
            self._lost(sensor_fault("stuck-line", line, Health.STUCK), stamps[at])

    @abstractmethod
    def _lost(self, found: Fault, at_ns: int, gap: int = 0) -> None:
        """Edges before this moment were not seen, or are out of order.

        Args:
            gap: how many, of whichever line, if sequence numbers tell.
        """

    @abstractmethod
    def _come_to(self, stamps: Sequence[int], first: int, end: int) -> int:
        """An edge of the encoder comes. Returns the end of those, that one at least, among which nothing is due and
        the wheel does not stand: they may be one run."""

    @abstractmethod
    def _run(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        """The wheel moved by this many counts in one direction; the other lines' edges meanwhile are aside."""

    @abstractmethod
    def _index(self, rises: bool, at_ns: int) -> None:
        """An edge of the index, the wheel being where it is."""

    @abstractmethod
    def _other(self, line: int, rises: bool, at_ns: int) -> None:
        """An edge of another line, by its letter's code, the wheel being where it is."""


_WAITS: Final = 1 << 62


def _place_of_index(edges: bytes, stamps: Sequence[int], begin: int, at_ns: int) -> int:
    """Whether an edge of the index comes before the encoder's next edge (0) or after it (1), or waits for it.

    An index that is gated with A or B changes together with it, in either order. Then the encoder's edge is taken
    first: it shows at which count the index changed, and which way the wheel moved.
    """
    found = _NOT_INDEX.search(edges, begin)
    if found is None:
        return _WAITS
    at = found.start()
    return int(edges[at] in _ENCODER and stamps[at] - at_ns <= _TOGETHER_NS)


class HeadTracker(HeadEdges):
    """Makes events of a sensor head's edges. They do not depend on how the edges were split into batches."""

    def __init__(self, levels: Mapping[str, bool], backwards: bool) -> None:
        super().__init__(levels, backwards)
        self._index_level = levels[INDEX]
        self._events: list[Event] = []

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless edges come before; None for never."""
        due_ns = self._waits_ns
        if self._aside and due_ns > self._aside[0][2]:
            due_ns = self._aside[0][2] + _TOGETHER_NS + 1
        return None if due_ns == NEVER else due_ns

    @property
    @abstractmethod
    def _waits_ns(self) -> int:
        """When :meth:`_wait` has something to do; NEVER for not."""

    @property
    def moving(self) -> bool:
        """A wheel with a clapper is moving: no spin can begin. A rotor may turn at any time."""
        return False

    def stands(self, now_ns: int) -> bool:
        """A wheel with a clapper stands, though its rest is not certain yet."""
        return False

    def feed(self, batch: EdgeBatch) -> list[Event]:
        """Take a batch of edges; returns the events that they prove, in order of time."""
        if batch.edges:
            self._take(batch)
        return self._proven() if self._events else []

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed without edges."""
        while self._aside and self._aside[0][2] < now_ns - _TOGETHER_NS:
            self._take_other()
        # What is due after an edge of the index that waits comes after it.
        self._wait(min(now_ns, self._aside[0][2]) if self._aside else now_ns)
        return self._proven()

    @abstractmethod
    def _wait(self, now_ns: int) -> None:
        """What is due by then."""

    def look(self, levels: Mapping[str, bool], now_ns: int) -> list[Event]:
        """Compare a wheel that seems to stand with its lines as they truly are; every edge up to now was fed."""
        return []

    def relearn(self) -> None:
        """People have worked on the sensors and try them now: forget how the lines lay to one another."""

    def _proven(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _unseen_index(self, rises: bool, at_ns: int) -> None:
        """The index line had this level already: an edge in between was not seen."""
        if rises == self._index_level:
            self._lost(sensor_fault("unseen-edge", "index", Health.LOSSY), at_ns)
        self._index_level = rises


MakeTracker = Callable[[Mapping[str, bool]], HeadTracker]
"""Makes a tracker from the first level of each line."""


class ReportedHealth:
    """The doubt about a group of sensors that was reported last."""

    def __init__(self) -> None:
        self._reported: Fault | None = None

    def change(self, doubt: Fault | None, at_ns: int) -> list[SensorHealth]:
        """The events of a doubt that was raised, changed or ended."""
        before, self._reported = self._reported, doubt
        if doubt == before:
            return []
        events = []
        if before is not None and (doubt is None or doubt.sensor != before.sensor):
            events.append(SensorHealth(at_ns, before.sensor, Health.OK))
        if doubt is not None and (before is None or (doubt.sensor, doubt.health) != (before.sensor, before.health)):
            events.append(SensorHealth(at_ns, doubt.sensor, doubt.health, doubt.found))
        return events
