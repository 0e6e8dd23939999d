"""The simulated sensor head: encoder, index and clapper of the simulated wheel. Backend ``mock``."""

import math
from collections.abc import Callable

import numpy as np
from pydantic import BaseModel

from hal.interfaces import Clock, EdgeSource
from hal.mock.head import NO_EDGES, Edges, SimulatedHead, encoder_train
from hal.mock.lines import Bytes, Times
from hal.mock.settings import WheelSettings
from hal.mock.wheel import Contact, Floats, Leg, Motion, WheelPhysics

_CLOSES = ord("C")
_CONTACT = {ord("C"), ord("c")}


def open_device(wiring: BaseModel, settings: WheelSettings, clock: Clock) -> EdgeSource:
    """The head of the simulated wheel that stands at this clock's table."""
    from hal.mock.world import World  # The world is made of this module's head.

    head: EdgeSource = World.of(clock).fit_wheel(settings)
    return head


class MockHead(SimulatedHead):
    """A wheel and its sensors. Positions ``x`` are in sections along the rim (see :mod:`hal.mock.wheel`)."""

    def __init__(self, settings: WheelSettings, clock: Clock, slice_ns: int | None) -> None:
        rng = np.random.default_rng(settings.seed)
        self._settings = settings
        self.physics = WheelPhysics(settings, rng)
        self.sections = self.physics.sections
        self.slip = 0.0
        """Part of the wheel's movement that the encoder does not follow."""
        self._scale = settings.counts_per_turn / self.sections
        self._x = 0.5
        self._contact: Contact | None = None
        self._encoder = self._x * self._scale
        self._legs: list[tuple[int, Leg]] = []
        self._node = 0
        """How many nodes of the present leg have been delivered."""
        super().__init__(rng, settings.jitter_us, clock, slice_ns)

    # -- actions -------------------------------------------------------------------------------------------

    @property
    def x(self) -> float:
        """Where the wheel truly is now."""
        now_ns = self.clock.now_ns()
        for start_ns, leg in reversed(self._legs):
            if start_ns <= now_ns:
                return leg.position_at((now_ns - start_ns) / 1e9)
        return self._x

    @property
    def moving(self) -> bool:
        return bool(self._legs)

    @property
    def at_rest_ns(self) -> int:
        return self._legs[-1][0] + int(self._legs[-1][1].duration_s * 1e9) if self._legs else self._told_ns

    def true_stand(self) -> tuple[int, bool]:
        """The section of the order that is truly at the clapper, and whether a peg bends the clapper."""
        self.poll()
        behind = self.physics.peg_ahead(self._x, -1)
        return behind % self.sections, self._contact is not None

    def throw(self, direction: int, w2: float) -> None:
        """Throw the wheel with a squared speed in (sections/s)²; it takes over whatever movement there was."""
        self._move(lambda x, contact: self.physics.throw(x, contact, direction, w2))

    def throw_about(self, sections: float) -> None:
        """Throw the wheel over about so many sections, as a dealer does (negative: the other way)."""
        hand = abs(sections) + float(self.rng.random())
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
        self.lines.realign(self.sensor_levels())
        self.settle_lines()

    def ease(self) -> None:
        self.slip = 0.0

    def mend(self) -> None:
        if self.slipped:
            self.realign()

    # -- inside --------------------------------------------------------------------------------------------

    def _move(self, motion: Callable[[float, Contact | None], Motion]) -> None:
        self.halt()
        legs, _ = motion(self._x, self._contact)
        start_ns = self.clock.now_ns()
        for leg in legs:
            self._legs.append((start_ns, leg))
            start_ns += int(leg.duration_s * 1e9) + 1
        self.schedule()

    def sensor_levels(self) -> dict[str, bool]:
        m = math.floor(self._encoder)
        in_index = (self._encoder - self._settings.index_offset_counts) % self._settings.counts_per_turn
        a, b = m % 4 in (1, 2), m % 4 in (2, 3)
        if self._settings.reversed:
            a, b = b, a
        return {"A": a, "B": b, "Z": 0.5 <= in_index < 1.5, "C": self._contact is not None}

    def sense(self, from_ns: int, to_ns: int) -> tuple[Edges, ...]:
        sensors: tuple[Edges, Edges, Edges] = ([], [], [])
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
        return sensors

    def _pass(self, leg: Leg, x: float, elapsed_s: float) -> tuple[tuple[Bytes, Floats], ...]:
        """What encoder, index and clapper do on a leg from where it was left to ``x``: letters, seconds."""
        clapper = self._clapper_edges(leg, elapsed_s)
        return (*((some, leg.times_at(xs)) for some, xs in self._encoder_edges(leg.direction, x)), clapper)

    def _encoder_edges(self, direction: int, x: float) -> tuple[tuple[Bytes, Floats], tuple[Bytes, Floats]]:
        """Edges of A and B, and of the index, on the way to ``x``, with the positions at which they fall."""
        start, ratio = self._encoder, self._scale * (1 - self.slip)
        end = self._encoder = start + (x - self._x) * ratio
        if ratio <= 0:
            return (NO_EDGES, np.empty(0)), (NO_EDGES, np.empty(0))
        low, high = math.floor(start), math.floor(end)
        first = low + 1 if direction > 0 else low - 1
        edges = encoder_train(first, abs(high - low), direction, self._settings.reversed)
        # A count is entered at its lower end from below, and at its upper end from above.
        entered = direction > 0
        at = np.arange(first, high + direction, direction, dtype=np.float64) + (0 if entered else 1)
        marks, letters = self._index_marks(min(start, end), max(start, end), direction)
        return (
            (edges, self._x + (at - start) / ratio),
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

    def bounce(self, letters: Bytes, stamps: Times) -> tuple[Bytes, Times]:
        """Some edges of the clapper's contact bounce once before they settle."""
        if letters[0] not in _CONTACT:
            return letters, stamps
        bouncing = self.rng.random(len(letters)) < self._settings.chatter_part
        longest = int(self._settings.chatter_us * 1000)
        if longest < 2 or not bouncing.any():
            return letters, stamps
        edge, at = letters[bouncing], stamps[bouncing]
        pauses = self.rng.integers(1, longest, (2, len(at)))
        apart = at + pauses[0]
        again = apart + pauses[1]
        return np.concatenate((letters, edge ^ 0x20, edge)), np.concatenate((stamps, apart, again))
