"""The simulated sensor head: encoder, index and clapper of the simulated wheel. Backend ``mock``."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from pydantic import BaseModel

from hal.interfaces import Clock, EdgeSource
from hal.mock.arrays import Bytes, Floats, Times
from hal.mock.contact import ClapperContact
from hal.mock.encoder import Encoder
from hal.mock.head import NO_EDGES, NS_PER_S, Edges, SimulatedHead
from hal.mock.legs import CLOSES, OPENS, Lean, LeatherRelease, Leg, Motion
from hal.mock.settings import WheelSettings
from hal.mock.wheel import WheelPhysics

_CONTACT = (CLOSES[0], OPENS[0])
_NO_PLACES = np.empty(0)
_GATE_S = 1e-6


def open_device(wiring: BaseModel, settings: WheelSettings, clock: Clock) -> EdgeSource:
    """The head of the simulated wheel that stands at this clock's table."""
    from hal.mock.world import World  # The world is made of this module's head.

    head: EdgeSource = World.of(clock).fit_wheel(settings)
    return head


@dataclass(frozen=True, slots=True)
class Moving:
    """How the wheel moves at a moment."""

    x: float
    """Where it is, in sections along the rim."""
    lean: Lean | None
    """What the leather leans on."""
    direction: int
    """+1 counterclockwise, -1 clockwise, 0 at rest."""
    speed: float
    """Sections a second, without a sign."""


@dataclass(frozen=True, slots=True)
class Clapper:
    """What the leather and its contact do at a moment."""

    lean: Lean | None
    """What the leather leans on; None while it hangs free."""
    bend: float
    """How far it is bent, in sections along the rim."""
    slip: float
    """The bend at which it would slip off that peg; 0 while it hangs free."""
    closed: bool
    """Whether it is bent so far that the contact is closed."""
    release: LeatherRelease | None
    """How it came free for the last time; None before the first."""


