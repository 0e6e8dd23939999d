"""The simulated sensor head: encoder, index and clapper of the simulated wheel. Backend ``mock``."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hal.interfaces import Clock
from hal.mock.arrays import NO_EDGES, Sensed
from hal.mock.contact import ClapperContact
from hal.mock.encoder import Encoder
from hal.mock.hands import Hands
from hal.mock.head import NS_PER_S, SimulatedHead
from hal.mock.leather import NO_EDGE, Lean
from hal.mock.settings import WheelSettings
from hal.mock.wheel import Leg, Moving, WheelPhysics

_GATE_S = 1e-6


@dataclass(frozen=True, slots=True)
class Clapper:
    """What the leather and its contact do at a moment."""

    lean: Lean | None
    """What the leather leans on; None while it hangs free."""
    bend: float
    """How far it is bent, in sections along the rim."""
    slip: float
    """The bend at which it would slip off that peg; 0 while it hangs free."""
    bent: bool
    """Whether it is bent so far that the contact is open."""


class MockHead(SimulatedHead):
    """A wheel and its sensors. Positions ``x`` are in sections along the rim (see :mod:`hal.mock.wheel`)."""

    def __init__(self, settings: WheelSettings, clock: Clock, slice_ns: int | None) -> None:
        rng = np.random.default_rng(settings.seed)
        self.settings = settings
        """Of the wheel as it is now."""
        self.physics = WheelPhysics(settings, rng)
        self.sections = self.physics.sections
        self.hands = Hands(self)
        self.slip = 0.0
        """Part of the wheel's movement that the encoder does not follow."""
        self.held = False
        """Whether a hand holds the wheel; what the leather would do to it waits until the hand lets go."""
        self._scale = settings.counts_per_turn / self.sections
        self._x = 0.5
        self._lean: Lean | None = None
        self._contact = ClapperContact(settings, rng)
        begins = settings.index_offset_counts + (0.5 if settings.index_gate == "none" else 0)
        self._disc = Encoder(settings, begins, 1.0, settings.runout_deg, settings.runout_at_deg)
        self._encoder = self._x * self._scale
        """The angle of the encoder's shaft, in counts."""
        self._legs: deque[tuple[int, int, Leg]] = deque()
        """When each begins and ends."""
        self._node = 0
        """How many nodes of the present leg have been delivered."""
        super().__init__(rng, settings.jitter_us, clock, slice_ns)

    # -- how it moves --------------------------------------------------------------------------------------

    @property
    def x(self) -> float:
        """Where the wheel truly is now."""
        now_ns = self.clock.now_ns()
        for start_ns, _, leg in reversed(self._legs):
            if start_ns <= now_ns:
                return leg.run.place_at((now_ns - start_ns) / NS_PER_S)
        return self._x

    @property
    def moving(self) -> bool:
        return bool(self._legs)

    @property
    def at_rest_ns(self) -> int:
        return self._legs[-1][1] if self._legs else self._polled_ns

    def true_position(self) -> tuple[int, bool]:
        """The section of the order that is truly at the clapper, and whether a peg holds its contact open."""
        self.poll()
        return self.physics.section(self._x, self._lean), self._contact.bent

    @property
    def clapper(self) -> Clapper:
        """What the leather and its contact truly do now."""
        lean, leather = self.motion.lean, self.physics.leather
        bend = leather.bend(self._x, lean) if lean is not None else 0.0
        slip = leather.sides[lean.direction].slip if lean is not None else 0.0
        return Clapper(lean, bend, slip, self._contact.bent)

    @property
    def motion(self) -> Moving:
        """How the wheel truly moves now."""
        self.poll()
        if not self._legs:
            return Moving(self._x, self._lean, 0, 0.0)
        start_ns, _, leg = self._legs[0]
        since_ns = max(0, self.clock.now_ns() - start_ns)  # A leg begins a nanosecond after the one before.
        return Moving(self._x, self._lean, leg.run.direction, leg.run.speed_at(since_ns / NS_PER_S))

    # -- actions -------------------------------------------------------------------------------------------

    def throw_about(self, sections: float) -> None:
        """Throw the wheel over about so many sections, as a dealer does (negative: the other way)."""
        hand = abs(sections) + float(self.rng.random())
        self.physics.vary(self.rng)
        self._throw(1 if sections > 0 else -1, self.physics.speed_for(hand))

    def throw_to(self, target: float) -> None:
        """Throw the wheel so that it runs out at a position of the rim."""
        self.halt()
        self.physics.vary(self.rng)
        w2 = self.physics.speed_to_reach(self._x, self._lean, target)
        self._throw(1 if target > self._x else -1, w2)

    def throw_past(self, peg: int, revolutions: float, direction: int, part: float) -> None:
        """Throw the wheel so that it runs out beyond a peg, by a part of a section, after so many revolutions."""
        least = revolutions * self.sections
        ahead = (self.physics.pegs.at(peg) + direction * part - self.x) * direction
        self.throw_to(self.x + direction * (least + (ahead - least) % self.sections))

    def push(self, sections: float, seconds: float) -> None:
        """Turn the wheel by hand, this many sections along the rim (negative: the other way)."""
        self.take_over(lambda now: self.physics.push(now, sections, seconds))

    def take_over(self, motion: Callable[[Moving], list[Leg]]) -> None:
        """From now on the wheel moves as this says, of how it moves now."""
        now = self.motion
        self.halt()
        start_ns = self.clock.now_ns()
        for leg in motion(now):
            end_ns = start_ns + int(leg.run.duration_s * NS_PER_S)
            self._legs.append((start_ns, end_ns, leg))
            start_ns = end_ns + 1
        self.schedule()

    def catch_at_turn(self) -> None:
        """Whatever pushes the wheel back where it stops for the first time, a hand holds it there."""
        self._legs = deque((self._legs[0],))
        self.held = True
        self.schedule()

    def halt(self) -> None:
        """Grab the wheel: it stands still at once."""
        self.poll()
        self.physics.brake = 0.0
        self.held = False
        self._legs.clear()
        self._node = 0

    def refit(self, settings: WheelSettings) -> None:
        """Pegs, leather and bearing are from now on as these say; the encoder stays."""
        self.halt()
        self.settings = settings
        self.physics = WheelPhysics(settings, np.random.default_rng(settings.seed))
        self._lean = None
        self._contact = ClapperContact(settings, self.rng)
        self._settle()

    def remount(self) -> None:
        """An encoder that slips, or has slipped, is mounted anew: it agrees with the wheel again."""
        true = self._x * self._scale
        if self.slip or abs(self._encoder - true) > 1e-3:
            self.slip, self._encoder = 0.0, true
            self._settle()

    # -- inside --------------------------------------------------------------------------------------------

    def _throw(self, direction: int, w2: float) -> None:
        """Throw the wheel with a squared speed in (sections/s)²; it takes over whatever movement there was."""
        speed = math.sqrt(w2)
        self.take_over(lambda now: self.physics.free(Moving(now.x, now.lean, direction, speed)))

    def _settle(self) -> None:
        """The sensors were moved by hand."""
        self.lines.realign(self.sensor_levels())
        self.settle_lines()

    def sensor_levels(self) -> dict[str, bool]:
        return {**self._disc.levels(self._encoder), "C": self._contact.bent}

    def sense(self, to_ns: int) -> tuple[list[Sensed], ...]:
        sensors: tuple[list[Sensed], ...] = ([], [], [])
        while self._legs and self._legs[0][0] < to_ns:
            start_ns, end_ns, leg = self._legs[0]
            over = end_ns <= to_ns
            elapsed_s = leg.run.duration_s if over else (to_ns - start_ns) / NS_PER_S
            way = leg.run.way_at(elapsed_s)
            x = leg.run.begin + leg.run.direction * way
            for sensor, (letters, seconds) in zip(sensors, self._pass(leg, x, elapsed_s), strict=True):
                if len(letters):
                    at_ns = seconds * NS_PER_S + start_ns
                    clapper = sensor is sensors[-1]
                    sensor.append(self._contact.edges(letters, at_ns) if clapper else (letters, at_ns))
            self._lean = leg.leather.after(leg.path, way)
            self._x = x
            if not over:
                break
            self._legs.popleft()
            self._node = 0
        return sensors

    def _pass(self, leg: Leg, x: float, elapsed_s: float) -> tuple[Sensed, Sensed, Sensed]:
        """What encoder, index and clapper do on a leg from where it was left to ``x``: letters, seconds."""
        run, node = leg.run, self._node
        self._node = int(run.ts.searchsorted(elapsed_s, side="right"))
        switch = np.frombuffer(leg.path.switch, np.uint8)[node : self._node]
        (acts,) = (switch != NO_EDGE).nonzero()
        clapper = switch[acts], run.ts[acts + node]
        start, ratio = self._encoder, self._scale * (1 - self.slip)
        self._encoder = start + (x - self._x) * ratio
        if ratio <= 0:
            return NO_EDGES, NO_EDGES, clapper
        (letters, angles), (marks, at) = self._disc.edges(start, self._encoder, run.direction)
        lines = letters, run.times_at(self._x + (angles - start) / ratio)
        if not len(marks):
            return lines, NO_EDGES, clapper
        times = run.times_at(self._x + (at - start) / ratio)
        if self._disc.gated:
            # Two gates of one encoder switch together but for their run times.
            times += self.rng.uniform(-_GATE_S, _GATE_S, len(marks))
        return lines, (marks, times), clapper
