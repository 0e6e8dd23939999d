"""A wheel's energy from turn to turn: what it loses by itself, and what a hand gave or took.

The squared speed is used for the energy. It is taken between marks that are some sections apart, always at the same
places of the wheel. Speeds a turn apart, at the same place, are compared: so pegs, imbalance and an encoder out of
centre cancel. What a turn costs is then a constant, of bearing and leather, a part of the energy itself, which
the air takes, and what grease takes, in proportion to the speed: the same in every turn of a spin, and nearly so in
every spin of a wheel.

A stamp that comes late, because the kernel was held up, makes one speed too low and the next too high. What a hand
does stays: so no single speed says anything, but the middle one of several. Only at the very end, where nothing
follows, a single one must do, as far as a late stamp cannot explain it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, repeat
from statistics import StatisticsError, linear_regression
from typing import Final

_NEVER_LET_GO_TURNS: Final = 1.25
"""A hand that throws the wheel has let go after so much of a turn."""
_LET_GO_TURNS: Final = 1 / 9
"""After its greatest speed the hand may still be there for so much of a turn."""
_OTHER_SPINS: Final = 0.08
"""By what part of its losses one spin of a wheel differs from others: its bearing's warmth, the day's air."""
_OTHER_RUBBING: Final = 5.0
"""What rubs the more the faster the wheel is: so many sections' loss a turn, at 100 degrees a second."""
AROUND: Final = 7
"""Of a value and so many before and after it the middle one counts."""
NEAR: Final = 3
"""The same for speeds in one turn, which fall meanwhile."""
_ALONE: Final = 1
"""With fewer around it, near the end, a value may be that of a late stamp."""
_ENDING_SPREADS: Final = (1.0, 0.4)
"""A mean speed over the last section, and the one before, says less of the energy: by so many sections' loss."""
_LEVEL: Final = 5
"""The middle one of so many costs is their level."""
_WITHIN_MARKS: Final = (2, 8, 20)
"""A hand touches the wheel over about so many marks."""
_SLOPE: Final = 0.15
"""Within them, what is usual changes by so much; sections' loss."""
_NOISE: Final = 0.003
"""How exactly a turn's cost is known, as a part of the squared speed: marks are stamped some microseconds off, and
the losses of a fast wheel are known the least."""
LATE_NS: Final = 3_000_000
"""A kernel that is held up may stamp an edge so late."""


@dataclass(frozen=True, slots=True)
class SpinLoss:
    """What a wheel loses, turning one way.

    Attributes:
        section: squared speed that a section takes, (degrees/s)².
        air: part of the squared speed that a turn takes besides.
        spread: what single turns differ by, in sections' loss.
        drag: squared speed that a turn takes for each degree/s of its mean speed, besides.
    """

    section: float
    air: float
    spread: float = 0.3
    drag: float = 0.0


@dataclass(frozen=True)
class SpinRun:
    """A wheel's squared speeds from mark to mark, in the direction of its throw.

    Attributes:
        direction: +1 or -1.
        speeds: (degrees/s)² between one mark and the next.
        sections: of the wheel, and marks a turn.
    """

    direction: int
    speeds: Sequence[float]
    sections: int

    @cached_property
    def fastest(self) -> int:
        """Where the hand let go; beyond :attr:`long_led` it never did."""
        fastest = max(range(len(self.speeds)), key=self.speeds.__getitem__, default=0)
        if fastest <= self.long_led:
            return fastest
        # Or a late stamp made it seem so.
        return max(range(len(self.speeds)), key=middles(self.speeds, NEAR).__getitem__)

    @property
    def long_led(self) -> float:
        """A hand that throws the wheel has let go at this mark."""
        return _NEVER_LET_GO_TURNS * self.sections

    @cached_property
    def costs(self) -> list[tuple[float, float]]:
        """Each squared speed after the throw which has one a turn later, and the loss until then."""
        after = self.speeds[self.fastest + math.ceil(_LET_GO_TURNS * self.sections) :]
        return [(one, one - other) for one, other in zip(after, after[self.sections :], strict=False)]

    def unlike(self, loss: SpinLoss) -> list[float]:
        """By how much more than usual each turn cost, in sections."""
        section, air, drag = loss.section, loss.air, loss.drag
        return [
            (cost - air * speed - drag * mean) / section - self.sections
            for (speed, cost), mean in zip(self.costs, self.means() if drag else repeat(0.0), strict=False)
        ]

    def means(self) -> list[float]:
        """The mean speed over each turn that has a cost, degrees/s."""
        first = len(self.speeds) - self.sections - len(self.costs)
        run = accumulate([math.sqrt(max(0.0, speed)) for speed in self.speeds[first:]], initial=0.0)
        sums = list(run)
        return [
            (end - begin) / self.sections
            for begin, end in zip(sums[: len(self.costs)], sums[self.sections :], strict=False)
        ]

    def steady(self, section: float) -> "SpinRun":
        """The same run, whose speeds no late stamp changes but those of its last turn."""
        early = max(0, len(self.speeds) - self.sections)
        level = [speed + i * section for i, speed in enumerate(self.speeds)]
        smooth = [speed - i * section for i, speed in enumerate(middles(level, NEAR))]
        return SpinRun(self.direction, [*smooth[:early], *self.speeds[early:]], self.sections)

    def by_late_stamp(self, speed: float) -> float:
        """How wrong a squared speed may be whose mark was stamped late."""
        return 2e-9 * LATE_NS * speed * math.sqrt(speed) * self.sections / 360

    def line(self) -> SpinLoss | None:
        """What this run lost, as a straight line through its costs, however wide; None for too short a run."""
        if len(self.costs) < self.sections // 2:
            return None
        try:
            air, loss = linear_regression(*zip(*self.costs, strict=True))
        except StatisticsError:  # All costs at one speed, or one alone.
            return None
        section = loss / self.sections
        return SpinLoss(section, air) if section > 0 else None


