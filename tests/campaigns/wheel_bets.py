"""The e-values of many wheels at once, and how high they can rise within a few spins."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.fairness.mixtures import SCOPES, FloatArray, MixtureScope, mixture

Counts = NDArray[np.int64]
"""Wheels by directions (clockwise, counterclockwise) by sections."""
Codes = NDArray[np.int64]
"""Wheels by spins: the section, and for counterclockwise the number of sections on top."""
_NOTHING = -80.0
"""Stakes below exp(-80) are taken for exp(-80), so that the exponential stays fast: an upper bound."""
_ROUNDING = 1.05
"""More than single precision is wrong by in an e-value that matters, up to millions of spins."""


class Bets:
    """The alternatives of :mod:`controller.fairness.mixtures` for wheels whose direction is always known.

    Attributes:
        sections: of each wheel.
        log_factors: sections by shapes.
    """

    def __init__(self, sections: int) -> None:
        bets = mixture(sections)
        assert tuple(SCOPES) == (MixtureScope.ANY, MixtureScope.CLOCKWISE, MixtureScope.COUNTERCLOCKWISE)
        self.sections = sections
        self.log_factors = bets.log_factors
        self._weights = np.exp(bets.log_weights)
        gains = np.maximum(bets.log_factors, 0.0)
        self._both = np.concatenate([bets.log_factors, gains]).astype(np.float32)

    def stakes(self, counts: Counts) -> FloatArray:
        """Natural logarithms of the stakes without their weights: wheels by directions by shapes."""
        found: FloatArray = counts.astype(np.float64) @ self.log_factors
        return found

    def values(self, stakes: FloatArray) -> FloatArray:
        """The e-value of each wheel."""
        logs = np.maximum(np.stack([stakes.sum(axis=1), stakes[:, 0], stakes[:, 1]], axis=1), -700.0)
        values: FloatArray = np.einsum("wsk,sk->w", np.exp(logs), self._weights)
        return values

    def bounds(self, counts: Counts, drawn: Counts) -> FloatArray:
        """What no e-value exceeds, whatever the order of the spins.

        It is as if each alternative took all that it gains in these spins first, and lost nothing.

        Args:
            counts: before these spins.
            drawn: the spins.
        """
        rows = np.concatenate([counts, drawn], axis=2).astype(np.float32)
        logs = np.maximum(rows @ self._both, np.float32(_NOTHING))
        with np.errstate(over="ignore"):
            raised = np.exp(logs)
            clockwise, counterclockwise = raised[:, 0], raised[:, 1]
            any_way, one, other = self._weights.astype(np.float32)
            total = (clockwise * counterclockwise) @ any_way + clockwise @ one + counterclockwise @ other
        return np.asarray(total * _ROUNDING, dtype=np.float64)

    def count(self, codes: Codes) -> Counts:
        """Spins by wheel, direction and section."""
        wheels, both = len(codes), 2 * self.sections
        shifted = codes + both * np.arange(wheels)[:, None]
        return np.bincount(shifted.ravel(), minlength=wheels * both).reshape(wheels, 2, self.sections)


@lru_cache
def bets(sections: int) -> Bets:
    """Made once for each process."""
    return Bets(sections)
