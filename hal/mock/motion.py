"""Motion in closed form: of a wheel past its pegs, of a rotor that runs out, and of a ball in its track.

Places and speeds are in the unit of whoever moves, sections or turns; times are in seconds.
"""

import math
from dataclasses import dataclass

import numpy as np

from hal.mock.arrays import Floats

_NO_SPRING = 1e-18
_LEAST_SPEED, _LEAST_LENGTH = 1e-9, 1e-15


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Motion in one direction, over stretches between nodes.

    Within a stretch ``s`` long, the squared speed falls by a constant rate times ``s``, as under friction, and by
    ``spring`` times ``s²``, as against a spring.
    """

    begin: float
    direction: int
    along: Floats
    """How far each node is from the beginning."""
    w2: Floats
    """The squared speed at each node."""
    ts: Floats
    """When each node is passed."""
    _stretches: Floats
    """Of each stretch: its beginning, squared speed and speed there, rate, spring, its square root, and time."""
    _springs: bool

    @staticmethod
    def of(begin: float, direction: int, along: Floats, w2: Floats, spring: Floats | float = 0.0) -> "Run":
        """Motion with these squared speeds at these nodes."""
        v, length = np.sqrt(w2), np.diff(along)
        spring = np.broadcast_to(spring, len(length))
        pulse = np.sqrt(np.maximum(spring, _NO_SPRING))
        rate = (w2[:-1] - w2[1:]) / np.maximum(length, _LEAST_LENGTH) - spring * length
        ts = np.zeros(len(along))
        half = np.arctan(pulse * length / np.maximum(v[1:] + v[:-1], _LEAST_SPEED))
        (2 / pulse * half).cumsum(out=ts[1:])
        stretches = np.array((along[:-1], w2[:-1], np.maximum(v[:-1], _LEAST_SPEED), rate, spring, pulse, ts[:-1]))
        return Run(begin, direction, along, w2, ts, stretches, bool(spring.any()))

    @property
    def duration_s(self) -> float:
        return float(self.ts[-1])

    @property
    def end(self) -> float:
        """Where it ends."""
        return self.begin + self.direction * float(self.along[-1])

    def times_at(self, places: Floats) -> Floats:
        """When these places, in order of travel, are passed."""
        way = (places - self.begin) * self.direction
        ends = np.empty(len(self.along), np.intp)
        ends[0], ends[-1] = 0, len(way)
        ends[1:-1] = way.searchsorted(self.along[1:-1])
        start, w2, v0, rate, spring, pulse, time = self._stretches.repeat(ends[1:] - ends[:-1], axis=1)
        way -= start
        spring *= way
        spring += rate
        spring *= way
        w2 -= spring
        np.sqrt(np.maximum(w2, 0.0, out=w2), out=w2)
        w2 += v0
        way /= w2
        if self._springs:
            way *= pulse
            np.arctan(way, out=way)
            way /= pulse
        way += way
        way += time
        times: Floats = np.minimum(way, self.ts[-1], out=way)
        return times

    def way_at(self, t: float) -> float:
        """How far it has come after so long."""
        if t >= self.ts[-1]:
            return float(self.along[-1])
        start, _, v0, rate, _, pulse, time = self._stretch_at(t)
        turned = pulse * (t - time)
        return start + v0 * math.sin(turned) / pulse - rate * (math.sin(turned / 2) / pulse) ** 2

    def place_at(self, t: float) -> float:
        """Where it is after so long."""
        return self.begin + self.direction * self.way_at(t)

    def speed_at(self, t: float) -> float:
        """How fast it is after so long, without a sign."""
        if t >= self.ts[-1]:
            return math.sqrt(self.w2[-1])
        _, _, v0, rate, _, pulse, time = self._stretch_at(t)
        turned = pulse * (t - time)
        return max(0.0, v0 * math.cos(turned) - rate / 2 * math.sin(turned) / pulse)

    def _stretch_at(self, t: float) -> list[float]:
        stretch: list[float] = self._stretches[:, max(0, int(self.ts.searchsorted(t, side="right")) - 1)].tolist()
        return stretch
