"""Wheels as workshops build them, drawn at random over what is usual: motion and sensors.

Independent of ``hal/mock``. Where the ranges leave something open, the choice is said here.
"""

import math
import random
from dataclasses import dataclass, replace

from other_wheel_motion import MotionParts
from other_wheel_sensors import SensorParts

_FASTEST = 310.0
_MISSING_ONE_IN, _BENT_ONE_IN = 50, 7


@dataclass(frozen=True, slots=True)
class DrawnWheel:
    """A wheel, and what its spins differ by.

    Attributes:
        varies: friction from spin to spin, relative.
        pass_loss: what a peg takes, in degree²/s² of half the speed squared; section_loss: with friction.
        odd: what is wrong with it, as a bent or missing peg; empty for nothing.
    """

    motion: MotionParts
    sensors: SensorParts
    varies: float
    pass_loss: float
    section_loss: float
    odd: str


KINDS = ("any", "even", "plain")


def draw_other_wheel(seed: int, sections: int, kind: str = "any") -> DrawnWheel:
    """Draw a wheel; one whose contact would not close at full speed, or never open, no workshop leaves so.

    Args:
        kind: of :data:`KINDS`. "even": the leather takes nearly as much in one pass as in the next, within some 3%.
            "plain": that, and friction is Coulomb's plus air by the squared speed, without grease.
    """
    chance = random.Random(f"other wheel {seed}")
    while True:
        drawn = _of_kind(_draw(chance, sections), kind)
        motion, sensors = drawn.motion, drawn.sensors
        slips = motion.slips[0] - 3 * motion.slips[1]
        closing, opening, varies = sensors.delays
        least = (slips - max(sensors.closes)) / _FASTEST + opening * (1 - 3 * varies) - closing * (1 + 3 * varies)
        late = sensors.snap + opening * (1 + 3 * varies)
        apart = (360 / sections - motion.slips[0] - motion.half) / _FASTEST
        fits = min(sensors.closes) > 0.05 and max(sensors.closes) < 1 and max(sensors.closes) < 0.75 * slips
        if fits and least > 0.5e-3 + sensors.snap * 0.1 and late < min(0.006, apart):
            return drawn


def _of_kind(drawn: DrawnWheel, kind: str) -> DrawnWheel:
    motion = drawn.motion
    if kind != "any":
        (slips, slips_vary), (stiff, stiff_varies) = motion.slips, motion.stiff
        motion = replace(motion, slips=(slips, slips_vary / 3), stiff=(stiff, stiff_varies / 3))
    if kind == "plain":
        motion = replace(motion, drag=0.0, air=motion.air + motion.drag / 150, leather_drag=0.0)
    return replace(drawn, motion=motion)


def _half(chance: random.Random) -> float:
    """Half a peg and half a leather: the page's millimetres at its radius."""
    width = chance.uniform(6, 13) + chance.uniform(3, 8)
    return min(1.1, max(0.3, math.degrees(width / 2000 / chance.uniform(0.55, 0.8))))


def _pegs(chance: random.Random, sections: int) -> tuple[tuple[float | None, ...], str]:
    spread = chance.uniform(0.01, 0.15)
    pegs: list[float | None] = [max(-0.3, min(0.3, chance.gauss(0, spread))) for _ in range(sections)]
    odd = ""
    if chance.random() * _MISSING_ONE_IN < 1:
        odd, pegs[chance.randrange(sections)] = "missing peg", None
    elif chance.random() * _BENT_ONE_IN < 1:
        odd = "bent peg"
        pegs[chance.randrange(sections)] = chance.uniform(0.4, 1.0) * chance.choice((1, -1))
    return tuple(pegs), odd


def _draw(chance: random.Random, sections: int) -> DrawnWheel:
    half = _half(chance)
    slips = chance.uniform(max(1.0, 2 * half + 0.2), 4.0)
    closes, lean = math.exp(chance.uniform(math.log(0.05), 0)), chance.uniform(-0.3, 0.3)
    # A wheel let go at 150 to 300 degrees/s makes 3 to 7 turns: so much does it lose on the way.
    loss = chance.uniform(180, 280) ** 2 / 2 / (360 * chance.uniform(4, 7))
    leather, air = chance.uniform(0.15, 0.75), chance.uniform(0.05, 0.35)
    pitch = 360 / sections
    pass_loss = leather * loss * pitch
    rubbing = loss * max(0.08, 1 - leather - air)
    by_square = chance.random() * air
    pegs, odd = _pegs(chance, sections)
    motion = MotionParts(
        sections=sections,
        pegs=pegs,
        half=half,
        leans=(lean, chance.uniform(0, 0.03)),
        slips=(slips, chance.uniform(0.01, 0.08)),
        stiff=(2 * pass_loss / slips**2, chance.uniform(0.02, 0.12)),
        gives=chance.uniform(0.3, 0.9),
        leather_drag=chance.uniform(0, 0.03),
        friction=rubbing,
        drag=(air - by_square) * loss / 130,
        air=by_square * loss / 150**2,
        heavy=(loss * math.exp(chance.uniform(math.log(0.002), math.log(0.15))), chance.uniform(0, 360)),
    )
    sensors = _sensors(chance, closes, lean)
    return DrawnWheel(motion, sensors, chance.uniform(0.005, 0.05), pass_loss, pass_loss + rubbing * pitch, odd)


def _sensors(chance: random.Random, closes: float, lean: float) -> SensorParts:
    def phase(middle: float) -> float:
        return middle + chance.uniform(-0.05, 0.05)

    # A switch that is set where the leather hangs closes alike to both sides; one that is not, the sooner to one.
    off = lean * chance.random()
    delay = math.exp(chance.uniform(math.log(2e-4), math.log(5e-3)))
    return SensorParts(
        lines=round(math.exp(chance.uniform(math.log(200), math.log(4096)))),
        runout=(chance.uniform(0, 0.3), chance.uniform(0, 360)),
        phases=(phase(0.06), phase(0.31), phase(0.56), phase(0.81)),
        backlash=chance.uniform(0.005, 0.04),
        gate=chance.choice(("", "A", "AB")),
        inverted=chance.random() < 0.5,
        index=chance.uniform(0, 359.9),
        width=chance.uniform(0.25, 1.0),
        reversed=chance.random() < 0.5,
        closes=(closes - off, closes + off),
        hysteresis=chance.uniform(0.05, 0.5),
        delays=(delay, delay * chance.uniform(0.6, 1.5), chance.uniform(0.01, 0.1)),
        snap=chance.uniform(2e-4, 2e-3),
        chatter=chance.choice((0.0, chance.uniform(0, 1e-3))),
        bounces=chance.randint(0, 6),
    )