class MockHead(SimulatedHead):
    """A wheel and its sensors. Positions ``x`` are in sections along the rim (see :mod:`hal.mock.wheel`)."""

    def __init__(self, settings: WheelSettings, clock: Clock, slice_ns: int | None) -> None:
        rng = np.random.default_rng(settings.seed)
        self.settings = settings
        """Of the wheel as it is now."""
        self.physics = WheelPhysics(settings, rng)
        self.sections = self.physics.sections
        self.slip = 0.0
        """Part of the wheel's movement that the encoder does not follow."""
        self._scale = settings.counts_per_turn / self.sections
        self._x = 0.5
        self._lean: Lean | None = None
        self._release: LeatherRelease | None = None
        self.held = False
        """Whether a hand holds the wheel; what the leather would do to it waits until the hand lets go."""
        self._contact = ClapperContact(settings, rng)
        self._disc = Encoder(settings)
        self._encoder = self._x * self._scale
        """The angle of the encoder's shaft, in counts."""
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
                return leg.position_at((now_ns - start_ns) / NS_PER_S)
        return self._x

    @property
    def moving(self) -> bool:
        return bool(self._legs)

    @property
    def at_rest_ns(self) -> int:
        return self._legs[-1][0] + int(self._legs[-1][1].duration_s * NS_PER_S) if self._legs else self._polled_ns

    def true_stand(self) -> tuple[int, bool]:
        """The section of the order that is truly at the clapper, and whether a peg holds its contact closed."""
        self.poll()
        return self.physics.section(self._x, self._lean), self._contact.closed

    @property
    def clapper(self) -> Clapper:
        """What the leather and its contact truly do now."""
        lean, leather = self.motion.lean, self.physics.leather
        bend = leather.bend(self._x, lean) if lean is not None else 0.0
        slip = leather.sides[lean.direction].slip if lean is not None else 0.0
        return Clapper(lean, bend, slip, self._contact.closed, self._release)

    @property
    def motion(self) -> Moving:
        """How the wheel truly moves now."""
        self.poll()
        if not self._legs:
            return Moving(self._x, self._lean, 0, 0.0)
        start_ns, leg = self._legs[0]
        since_ns = max(0, self.clock.now_ns() - start_ns)  # A leg begins a nanosecond after the one before.
        return Moving(self._x, self._lean, leg.direction, leg.speed_at(since_ns / NS_PER_S))

    def throw(self, direction: int, w2: float) -> None:
        """Throw the wheel with a squared speed in (sections/s)²; it takes over whatever movement there was."""
        self.take_over(lambda now: self.physics.throw(now.x, now.lean, direction, w2))

    def throw_about(self, sections: float) -> None:
        """Throw the wheel over about so many sections, as a dealer does (negative: the other way)."""
        hand = abs(sections) + float(self.rng.random())
        self.physics.vary(self.rng)
        self.throw(1 if sections > 0 else -1, self.physics.speed_for(hand))

    def throw_to(self, target: float) -> None:
        """Throw the wheel so that it runs out at a position of the rim."""
        self.halt()
        self.physics.vary(self.rng)
        w2 = self.physics.speed_to_reach(self._x, self._lean, target)
        self.throw(1 if target > self._x else -1, w2)

    def throw_past(self, peg: int, revolutions: float, direction: int, part: float) -> None:
        """Throw the wheel so that it runs out beyond a peg, by a part of a section, after so many revolutions."""
        self.halt()
        start, least = self.x, revolutions * self.sections
        while True:
            target = self.physics.peg_at(peg) + direction * part
            ahead = (target - start) * direction
            if least <= ahead < least + self.sections:
                break
            peg += direction * self.sections if ahead < least else -direction * self.sections
        self.throw_to(target)

    def push(self, sections: float, seconds: float) -> None:
        """Turn the wheel by hand, this many sections along the rim (negative: the other way)."""
        self.take_over(lambda now: self.physics.push(now.x, now.lean, now.x + sections, seconds))

    def take_over(self, motion: Callable[[Moving], Motion]) -> None:
        """From now on the wheel moves as this says, of how it moves now."""
        now = self.motion
        self.halt()
        start_ns = self.clock.now_ns()
        for leg in motion(now)[0]:
            self._legs.append((start_ns, leg))
            start_ns += int(leg.duration_s * NS_PER_S) + 1
        self.schedule()

    def catch_at_turn(self) -> None:
        """Whatever pushes the wheel back where it stops for the first time, a hand holds it there."""
        del self._legs[1:]
        self.held = True
        self.schedule()

    def halt(self) -> None:
        """Grab the wheel: it stands still at once."""
        self.poll()
        self.physics.brake = 0.0
        self.held = False
        self._legs = []
        self._node = 0

    def refit(self, settings: WheelSettings) -> None:
        """Pegs, leather and bearing are from now on as these say (see :mod:`hal.mock.wear`); the encoder stays."""
        self.halt()
        self.settings = settings
        self.physics = WheelPhysics(settings, np.random.default_rng(settings.seed))
        self._release = None if self._lean is not None else self._release
        self._lean = None
        self._contact = ClapperContact(settings, self.rng)
        self.lines.realign(self.sensor_levels())
        self.settle_lines()

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

    def repair(self) -> None:
        if self.slipped:
            self.realign()

    # -- inside --------------------------------------------------------------------------------------------

    def sensor_levels(self) -> dict[str, bool]:
        return {**self._disc.levels(self._encoder), "C": self._contact.closed}

    def sense(self, from_ns: int, to_ns: int) -> tuple[Edges, ...]:
        sensors: tuple[Edges, Edges, Edges] = ([], [], [])
        while self._legs and self._legs[0][0] < to_ns:
            start_ns, leg = self._legs[0]
            over = start_ns + int(leg.duration_s * NS_PER_S) <= to_ns
            elapsed_s = leg.duration_s if over else (to_ns - start_ns) / NS_PER_S
            x = leg.position_at(elapsed_s)
            for sensor, (letters, times) in zip(sensors, self._pass(leg, x, elapsed_s), strict=True):
                if not len(letters):
                    continue
                times *= NS_PER_S
                times += start_ns
                if sensor is sensors[2]:
                    letters, times = self._contact.edges(letters, times)
                if len(letters):
                    sensor.append((letters, times))
            way = (float(leg.xs[0]), leg.lean, leg.direction, x)
            self._lean = self.physics.lean_after(*way)
            self._release = self.physics.leather.released(*way) or self._release
            self._x = x
            if not over:
                break
            self._legs.pop(0)
            self._node = 0
        return sensors

    def _pass(self, leg: Leg, x: float, elapsed_s: float) -> tuple[tuple[Bytes, Floats], ...]:
        """What encoder, index and clapper do on a leg from where it was left to ``x``: letters, seconds."""
        start, ratio = self._encoder, self._scale * (1 - self.slip)
        self._encoder = start + (x - self._x) * ratio
        clapper = self._clapper_edges(leg, elapsed_s)
        if ratio <= 0:
            return (NO_EDGES, _NO_PLACES), (NO_EDGES, _NO_PLACES), clapper
        (letters, angles), (marks, at) = self._disc.edges(start, self._encoder, leg.direction)
        lines = letters, leg.times_at(self._x + (angles - start) / ratio)
        if not len(marks):
            return lines, (NO_EDGES, _NO_PLACES), clapper
        times = leg.times_at(self._x + (at - start) / ratio)
        if self._disc.gated:
            # Two gates of one encoder switch together but for their run times.
            times += self.rng.uniform(-_GATE_S, _GATE_S, len(marks))
        return lines, (marks, times), clapper

    def _clapper_edges(self, leg: Leg, elapsed_s: float) -> tuple[Bytes, Floats]:
        """What the leather does to its switch up to a moment of the leg."""
        node, self._node = self._node, int(leg.ts.searchsorted(elapsed_s, side="right"))
        letters = np.frombuffer(leg.switch, np.uint8)[node : self._node]
        (edges,) = letters.nonzero()
        return letters[edges], leg.ts[edges + node]

    def bounce(self, letters: Bytes, stamps: Times) -> tuple[Bytes, Times]:
        return self._contact.bounce(letters, stamps) if letters[0] in _CONTACT else (letters, stamps)
