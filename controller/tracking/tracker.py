"""A sensor head's edges, split and decoded: the one path to counts for the trackers, calibration and the report.

A batch is split at the edges that are not the encoder's. The encoder's edges between two of them form one run. Only
those of a clapper's contact do not split it: of them counts at which count of the run they come.
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
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

SWAP_A_B: Final = bytes.maketrans(b"AaBb", b"BbAa")
"""Turns the letters of an encoder that counts backwards into those of one that does not."""
_TOGETHER_NS = 20_000
"""Two gates of an encoder switch within this time. At the fastest, a fine encoder's own edges are 55 µs apart."""
_OTHERS = re.compile(f"[^{ENCODER_A}{ENCODER_B}]".encode(), re.IGNORECASE)
_INDEX: Final = INDEX.encode() + INDEX.lower().encode()
_CONTACTS = re.compile(CLAPPER.encode(), re.IGNORECASE)
_CONTACT: Final = CLAPPER.encode() + CLAPPER.lower().encode()
_NOT_CONTACT: Final = bytes(letter not in _CONTACT for letter in range(256))
_LOWER: Final = 0x20
"""The bit of a falling edge's letter."""
ContactEdges = deque[tuple[int, bool, int]]
"""Before which of the batch's other edges the contact changed, whether it opened, and when."""


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
        self._held_index: list[tuple[bool, int]] = []
        """Edges of the index, whether they rise and when, with which an edge of the encoder may fall together."""
        self._aside: ContactEdges = deque()
        """What the contact did among the batch's edges that are still to be taken."""

    def _encoder_levels(self, levels: Mapping[str, bool]) -> tuple[bool, bool]:
        a, b = levels[ENCODER_A], levels[ENCODER_B]
        return (b, a) if self._backwards else (a, b)

    def _take(self, batch: EdgeBatch) -> None:
        self._check(batch)
        edges, stamps = self._without_contact(batch.edges, batch.timestamps_ns)
        if self._backwards:
            edges = edges.translate(SWAP_A_B)
        place = 0
        for other in _OTHERS.finditer(edges):
            at = other.start()
            if at > place:
                self._encoder(edges[place:at], stamps, place)
            self._contact_until(at)
            place, letter = at + 1, edges[at]
            if letter in _INDEX:
                self._index_line(not letter & _LOWER, stamps[at])
            else:
                if self._held_index:
                    self._take_index()
                self._other(chr(letter & ~_LOWER), not letter & _LOWER, stamps[at])
        if place < len(edges):
            self._encoder(edges[place:], stamps, place)
        self._contact_until(len(edges))

    def _without_contact(self, edges: bytes, stamps: Sequence[int]) -> tuple[bytes, Sequence[int]]:
        """Put the contact's edges aside, each with its place among the others."""
        places = [found.start() for found in _CONTACTS.finditer(edges)]
        if not places:
            return edges, stamps
        self._aside.extend((at - i, not edges[at] & _LOWER, stamps[at]) for i, at in enumerate(places))
        return edges.translate(None, _CONTACT), [*compress(stamps, edges.translate(_NOT_CONTACT))]

    def _contact_until(self, place: int) -> None:
        """What the contact did before an edge of the batch, the wheel being where it is."""
        aside = self._aside
        while aside and aside[0][0] <= place:
            if self._held_index:
                self._take_index()
            _, opens, at_ns = aside.popleft()
            self._other(CLAPPER, opens, at_ns)

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

    def _encoder(self, letters: bytes, stamps: Sequence[int], first: int) -> None:
        """The encoder's edges between two of the other lines; the stamp of the first is ``stamps[first]``."""
        self._contact_until(first)
        if self._held_index:
            # An index that is gated with A or B changes together with it, in either order. The encoder's edge is
            # taken first: it shows at which count the index changed, and which way the wheel moved.
            self._take_index(stamps[first] - _TOGETHER_NS - 1)
            held, self._held_index = self._held_index, []
            if held:
                self._decode(letters[:1], stamps, first)
                self._held_index = held
                self._take_index()
                letters, first = letters[1:], first + 1
        if letters:
            self._decode(letters, stamps, first)

    def _decode(self, letters: bytes, stamps: Sequence[int], first: int) -> None:
        """Edges that are not one run, or among which the wheel may stand, are decoded by halves."""
        self._contact_until(first)
        edges = len(letters)
        runs_on = self._come_to(stamps[first], stamps[first + edges - 1])
        if edges == 1:
            self._decode_one(letters[0], stamps, first)
        elif runs_on and (direction := self._quadrature.run(letters)):
            self._run(edges, direction, stamps, first)
        else:
            half = edges // 2
            self._decode(letters[:half], stamps, first)
            self._decode(letters[half:], stamps, first + half)

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

    def _index_line(self, rises: bool, at_ns: int) -> None:
        self._held_index.append((rises, at_ns))

    def _take_index(self, until_ns: int = NEVER) -> None:
        """Edges of the index that were held back, up to a moment."""
        held = self._held_index
        while held and held[0][1] <= until_ns:
            self._index(*held.pop(0))

    @abstractmethod
    def _lost(self, found: Fault, at_ns: int, gap: int = 0) -> None:
        """Edges before this moment were not seen, or are out of order.

        Args:
            gap: how many, of whichever line, if sequence numbers tell.
        """

    @abstractmethod
    def _come_to(self, at_ns: int, until_ns: int) -> bool:
        """An edge of the encoder comes. Returns whether nothing is due, and the wheel does not stand, until another
        one: they may be one run."""

    @abstractmethod
    def _run(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        """The wheel moved by this many counts in one direction; the contact's edges meanwhile are aside."""

    @abstractmethod
    def _index(self, rises: bool, at_ns: int) -> None:
        """An edge of the index, after the encoder's edge with which it fell together."""

    @abstractmethod
    def _other(self, line: str, rises: bool, at_ns: int) -> None:
        """An edge of another line, by its letter, the wheel being where it is."""


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
        if self._held_index and due_ns > (held_ns := self._held_index[0][1]):
            due_ns = held_ns + _TOGETHER_NS + 1
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
        self._take_index(now_ns - _TOGETHER_NS - 1)
        # What is due after an edge of the index that is held back comes after it.
        self._wait(min(now_ns, self._held_index[0][1]) if self._held_index else now_ns)
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
