"""A wheel that the project's own simulation did not make: it is recorded for ``calibrate``, and spun.

Written from physics and from what workshops build alone, to judge what the table says of recordings of real wheels.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from other_wheel_motion import Deed, MovingWheel
from other_wheel_parts import DrawnWheel, draw_other_wheel
from other_wheel_sensors import WatchingSensors

from hal.events import EdgeBatch

HANDS = ("push", "brake", "hold", "nudge", "push back", "move on")
_AFTER_S = 6.0
_LEAST_TURNS, _MOST_TURNS = 3.3, 6.6


@dataclass(frozen=True, slots=True)
class OtherSpin:
    """A spin, as the sensors saw it, and what is true of it.

    Attributes:
        batches: the edges. end_ns: until when nothing more came.
        section: at the leather; would_rest: had nobody touched it after the throw.
        bent: the contact is closed at rest; would_bend: had nobody touched it.
        free_deg: how far the leather is from the nearer peg, or minus how far that bends it.
        turns: one way, at the longest.
        hand: what a hand did after the throw, of :data:`HANDS`, or nothing; hand_ns: when it began.
        size: what the hand gave or took, in what a section takes of the wheel's energy; moved: in sections.
        speed: of the wheel, degrees/s, when the hand came.
    """

    batches: list[EdgeBatch]
    end_ns: int
    section: int
    would_rest: int
    bent: bool
    would_bend: bool
    free_deg: float
    turns: float
    hand: str
    hand_ns: int
    size: float
    moved: float
    speed: float

    @property
    def changed(self) -> bool:
        """The hand changed the section."""
        return self.section != self.would_rest


def _profile(chance: random.Random, seconds: float, speed: float) -> Callable[[float], float]:
    """How a hand's force goes, so that it gives a speed in so many seconds."""
    mean = speed / seconds
    kind = chance.choice(("even", "rising", "falling", "round", "twice"))

    def force(at: float) -> float:
        part = at / seconds
        if kind == "even":
            return mean
        if kind == "rising":
            return 2 * mean * part
        if kind == "falling":
            return 2 * mean * (1 - part)
        if kind == "round":
            return mean * math.pi / 2 * math.sin(math.pi * part)
        return 2 * mean * math.sin(2 * math.pi * part) ** 2

    return force


