"""What people see of a roulette wheel's health, at the table and on the floor: runs of the ball by day, plots."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypedDict

from controller.drawing.plots import Curve, Mark, Plot
from controller.tracking.roulette.health import SpinHealth
from controller.wheel_health.report import DAY_S, HOUR_S, POINTS

_AVERAGED = 20
"""A point of a plot is of so many runs or more: of fewer, the part that came down on a side says nothing."""


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """A run of the ball, when it ended (wall time, ISO 8601 and seconds), and its measures."""

    utc: str
    at_s: float
    health: SpinHealth


@dataclass(slots=True)
class RunSums:
    """Sums over some runs; those of more are added at any time.

    Attributes:
        runs: how many.
        between_of: of how many it is known whether the ball came down from ball_1 to ball_2; ``between``: it did.
        losses_of: of how many it is known what the rotor lost; ``losses``: the sum.
    """

    runs: int = 0
    between_of: int = 0
    between: int = 0
    losses_of: int = 0
    losses: float = 0.0

    def add(self, run: SpinHealth, sign: int = 1) -> None:
        """Take a run; with a sign of -1 take it out again."""
        self.runs += sign
        if run.between_beams is not None:
            self.between_of += sign
            self.between += sign * run.between_beams
        if run.rotor_slows_rev_s2 is not None:
            self.losses_of += sign
            self.losses += sign * run.rotor_slows_rev_s2

    @property
    def share(self) -> float | None:
        """The part that came down clockwise from ball_1 to ball_2."""
        return self.between / self.between_of if self.between_of else None

    @property
    def loss(self) -> float | None:
        """What the rotor lost, turns a second, each second; the mean."""
        return self.losses / self.losses_of if self.losses_of else None


class RotorRow(TypedDict):
    """The means of some runs; null where no run says."""

    since: str
    """The day, UTC."""
    spins: int
    between: float | None
    """Part of the balls that came down clockwise from ball_1 to ball_2."""
    loss: float | None
    """Turns a second that the rotor lost, each second."""


def summed_runs(runs: Iterable[SpinHealth]) -> RunSums:
    """Sums over these."""
    sums = RunSums()
    for run in runs:
        sums.add(run)
    return sums


def rotor_row(name: str, sums: RunSums) -> RotorRow:
    """Sums as a row of a table, rounded."""
    share, loss = sums.share, sums.loss
    return {
        "since": name,
        "spins": sums.runs,
        "between": None if share is None else round(share, 3),
        "loss": None if loss is None else round(loss, 5),
    }


def runs_by_day(runs: Iterable[MeasuredRun]) -> list[tuple[str, RunSums]]:
    """Sums for each day."""
    days = groupby(runs, key=lambda run: run.utc[:10])
    return [(day, summed_runs(run.health for run in of_day)) for day, of_day in days]


def run_plots(table: str, runs: Sequence[MeasuredRun], found_s: Sequence[float], level: float) -> list[Plot]:
    """Plots of runs over time, of which there is one at least; findings are numbered.

    Args:
        level: the part of the balls that comes down from ball_1 to ball_2 on a level wheel.
    """
    size = max(_AVERAGED, math.ceil(len(runs) / POINTS))
    groups = [runs[first : first + size] for first in range(0, len(runs), size)]
    if len(groups) > 1 and len(groups[-1]) < size:
        last = groups.pop()
        groups[-1] = [*groups[-1], *last]
    sums = [summed_runs(run.health for run in group) for group in groups]
    return plots_of_runs(table, sums, [group[0].at_s for group in groups], found_s, runs[-1].at_s, level)


def plots_of_runs(
    table: str,
    sums: Sequence[RunSums],
    at_s: Sequence[float],
    found_s: Sequence[float],
    ends_s: float,
    level: float,
) -> list[Plot]:
    """Plots of sums that begin at these times."""
    began_s = at_s[0]
    unit_s, axis = (DAY_S, "days") if ends_s - began_s >= 2 * DAY_S else (HOUR_S, "hours")
    found = tuple(Mark(str(number), (when - began_s) / unit_s) for number, when in enumerate(found_s, 1))
    end = max((ends_s - began_s) / unit_s, 1e-3)
    places = [(when - began_s) / unit_s for when in at_s]
    shares = [(at, 100 * one.share) for at, one in zip(places, sums, strict=True) if one.share is not None]
    losses = [(at, one.loss) for at, one in zip(places, sums, strict=True) if one.loss is not None]
    of_level = f"percent of the balls that came down from ball_1 to ball_2; {level:.0%} on a level wheel"
    panels = {"drops": (of_level, shares), "rotor": ("turns a second that the rotor loses each second", losses)}
    return [
        Plot(f"{table}: {title}", end, (Curve(label, _drawn(points, end)),), (), found, None, axis, "found")
        for title, (label, points) in panels.items()
        if points
    ]


def _drawn(points: Sequence[tuple[float, float]], end: float) -> tuple[tuple[float, float], ...]:
    """Each value holds until the next one, and the last to the end, so that a single one is seen."""
    ends = [*(at for at, _ in points[1:]), end]
    held = zip(points, ends, strict=True)
    return tuple(place for (at, value), until in held for place in ((at, value), (until, value)))
