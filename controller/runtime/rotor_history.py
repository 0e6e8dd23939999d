"""The health of a table's roulette wheel, from the edges that are kept beside its journal."""

import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from controller.configuration.shipped import LoadedTable
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.replay.trace import EdgeStretch, Traces, trace_file
from controller.runtime.assembly import rotor_geometry
from controller.runtime.wheel_history import WheelHistoryError, kept_traces, nothing_kept
from controller.tracking.roulette.health import SpinHealth, spin_health
from controller.tracking.roulette.rotor import RotorGeometry
from controller.wheel_health.findings import WheelFinding
from controller.wheel_health.rotor_drift import RotorWheelHealth
from hal.events import EdgeBatch

_LEFT = "ball-left-track"


@dataclass(frozen=True, slots=True)
class RotorSpin:
    """A spin whose ball left the track without a doubt.

    Attributes:
        round: its number.
        utc: wall time of the decision on it, ISO 8601.
    """

    round: int
    utc: str
    health: SpinHealth


@dataclass(slots=True)
class RotorHistory:
    """What the kept edges say of a roulette wheel.

    Attributes:
        geometry: of the wheel.
        spins: in order.
        findings: in the order in which they were found; ``spin`` counts from 1.
        left_out: how many stretches of edges told nothing, by reason.
        usual_rev_s2: what the rotor lost of its speed in the first spins; None if there are too few.
    """

    geometry: RotorGeometry
    spins: list[RotorSpin] = field(default_factory=list)
    findings: list[WheelFinding] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    usual_rev_s2: float | None = None


def rotor_history(loaded: LoadedTable, file: Path, progress: Callable[[int], None]) -> RotorHistory:
    """Measure all spins whose edges are kept.

    Args:
        file: the journal.
        progress: is called with the number of rounds that were read since the last call.

    Raises:
        WheelHistoryError: the table has no sensors at a roulette wheel, or no edges are kept.
        JournalError: the journal or the edges cannot be read.
    """
    rotor, head = loaded.config.rotor, loaded.config.devices.rotor
    if rotor is None or head is None:
        raise WheelHistoryError(f"{loaded.path}: the table has no sensors at a roulette wheel")
    history = RotorHistory(rotor_geometry(rotor, head))
    health = RotorWheelHealth(rotor.beam_angle_mdeg)
    if not trace_file(file).exists():
        raise WheelHistoryError(nothing_kept(loaded, file))
    try:
        with closing(Journal(file, read_only=True)) as journal, closing(kept_traces(file)) as traces:
            for spin in _spins(journal, traces, history, progress):
                history.spins.append(spin)
                health.add(spin.health)
    except (sqlite3.Error, zlib.error) as error:
        raise JournalError(f"{trace_file(file)} is damaged: {error}; move it away to go on without it") from error
    history.findings, history.usual_rev_s2 = health.findings, health.usual_rev_s2
    return history


def _spins(
    journal: Journal, traces: Traces, history: RotorHistory, progress: Callable[[int], None]
) -> Iterator[RotorSpin]:
    rounds = traces.rounds()
    times = _times(journal, rounds)
    for number in rounds:
        for stretch in traces.of(number):
            if stretch.lost or stretch.readings:
                history.left_out["edges were lost"] += 1
                continue
            found = spin_health([_batch(stretch)], stretch.levels, history.geometry)
            if not found:
                history.left_out["no ball that left the track by itself"] += 1
            for health in found:
                yield RotorSpin(number, times.get(number, ""), health)
        progress(1)


def _batch(stretch: EdgeStretch) -> EdgeBatch:
    return EdgeBatch(stretch.edges, stretch.stamps_ns, range(1, len(stretch.edges) + 1))


def _times(journal: Journal, rounds: list[int]) -> dict[int, str]:
    """The wall time of each round's last ball; of its last entry if no ball is on record."""
    last: dict[int, str] = {}
    ball: dict[int, str] = {}
    if rounds:
        for entry in journal.entries(round_=rounds[0], until_round=rounds[-1]):
            last[entry.round] = entry.utc
            if entry.kind == _LEFT:
                ball[entry.round] = entry.utc
    return {**last, **ball}
