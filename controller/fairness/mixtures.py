"""Ways in which a wheel may be unfair, and how much the evidence bets on each.

An alternative is a *shape* (how much more or less often each section comes) and a *scope* (for which direction of
turning it holds). A shape's **factor** at a section is the section's probability under it over 1/n; the factors of
a shape sum to n. The weights of all alternatives sum to 1.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

LEAST_SECTIONS, MOST_SECTIONS = 2, 100
SCOPES = ("", "clockwise", "counterclockwise")
"""Direction of the wheel for which an alternative holds; in the other one it assumes a fair wheel. Empty: any."""
_SCOPE_WEIGHTS = (1 / 2, 1 / 4, 1 / 4)
_WIDTHS = (2, 3, 5, 8, 13)
"""Of the sectors, in sections; at most half of the wheel."""
_FAVOURED = (1.02, 1.03, 1.05, 1.07, 1.1, 1.15, 1.25, 1.5, 2.0, 4.0)
_DISFAVOURED = (0.95, 0.9, 0.8, 0.5)
_TILTS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)


class Shape(NamedTuple):
    """How often each section comes.

    Attributes:
        place: the first section of a sector; of a tilt, the section that is favoured most.
        width: sections; 0 for a tilt.
        size: a sector's factor; a tilt's amplitude.
    """

    place: int
    width: int
    size: float

    def factors(self, sections: int) -> FloatArray:
        """The factor at each section."""
        away = (np.arange(sections) - self.place) % sections
        if self.width == 0:
            raised = 1 + self.size * np.cos(2 * np.pi * away / sections)
            return np.asarray(raised / raised.mean(), dtype=np.float64)
        rest = (sections - self.width * self.size) / (sections - self.width)
        return np.where(away < self.width, self.size, rest)


class Mixture(NamedTuple):
    """All alternatives for wheels with a given number of sections.

    Attributes:
        shapes: a column each.
        factors: sections by shapes.
        log_factors: their natural logarithms.
        log_weights: scopes (as in ``SCOPES``) by shapes, natural logarithms.
    """

    shapes: tuple[Shape, ...]
    factors: FloatArray
    log_factors: FloatArray
    log_weights: FloatArray


@lru_cache
def mixture(sections: int) -> Mixture:
    """The alternatives for a wheel. A third of the bet each is on single sections, sectors and tilts.

    Args:
        sections: or pockets, 2 to 100.

    Raises:
        ValueError: fewer or more.
    """
    if not LEAST_SECTIONS <= sections <= MOST_SECTIONS:
        raise ValueError(f"a wheel has {LEAST_SECTIONS} to {MOST_SECTIONS} sections, not {sections}")
    widths = [width for width in _WIDTHS if 2 * width <= sections]
    families = (
        [(1, size) for size in (*_DISFAVOURED, *_FAVOURED) if size < sections],
        [(width, size) for width in widths for size in _FAVOURED if width * size < sections],
        [(0, size) for size in _TILTS],
    )
    kinds = [[Shape(at, *kind) for kind in family for at in range(sections)] for family in families if family]
    shapes = tuple(shape for kind in kinds for shape in kind)
    shares = np.concatenate([np.full(len(kind), 1 / len(kinds) / len(kind)) for kind in kinds])
    factors = np.stack([shape.factors(sections) for shape in shapes], axis=1)
    arrays = (factors, np.log(factors), np.log(np.outer(_SCOPE_WEIGHTS, shares)))
    for shared in arrays:
        shared.setflags(write=False)
    return Mixture(shapes, *arrays)
