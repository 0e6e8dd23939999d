"""Ways in which a wheel may be unfair, how much the evidence bets on each, and what it points to, as text.

An alternative is a *shape* (how much more or less often each section comes) and a *scope* (for which direction of
turning it holds). A shape's **factor** at a section is the section's probability under it over 1/n; the factors of
a shape sum to n. The weights of all alternatives sum to 1.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

SCOPES = ("", "clockwise", "counterclockwise")
"""Direction of the wheel for which an alternative holds; in the other one it assumes a fair wheel. Empty: any."""
_SCOPE_WEIGHTS = (1 / 2, 1 / 4, 1 / 4)
_WIDTHS = (2, 3, 5, 8, 13)
"""Of the sectors, in sections; at most half of the wheel."""
_FAVOURED = (1.02, 1.03, 1.05, 1.07, 1.1, 1.15, 1.25, 1.5, 2.0, 4.0)
_DISFAVOURED = (0.95, 0.9, 0.8, 0.5)
_TILTS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
_CLEAR = 0.5
"""The least share of the evidence at which it clearly points to one alternative."""
_ALIKE = 0.6
"""The least correlation at which two shapes count as the same: as a sector and a slightly wider one."""
_MOST_LABELS = 5


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
    """The alternatives for a wheel. A third of the bet each is on single sections, sectors and tilts."""
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


def suspect(mixture: Mixture, shares: FloatArray, counts: FloatArray, labels: Sequence[str]) -> str:
    """``sections 12 to 14 (10, 1, 2) when the wheel turns clockwise, favoured by about 20%``.

    Sections are numbered from 1, clockwise around the rim.

    Args:
        shares: of the evidence, by alternative; scopes by shapes.
        counts: scopes by sections.
        labels: of the sections, by position; may be left out, or empty for some.
    """
    # Alternatives that differ only in size point to the same sections.
    keys = [(shape.place, shape.width, shape.size > 1) for shape in mixture.shapes]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    groups = np.array([numbers[key] for key in keys])
    totals = np.array([np.bincount(groups, weights=row) for row in shares])
    scope, group = divmod(int(totals.argmax()), len(numbers))
    place, width, _ = list(numbers)[group]
    heaviest = int(np.where(groups == group, shares[scope], -1.0).argmax())
    clear = _share(mixture, shares[scope], heaviest) >= _CLEAR
    where = _sections(counts.shape[1], place, max(width, 1), labels)
    return (
        ("" if clear else "not clear yet; foremost ")
        + (f"the side around {where}" if width == 0 else where)
        + (f" when the wheel turns {SCOPES[scope]}" if SCOPES[scope] else "")
        + f", {_how_much(counts[scope], place, width)}"
    )


def _share(mixture: Mixture, shares: FloatArray, best: int) -> float:
    """The share of the evidence that points to a shape, or to a similar one."""
    away = mixture.log_factors - mixture.log_factors.mean(axis=0)
    away /= np.linalg.norm(away, axis=0)
    return float(shares[away.T @ away[:, best] >= _ALIKE].sum())


def _how_much(counts: FloatArray, place: int, width: int) -> str:
    """How often these sections came, over how often they come on a fair wheel."""
    if width == 0:  # The amplitude of the first harmonic with its maximum at the place.
        waves = np.cos(2 * np.pi * (np.arange(len(counts)) - place) / len(counts))
        ratio = float(1 + (counts @ waves) / (waves @ waves) / counts.mean())
    else:
        ratio = float(np.roll(counts, -place)[:width].sum() / counts.sum() * len(counts) / width)
    if ratio >= 2:
        return f"favoured about {ratio:.2g} times"
    opposite = ", the side opposite as much too rare" if width == 0 else ""
    return f"{'favoured' if ratio > 1 else 'disfavoured'} by about {abs(ratio - 1) * 100:.2g}%{opposite}"


def _sections(sections: int, place: int, width: int, labels: Sequence[str]) -> str:
    """Sections by number and label."""
    places = [(place + step) % sections for step in range(width)]
    last = f" {'and' if width == 2 else 'to'} {places[-1] + 1}" if width > 1 else ""
    numbers = f"section{'s' if width > 1 else ''} {place + 1}{last}"
    known = [labels[at] or "?" for at in places if at < len(labels)]
    if not any(label != "?" for label in known):
        return numbers
    if len(known) > _MOST_LABELS:
        known = [*known[: _MOST_LABELS - 1], f"… {known[-1]}"]
    return f"{numbers} ({', '.join(known)})".replace(", …", " …")
