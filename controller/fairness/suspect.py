"""The alternative that the evidence against a wheel points to, as text."""

from collections.abc import Sequence

import numpy as np

from controller.fairness.mixtures import SCOPES, FloatArray, Mixture

_CLEAR = 0.5
"""The least share of the evidence at which it clearly points to one alternative."""
_ALIKE = 0.6
"""The least correlation at which two shapes count as the same: as a sector and a slightly wider one."""
_MOST_LABELS = 5


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
