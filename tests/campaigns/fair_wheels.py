"""False alarms on fair wheels that are looked at after every spin, and of a chi-square looked at once a day.

After every spin, exactly, and yet fast: a block of spins is looked at spin by spin only if a bound on the e-value
within it (:meth:`campaigns.wheel_bets.Bets.bounds`) reaches the next odds that the wheel has not reached. A block
whose bound does is cut into smaller ones first.
"""

from dataclasses import dataclass, field

import numpy as np
from campaigns.wheel_bets import Bets, Codes, Counts, bets
from numpy.typing import NDArray

from controller.fairness.chi_square import upper_tail

ODDS = (10, 100, 1000, 10_000)
DAY = 1000
"""Spins between two looks of the chi-square."""
_BLOCK, _PARTS, _FEW = 250, 5, 10
"""Spins of a block; parts into which it is cut; so few spins are looked at one by one."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Fair wheels that are spun together."""

    sections: int
    wheels: int
    spins: int
    seed: tuple[int, int]
    odds: tuple[int, ...] = ODDS


@dataclass(slots=True)
class FalseAlarms:
    """What was seen of fair wheels. Those of parts add up to those of the whole."""

    wheels: int = 0
    odds: dict[int, int] = field(default_factory=dict)
    """Wheels whose e-value ever reached so much."""
    daily: list[int] = field(default_factory=list)
    """Days at which the chi-square first alarmed, one a wheel that it alarmed at."""
    looked: int = 0
    """Spins that were looked at one by one."""

    def add(self, other: "FalseAlarms") -> None:
        """Take in another's."""
        self.wheels += other.wheels
        self.odds = {odds: self.odds.get(odds, 0) + count for odds, count in other.odds.items()}
        self.daily += other.daily
        self.looked += other.looked


def critical(level: float, degrees: int) -> float:
    """The chi-square statistic of which a fair wheel reaches at least so much with this probability."""
    low, high = 0.0, 100.0 * degrees
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if upper_tail(middle, degrees) > level else (low, middle)
    return high


def statistics(counts: Counts) -> NDArray[np.float64]:
    """The chi-square statistic of each wheel, both directions together."""
    totals = counts.sum(axis=1).astype(np.float64)
    expected = totals.mean(axis=1, keepdims=True)
    return np.asarray(((totals - expected) ** 2 / expected).sum(axis=1))


class Heights:
    """How high the e-values of some wheels ever were: exact wherever they reached odds."""

    def __init__(self, wheels: int, known: Bets, odds: tuple[int, ...]) -> None:
        self.highest = np.ones(wheels)
        self.looked = 0
        self._bets = known
        self._odds = np.array([*sorted(odds), np.inf])

    def spin(self, counts: Counts, codes: Codes, wheels: NDArray[np.int64]) -> Counts:
        """Let some wheels spin.

        Args:
            counts: of these wheels, before.
            codes: the spins.
            wheels: their numbers.

        Returns:
            The spins, counted.
        """
        drawn = self._bets.count(codes)
        high = self._bets.bounds(counts, drawn) >= self._next_odds(wheels)
        if not high.any():
            return drawn
        if codes.shape[1] <= _FEW:
            self._look(counts[high], codes[high], wheels[high])
            return drawn
        before = counts[high]
        for part in np.array_split(codes[high], _PARTS, axis=1):
            before = before + self.spin(before, part, wheels[high])
        return drawn

    def _next_odds(self, wheels: NDArray[np.int64]) -> NDArray[np.float64]:
        """The next odds that each wheel has not reached."""
        return self._odds[np.searchsorted(self._odds, self.highest[wheels], side="right")]

    def _look(self, counts: Counts, codes: Codes, wheels: NDArray[np.int64]) -> None:
        """After every spin."""
        stakes = self._bets.stakes(counts)
        every = np.arange(len(wheels))
        for spin in codes.T:
            stakes[every, spin // self._bets.sections] += self._bets.log_factors[spin % self._bets.sections]
            self.highest[wheels] = np.maximum(self.highest[wheels], self._bets.values(stakes))
        self.looked += codes.size


def spin_fair(batch: Batch) -> FalseAlarms:
    """Spin fair wheels; each spin goes either way with equal chance."""
    known, rng = bets(batch.sections), np.random.default_rng(batch.seed)
    heights = Heights(batch.wheels, known, batch.odds)
    counts = np.zeros((batch.wheels, 2, batch.sections), dtype=np.int64)
    every, limit = np.arange(batch.wheels), critical(1 / max(ODDS), batch.sections - 1)
    alarmed = np.zeros(batch.wheels, dtype=np.int64)
    for done in range(0, batch.spins, _BLOCK):
        size = min(_BLOCK, batch.spins - done)
        codes = rng.integers(0, 2 * batch.sections, (batch.wheels, size))
        counts += heights.spin(counts, codes, every)
        if (done + size) % DAY == 0:
            late = (statistics(counts) >= limit) & (alarmed == 0)
            alarmed[late] = (done + size) // DAY
    reached = {odds: int((heights.highest >= odds).sum()) for odds in batch.odds}
    return FalseAlarms(batch.wheels, reached, [int(day) for day in alarmed if day], heights.looked)