def uneven(run: SpinRun, loss: SpinLoss) -> tuple[float, float] | None:
    """The turn that cost most, or least, if more than spins of one wheel differ.

    Returns:
        when, in turns after the hand let go, and by how many sections' loss the wheel lost more.
    """
    section = loss.section
    usual, unlike = loss.spread / 2, run.unlike(loss)
    if not unlike or -usual <= min(unlike) <= max(unlike) <= usual:
        return None
    run = run.steady(section)
    costs, more_than_usual = run.costs, evened(run, loss)
    found = list(jumps(run, loss, more_than_usual))
    for i, (more, (speed, cost)) in enumerate(zip(middles(more_than_usual, AROUND), costs, strict=True)):
        left = len(costs) - 1 - i
        allowed = loss.spread + _NOISE * speed / section
        if min(i, left) < _ALONE:
            allowed += run.by_late_stamp(max(0.0, speed - cost)) / section
        if left < len(_ENDING_SPREADS):
            allowed += _ENDING_SPREADS[left]
        if abs(more) > allowed:
            found.append((i / run.sections + 0.5, more))
    return max(found, key=lambda one: abs(one[1]), default=None)


def evened(run: SpinRun, loss: SpinLoss) -> list[float]:
    """By how much more each turn cost than this spin's turns do at such speeds; in sections' loss.

    A spin differs from others by its friction, what rubs, and the air: by a part that is the same in each turn, one
    that grows with the speed, and one with its square, each as likely as it is small. What is left is a hand's.
    """
    unlike = run.unlike(loss)
    speeds = [math.sqrt(max(0.0, speed)) / 100 for speed, _ in run.costs]
    air = loss.air * 1e4 / loss.section
    likely = (_OTHER_SPINS * run.sections, _OTHER_RUBBING, 3 * _OTHER_SPINS * air + 0.5)
    # Turns that overlap are no further witnesses: all marks of a turn count as one.
    weight = (3 / loss.spread) ** 2 / run.sections
    rows = [[weight * sum([u ** (j + k) for u in speeds]) for k in range(3)] for j in range(3)]
    for j, size in enumerate(likely):
        rows[j][j] += 1 / size**2
        rows[j].append(weight * sum([more * u**j for more, u in zip(unlike, speeds, strict=True)]))
    a, b, c = solved(rows)
    return [more - a - b * u - c * u * u for more, u in zip(unlike, speeds, strict=True)]


def jumps(run: SpinRun, loss: SpinLoss, unlike: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Where the costs of turns rise or fall within some sections: what a hand takes counts in the turns around it.

    Friction, air and what rubs change slowly from turn to turn, a hand within a second. It shows twice, a turn
    apart, but for one in the first turn or the last.
    """
    costs = run.costs
    levels = [sorted(unlike[i : i + _LEVEL])[len(unlike[i : i + _LEVEL]) // 2] for i in range(len(unlike))]
    for within in _WITHIN_MARKS:
        chance = 1.2 * loss.spread * math.sqrt(2 * (within + _LEVEL) / run.sections) + _SLOPE
        for i in range(_LEVEL, len(unlike) - within):
            jump, alone = levels[i + within] - levels[i - _LEVEL], len(unlike) - i - within
            allowed = chance + _NOISE * costs[i - _LEVEL][0] / loss.section
            if alone <= len(_ENDING_SPREADS):
                speed, cost = costs[i + within]
                allowed += _ENDING_SPREADS[alone - 1] + run.by_late_stamp(max(0.0, speed - cost)) / loss.section
            if abs(jump) > allowed:
                yield (i + within) / run.sections + 0.5, jump


def middles(values: Sequence[float], around: int) -> list[float]:
    """For each value the middle one of it and so many on either side; of as many as there are towards an end."""
    last = len(values) - 1
    halves = (min(around, i, last - i) for i in range(len(values)))
    return [sorted(values[i - half : i + half + 1])[half] for i, half in enumerate(halves)]


def solved(equations: list[list[float]]) -> list[float]:
    """The unknowns. Each row has their factors, which are positive definite and symmetric, and the right side."""
    for i, row in enumerate(equations):
        for other in equations:
            if other is not row:
                part = other[i] / row[i]
                other[:] = [x - part * y for x, y in zip(other, row, strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(equations)]
