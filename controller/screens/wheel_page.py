"""The page of a wheel's health, as the reading process makes it from the record."""

from pathlib import Path
from typing import TypedDict

from controller.configuration.shipped import LoadedTable, load_table
from controller.drawing.plots import svg
from controller.journal.journal import Journal
from controller.machine.registry import find_game
from controller.runtime.assembly import rotor_geometry
from controller.runtime.rotor_watch import name_on_record
from controller.runtime.spin_measurer import calibration_name
from controller.runtime.wheel_record import findings_on_record, runs_on_record, spins_on_record
from controller.tracking.roulette.rotor import RotorGeometry
from controller.wheel_health.report import HealthFinding, HealthRow, MeasuredSpin, by_day, plots, row
from controller.wheel_health.rotor_report import MeasuredRun, RotorRow, rotor_row, run_plots, runs_by_day

MOST_SPINS = 10_000
"""So many of the newest spins are shown."""
LOOK_BACK = 300_000
"""Of so many of the journal's last entries."""


class RotorDays(TypedDict):
    """The runs of the ball at a roulette wheel by day, the newest first."""

    since_round: int
    """In which work on the wheel was last logged; 0 for never."""
    level: float
    """Part of the balls that comes down from ball_1 to ball_2 on a level wheel."""
    days: list[RotorRow]


class WheelReport(TypedDict):
    """``/wheel.json``."""

    calibrated: str
    """The date; empty if the wheel was not calibrated, and so nothing is measured."""
    spins: int
    days: list[HealthRow]
    findings: list[HealthFinding]
    rotor: RotorDays | None
    """Of a roulette wheel; null for one with a clapper."""


def wheel_report(table: Path, journal: Journal) -> WheelReport | None:
    """What is on record of a wheel; None for a table without one.

    Of one with a clapper since its calibration, of a roulette wheel since work on it was last logged.
    """
    loaded = load_table(table)
    if loaded.config.rotor is not None:
        return _rotor_report(loaded, journal)
    wheel = loaded.config.wheel
    if wheel is None:
        return None
    if wheel.clapper is None:
        return {"calibrated": "", "spins": 0, "days": [], "findings": [], "rotor": None}
    spins, findings = _on_record(loaded, journal)
    sections = len(find_game(loaded.config.game).wheel)
    return {
        "calibrated": wheel.clapper.measured,
        "spins": len(spins),
        "days": [row(one, sections) for one in reversed(by_day(spins))],
        "findings": findings[::-1],
        "rotor": None,
    }


def wheel_plots(table: Path, journal: Journal) -> str:
    """The same drawn over time, as SVG; empty if there is nothing to draw."""
    loaded = load_table(table)
    if loaded.config.rotor is not None:
        return _rotor_plots(loaded, journal)
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


# -- roulette ------------------------------------------------------------------------------------------------------


def _rotor_report(loaded: LoadedTable, journal: Journal) -> WheelReport | None:
    geometry = _rotor_geometry(loaded)
    if geometry is None:
        return None
    name, runs, findings = _runs_on_record(geometry, journal)
    days: RotorDays = {
        "since_round": int(name.rpartition(" ")[2]),
        "level": geometry.beam_angle_mdeg / 360_000,
        "days": [rotor_row(day, sums) for day, sums in reversed(runs_by_day(runs))],
    }
    return {"calibrated": "", "spins": len(runs), "days": [], "findings": findings[::-1], "rotor": days}


def _rotor_plots(loaded: LoadedTable, journal: Journal) -> str:
    geometry, table = _rotor_geometry(loaded), loaded.config.table
    _, runs, findings = _runs_on_record(geometry, journal) if geometry is not None else ("", [], [])
    if geometry is None or not runs:
        return ""
    found_s = [one["utc_ms"] / 1000 for one in findings]
    return svg(run_plots(table, runs, found_s, geometry.beam_angle_mdeg / 360_000), f"the wheel of {table}")


def _rotor_geometry(loaded: LoadedTable) -> RotorGeometry | None:
    rotor, head = loaded.config.rotor, loaded.config.devices.rotor
    return None if rotor is None or head is None else rotor_geometry(rotor, head)


def _runs_on_record(
    geometry: RotorGeometry, journal: Journal
) -> tuple[str, list[MeasuredRun], list[HealthFinding]]:
    name = name_on_record(journal, geometry, LOOK_BACK)
    runs = runs_on_record(journal, name, MOST_SPINS, LOOK_BACK)
    since_s = runs[0].at_s if runs else 0.0
    findings = findings_on_record(journal, name, LOOK_BACK)
    return name, runs, [one for one in findings if one["utc_ms"] / 1000 >= since_s]
