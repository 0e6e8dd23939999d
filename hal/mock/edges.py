"""The simulated sensor head: what encoder, index and clapper say of the simulated wheel. Backend ``mock``."""

import math
from collections.abc import Callable

import numpy as np
from pydantic import BaseModel

from hal.events import EdgeBatch
from hal.interfaces import Clock, EdgeSource
from hal.mock.lines import Bytes, Lines, Times
from hal.mock.settings import WheelSettings
from hal.mock.wheel import SECTIONS, Contact, Floats, Leg, Motion, WheelPhysics

Settings = WheelSettings

_FORWARD = b"bABa"  # The edge on entering count m from below is letter m % 4.
_BACKWARD = b"BAba"  # The edges on entering counts 3, 2, 1, 0 from above.
_CROSS = bytes.maketrans(b"ABab", b"BAba")
_CLOSES = ord("C")
_NONE: Bytes = np.empty(0, np.uint8)
_Edges = list[tuple[Bytes, Floats]]
"""Edges of one sensor: letters, and times in nanoseconds."""


def open_device(wiring: BaseModel, settings: WheelSettings, clock: Clock) -> EdgeSource:
    """The head of the simulated wheel that stands at this clock's table."""
    from hal.mock.world import World  # The world is made of this module's head.

    head: EdgeSource = World.of(clock).fit_head(settings)
    return head


