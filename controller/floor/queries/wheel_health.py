"""The health of one wheel over time, from its days in the store."""

from typing import TypedDict

from sqlalchemy import Connection, select

from controller.drawing.plots import svg
from controller.floor.queries.times import ms_of
from controller.floor.store.schema import wheel_days
from controller.floor.store.wheel_days import sums_of
from controller.wheel_health.groups import SpinGroup
from controller.wheel_health.report import DAY_S, HealthFinding, HealthRow, plots_of_groups, row

MOST_DAYS = 400
"""So many of the newest are shown."""


class WheelHealthDocument(TypedDict):
    """``/wheels/NAME/health.json``."""

    wheel: str
    calibrated: str
    """The date of the newest calibration; empty if nothing was measured."""
    days: list[HealthRow]
    """The newest first. A day on which the wheel was calibrated may be there twice."""
    findings: list[HealthFinding]


def wheel_health(connection: Connection, wheel: str) -> WheelHealthDocument:
    """What is stored of a wheel's health."""
    days, findings, calibrated = _days(connection, wheel)
    rows = [row(group, sections) for group, sections in reversed(days)]
    return {"wheel": wheel, "calibrated": calibrated, "days": rows, "findings": findings[::-1]}


def wheel_health_plots(connection: Connection, wheel: str) -> str:
    """The same drawn over time, as SVG; empty if nothing was measured."""
    days, findings, _ = _days(connection, wheel)
    if not days:
        return ""
    groups = [group for group, _ in days]
    at_s = [_day_s(group.name) for group in groups]
    found_s = [one["utc_ms"] / 1000 for one in findings]
    return svg(plots_of_groups(wheel, groups, at_s, found_s, at_s[-1] + DAY_S), f"the wheel {wheel}")


def _day_s(day: str) -> float:
    return ms_of(f"{day}T00:00:00.000Z") / 1000


def _days(connection: Connection, wheel: str) -> tuple[list[tuple[SpinGroup, int]], list[HealthFinding], str]:
    """Its days with the number of its sections, and its findings, in order; and the newest calibration's date."""
    of_wheel = select(wheel_days).where(wheel_days.c.wheel == wheel)
    newest = of_wheel.order_by(wheel_days.c.day.desc(), wheel_days.c.calibration.desc()).limit(MOST_DAYS)
    stored = [(one, sums_of(one.sums)) for one in reversed(connection.execute(newest).all())]
    days = [(sums.group(one.day), len(sums.pegs)) for one, sums in stored if sums.spins]
    findings = sorted((found for one, _ in stored for found in one.found), key=lambda found: found["utc_ms"])
    return days, findings, stored[-1][0].calibration.partition(" ")[0] if stored else ""
