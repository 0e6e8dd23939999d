"""An encoder of a simulated wheel or rotor: lines A, B and index over the angle of its shaft.

Its disc may be out of centre: what it reads differs from the shaft's angle by a sine, once a turn. Count ``m`` lies
between the readings ``m`` and ``m + 1``. The index mark is a pulse once a turn; where it is joined with A, or with
A and B, its edges fall together with theirs.
"""

import math

import numpy as np
from numpy.typing import NDArray

from hal.mock.arrays import Bytes, Floats, Sensed
from hal.mock.settings import EncoderSettings

_FORWARD = b"bABa"  # The edge on entering count m from below is letter m % 4.
_BACKWARD = b"BAba"  # The edges on entering counts 3, 2, 1, 0 from above.
_CROSS = bytes.maketrans(b"ABab", b"BAba")
_SETTLING_ROUNDS = 4
_GATED_COUNTS = {"a": 2.0, "ab": 1.0}


class Encoder:
    """One encoder. Angles of its shaft are in counts of a perfect one.

    Args:
        begins: the reading at which the index mark begins; a whole one if it is joined with other lines.
        wide: counts of an index mark that is not.
    """

    def __init__(
        self,
        settings: EncoderSettings,
        begins: float,
        wide: float = 1.0,
        runout_deg: float = 0.0,
        runout_at_deg: float = 0.0,
    ) -> None:
        self._turn = settings.counts_per_turn
        self._crossed = settings.reversed
        self._inverted = settings.index_inverted
        gate = settings.index_gate
        self.gated = gate != "none"
        self._mark = (begins, begins + _GATED_COUNTS.get(gate, wide))
        self._phase = 0
        if gate != "none":
            # At the mark A is high, with B or before it; a mirrored encoder's A is high when B would be.
            joined_phase = 2 if gate == "ab" or settings.reversed else 1
            self._phase = (joined_phase - int(begins)) % 4
        self._runout = runout_deg / 360 * self._turn
        self._runout_rad = math.radians(runout_at_deg)
        self._angles = self._angle(np.arange(self._turn, dtype=np.float64)) if self._runout else None

    def _reading(self, angle: float) -> float:
        if not self._runout:
            return angle
        return angle + self._runout * math.sin(2 * math.pi * angle / self._turn - self._runout_rad)

    def levels(self, angle: float) -> dict[str, bool]:
        """The level of A, B and index (Z)."""
        at = self._reading(angle)
        phase = (math.floor(at) + self._phase) % 4
        a, b = phase in (1, 2), phase in (2, 3)
        begin, end = self._mark
        in_mark = (at - begin) % self._turn < end - begin
        return {"A": b if self._crossed else a, "B": a if self._crossed else b, "Z": in_mark is not self._inverted}

    def edges(self, start: float, end: float, direction: int) -> tuple[Sensed, Sensed]:
        """Edges of A and B, and of the index, between two angles, with the angles at which they fall."""
        low, high = self._reading(start), self._reading(end)
        first, last = math.floor(low) + direction, math.floor(high)
        count = max(0, (last + direction - first) * direction)
        # A count is entered at its lower end from below, and at its upper end from above.
        at = np.arange(first, first + direction * count, direction) + (direction < 0)
        letters, marks = self._marks(min(low, high), max(low, high), direction)
        return (self._train(first + self._phase, count, direction), self._angles_at(at)), (
            letters,
            self._angle(marks),
        )

    def _train(self, first: int, count: int, direction: int) -> Bytes:
        """The edges of A and B on entering so many counts, the first of them ``first``."""
        cycle, skipped = (_FORWARD, first % 4) if direction > 0 else (_BACKWARD, 3 - first % 4)
        edges = (cycle * (count // 4 + 2))[skipped:][:count]
        return np.frombuffer(edges.translate(_CROSS) if self._crossed else edges, np.uint8)

    def _marks(self, low: float, high: float, direction: int) -> Sensed:
        """The index's edges between two readings, in order of travel, with the readings at which they fall."""
        turns = range(math.floor((low - self._mark[1]) / self._turn), math.ceil(high / self._turn) + 1)
        letters = b"Zz" if (direction > 0) is not self._inverted else b"zZ"
        edges = [
            (mark + k * self._turn, letter) for k in turns for mark, letter in zip(self._mark, letters, strict=True)
        ]
        passed = sorted((edge for edge in edges if low < edge[0] <= high), reverse=direction < 0)
        return np.array([letter for _, letter in passed], np.uint8), np.array([at for at, _ in passed])

    def _angles_at(self, counts: NDArray[np.int64]) -> Floats:
        """The shaft's angles at whole readings."""
        if self._angles is None:
            return counts.astype(np.float64)
        turns, counts = np.divmod(counts, self._turn)
        angles: Floats = self._angles[counts] + turns * float(self._turn)
        return angles

    def _angle(self, readings: Floats) -> Floats:
        """The shaft's angles at readings."""
        angles = readings
        for _ in range(_SETTLING_ROUNDS if self._runout else 0):
            angles = readings - self._runout * np.sin(angles * (2 * math.pi / self._turn) - self._runout_rad)
        return angles
