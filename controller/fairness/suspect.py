"""What the evidence against a wheel points to, as text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.fairness.mixtures import SCOPES, FloatArray, Mixture, MixtureScope

_CLEAR = 0.5
"""The least share of the evidence at which it clearly points to one alternative."""
_ALIKE = 0.6
"""The least correlation at which two alternatives count as the same: as a sector and a slightly wider one."""
_MOST_LABELS = 5


@dataclass(frozen=True, slots=True)
class Suspect:
    """One way in which the wheel may be unfair.

    Attributes:
        sections: of the wheel.
        place, width: as of a :class:`controller.fairness.mixtures.Shape`.
        scope: for which direction of the wheel.
        ratio: how often these sections came, over how often they come on a fair wheel; of a tilt, 1 plus its
            amplitude.
        share: of the evidence that points to this or to a similar alternative, 0 to 1.
    """

    sections: int
    place: int
    width: int
    scope: MixtureScope
    ratio: float
    share: float

    def in_words(self, labels: Sequence[str] = ()) -> str:
        """``sections 12 to 14 (10, 1, 2) when the wheel turns clockwise, favoured by about 20%``.

        Sections are numbered from 1, clockwise around the rim.
        """
        unclear = "" if self.share >= _CLEAR else "not clear yet; foremost "
        when = f" when the wheel turns {self.scope.value}" if self.scope is not MixtureScope.ANY else ""
        return f"{unclear}{self._where(labels)}{when}, {self._how_much()}"

    def _where(self, labels: Sequence[str]) -> str:
        if self.width == 0:
            return f"the side around {_sections_text(self.sections, self.place, 1, labels)}"
        return _sections_text(self.sections, self.place, self.width, labels)

    def _how_much(self) -> str:
        opposite = ", the side opposite as much too rare" if self.width == 0 else ""
        if self.ratio >= 2:
            return f"favoured about {self.ratio:.2g} times"
        kind = "favoured" if self.ratio > 1 else "disfavoured"
        return f"{kind} by about {abs(self.ratio - 1) * 100:.2g}%{opposite}"


def suspect(mixture: Mixture, shares: FloatArray, counts: FloatArray) -> Suspect:
    """What the evidence points to most.

    Args:
        shares: of the evidence, of each alternative; scopes by shapes.
        counts: scopes by sections.
    """
    sections = len(mixture.log_factors)
    # Alternatives that differ only in size point to the same sections.
    keys = [(shape.place, shape.width, shape.size > 1) for shape in mixture.shapes]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    groups = np.array([numbers[key] for key in keys])
    totals = np.array([np.bincount(groups, weights=row) for row in shares])
    row, group = divmod(int(totals.argmax()), len(numbers))
    place, width, _ = list(numbers)[group]
    ratio = _tilt(counts[row], place) if width == 0 else _ratio(counts[row], place, width)
    share = shares[row, _similar(mixture, int(np.where(groups == group, shares[row], -1.0).argmax()))].sum()
    return Suspect(sections, place, width, SCOPES[row], ratio, float(share))


def _similar(mixture: Mixture, best: int) -> NDArray[np.bool_]:
    """Which shapes are similar to one of them."""
    away = mixture.log_factors - mixture.log_factors.mean(axis=0)
    away /= np.linalg.norm(away, axis=0)
    return np.asarray(away.T @ away[:, best] >= _ALIKE)


def _ratio(counts: FloatArray, place: int, width: int) -> float:
    """How often a sector came, over how often it comes on a fair wheel."""
    hits = np.roll(counts, -place)[:width].sum()
    return float(hits / counts.sum() * len(counts) / width)


def _tilt(counts: FloatArray, place: int) -> float:
    """1 plus the amplitude of the first harmonic with its maximum at a place."""
    away = np.arange(len(counts)) - place
    waves = np.cos(2 * np.pi * away / len(counts))
    return float(1 + (counts @ waves) / (waves @ waves) / counts.mean())


def _sections_text(sections: int, place: int, width: int, labels: Sequence[str]) -> str:
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
