"""A wheel's energy from turn to turn: what it loses by itself, and what a hand gave or took.

The squared speed is used for the energy. It is taken between marks that are some sections apart, always at the same
places of the wheel. Speeds a turn apart, at the same place, are compared: so pegs, imbalance and an encoder out of
centre cancel. What a turn costs is then a constant, of bearing and leather, and a part of the energy itself, which
the air takes: the same in every turn of a spin, and nearly so in every spin of a wheel.

A stamp that comes late, because the kernel was held up, makes one speed too low and the next too high. What a hand
does stays: so no single speed says anything, but the middle one of several. Only at the very end, where nothing
follows, a single one must do, as far as a late stamp cannot explain it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

NEVER_LET_GO_TURNS = 1.25
"""A hand that throws the wheel has let go after so much of a turn."""
_AFTER_LET_GO = 2  # Marks: in the first the hand may still be there.
_OTHER_SPINS = 0.08
"""By how much of a section's loss one spin of a wheel differs from others: its bearing's warmth, the day's air."""
_TURNS, _MARKS = 5, 3
"""Of so many values, one after the other, the middle one counts."""
_ENDING_SPREAD = 1.0
"""Between the last marks a mean speed says less of the energy, by so many sections' loss."""
LATE_NS = 3_000_000
"""A kernel that is held up may stamp an edge so late."""


@dataclass(frozen=True, slots=True)
class SpinLoss:
    """What a wheel loses, turning one way.

    Attributes:
        section: squared speed that a section takes, (degrees/s)².
        air: part of the squared speed that a turn takes besides.
        spread: what single turns differ by, in sections' loss.
    """

    section: float
    air: float
    spread: float = 0.3


@dataclass(frozen=True, slots=True)
class SpinRun:
    """A wheel's squared speeds from mark to mark, in the direction of its throw.

    Attributes:
        direction: +1 or -1.
        speeds: (degrees/s)² between one mark and the next.
        per_turn: marks a turn.
        sections: of the wheel.
    """

    direction: int
    speeds: Sequence[float]
    per_turn: int
    sections: int

    @property
    def fastest(self) -> int:
        """Where the hand let go."""
        speeds = middles(self.speeds, _MARKS)
        return max(range(len(speeds)), key=speeds.__getitem__)

    def costs(self) -> list[tuple[float, float]]:
        """Each squared speed after the hand let go that has one a turn later, and the loss until then."""
        after = self.speeds[self.fastest + _AFTER_LET_GO :]
        return [(one, one - other) for one, other in zip(after, after[self.per_turn :], strict=False)]

    def unlike(self, section: float, air: float) -> list[float]:
        """By how much more than usual each turn cost, in sections.

        Args:
            section: squared speed that a section takes.
            air: part of the squared speed that a turn takes besides.
        """
        return [(cost - air * speed) / section - self.sections for speed, cost in self.costs()]

    def by_late_stamp(self, speed: float) -> float:
        """How wrong a squared speed may be whose mark was stamped late."""
        return 2e-9 * LATE_NS * speed * math.sqrt(speed) * self.per_turn / 360

    def fit(self) -> SpinLoss | None:
        """What this run lost, as a straight line through its costs; None for too short a run."""
        costs = self.costs()
        if len(costs) < self.per_turn // 2:
            return None
        mean = sum(speed for speed, _ in costs) / len(costs)
        loss = sum(cost for _, cost in costs) / len(costs)
        variance = sum((speed - mean) ** 2 for speed, _ in costs)
        air = sum((speed - mean) * (cost - loss) for speed, cost in costs) / variance if variance else 0.0
        section = (loss - air * mean) / self.sections
        if section <= 0:
            return None
        return SpinLoss(section, air, max(map(abs, middles(self.unlike(section, air), _TURNS))))

    def scale(self, loss: SpinLoss) -> float:
        """How much more than usual this spin's sections took, as a factor: that of most of its turns."""
        taken = sorted(cost - loss.air * speed for speed, cost in self.costs())
        factor = taken[len(taken) // 2] / (loss.section * self.sections) if taken else 1.0
        return min(1 + _OTHER_SPINS, max(1 - _OTHER_SPINS, factor))


def uneven(run: SpinRun, loss: SpinLoss, noise: float) -> tuple[float, float] | None:
    """The turn that cost most, or least, if more than spins of one wheel differ.

    Args:
        noise: how exactly a squared speed is known, as a part of it.

    Returns:
        when, in turns after the hand let go, and by how many sections' loss the wheel lost more.
    """
    section = loss.section * run.scale(loss)
    costs, unlike = run.costs(), run.unlike(section, loss.air)
    allowed = [loss.spread + noise * speed / section for speed, _ in costs]
    found = [
        (i / run.per_turn + 0.5, more)
        for i, (more, spread) in enumerate(zip(middles(unlike, _TURNS), allowed, strict=True))
        if abs(more) > spread
    ]
    if costs and abs(unlike[-1]) > allowed[-1] + _ENDING_SPREAD + run.by_late_stamp(costs[-1][0]) / section:
        found.append((len(costs) / run.per_turn + 0.5, unlike[-1]))
    return max(found, key=lambda one: abs(one[1]), default=None)


def pushed_again(run: SpinRun, section: float) -> tuple[float, float] | None:
    """The squared speed to which the wheel slowed, and the higher one after it; None if it only slows."""
    fastest = run.fastest
    last = run.speeds[-1]
    speeds = [*middles(run.speeds, _MARKS)[:-1], last - run.by_late_stamp(last)]
    if fastest > NEVER_LET_GO_TURNS * run.per_turn:
        return min(speeds[:fastest]), speeds[fastest]
    least = speeds[fastest]
    for speed in speeds[fastest + 1 :]:
        if speed > 1.06 * least + 1.5 * section:
            return least, speed
        least = min(least, speed)
    return None


def middles(values: Sequence[float], of: int) -> list[float]:
    """For each value the middle one of so many around it; of fewer at the ends."""
    half = of // 2
    return [median(values[max(0, i - half) : i + half + 1]) for i in range(len(values))]
