"""How many spins it takes to find an unfair wheel: by the evidence, and by a chi-square looked at once a day.

The evidence is looked at every 500 spins here; after every spin it would be found by up to 500 spins earlier.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from campaigns.fair_wheels import DAY, critical, statistics
from campaigns.wheel_bets import bets

from controller.fairness.mixtures import FloatArray

SECTIONS = 54
STEP = 500
"""Spins between two looks at the evidence."""
MOST = 6_000_000
"""Spins after which a wheel is given up."""


def raised(first: float, width: float, factor: float) -> FloatArray:
    """Probabilities of the sections when a stretch of the rim comes so many times as often as on a fair wheel.

    Args:
        first: where it begins, in sections from the start of the first.
        width: in sections; a section that lies in it in part is raised by that part.
    """
    begins = (np.arange(SECTIONS) - first) % SECTIONS
    ends = begins + 1
    inside = np.clip(width - begins, 0, 1) + np.clip(ends - SECTIONS, 0, 1)
    rest = (SECTIONS - width * factor) / (SECTIONS - width)
    return np.asarray((inside * factor + (1 - inside) * rest) / SECTIONS)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a wheel.

    Attributes:
        width: of the stretch, in sections.
        one_way: only when the wheel turns clockwise.
        anywhere: the stretch begins anywhere on the rim, not at a section's start only.
    """

    name: str
    width: float
    factor: float
    one_way: bool = False
    anywhere: bool = False

    def probabilities(self, first: float) -> FloatArray:
        """Of direction and section, directions by sections; both directions come equally often."""
        fair = np.full(SECTIONS, 1 / SECTIONS)
        unfair = raised(first, self.width, self.factor)
        return np.array([unfair, fair if self.one_way else unfair]) / 2


FAULTS = (
    Fault("a section favoured by 10%", 1, 1.1),
    Fault("a sector of 10° favoured by 5%", 1.5, 1.05, anywhere=True),
    Fault("a section favoured by 20%, clockwise only", 1, 1.2, one_way=True),
    Fault("three sections favoured by 20%", 3, 1.2),
    Fault("a section favoured by 50%", 1, 1.5),
)


@dataclass(frozen=True, slots=True)
class Batch:
    """Unfair wheels that are spun together."""

    fault: int
    wheels: int
    seed: tuple[int, int]


@dataclass(slots=True)
class Found:
    """Spins until each wheel was found; those given up count as infinite. Those of parts add up."""

    evidence: list[float] = field(default_factory=list)
    chi_square: list[float] = field(default_factory=list)

    def add(self, other: "Found") -> None:
        """Take in another's."""
        self.evidence += other.evidence
        self.chi_square += other.chi_square


def find(batch: Batch, odds: float, most: int = MOST) -> Found:
    """Spin unfair wheels until both have found each of them."""
    rng, known, fault = np.random.default_rng(batch.seed), bets(SECTIONS), FAULTS[batch.fault]
    chances = np.array([fault.probabilities(_place(fault, rng)) for _ in range(batch.wheels)])
    flat, limit = chances.reshape(batch.wheels, -1), critical(1 / odds, SECTIONS - 1)
    counts = np.zeros((batch.wheels, 2, SECTIONS), dtype=np.int64)
    by_evidence, by_chi = (np.full(batch.wheels, np.inf) for _ in range(2))
    for spins in range(STEP, most + 1, STEP):
        sought = np.flatnonzero(np.isinf(by_evidence) | np.isinf(by_chi))
        if not len(sought):
            break
        counts[sought] += rng.multinomial(STEP, flat[sought]).reshape(-1, 2, SECTIONS)
        _note(by_evidence, spins, lambda wheels: known.values(known.stakes(counts[wheels])) >= odds)
        if spins % DAY == 0:
            _note(by_chi, spins, lambda wheels: statistics(counts[wheels]) >= limit)
    return Found(by_evidence.tolist(), by_chi.tolist())


def _place(fault: Fault, rng: np.random.Generator) -> float:
    place = float(rng.uniform(0, SECTIONS))
    return place if fault.anywhere else float(int(place))


def _note(found: FloatArray, spins: int, looks: Callable[[np.ndarray], np.ndarray]) -> None:
    """Note the wheels that are found now and were not before."""
    sought = np.flatnonzero(np.isinf(found))
    if len(sought):
        found[sought[looks(sought)]] = spins
