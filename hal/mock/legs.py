"""Stretches of a simulated wheel's motion in one direction, in closed form.

Positions are in sections along the rim, growing as the wheel turns counterclockwise.
"""

import math
from dataclasses import dataclass

import numpy as np

from hal.mock.arrays import Floats

NO_EDGE = b"\0"
CLOSES, OPENS = b"C", b"c"
_LEAST_W2_PER_SECTION = 1e-9


@dataclass(frozen=True, slots=True)
class Lean:
    """The leather leans on a peg that came to it in this direction (+1 counterclockwise, -1 clockwise)."""

    peg: int
    direction: int


@dataclass(frozen=True, slots=True)
class LeatherRelease:
    """How the leather came free of a peg that had come in this direction.

    Attributes:
        slipped: it slipped off at the peg's other side; otherwise the wheel turned back.
    """

    peg: int
    direction: int
    slipped: bool


@dataclass(frozen=True, slots=True)
class Leg:
    """Motion in one direction. ``xs`` are nodes of position, ``w2`` the squared speed at each, (sections/s)².

    Between two nodes the torque is constant, so that the squared speed is linear in the position.
    """

    direction: int
    xs: Floats
    w2: Floats
    ts: Floats
    """Seconds from the leg's start at each node."""
    switch: bytes
    """What the clapper's switch does at each node: ``C``, closes; ``c``, opens; 0, nothing."""
    lean: Lean | None
    """What the leather leans on at the leg's start."""
    _starts: Floats
    """Where each stretch between two nodes begins, along the way."""
    _stretches: Floats
    """Each stretch's coefficients of squared speed by place (a + b * place) and of time by speed."""

    @staticmethod
    def of(direction: int, xs: Floats, w2: Floats, switch: bytes, lean: Lean | None) -> "Leg":
        v = np.sqrt(w2)
        along = (xs - xs[0]) * direction
        length = np.maximum(along[1:] - along[:-1], 1e-12)
        ts = np.zeros(len(xs))
        (2 * length / np.maximum(v[1:] + v[:-1], 1e-9)).cumsum(out=ts[1:])
        slope = (w2[1:] - w2[:-1]) / length
        slope[np.abs(slope) < _LEAST_W2_PER_SECTION] = _LEAST_W2_PER_SECTION
        pace = 2 / slope
        starts = along[:-1]
        stretches = np.array((w2[:-1] - slope * starts, slope, ts[:-1] - pace * v[:-1], pace))
        return Leg(direction, xs, w2, ts, switch, lean, starts, stretches)

    @property
    def duration_s(self) -> float:
        return float(self.ts[-1])

    def times_at(self, xs: Floats) -> Floats:
        """When the wheel passes these positions, given in order of travel; seconds from the leg's start."""
        along = (xs - self.xs[0]) * self.direction
        # How many of the positions lie on each stretch.
        first = np.zeros(len(self.xs), np.intp)
        first[1:-1] = along.searchsorted(self._starts[1:])
        first[-1] = len(xs)
        start, slope, time, pace = self._stretches.repeat(first[1:] - first[:-1], axis=1)
        along *= slope
        along += start
        speed = np.sqrt(np.maximum(along, 0.0, out=along), out=along)
        speed *= pace
        speed += time
        times: Floats = np.minimum(speed, self.ts[-1], out=speed)
        return times

    def position_at(self, t: float) -> float:
        """Where the wheel is, ``t`` seconds after the leg's start."""
        if t >= self.duration_s:
            return float(self.xs[-1])
        node, since, v0, acceleration = self._stretch_at(t)
        moved = v0 * since + acceleration * since * since / 2
        return float(self.xs[node]) + self.direction * moved

    def speed_at(self, t: float) -> float:
        """How fast the wheel turns, ``t`` seconds after the leg's start, in sections/s, without a sign."""
        if t >= self.duration_s:
            return math.sqrt(self.w2[-1])
        _, since, v0, acceleration = self._stretch_at(t)
        return max(0.0, v0 + acceleration * since)

    def _stretch_at(self, t: float) -> tuple[int, float, float, float]:
        """The node passed last, the seconds since, the speed there and the acceleration since."""
        node = max(0, int(self.ts.searchsorted(t, side="right")) - 1)
        span_s = float(self.ts[node + 1] - self.ts[node])
        v0, v1 = math.sqrt(self.w2[node]), math.sqrt(self.w2[node + 1])
        acceleration = (v1 - v0) / span_s if span_s > 0 else 0.0
        return node, t - float(self.ts[node]), v0, acceleration


Motion = tuple[list[Leg], Lean | None]
"""The legs until the wheel is at rest again, and what the leather then leans on."""
