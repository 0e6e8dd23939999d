"""The health of a table's wheel from its journal and the edges that are kept beside it."""

import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from controller.configuration.shipped import LoadedTable
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.replay.trace import Traces, trace_file
from controller.runtime.assembly import geometry
from controller.runtime.recorded_spins import Movement, RecordedSpin, RecordedWheel, movements
from controller.statechart.registry import find_game
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.wheel_health.drift import WheelHealth
from controller.wheel_health.findings import WheelFinding
from controller.wheel_health.measures import LEAST_TURNS, SpinMeasures, measure


class WheelHistoryError(Exception):
    """Nothing can be said of the wheel. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class MeasuredSpin:
    """A spin, when it was made, and its measures.

    Attributes:
        round: its number.
        utc: wall time, ISO 8601.
        touched: void, because a hand was on the running wheel.
    """

    round: int
    utc: str
    touched: bool
    measures: SpinMeasures


@dataclass(slots=True)
class WheelHistory:
    """What the kept edges say of a wheel.

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


def rounds_kept(loaded: LoadedTable, file: Path) -> int:
    """Of how many rounds edges are kept.

    Raises:
        WheelHistoryError: of none.
    """
    with closing(_traces(loaded, file)) as traces:
        return len(traces.rounds())


def wheel_history(loaded: LoadedTable, file: Path, progress: Callable[[int], None]) -> WheelHistory:
    """Measure all spins whose edges are kept.

    Args:
        file: the journal.
        progress: is called with the number of rounds that were read since the last call.

    Raises:
        WheelHistoryError: it is no wheel with a clapper, it was not calibrated, or no edges are kept.
        JournalError: the journal or the edges cannot be read.
    """
    calibrated, wheel = _calibrated(loaded)
    history, health = WheelHistory(calibrated, wheel), WheelHealth(wheel)
    try:
        with closing(_traces(loaded, file)) as traces, closing(Journal(file, read_only=True)) as journal:
            recorded = RecordedWheel(journal, traces.rounds())
            since, at = recorded.since(calibrated), 0
            for movement in movements(traces, wheel.rest_ns):
                _add(history, health, recorded.spin(movement), since)
                if movement.round > at:
                    progress(movement.round - at if at else 1)
                    at = movement.round
    except (sqlite3.Error, zlib.error) as error:
        raise JournalError(f"{trace_file(file)} is damaged: {error}; move it away to go on without it") from error
    history.findings = health.findings
    return history


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
        touched = spin.rested is not None and (bool(spin.rested.touched) or spin.rested.abrupt)
        measures = health.placed(measures)
        history.spins.append(MeasuredSpin(movement.round, spin.utc, touched, measures))
        health.add(measures, touched)


def _measured(movement: Movement, wheel: WheelGeometry) -> SpinMeasures | None:
    return measure(movement.levels, bytes(movement.edges), movement.stamps, wheel)


def _calibrated(loaded: LoadedTable) -> tuple[str, WheelGeometry]:
    """The date of the calibration, and what it measured."""
    config = loaded.config
    if config.wheel is None:
        raise WheelHistoryError(f"{loaded.path}: a {config.game} table has no wheel with a clapper")
    if config.wheel.clapper is None:
        raise WheelHistoryError(
            f"{loaded.path}: the wheel is not calibrated, so there is nothing to compare its spins with; "
            "run: table-controller calibrate FILE"
        )
    sections = len(config.wheel.order or find_game(config.game).wheel)
    return config.wheel.clapper.measured, geometry(config.wheel, sections)


def _traces(loaded: LoadedTable, file: Path) -> Traces:
    _calibrated(loaded)
    traced = trace_file(file)
    if not traced.exists():
        why = "journal.trace_rounds is 0" if not loaded.config.journal.trace_rounds else "none was stored yet"
        raise WheelHistoryError(f"{traced}: no edges of spins are kept beside the journal: {why}")
    try:
        return Traces(traced, rounds=0)
    except sqlite3.Error as error:
        raise JournalError(f"{traced} cannot be read: {error}; move it away, a new one begins") from error
