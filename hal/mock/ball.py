"""The physics of rotor and ball. Angles are in turns, growing counterclockwise as seen from above.

Both slow down by themselves: the rotor evenly, the ball by friction and by air, which takes more the faster it is.
Either way place and time follow from one another in closed form.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hal.events import BALL_1, BALL_2
from hal.mock.arrays import Bytes, Floats, Times


@dataclass(frozen=True, slots=True)
class RotorMotion:
    """A rotor that was pushed and runs out. Its speed is in turns a second; ``slows`` is what it loses a second."""

    start_ns: int
    at: float
    """The angle at the start."""
    direction: int
    speed: float
    slows: float

    @property
    def stops_ns(self) -> int:
        return self.start_ns + int(self.speed / self.slows * 1e9)

    def speed_at(self, at_ns: int) -> float:
        """How fast it is; turns a second."""
        return max(0.0, self.speed - self.slows * max(at_ns - self.start_ns, 0) / 1e9)

    def angle_at(self, at_ns: int) -> float:
        """Where the rotor is."""
        t = min(max(at_ns - self.start_ns, 0) / 1e9, self.speed / self.slows)
        return self.at + self.direction * (self.speed * t - self.slows * t * t / 2)

    def times_ns(self, angles: Floats) -> Floats:
        """When the rotor passes these angles, all of which it reaches; nanoseconds."""
        way = (angles - self.at) * self.direction
        left = np.sqrt(np.maximum(self.speed * self.speed - 2 * self.slows * way, 0.0))
        times: Floats = self.start_ns + (self.speed - left) / self.slows * 1e9
        return times


@dataclass(frozen=True, slots=True)
class BallRun:
    """A ball that was thrown into the track, until it is too slow for it.

    Attributes:
        turns: around the track, until it leaves.
        friction: in turns per squared second; ``drag``: per turn.
        tilt: part of its speed that it gains and loses once a turn, on a wheel that is not level.
        fastest: where, as an angle.
        climbs_after: turns after which it runs up the wall; from there on it is slower than it would be.
        climbs_loss: part of its speed that this costs.
        climbs_wide: how much longer it darkens a beam in the turn after that.
    """

    start_ns: int
    at: float
    direction: int
    turns: float
    leaves_rev_s: float
    friction: float
    drag: float
    tilt: float = 0.0
    fastest: float = 0.0
    climbs_after: float = math.inf
    climbs_loss: float = 0.0
    climbs_wide: float = 1.0

    def angle_after(self, way: float) -> float:
        """How far around the ball is that would have gone so far on a level wheel; turns."""
        place = (self.fastest - self.at) * self.direction
        swing = math.sin(2 * math.pi * (way - place)) + math.sin(2 * math.pi * place)
        return way + self.tilt / (2 * math.pi) * swing

    def way_to(self, angle: float) -> float:
        """The reverse of :meth:`angle_after`."""
        way = angle
        for _ in range(25 if self.tilt else 0):
            way += angle - self.angle_after(way)
        return way

    @property
    def _phase(self) -> float:
        """How fast the ball starts, as an angle that shrinks evenly in time, down to 0 where it would stand."""
        part = self.friction / self.drag
        squared = (self.leaves_rev_s**2 + part) * math.exp(2 * self.drag * self.turns) - part
        return math.atan(math.sqrt(squared / part))

    def time_ns(self, turns: float) -> int:
        """When the ball has gone so far; at most :attr:`turns`."""
        at_ns = self._on_track_ns(turns)
        if turns <= self.climbs_after:
            return at_ns
        climbed_ns = self._on_track_ns(self.climbs_after)
        return climbed_ns + int((at_ns - climbed_ns) / (1 - self.climbs_loss))

    def _on_track_ns(self, turns: float) -> int:
        """The same of a ball that never runs up the wall."""
        start = self._phase
        left = math.acos(min(1.0, math.cos(start) * math.exp(self.drag * min(turns, self.turns))))
        return self.start_ns + int((start - left) / math.sqrt(self.friction * self.drag) * 1e9)

    def way_at(self, at_ns: int) -> float:
        """How far the ball has gone, to a ten thousandth of a turn."""
        low, high = 0.0, self.turns
        while high - low > 1e-4:
            middle = (low + high) / 2
            low, high = (middle, high) if self.time_ns(middle) <= at_ns else (low, middle)
        return low

    @property
    def leaves_ns(self) -> int:
        """When it leaves the track."""
        return self.time_ns(self.turns)

    def passes(self, beam: float, half: float) -> list[tuple[int, int]]:
        """When the ball enters and leaves a beam that stands at an angle; ``half`` is half the ball, in turns."""
        first = (beam - self.at) * self.direction % 1.0
        crossings = []
        for turn in range(math.ceil(self.turns) + 1):
            enters, leaves = first + turn - half, first + turn + half
            if enters < 0:
                continue
            enters, leaves = self.way_to(enters), self.way_to(leaves)
            if enters >= self.turns:
                continue
            enters_ns, free_ns = self.time_ns(enters), self.time_ns(leaves)
            if 0 <= enters - self.climbs_after < 1:
                free_ns = enters_ns + int((free_ns - enters_ns) * self.climbs_wide)
            crossings.append((enters_ns, free_ns))
        return crossings

    def returns(self, beams: tuple[float, ...], half: float) -> int:
        """How often the ball comes back to the first beam that it met."""
        # A beam that the ball stands in as it is thrown is met a turn later.
        firsts = ((beam - self.at) * self.direction % 1.0 - half for beam in beams)
        first = min(first if first >= 0 else first + 1 for first in firsts)
        return max(0, math.floor(self.angle_after(self.turns) - first))


@dataclass(frozen=True, slots=True)
class BallTruth:
    """The true course of the last throw of the ball."""

    direction: int
    """+1 counterclockwise, -1 clockwise."""
    revolutions: int
    """Complete ones: returns to the first beam."""
    leaves_ns: int
    """When it left the track, or the wheel."""
    rests_ns: int
    against: bool = True
    """It ran against the rotor, which turned all the while."""
    natural: bool = True
    """It left the track by itself, and not the wheel."""
    pocket: str = ""
    """Where it lies; empty until it does, and if it is not in the wheel."""


def leaps(
    rng: np.random.Generator, beams: int, most: int, within_s: float, longest_s: float
) -> list[tuple[float, int, float]]:
    """How a ball that has left the track leaps across the beams: after how long, which one, and for how long.

    It is at one place at a time: its leaps come one after the other.
    """
    crossed = [beam for beam in range(beams) for _ in range(int(rng.integers(0, most + 1)))]
    rng.shuffle(crossed)
    found, free_s = [], 0.0
    for beam, at_s in zip(crossed, sorted(rng.uniform(0.05, within_s, len(crossed)).tolist()), strict=True):
        stays_s = math.exp(float(rng.uniform(math.log(0.001), math.log(longest_s))))
        begins_s = max(at_s, free_s + 0.01)
        free_s = begins_s + stays_s
        found.append((begins_s, beam, stays_s))
    return found


def beam_edges(
    run: BallRun, beams: Sequence[float], half: float, leaves_ns: int, leaps: Sequence[tuple[float, int, float]]
) -> tuple[Bytes, Times]:
    """Every edge of the beams until the ball is gone, in order of time.

    Args:
        beams: where they stand, in turns counterclockwise.
        half: half the ball, in turns.
        leaps: as :func:`leaps` draws them.
    """
    edges = [
        edge
        for beam, letter in zip(beams, (BALL_1, BALL_2), strict=False)
        for enters_ns, free_ns in run.passes(beam, half)
        if enters_ns < leaves_ns
        for edge in ((enters_ns, letter), (min(free_ns, leaves_ns), letter.lower()))
    ]
    for after_s, number, stays_s in leaps:
        letter, enters_ns = (BALL_1, BALL_2)[number], leaves_ns + int(after_s * 1e9)
        edges += [(enters_ns, letter), (enters_ns + int(stays_s * 1e9), letter.lower())]
    edges.sort()
    letters = np.array([ord(letter) for _, letter in edges], np.uint8)
    return letters, np.array([at_ns for at_ns, _ in edges], np.int64)
