"""The health of a table's wheel: from the edges that are kept beside its journal, and what it holds from before."""

import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from config.schema import WheelSection
from controller.configuration.shipped import LoadedTable
from controller.events.event import SpinMeasured
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.replay.trace import Traces, trace_file
from controller.machine.registry import find_game
from controller.runtime.recorded_spins import Movement, RecordedSpin, RecordedWheel, movements, was_touched
from controller.runtime.spin_measurer import calibration_name
from controller.runtime.wheel_geometry import geometry
from controller.runtime.wheel_record import seconds, spins_on_record
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.wheel_health.drift import WheelHealth
from controller.wheel_health.findings import WheelFinding
from controller.wheel_health.measures import LEAST_TURNS, SpinMeasures, measure
from controller.wheel_health.report import MeasuredSpin


class WheelHistoryError(Exception):
    """Nothing can be said of the wheel. The message says why, and what to do."""


@dataclass(slots=True)
class WheelHistory:
    """What the kept edges, and before them the record, say of a wheel.

    Attributes:
        calibrated: the date of the calibration.
        geometry: of the wheel.
        spins: those that could be measured, since the calibration, in order.
        findings: in the order in which they were found; ``spin`` counts from 1.
        left_out: how many movements were not measured, by reason.
    """

    calibrated: str
    geometry: WheelGeometry
    spins: list[MeasuredSpin] = field(default_factory=list)
    findings: list[WheelFinding] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def rounds_kept(file: Path) -> int:
    """Of how many rounds edges are kept beside a journal.

    Raises:
        JournalError: they cannot be read.
    """
    if not trace_file(file).exists():
        return 0
    with closing(kept_traces(file)) as traces:
        return len(traces.rounds())


def wheel_history(loaded: LoadedTable, file: Path, progress: Callable[[int], None]) -> WheelHistory:
    """Measure all spins whose edges are kept; those before them, as the table measured and recorded them.

    Args:
        file: the journal.
        progress: is called with the number of rounds that were read since the last call.

    Raises:
        WheelHistoryError: it is no wheel with a clapper, it was not calibrated, or no spin is kept or recorded.
        JournalError: the journal or the edges cannot be read.
    """
    section, wheel = _calibrated(loaded)
    history, health = WheelHistory(str(section.clapper and section.clapper.measured), wheel), WheelHealth(wheel)
    with closing(Journal(file, read_only=True)) as journal:
        on_record = spins_on_record(journal, calibration_name(section))
        if not trace_file(file).exists():
            if not on_record:
                measured = "and it holds no spins that were measured with this calibration"
                raise WheelHistoryError(f"{nothing_kept(loaded, file)}; {measured}")
            _recorded(history, health, on_record)
        else:
            _with_edges(history, health, on_record, journal, file, progress)
    history.findings = health.findings
    return history


_OnRecord = list[tuple[MeasuredSpin, SpinMeasured]]


def _recorded(history: WheelHistory, health: WheelHealth, on_record: _OnRecord) -> None:
    """Take spins as the table recorded them."""
    for spin, event in on_record:
        if event.index_shift is not None:
            health.index_shift = event.index_shift
        history.spins.append(spin)
        health.add(spin.measures, spin.touched)


def _with_edges(
    history: WheelHistory, health: WheelHealth, on_record: _OnRecord, journal: Journal, file: Path,
    progress: Callable[[int], None],
) -> None:  # fmt: skip
    """Take the spins whose edges are kept, and before them those that are recorded."""
    try:
        with closing(kept_traces(file)) as traces:
            kept = traces.rounds()
            _recorded(history, health, [one for one in on_record if not kept or one[0].round < kept[0]])
            recorded = RecordedWheel(journal, kept)
            since, at = recorded.since(history.calibrated), 0
            for movement in movements(traces, history.geometry.rest_ns):
                _add(history, health, recorded.spin(movement), since)
                if movement.round > at:
                    progress(movement.round - at if at else 1)
                    at = movement.round
    except (sqlite3.Error, zlib.error) as error:
        raise JournalError(f"{trace_file(file)} is damaged: {error}; move it away to go on without it") from error


def _add(history: WheelHistory, health: WheelHealth, spin: RecordedSpin, since: str) -> None:
    movement, wheel = spin.movement, history.geometry
    if spin.utc < since:
        history.left_out["before the calibration"] += 1
    elif movement.lost:
        history.left_out["edges were lost"] += 1
    elif (measures := _measured(movement, wheel)) is None:
        short = len(movement.edges) < LEAST_TURNS * wheel.counts_per_turn
        history.left_out["no whole spin" if short else "no index or strikes, turned to and fro, or edges lost"] += 1
    else:
        touched = spin.rested is not None and was_touched(spin.rested)
        measures = health.placed(measures)
        history.spins.append(MeasuredSpin(movement.round, spin.utc, seconds(spin.utc), touched, measures))
        health.add(measures, touched)


def _measured(movement: Movement, wheel: WheelGeometry) -> SpinMeasures | None:
    return measure(movement.levels, bytes(movement.edges), movement.stamps, wheel)


def _calibrated(loaded: LoadedTable) -> tuple[WheelSection, WheelGeometry]:
    """The calibrated wheel."""
    wheel = loaded.config.wheel
    if wheel is None:
        raise WheelHistoryError(f"{loaded.path}: a {loaded.config.game} table has no wheel with a clapper")
    if wheel.clapper is None:
        raise WheelHistoryError(
            f"{loaded.path}: the wheel is not calibrated, so there is nothing to compare its spins with; "
            "run: table-controller calibrate FILE"
        )
    return wheel, geometry(wheel, len(wheel.order or find_game(loaded.config.game).wheel))


def nothing_kept(loaded: LoadedTable, file: Path) -> str:
    """Why there is nothing to measure, in words."""
    why = "journal.trace_rounds is 0" if not loaded.config.journal.trace_rounds else "none was stored yet"
    return f"{trace_file(file)}: no edges of spins are kept beside the journal: {why}"


def kept_traces(file: Path) -> Traces:
    """The edges that are kept beside a journal, to read.

    Raises:
        JournalError: they cannot be read.
    """
    try:
        return Traces(trace_file(file), rounds=0)
    except sqlite3.Error as error:
        raise JournalError(f"{trace_file(file)} cannot be read: {error}; move it away, a new one begins") from error
