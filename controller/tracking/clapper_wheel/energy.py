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

NEVER_LET_GO_TURNS = 1.25
"""A hand that throws the wheel has let go after so much of a turn."""
_LET_GO_TURNS = 1 / 9
"""After its greatest speed the hand may still be there for so much of a turn."""
_OTHER_SPINS = 0.08
"""By how much of a section's loss one spin of a wheel differs from others: its bearing's warmth, the day's air."""
_AROUND = 7
"""Of a value and so many before and after it the middle one counts."""
_NEAR = 3
"""The same for speeds in one turn, which fall meanwhile."""
_ALONE = 1
"""With fewer around it, near the end, a value may be that of a late stamp."""
_ENDING_SPREADS = (1.0, 0.4)
"""A mean speed over the last section, and the one before, says less of the energy: by so many sections' loss."""
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
        fastest = _place_of_most(self.speeds)
        if fastest > NEVER_LET_GO_TURNS * self.per_turn:  # Or a late stamp made it seem so.
            fastest = _place_of_most(middles(self.speeds, _NEAR))
        return fastest

    def costs(self) -> list[tuple[float, float]]:
        """Each squared speed after the hand let go that has one a turn later, and the loss until then."""
        after = self.speeds[self.fastest + math.ceil(_LET_GO_TURNS * self.per_turn) :]
        return [(one, one - other) for one, other in zip(after, after[self.per_turn :], strict=False)]

    def unlike(self, section: float, air: float) -> list[float]:
        """By how much more than usual each turn cost, in sections.

        Args:
            section: squared speed that a section takes.
            air: part of the squared speed that a turn takes besides.
        """
        return [(cost - air * speed) / section - self.sections for speed, cost in self.costs()]

    def steady(self, section: float) -> "SpinRun":
        """The same run, whose speeds no late stamp changes but those of its last turn."""
        per_mark = section * self.sections / self.per_turn
        early = max(0, len(self.speeds) - self.per_turn)
        level = [speed + i * per_mark for i, speed in enumerate(self.speeds)]
        smooth = [speed - i * per_mark for i, speed in enumerate(middles(level, _NEAR))]
        return SpinRun(self.direction, [*smooth[:early], *self.speeds[early:]], self.per_turn, self.sections)

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
        return SpinLoss(section, air, max(map(abs, middles(self.unlike(section, air), _AROUND)[:-1])))

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
    if all(abs(more) <= loss.spread for more in run.unlike(section, loss.air)):
        return None
    run = run.steady(section)
    unlike, costs = run.unlike(section, loss.air), run.costs()
    found = []
    for i, (more, (speed, cost)) in enumerate(zip(middles(unlike, _AROUND), costs, strict=True)):
        left = len(costs) - 1 - i
        allowed = loss.spread + noise * speed / section
        if min(i, left) < _ALONE:
            allowed += run.by_late_stamp(max(0.0, speed - cost)) / section
        if left < len(_ENDING_SPREADS):
            allowed += _ENDING_SPREADS[left]
        if abs(more) > allowed:
            found.append((i / run.per_turn + 0.5, more))
    return max(found, key=lambda one: abs(one[1]), default=None)


def pushed_again(run: SpinRun, section: float) -> tuple[float, float] | None:
    """The squared speed to which the wheel slowed, and the higher one after it; None if it only slows."""
    if run.fastest <= NEVER_LET_GO_TURNS * run.per_turn and _rises(run.speeds, run.fastest, section) is None:
        return None
    last, fastest = run.speeds[-1], run.fastest
    speeds = [*middles(run.speeds, _NEAR)[:-1], last - run.by_late_stamp(last)]
    if fastest > NEVER_LET_GO_TURNS * run.per_turn:
        return min(speeds[:fastest]), speeds[fastest]
    return _rises(speeds, fastest, section)


def _rises(speeds: Sequence[float], fastest: int, section: float) -> tuple[float, float] | None:
    least = speeds[fastest]
    for speed in speeds[fastest + 1 :]:
        if speed > 1.06 * least + 1.5 * section:
            return least, speed
        least = min(least, speed)
    return None


def _place_of_most(values: Sequence[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)


def middles(values: Sequence[float], around: int) -> list[float]:
    """For each value the middle one of it and so many on either side; of as many as there are towards an end."""
    last = len(values) - 1
    halves = (min(around, i, last - i) for i in range(len(values)))
    return [sorted(values[i - half : i + half + 1])[half] for i, half in enumerate(halves)]
