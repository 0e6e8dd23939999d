"""The health of one wheel over time, from its days in the store."""

from collections.abc import Sequence
from typing import Any, TypedDict

from sqlalchemy import Connection, Row, select

from controller.drawing.plots import svg
from controller.floor.queries.times import ms_of
from controller.floor.store.schema import wheel_days
from controller.floor.store.wheel_days import is_rotor, run_sums_of, sums_of
from controller.wheel_health.groups import SpinGroup
from controller.wheel_health.report import DAY_S, HealthFinding, HealthRow, plots_of_groups, row
from controller.wheel_health.rotor_report import RotorRow, RunSums, plots_of_runs, rotor_row

MOST_DAYS = 400
"""So many of the newest are shown."""


class WheelHealthDocument(TypedDict):
    """``/wheels/NAME/health.json``."""

    wheel: str
    calibrated: str
    """The date of the newest calibration; empty if nothing was measured."""
    days: list[HealthRow]
    """The newest first. A day on which the wheel was calibrated may be there twice."""
    rotor_days: list[RotorRow]
    """The same of a roulette wheel."""
    rotor_level: float
    """Part of its balls that comes down from ball_1 to ball_2 on a level wheel; 0 for a wheel with a clapper."""
    findings: list[HealthFinding]


def wheel_health(connection: Connection, wheel: str) -> WheelHealthDocument:
    """What is stored of a wheel's health."""
    stored, findings, calibration = _days(connection, wheel)
    rotor = is_rotor(calibration)
    groups, runs = ([], _runs(stored)) if rotor else (_groups(stored), [])
    return {
        "wheel": wheel,
        "calibrated": "" if rotor else calibration.partition(" ")[0],
        "days": [row(group, sections) for group, sections in reversed(groups)],
        "rotor_days": [rotor_row(day, sums) for day, sums in reversed(runs)],
        "rotor_level": _level(calibration) if rotor else 0.0,
        "findings": findings[::-1],
    }


def wheel_health_plots(connection: Connection, wheel: str) -> str:
    """The same drawn over time, as SVG; empty if nothing was measured."""
    stored, findings, calibration = _days(connection, wheel)
    found_s = [one["utc_ms"] / 1000 for one in findings]
    if is_rotor(calibration):
        runs = _runs(stored)
        at_s, sums = [_day_s(day) for day, _ in runs], [of_day for _, of_day in runs]
        drawn = plots_of_runs(wheel, sums, at_s, found_s, at_s[-1] + DAY_S, _level(calibration)) if runs else []
    else:
        groups = [group for group, _ in _groups(stored)]
        at_s = [_day_s(group.name) for group in groups]
        drawn = plots_of_groups(wheel, groups, at_s, found_s, at_s[-1] + DAY_S) if groups else []
    return svg(drawn, f"the wheel {wheel}") if drawn else ""


def _day_s(day: str) -> float:
    return ms_of(f"{day}T00:00:00.000Z") / 1000


def _level(calibration: str) -> float:
    """Of a roulette wheel, the part of the track from ball_1 to ball_2."""
    return int(calibration.split(" ")[1]) / 360_000


def _groups(stored: Sequence[Row[Any]]) -> list[tuple[SpinGroup, int]]:
    """The days of a wheel with a clapper, with the number of its sections."""
    days = [(one.day, sums_of(one.sums)) for one in stored if not is_rotor(one.calibration)]
    return [(sums.group(day), len(sums.pegs)) for day, sums in days if sums.spins]


def _runs(stored: Sequence[Row[Any]]) -> list[tuple[str, RunSums]]:
    """The days of a roulette wheel."""
    days = [(one.day, run_sums_of(one.sums)) for one in stored if is_rotor(one.calibration)]
    return [(day, sums) for day, sums in days if sums.runs]


def _days(connection: Connection, wheel: str) -> tuple[list[Row[Any]], list[HealthFinding], str]:
    """Its days and its findings, in order; and the newest calibration."""
    of_wheel = select(wheel_days).where(wheel_days.c.wheel == wheel)
    newest = of_wheel.order_by(wheel_days.c.day.desc(), wheel_days.c.calibration.desc()).limit(MOST_DAYS)
    stored = list(reversed(connection.execute(newest).all()))
    findings = sorted((found for one in stored for found in one.found), key=lambda found: found["utc_ms"])
    return stored, findings, stored[-1].calibration if stored else ""
