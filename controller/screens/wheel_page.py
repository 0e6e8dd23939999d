"""The page of a wheel's health, as the reading process makes it from the record."""

from pathlib import Path
from typing import TypedDict

from controller.configuration.shipped import LoadedTable, load_table
from controller.drawing.plots import svg
from controller.journal.journal import Journal
from controller.runtime.spin_measurer import calibration_name
from controller.runtime.wheel_record import findings_on_record, spins_on_record
from controller.statechart.registry import find_game
from controller.wheel_health.report import HealthFinding, HealthRow, MeasuredSpin, by_day, plots, row

MOST_SPINS = 10_000
"""So many of the newest spins are shown."""
LOOK_BACK = 300_000
"""Of so many of the journal's last entries."""


class WheelReport(TypedDict):
    """``/wheel.json``."""

    calibrated: str
    """The date; empty if the wheel was not calibrated, and so nothing is measured."""
    spins: int
    days: list[HealthRow]
    findings: list[HealthFinding]


def wheel_report(table: Path, journal: Journal) -> WheelReport | None:
    """What is on record of a wheel with a clapper since its calibration; None for a table without one."""
    loaded = load_table(table)
    wheel = loaded.config.wheel
    if wheel is None:
        return None
    if wheel.clapper is None:
        return {"calibrated": "", "spins": 0, "days": [], "findings": []}
    spins, findings = _on_record(loaded, journal)
    sections = len(find_game(loaded.config.game).wheel)
    return {
        "calibrated": wheel.clapper.measured,
        "spins": len(spins),
        "days": [row(one, sections) for one in reversed(by_day(spins))],
        "findings": findings[::-1],
    }


def wheel_plots(table: Path, journal: Journal) -> str:
    """The same drawn over time, as SVG; empty if there is nothing to draw."""
    loaded = load_table(table)
    if loaded.config.wheel is None or loaded.config.wheel.clapper is None:
        return ""
    spins, findings = _on_record(loaded, journal)
    if not spins:
        return ""
    name = loaded.config.table
    return svg(plots(name, spins, [one["utc_ms"] / 1000 for one in findings]), f"the wheel of {name}")


def _on_record(loaded: LoadedTable, journal: Journal) -> tuple[list[MeasuredSpin], list[HealthFinding]]:
    assert loaded.config.wheel is not None
    name = calibration_name(loaded.config.wheel)
    spins = [spin for spin, _ in spins_on_record(journal, name, MOST_SPINS, LOOK_BACK)]
    since_s = spins[0].at_s if spins else 0.0
    findings = findings_on_record(journal, name, LOOK_BACK)
    return spins, [one for one in findings if one["utc_ms"] / 1000 >= since_s]