class MockHead:
    """A wheel and its sensors. Positions ``x`` are in sections along the rim (see :mod:`hal.mock.wheel`)."""

    def __init__(self, settings: WheelSettings, clock: Clock, slice_ns: int | None) -> None:
        self._settings = settings
        self._clock = clock
        self._slice_ns = slice_ns
        self._rng = np.random.default_rng(settings.seed)
        self.physics = WheelPhysics(settings, self._rng)
        self.lines = Lines(self._rng)
        self.slip = 0.0
        """Part of the wheel's movement that the encoder does not follow."""
        self._jitter_ns = settings.jitter_us * 1000
        self._scale = settings.counts_per_turn / SECTIONS
        self._x = 0.5
        self._contact: Contact | None = None
        self._encoder = self._x * self._scale
        self._legs: list[tuple[int, Leg]] = []
        self._node = 0
        """How many nodes of the present leg have been told."""
        self._told_ns = clock.now_ns()
        self._later: tuple[Bytes, Times] = (np.empty(0, np.uint8), np.empty(0, np.int64))
        self._deliver: Callable[[EdgeBatch], None] | None = None
        self.lines.start(self._levels())

    # -- EdgeSource ----------------------------------------------------------------------------------------

    def levels(self) -> dict[str, bool]:
        self.poll()
        return self.lines.seen()

    def start(self, deliver: Callable[[EdgeBatch], None]) -> None:
        self._deliver = deliver

    def close(self) -> None:
        self._deliver = None

    def poll(self) -> None:
        now_ns = self._clock.now_ns()
        if now_ns <= self._told_ns:
            return
        from_ns, self._told_ns = self._told_ns, now_ns
        if not self._legs and not len(self._later[0]) and not self.lines.faults.noise_hz:
            return
        letters, times = self._sense(now_ns)
        self._send(self.lines.carry(letters, times, from_ns, now_ns))

    # -- what the people at the table do -------------------------------------------------------------------

    @property
    def x(self) -> float:
        """Where the wheel truly is now."""
        now_ns = self._clock.now_ns()
        for start_ns, leg in reversed(self._legs):
            if start_ns <= now_ns:
                return leg.position_at((now_ns - start_ns) / 1e9)
        return self._x

    @property
    def at_rest_ns(self) -> int:
        """When the present movement ends, or ended."""
        return self._legs[-1][0] + int(self._legs[-1][1].duration_s * 1e9) if self._legs else self._told_ns

    def true_stand(self) -> tuple[int, bool]:
        """The section of the order that is truly at the clapper, and whether a peg bends the clapper."""
        self.poll()
        behind = self.physics.peg_ahead(self._x, -1)
        return behind % SECTIONS, self._contact is not None

    def throw(self, direction: int, w2: float) -> None:
        """Throw the wheel with a squared speed in (sections/s)²; it takes over whatever movement there was."""
        self._move(lambda x, contact: self.physics.throw(x, contact, direction, w2))

    def throw_about(self, sections: float) -> None:
        """Throw the wheel as a hand does it, over about so many sections (negative: the other way)."""
        hand = abs(sections) + float(self._rng.random())
        self.throw(1 if sections > 0 else -1, self.physics.speed_for(hand))

    def throw_to(self, target: float) -> None:
        """Throw the wheel so that it runs out at a position of the rim."""
        self.halt()
        w2 = self.physics.speed_to_reach(self._x, self._contact, target)
        self.throw(1 if target > self._x else -1, w2)

    def push(self, sections: float, seconds: float) -> None:
        """Turn the wheel by hand, this many sections along the rim (negative: the other way)."""
        self._move(lambda x, contact: self.physics.push(x, contact, x + sections, seconds))

    def halt(self) -> None:
        """Grab the wheel: it stands still at once."""
        self.poll()
        self._legs = []
        self._node = 0

    @property
    def slipped(self) -> bool:
        """Whether the encoder slips, or has slipped."""
        return self.slip > 0 or abs(self._encoder - self._x * self._scale) > 1e-3

    def realign(self) -> None:
        """Mount the encoder anew: it agrees with the wheel again."""
        self.slip = 0.0
        self._encoder = self._x * self._scale
        self.lines.realign(self._levels())
        self.settle_lines()

    def settle_lines(self) -> None:
        """A fault of the lines came or went."""
        self._send(self.lines.settle(self._clock.now_ns()))

    # -- inside --------------------------------------------------------------------------------------------

    def _move(self, motion: Callable[[float, Contact | None], Motion]) -> None:
        self.halt()
        legs, _ = motion(self._x, self._contact)
        start_ns = self._clock.now_ns()
        for leg in legs:
            self._legs.append((start_ns, leg))
            start_ns += int(leg.duration_s * 1e9) + 1
        self._schedule()

    def _schedule(self) -> None:
        end_ns = self.at_rest_ns + 1
        now_ns = self._clock.now_ns()
        if now_ns < end_ns:
            next_ns = end_ns if self._slice_ns is None else min(end_ns, now_ns + self._slice_ns)
            self._clock.call_at(next_ns, self._on_time)

    def _on_time(self) -> None:
        self.poll()
        if self._legs and self._slice_ns is not None:
            self._schedule()

    def _send(self, batch: EdgeBatch | None) -> None:
        if batch is not None and self._deliver is not None:
            self._deliver(batch)

    def _levels(self) -> dict[str, bool]:
        m = math.floor(self._encoder)
        in_index = (self._encoder - self._settings.index_offset_counts) % self._settings.counts_per_turn
        a, b = m % 4 in (1, 2), m % 4 in (2, 3)
        if self._settings.reversed:
            a, b = b, a
        return {"A": a, "B": b, "Z": 0.5 <= in_index < 1.5, "C": self._contact is not None}

    def _sense(self, to_ns: int) -> tuple[Bytes, Times]:
        """All edges of the sensors up to a moment."""
        sensors: tuple[_Edges, _Edges, _Edges] = ([], [], [])
        while self._legs and self._legs[0][0] < to_ns:
            start_ns, leg = self._legs[0]
            over = start_ns + int(leg.duration_s * 1e9) <= to_ns
            elapsed_s = leg.duration_s if over else (to_ns - start_ns) / 1e9
            x = leg.position_at(elapsed_s)
            for sensor, (letters, seconds) in zip(sensors, self._pass(leg, x, elapsed_s), strict=True):
                if len(letters):
                    sensor.append((letters, start_ns + seconds * 1e9))
            self._x = x
            if not over:
                break
            self._legs.pop(0)
            self._node = 0
        encoder, index, clapper = sensors
        heard = [self._stamped(edges, edges is clapper) for edges in (encoder, index, clapper) if edges]
        return self._merge(heard, to_ns)

    def _pass(self, leg: Leg, x: float, elapsed_s: float) -> tuple[tuple[Bytes, Floats], ...]:
        """What encoder, index and clapper do on a leg from where it was left to ``x``: letters, seconds."""
        clapper = self._clapper_edges(leg, elapsed_s)
        return (*((some, leg.times_at(xs)) for some, xs in self._encoder_edges(leg.direction, x)), clapper)

    def _stamped(self, edges: _Edges, chatters: bool) -> tuple[Bytes, Times]:
        """The edges of one sensor with the stamps that they get; where the contact chatters, out of order."""
        letters, times = edges[0]
        if len(edges) > 1:
            letters, times = np.concatenate([some for some, _ in edges]), np.concatenate([at for _, at in edges])
        times += self._jitter_ns * self._rng.random(len(times))
        stamps = times.astype(np.int64)
        if (stamps[1:] < stamps[:-1]).any():
            stamps = np.maximum.accumulate(stamps)
        return self._chatter(letters, stamps) if chatters else (letters, stamps)

    def _merge(self, sensors: list[tuple[Bytes, Times]], to_ns: int) -> tuple[Bytes, Times]:
        all_letters = np.concatenate([self._later[0], *(letters for letters, _ in sensors)])
        all_times = np.concatenate([self._later[1], *(times for _, times in sensors)])
        order = all_times.argsort(kind="stable")
        all_letters, all_times = all_letters[order], all_times[order]
        due = int(all_times.searchsorted(to_ns, side="right"))
        self._later = (all_letters[due:], all_times[due:])
        if len(self._later[0]):
            # A contact may still chatter, and a stamp may jitter, just past the moment.
            self._clock.call_at(int(self._later[1][-1]) + 1, self.poll)
        return all_letters[:due], all_times[:due]

    def _encoder_edges(self, direction: int, x: float) -> tuple[tuple[Bytes, Floats], tuple[Bytes, Floats]]:
        """Edges of A and B, and of the index, on the way to ``x``, with the positions at which they fall."""
        start, ratio = self._encoder, self._scale * (1 - self.slip)
        end = self._encoder = start + (x - self._x) * ratio
        if ratio <= 0:
            return (_NONE, np.empty(0)), (_NONE, np.empty(0))
        low, high = math.floor(start), math.floor(end)
        count = abs(high - low)
        if direction > 0:
            edges = (_FORWARD * (count // 4 + 2))[(low + 1) % 4 :][:count]
            at = np.arange(low + 1, high + 1, dtype=np.float64)
        else:
            edges = (_BACKWARD * (count // 4 + 2))[3 - (low - 1) % 4 :][:count]
            at = np.arange(low, high, -1, dtype=np.float64)
        if self._settings.reversed:
            edges = edges.translate(_CROSS)
        marks, letters = self._index_marks(min(start, end), max(start, end), direction)
        return (
            (np.frombuffer(edges, np.uint8), self._x + (at - start) / ratio),
            (letters, self._x + (marks - start) / ratio),
        )

    def _index_marks(self, low: float, high: float, direction: int) -> tuple[Floats, Bytes]:
        """The index mark covers one count's length, from the middle of count 0 to the middle of count 1."""
        turn = self._settings.counts_per_turn
        begin = self._settings.index_offset_counts + 0.5
        turns = range(math.floor((low - begin) / turn), math.ceil((high - begin) / turn) + 1)
        edges = [
            (begin + k * turn + i, letter)
            for k in turns
            for i, letter in enumerate(b"Zz" if direction > 0 else b"zZ")
        ]
        passed = sorted((edge for edge in edges if low < edge[0] <= high), reverse=direction < 0)
        return np.array([at for at, _ in passed]), np.array([letter for _, letter in passed], np.uint8)

    def _clapper_edges(self, leg: Leg, elapsed_s: float) -> tuple[Bytes, Floats]:
        """Edges of the clapper's contact up to a moment of the leg: down on a peg, up where the peg slips off."""
        node, self._node = self._node, int(leg.ts.searchsorted(elapsed_s, side="right"))
        letters = np.frombuffer(leg.contacts, np.uint8)[node : self._node]
        (edges,) = letters.nonzero()
        letters = letters[edges]
        edges += node
        if len(letters):
            peg = round(float(leg.xs[edges[-1]]))
            self._contact = Contact(peg, leg.direction) if letters[-1] == _CLOSES else None
        return letters, leg.ts[edges]

    def _chatter(self, letters: Bytes, times: Times) -> tuple[Bytes, Times]:
        """Some edges of the contact bounce once before they settle."""
        bouncing = self._rng.random(len(letters)) < self._settings.chatter_part
        longest = int(self._settings.chatter_us * 1000)
        if longest < 2 or not bouncing.any():
            return letters, times
        edge, at = letters[bouncing], times[bouncing]
        pauses = self._rng.integers(1, longest, (2, len(at)))
        apart = at + pauses[0]
        again = apart + pauses[1]
        return np.concatenate((letters, edge ^ 0x20, edge)), np.concatenate((times, apart, again))
