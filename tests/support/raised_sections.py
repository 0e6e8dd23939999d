"""Wheels of 54 sections on which a stretch of the rim comes more often than the rest."""

import numpy as np

from controller.fairness.alternatives import FloatArray

SECTIONS = 54


def raised(first: int, width: int, factor: float) -> FloatArray:
    """Probabilities of the sections: so many from the first on come so many times as often as on a fair wheel."""
    chances = np.full(SECTIONS, (SECTIONS - width * factor) / (SECTIONS - width) / SECTIONS)
    chances[(first + np.arange(width)) % SECTIONS] = factor / SECTIONS
    return chances
