"""Motion in closed form, and what an encoder makes of it.

Places are in sections of a wheel, or in turns of a rotor or a ball; times are in seconds.
"""

import math

import numpy as np
from numpy.typing import NDArray

from hal.mock.settings import EncoderSettings

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Times = NDArray[np.int64]
"""In nanoseconds."""
Sensed = tuple[Bytes, Floats]
"""Edges of one sensor in order: their letters, and a quantity of each, such as its time in nanoseconds."""

_LEAST_SPEED, _LEAST_LENGTH = 1e-9, 1e-15
FALLS = 0x20
"""What a falling edge's letter has more than a rising one's."""
_ENTERED = np.frombuffer(b"bABa", np.uint8)
"""The edge at the lower end of a count, by its phase, for an encoder that counts up."""
_CROSSED = np.frombuffer(b"aBAb", np.uint8)
_GATED_COUNTS = {"a": 2, "ab": 1}
_SETTLING_ROUNDS = 4


class Run:
    """Motion in one direction, evenly slower or faster from node to node.

    Args:
        along: how far each node is from the beginning.
        w2: the squared speed at each node; of two neighbours that are apart, at most one is 0.
        acts: a letter for what happens at each node; 0 for nothing.
    """

    def __init__(self, begin: float, direction: int, along: Floats, w2: Floats, acts: Bytes | None = None) -> None:
        self.begin = begin
        self.direction = direction
        self.along = along
        self.acts = np.zeros(len(along), np.uint8) if acts is None else acts
        v = np.sqrt(w2)
        self._last = float(v[-1])
        self.ts = np.zeros(len(along))
        lengths = along[1:] - along[:-1]
        (2 * lengths / np.maximum(v[1:] + v[:-1], _LEAST_SPEED)).cumsum(out=self.ts[1:])
        losses = (w2[:-1] - w2[1:]) / np.maximum(lengths, _LEAST_LENGTH)
        self._stretches = np.array((along[:-1], w2[:-1], v[:-1], losses, self.ts[:-1]))
        """Of each: its beginning, squared speed and speed there, what it takes off, and when it begins."""

    @property
    def duration_s(self) -> float:
        return float(self.ts[-1])

    @property
    def end(self) -> float:
        return self.begin + self.direction * float(self.along[-1])

    def times_at(self, places: Floats) -> Floats:
        """When places on the way are passed, which are in its order."""
        way = (places - self.begin) * self.direction
        ends = np.concatenate(((0,), way.searchsorted(self.along[1:-1]), (len(way),)))
        start, w2, v, loss, times = self._stretches.repeat(ends[1:] - ends[:-1], axis=1)
        way -= start
        loss *= way
        w2 -= loss
        v += np.sqrt(np.maximum(w2, 0.0, out=w2), out=w2)
        way /= np.maximum(v, _LEAST_SPEED, out=v)
        times += 2 * way
        soonest: Floats = np.minimum(times, self.ts[-1], out=times)
        return soonest

    def way_at(self, t: float) -> float:
        """How far it has come after so long."""
        start, since, v, slower = self._at(t)
        return start + v * since - slower * since * since / 2

    def place_at(self, t: float) -> float:
        return self.begin + self.direction * self.way_at(t)

    def speed_at(self, t: float) -> float:
        """How fast it is after so long, without a sign."""
        _, since, v, slower = self._at(t)
        return max(0.0, v - slower * since)

    def _at(self, t: float) -> tuple[float, float, float, float]:
        """The last node: how far it is, the time since then, the speed there, and what it loses a second."""
        node = max(0, int(self.ts.searchsorted(t, side="right")) - 1)
        if node >= len(self.ts) - 1:
            return float(self.along[-1]), 0.0, self._last, 0.0
        start, _, v, loss, at = self._stretches[:, node].tolist()
        return start, t - at, v, loss / 2


class Encoder:
    """Lines A, B and index of an encoder over the angle of its shaft, in counts of a perfect one.

    Its disc may be out of centre: what it reads differs from the shaft's angle by a sine, once a turn. Count ``m``
    lies between the readings ``m`` and ``m + 1``. The index mark is a pulse once a turn; where it is joined with
    A, or with A and B, its edges fall together with theirs.
    """

    def __init__(self, settings: EncoderSettings) -> None:
        self._turn = settings.counts_per_turn
        self._train = _CROSSED if settings.reversed else _ENTERED
        self._inverted = settings.index_inverted
        gate, begins = settings.index_gate, settings.index_offset_counts
        if gate == "none":
            self._phase, self._mark = 0, np.array((0.5, 0.5 + settings.index_wide_counts)) + begins
        else:
            # At the mark A is high, with B or before it; a mirrored encoder's A is high when B would be.
            self._phase = (2 if gate == "ab" or settings.reversed else 1) - int(begins)
            self._mark = np.array((0.0, _GATED_COUNTS[gate])) + int(begins)
        self._runout = settings.runout_deg / 360 * self._turn
        self._runout_rad = math.radians(settings.runout_at_deg)

    def levels(self, angle: float) -> dict[str, bool]:
        at = self._reading(angle)
        phase = math.floor(at) + self._phase
        # A and B take turns.
        last = bytes(self._train[[(phase - 1) % 4, phase % 4]]).decode()
        in_mark = bool((at - self._mark[0]) % self._turn < self._mark[1] - self._mark[0])
        return {"A": "A" in last, "B": "B" in last, "Z": in_mark is not self._inverted}

    def edges(self, start: float, end: float) -> tuple[Sensed, Sensed]:
        """Edges of A and B, and of the index, between two angles, with the angles at which they fall."""
        readings = self._reading(start), self._reading(end)
        low, high = min(readings), max(readings)
        counts = np.arange(math.floor(low) + 1, math.floor(high) + 1)
        turns = np.arange(low // self._turn - 1, high // self._turn + 1)
        marks = (turns[:, None] * self._turn + self._mark).ravel()
        index = np.frombuffer(b"zZ" if self._inverted else b"Zz", np.uint8)[np.arange(len(marks)) % 2]
        passed = (marks > low) & (marks <= high)
        lines = (self._train[(counts + self._phase) & 3], counts), (index[passed], marks[passed])
        way = slice(None, None, 1 if end > start else -1)
        flip = FALLS if end < start else 0
        both, mark = (((letters ^ flip).astype(np.uint8)[way], self._angles(at[way])) for letters, at in lines)
        return both, mark

    def _reading(self, angle: float) -> float:
        return angle + self._runout * math.sin(2 * math.pi * angle / self._turn - self._runout_rad)

    def _angles(self, readings: NDArray[np.generic]) -> Floats:
        """The shaft's angles at readings."""
        at = angles = readings.astype(np.float64)
        for _ in range(_SETTLING_ROUNDS if self._runout else 0):
            angles = at - self._runout * np.sin(angles * (2 * math.pi / self._turn) - self._runout_rad)
        return angles
