"""A wheel's spins and findings as a journal has them: without the edges, which are kept for some rounds only."""

from contextlib import closing
from datetime import datetime
from itertools import islice

from controller.events.event import RotorMeasured, SpinMeasured, WheelDegraded
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.wheel_health.recorded import rotor_spin, spin_measures
from controller.wheel_health.report import HealthFinding, MeasuredSpin, finding_of
from controller.wheel_health.rotor_report import MeasuredRun


def seconds(utc: str) -> float:
    """A wall time of the record, in seconds."""
    return datetime.fromisoformat(utc).timestamp()


def spins_on_record(
    journal: Journal, calibration: str, most: int | None = None, look_back: int | None = None
) -> list[tuple[MeasuredSpin, SpinMeasured]]:
    """The spins with a calibration that were measured at the table, in order, and what is recorded of each.

    Args:
        calibration: its name.
        most: only so many, the newest; None for all.
        look_back: only of so many of the journal's last entries.

    Raises:
        JournalError: an entry cannot be read.
    """
    found: list[tuple[MeasuredSpin, SpinMeasured]] = []
    after = 0 if look_back is None else len(journal) - look_back
    with closing(journal.backwards_of("spin-measured", after)) as entries:
        for entry in islice(entries, most):
            event = of_entry(entry).event
            if not isinstance(event, SpinMeasured) or event.calibration != calibration:
                break
            spin = MeasuredSpin(event.round, entry.utc, seconds(entry.utc), event.touched, spin_measures(event))
            found.append((spin, event))
    return found[::-1]


def runs_on_record(journal: Journal, name: str, most: int, look_back: int) -> list[MeasuredRun]:
    """The runs of the ball at a roulette wheel since work on it was last logged, in order.

    Args:
        name: of the wheel since then.

    Raises:
        JournalError: an entry cannot be read.
    """
    found: list[MeasuredRun] = []
    with closing(journal.backwards_of("rotor-measured", len(journal) - look_back)) as entries:
        for entry in islice(entries, most):
            event = of_entry(entry).event
            if not isinstance(event, RotorMeasured) or event.calibration != name:
                break
            found.append(MeasuredRun(entry.utc, seconds(entry.utc), rotor_spin(event)))
    return found[::-1]


def findings_on_record(journal: Journal, calibration: str, look_back: int) -> list[HealthFinding]:
    """What was found of the wheel since its calibration, in order."""
    found: list[HealthFinding] = []
    with closing(journal.backwards_of("wheel-degraded", len(journal) - look_back)) as entries:
        for entry in entries:
            event = of_entry(entry).event
            if not isinstance(event, WheelDegraded) or event.calibration != calibration:
                break
            found.append(finding_of(event, round(seconds(entry.utc) * 1000)))
    return found[::-1]
