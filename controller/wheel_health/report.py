"""What people see of a wheel's health: spins by day, findings and plots, the same at the table and on the floor."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypedDict

from controller.drawing.plots import Mark, Plot
from controller.events.event import WheelDegraded
from controller.wheel_health.groups import SpinGroup, over_time, summed
from controller.wheel_health.measures import SpinMeasures

DAY_S = 86_400.0
HOUR_S = 3600.0
POINTS = 200
"""The most groups in a plot."""


@dataclass(frozen=True, slots=True)
class MeasuredSpin:
    """A spin, when it was made, and its measures.

    Attributes:
        round: its number.
        utc: wall time, ISO 8601.
        at_s: the same, in seconds.
        touched: void, because a hand was on the running wheel.
    """

    round: int
    utc: str
    at_s: float
    touched: bool
    measures: SpinMeasures


class HealthRow(TypedDict):
    """The means of some spins. Pairs are counterclockwise and clockwise; null where no spin says."""

    since: str
    """The day, UTC."""
    spins: int
    loss: tuple[float | None, float | None]
    """Of a section, over the calibrated one."""
    air: float | None
    """Part of the energy that a turn takes besides."""
    strike_deg: tuple[float | None, float | None]
    """Later than calibrated."""
    release_deg: tuple[float | None, float | None]
    width_deg: tuple[float | None, float | None]
    favours: float
    """Part by which a heavy spot favours the best section."""
    odd_peg: str
    """The one farthest off: the sections on either side."""
    odd_deg: float


class HealthFinding(TypedDict):
    """What was found of a wheel, and what to do."""

    utc_ms: int
    round: int
    detail: str
    remedy: str


def finding_of(event: WheelDegraded, utc_ms: int) -> HealthFinding:
    """A finding on record, with the wall time of its entry."""
    return {"utc_ms": utc_ms, "round": event.round, "detail": event.detail, "remedy": event.remedy}


def utc_day(utc: str) -> str:
    """The day of a time in UTC: ``2026-11-24``."""
    return utc[:10]


def utc_minute(utc: str) -> str:
    """A time in UTC to the minute: ``2026-11-24 17:31``."""
    return utc[:16].replace("T", " ")


def by_day(spins: Iterable[MeasuredSpin], day_of: Callable[[str], str] = utc_day) -> list[SpinGroup]:
    """A group for each day.

    Args:
        day_of: the day of a time in UTC; another one than that of UTC for people somewhere.
    """
    days = groupby(spins, key=lambda spin: day_of(spin.utc))
    return [summed(spin.measures for spin in of_day).group(day) for day, of_day in days]


def by_count(
    spins: Sequence[MeasuredSpin], size: int, minute_of: Callable[[str], str] = utc_minute
) -> list[SpinGroup]:
    """A group for every so many spins, named by the first.

    Args:
        minute_of: a time in UTC as it is shown, to the minute.
    """
    return [
        summed(spin.measures for spin in spins[first : first + size]).group(minute_of(spins[first].utc))
        for first in range(0, len(spins), size)
    ]


def peg_between(peg: int, sections: int) -> str:
    """A peg by the sections on either side, from 1: ``#54|#1``."""
    return f"#{(peg - 1) % sections + 1}|#{peg + 1}"


def row(one: SpinGroup, sections: int) -> HealthRow:
    """A group as a row of a table, rounded."""
    return {
        "since": one.name,
        "spins": one.spins,
        "loss": _rounded(one.loss_ratio, 3),
        "air": None if one.air_loss is None else round(one.air_loss, 3),
        "strike_deg": _rounded(one.strike_deg, 2),
        "release_deg": _rounded(one.release_deg, 2),
        "width_deg": _rounded(one.width_deg, 2),
        "favours": round(one.favours, 3),
        "odd_peg": peg_between(one.odd_peg, sections),
        "odd_deg": 0.0 if math.isnan(one.odd_deg) else round(one.odd_deg, 2) + 0.0,
    }


def _rounded(values: tuple[float | None, float | None], digits: int) -> tuple[float | None, float | None]:
    one, other = (None if value is None else round(value, digits) + 0.0 for value in values)
    return one, other


def plots(table: str, spins: Sequence[MeasuredSpin], found_s: Sequence[float]) -> list[Plot]:
    """Plots of spins over time, of which there is one at least.

    Args:
        found_s: when each finding was found, in seconds; they are numbered.
    """
    size = math.ceil(len(spins) / POINTS)
    groups, firsts = by_count(spins, size), spins[::size]
    return plots_of_groups(table, groups, [spin.at_s for spin in firsts], found_s, spins[-1].at_s)


def plots_of_groups(
    table: str, groups: Sequence[SpinGroup], at_s: Sequence[float], found_s: Sequence[float], ends_s: float
) -> list[Plot]:
    """Plots of groups that begin at these times."""
    began_s = at_s[0]
    unit_s, axis = (DAY_S, "days") if ends_s - began_s >= 2 * DAY_S else (HOUR_S, "hours")
    found = [Mark(str(number), (when - began_s) / unit_s) for number, when in enumerate(found_s, 1)]
    return over_time(table, groups, [(when - began_s) / unit_s for when in at_s], axis, found)