class OtherWheel:
    """A wheel and its sensors.

    Args:
        seed: decides the wheel, and all that is done to it.
        sections: of the wheel, 20 to 60.
        kind: how even its leather and friction are, see :func:`draw_other_wheel`.
    """

    def __init__(self, seed: int, sections: int = 54, kind: str = "any") -> None:
        self.parts: DrawnWheel = draw_other_wheel(seed, sections, kind)
        self.rng = random.Random(f"spins {seed}")
        self.motion = MovingWheel(self.parts.motion, seed, gap=self.rng.randrange(sections))
        self.sensors = WatchingSensors(self.parts.sensors, seed, self.motion.x)
        self.motion.watcher = self.sensors

    @property
    def counts_per_turn(self) -> int:
        """Of the encoder, for the table's file."""
        return 4 * self.parts.sensors.lines

    @property
    def reversed(self) -> bool:
        """The encoder counts backwards, for the table's file."""
        return self.parts.sensors.reversed

    @property
    def section(self) -> int:
        """The section at the leather."""
        return self.motion.gap % self.parts.motion.sections

    @property
    def now_ns(self) -> int:
        """The time after the last edge and motion."""
        return 40_000_000_000 + round((self.motion.t + 0.01) * 1e9)

    # -- what is done to it --------------------------------------------------------------------------------

    def turn(self, degrees: float, speed: float = 25.0) -> None:
        """A hand leads the wheel slowly, at a speed that varies."""
        left, at = abs(degrees), self.motion.t + 0.5
        self.motion.deeds = []
        while left > 0:
            pace, long = speed * self.rng.uniform(0.6, 1.4), self.rng.uniform(0.3, 1.5)
            long = min(long, left / pace)
            self.motion.deeds.append(Deed(at, at + long, lead=math.copysign(pace, degrees)))
            left, at = left - pace * long, at + long
        self._rest()

    def _rest(self) -> None:
        self.motion.rest()
        self.motion.deeds = []
        self.motion.t += _AFTER_S

    def _free(self) -> None:
        """Turn the wheel by hand, as a person who looks, to the middle of a section."""
        for _ in range(20):
            pitch = 360 / self.parts.motion.sections
            if not self.sensors.closed and self.clearance > 0.5:
                return
            middle = self.motion.gap * pitch + pitch / 2 - self.motion.x
            self.turn(middle if abs(middle) > 0.3 else pitch, 8.0)

    @property
    def clearance(self) -> float:
        """How far the leather is from the nearer peg, degrees, or minus how far that bends it."""
        x, touches = self.motion.x, self.motion.touches()
        return min(touches[1] - x, x - touches[-1])

    def _speed_for(self, turns: float) -> float:
        """The speed at which a wheel is let go that is to make so many turns."""
        motion, way, speed = self.parts.motion, 0.0, 0.0
        pitch = 360 / motion.sections
        while way < turns * 360:
            loss = self.parts.section_loss / pitch + motion.drag * speed + motion.air * speed**2
            speed = math.sqrt(speed**2 + 2 * loss * 2)
            way += 2
        return speed

    def _throw_deeds(self, turns: float, way: int) -> list[Deed]:
        """A throw; now and then the dealer winds up first."""
        chance, at = self.rng, self.motion.t + 0.5
        deeds = []
        if chance.random() < 0.25:
            back = chance.uniform(5, 30)
            long = chance.uniform(0.3, 0.9)
            deeds.append(Deed(at, at + long, lead=-way * back / long))
            at += long + chance.choice((0.0, chance.uniform(0, 0.4)))
        seconds, speed = chance.uniform(0.3, 1.0), self._speed_for(turns)
        # What the wheel loses while it is pushed, and the speed that it winds up to, are the hand's too.
        speed += self.parts.section_loss / (360 / self.parts.motion.sections) * seconds
        if deeds:
            deeds.append(Deed(at, at + 0.15, lead=0.0))
            at += 0.15
        deeds.append(Deed(at, at + seconds, push=_profile(chance, seconds, way * speed)))
        return deeds

    # -- what is recorded ----------------------------------------------------------------------------------

    def calibration(self) -> tuple[dict[str, bool], list[EdgeBatch], int]:
        """Two slow turns each way and a throw each way, and then it stands free.

        Returns:
            The levels at the start, the edges, and the section at the end.
        """
        self._free()
        self.sensors.take()
        levels, speed = self.sensors.levels(), self.rng.uniform(12, 36)
        for way in (1, -1):
            self.turn(way * self.rng.uniform(2.15, 2.4) * 360, speed)
        for way in (1, -1):
            self.motion.deeds = self._throw_deeds(self.rng.uniform(4.0, 5.0), way)
            self._rest()
        self._free()
        return levels, self.sensors.take(), self.section

    def located(self) -> list[EdgeBatch]:
        """A hand turns the wheel a little over two turns: the edges."""
        self.turn(2.3 * 360, 60.0)
        return self.sensors.take()

    def spin(self, hand: str = "") -> OtherSpin:
        """Throw the wheel.

        Args:
            hand: what a hand does to it afterwards, of :data:`HANDS`; nothing for an honest spin.
        """
        motion = self.motion
        motion.scale = max(0.8, self.rng.gauss(1, self.parts.varies))
        throw = self._throw_deeds(self.rng.uniform(_LEAST_TURNS, _MOST_TURNS), self.rng.choice((1, -1)))
        if not hand:
            turns = self._run(throw)
            return self._spin_report(turns, self.section, self.sensors.closed, "", (0, 0.0, 0.0), motion.x)
        before, closed = motion.state(), self.sensors.closed
        scratch = WatchingSensors(self.parts.sensors, 0, motion.x, closed)
        motion.watcher = scratch
        self._run(throw)
        trace, rested, would = motion.trace, motion.x, (self.section, scratch.closed)
        motion.restore(before)
        motion.watcher = self.sensors
        deed, size, speed = self._hand(hand, throw[-1].to_s, trace)
        turns = self._run([*throw, deed])
        hand_ns = 40_000_000_000 + round(deed.from_s * 1e9)
        return self._spin_report(turns, *would, hand, (hand_ns, size, speed), rested)

    def _run(self, deeds: list[Deed]) -> float:
        """Do that and wait until the wheel stands: the most turns one way."""
        self.motion.deeds, self.motion.trace = list(deeds), []
        self.motion.most_turns()
        self._rest()
        return self.motion.most_turns()

    def _spin_report(
        self, turns: float, would: int, bends: bool, hand: str, deed: tuple[int, float, float], rested: float
    ) -> OtherSpin:
        batches, moved = self.sensors.take(), (self.motion.x - rested) * self.parts.motion.sections / 360
        bent = self.sensors.closed
        at_ns, size, speed = deed
        return OtherSpin(
            batches,
            self.now_ns,
            self.section,
            would,
            bent,
            bends,
            self.clearance,
            turns,
            hand,
            at_ns,
            size,
            moved,
            speed,
        )

    def _hand(self, hand: str, thrown_s: float, trace: list[tuple[float, float]]) -> tuple[Deed, float, float]:
        """What a hand does some time after the throw: with its size, and the wheel's speed then."""
        chance, unit = self.rng, self.parts.section_loss
        free = [(at, v) for at, v in trace if at > thrown_s]
        ended = max(at for at, v in free if v)
        slow = next((at for at, v in free if abs(v) < 30), thrown_s)
        size, seconds = math.exp(chance.uniform(math.log(0.25), math.log(20))), chance.uniform(0.2, 1.0)
        at = chance.uniform(thrown_s + 0.1, ended - 0.1)
        if hand == "move on":
            at = ended + math.exp(chance.uniform(math.log(0.02), math.log(4)))
        elif hand in ("nudge", "push back"):
            at = chance.uniform(min(slow, ended - 0.3), ended)
        v = next((v for moment, v in reversed(free) if moment <= at), free[0][1])
        way = math.copysign(1, v) if v else chance.choice((1.0, -1.0))
        speeds = math.sqrt(v * v + 2 * size * unit)
        if hand == "push":
            return Deed(at, at + seconds, push=_profile(chance, seconds, way * (speeds - abs(v)))), size, v
        if hand == "brake":
            grip = size * unit / max(1.0, abs(v) * seconds)
            return Deed(at, at + seconds, grip=grip), size, v
        if hand == "hold":
            grip = chance.uniform(150, 1500)
            return Deed(at, at + abs(v) / grip + chance.uniform(0.2, 2.0), grip=grip), v * v / 2 / unit, v
        if hand == "nudge":
            return self._pushed(at, chance.uniform(0.03, 0.15), chance.uniform(1, 15) * chance.choice((1, -1)), v)
        if hand == "push back":
            return self._pushed(at, seconds / 2, -way * (abs(v) + chance.uniform(5, 30)), v)
        return self._pushed(at, seconds, chance.uniform(5, 30) * chance.choice((1, -1)), v)

    def _pushed(self, at: float, seconds: float, speed: float, v: float) -> tuple[Deed, float, float]:
        size = abs((v + speed) ** 2 - v * v) / 2 / self.parts.section_loss
        return Deed(at, at + seconds, push=_profile(self.rng, seconds, speed)), size, v
