"""The encoder of the simulated wheel: lines A, B and index over the angle of its shaft.

Its disc may be out of centre: what it reads differs from the shaft's angle by a sine, once a turn. Count ``m`` lies
between the readings ``m`` and ``m + 1``. The index mark begins at the reading ``index_offset_counts``; where the
index is joined with A, or with A and B, its edges fall together with theirs.
"""

import math

import numpy as np

from hal.mock.arrays import Bytes, Floats
from hal.mock.settings import WheelSettings

_FORWARD = b"bABa"  # The edge on entering count m from below is letter m % 4.
_BACKWARD = b"BAba"  # The edges on entering counts 3, 2, 1, 0 from above.
_CROSS = bytes.maketrans(b"ABab", b"BAba")
_SETTLING_ROUNDS = 4


def encoder_train(first: int, count: int, direction: int, crossed: bool) -> Bytes:
    """The edges of A and B on entering so many counts, the first of them ``first``.

    Args:
        crossed: the encoder counts backwards.
    """
    if direction > 0:
        edges = (_FORWARD * (count // 4 + 2))[first % 4 :][:count]
    else:
        edges = (_BACKWARD * (count // 4 + 2))[3 - first % 4 :][:count]
    return np.frombuffer(edges.translate(_CROSS) if crossed else edges, np.uint8)


class Encoder:
    """One encoder. Angles of its shaft are in counts of a perfect one."""

    def __init__(self, settings: WheelSettings) -> None:
        self._turn = settings.counts_per_turn
        self._crossed = settings.reversed
        self._inverted = settings.index_inverted
        self.gated = settings.index_gate != "none"
        offset = settings.index_offset_counts
        if self.gated:
            self._mark = (float(offset), float(offset + (2 if settings.index_gate == "a" else 1)))
            # At the mark A is high, with B or before it; a mirrored encoder's A is high when B would be.
            joined_phase = 2 if settings.index_gate == "ab" or settings.reversed else 1
            self._phase = (joined_phase - offset) % 4
        else:
            self._mark = (offset + 0.5, offset + 1.5)
            self._phase = 0
        self._runout = settings.runout_deg / 360 * self._turn
        self._runout_rad = math.radians(settings.runout_at_deg)
        self._angles = self._angle(np.arange(self._turn, dtype=np.float64)) if self._runout else None

    def reading(self, angle: float) -> float:
        """What the disc reads, in counts, at an angle of the shaft."""
        if not self._runout:
            return angle
        return angle + self._runout * math.sin(2 * math.pi * angle / self._turn - self._runout_rad)

    def levels(self, angle: float) -> dict[str, bool]:
        """The level of A, B and index (Z)."""
        at = self.reading(angle)
        phase = (math.floor(at) + self._phase) % 4
        a, b = phase in (1, 2), phase in (2, 3)
        if self._crossed:
            a, b = b, a
        begin, end = self._mark
        in_mark = (at - begin) % self._turn < end - begin
        return {"A": a, "B": b, "Z": in_mark is not self._inverted}

    def edges(self, start: float, end: float, direction: int) -> tuple[tuple[Bytes, Floats], tuple[Bytes, Floats]]:
        """Edges of A and B, and of the index, between two angles, with the angles at which they fall."""
        low, high = self.reading(start), self.reading(end)
        first, last = math.floor(low), math.floor(high)
        first += direction
        train = encoder_train(first + self._phase, abs(last + direction - first), direction, self._crossed)
        # A count is entered at its lower end from below, and at its upper end from above.
        at = np.arange(first, last + direction, direction) + (0 if direction > 0 else 1)
        letters, marks = self._marks(min(low, high), max(low, high), direction)
        return (train, self._angles_at(at)), (letters, self._angle(marks) if len(marks) else marks)

    def _marks(self, low: float, high: float, direction: int) -> tuple[Bytes, Floats]:
        """The index's edges between two readings, in order of travel, with the readings at which they fall."""
        turns = range(math.floor((low - self._mark[1]) / self._turn), math.ceil(high / self._turn) + 1)
        letters = b"Zz" if (direction > 0) is not self._inverted else b"zZ"
        edges = [
            (mark + k * self._turn, letter) for k in turns for mark, letter in zip(self._mark, letters, strict=True)
        ]
        passed = sorted((edge for edge in edges if low < edge[0] <= high), reverse=direction < 0)
        return np.array([letter for _, letter in passed], np.uint8), np.array([at for at, _ in passed])

    def _angles_at(self, counts: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Floats:
        """The shaft's angles at whole readings."""
        if self._angles is None:
            return counts.astype(np.float64)
        turns, counts = np.divmod(counts, self._turn)
        angles: Floats = self._angles[counts] + turns * float(self._turn)
        return angles

    def _angle(self, readings: Floats) -> Floats:
        """The shaft's angles at readings."""
        angles = readings
        if self._runout:
            for _ in range(_SETTLING_ROUNDS):
                angles = readings - self._runout * np.sin(angles * (2 * math.pi / self._turn) - self._runout_rad)
        return angles
