"""The index of a simulated rotor's encoder, of the kinds that are sold."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from hal.mock.arrays import Bytes, Floats
from hal.mock.settings import RotorSettings

_GATED = {"a": {False: (1.0, 3.0), True: (2.0, 4.0)}, "a-and-b": {False: (2.0, 3.0), True: (2.0, 3.0)}}
"""Where A, and A and B, are high; by ``reversed``, with which the lines change places."""


@dataclass(frozen=True, slots=True)
class IndexMark:
    """One pulse a turn, from one place to another in counts of the encoder.

    An edge that falls together with one of A or B comes before or after it, as their time stamps err.
    """

    begins: float
    ends: float
    low: bool
    """The line is low within the pulse, and high all the rest of the turn."""
    turn: int

    @classmethod
    def of(cls, settings: RotorSettings) -> Self:
        """As the settings have it."""
        ungated = settings.index_begins_counts + settings.reversed
        begins, ends = ungated, ungated + settings.index_wide_counts
        if settings.index_gated != "no":
            begins, ends = _GATED[settings.index_gated][settings.reversed]
        return cls(begins, ends, settings.index_low, settings.counts_per_turn)

    def level(self, position: float) -> bool:
        """The line's level where the rotor is, in counts."""
        return ((position - self.begins) % self.turn < self.ends - self.begins) != self.low

    def edges(self, low: float, high: float, direction: int) -> tuple[Bytes, Floats]:
        """The edges between two positions, in counts, in order of travel."""
        letters = b"Zz" if (direction > 0) != self.low else b"zZ"
        turns = range(math.floor(low / self.turn) - 1, math.ceil(high / self.turn) + 1)
        places = (self.begins, self.ends)
        edges = [(k * self.turn + i, letter) for k in turns for i, letter in zip(places, letters, strict=True)]
        passed = sorted((edge for edge in edges if low < edge[0] <= high), reverse=direction < 0)
        return np.array([letter for _, letter in passed], np.uint8), np.array([at for at, _ in passed])
