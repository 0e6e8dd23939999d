"""What the spins of each wheel measured, summed by day: a year of a wheel is 365 rows.

It is taken from the entries that rounds' messages hold, with the code that the table's own page is made with.
"""

import json
import logging
from dataclasses import asdict, dataclass, field

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import ColumnElement, Connection, delete, select

from controller.events.event import RotorMeasured, SpinMeasured, WheelDegraded
from controller.floor.queries.times import ms_of
from controller.floor.store import schema
from controller.floor.store.engine import upsert
from controller.messages.models import RecordedEntry, RoundClosed
from controller.wheel_health.groups import SpinSums
from controller.wheel_health.recorded import rotor_spin, spin_measures
from controller.wheel_health.report import HealthFinding, finding_of
from controller.wheel_health.rotor_report import RunSums

log = logging.getLogger("floor")

_KINDS: dict[str, TypeAdapter[SpinMeasured] | TypeAdapter[RotorMeasured] | TypeAdapter[WheelDegraded]] = {
    "rotor-measured": TypeAdapter(RotorMeasured),
    "spin-measured": TypeAdapter(SpinMeasured),
    "wheel-degraded": TypeAdapter(WheelDegraded),
}
_SUMS = TypeAdapter(SpinSums)
_RUN_SUMS = TypeAdapter(RunSums)
_days = schema.wheel_days.c

DayKey = tuple[str, str, str]
"""A wheel, its calibration, and a day, UTC."""


@dataclass(slots=True)
class WheelDay:
    """A day of a wheel with one calibration."""

    sums: SpinSums | RunSums = field(default_factory=SpinSums)
    found: list[HealthFinding] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether no spin and no finding is left in it."""
        spins = self.sums.spins if isinstance(self.sums, SpinSums) else self.sums.runs
        return not spins and not self.found


class WheelDays:
    """Adds the spins of stored rounds; a transaction at a time."""

    def __init__(self) -> None:
        self._touched: dict[DayKey, WheelDay] = {}

    def forget(self) -> None:
        """Drop what is not written: its transaction failed."""
        self._touched.clear()

    def count(self, db: Connection, message: RoundClosed) -> None:
        """Add the spins and findings of a stored round."""
        self._take(db, message, 1)

    def withdraw(self, db: Connection, message: RoundClosed) -> None:
        """Take out the spins and findings of a round that a person settled not to be one."""
        self._take(db, message, -1)

    def write(self, db: Connection) -> None:
        """Write what was changed since the last call; of a day that has nothing left, nothing is kept."""
        days = sorted(self._touched.items())
        rows: list[dict[str, object]] = [
            {"wheel": wheel, "calibration": calibration, "day": day, "sums": asdict(of.sums), "found": of.found}
            for (wheel, calibration, day), of in days
            if not of.is_empty
        ]
        upsert(db, schema.wheel_days, rows)
        for key in (key for key, of in days if of.is_empty):
            db.execute(delete(schema.wheel_days).where(*_is(key)))
        self._touched.clear()

    def _take(self, db: Connection, message: RoundClosed, sign: int) -> None:
        for entry in message.entries or ():
            event = _event(entry)
            if event is None:
                continue
            day = self._day(db, (message.wheel or message.table, event.calibration, entry.utc[:10]))
            if isinstance(event, SpinMeasured) and isinstance(day.sums, SpinSums):
                day.sums.add(spin_measures(event), sign)
            elif isinstance(event, RotorMeasured) and isinstance(day.sums, RunSums):
                day.sums.add(rotor_spin(event), sign)
            elif isinstance(event, WheelDegraded):
                _note(day.found, finding_of(event, ms_of(entry.utc)), sign)

    def _day(self, db: Connection, key: DayKey) -> WheelDay:
        if key not in self._touched:
            _, calibration, _ = key
            row = db.execute(select(schema.wheel_days).where(*_is(key))).first()
            new = WheelDay(RunSums() if is_rotor(calibration) else SpinSums())
            stored_sums = run_sums_of if is_rotor(calibration) else sums_of
            self._touched[key] = new if row is None else WheelDay(stored_sums(row.sums), list(row.found))
        return self._touched[key]


def _is(key: DayKey) -> tuple[ColumnElement[bool], ...]:
    wheel, calibration, day = key
    return _days.wheel == wheel, _days.calibration == calibration, _days.day == day


def _note(found: list[HealthFinding], finding: HealthFinding, sign: int) -> None:
    """Add a finding, or take it out."""
    if sign > 0:
        found.append(finding)
    elif finding in found:
        found.remove(finding)


def is_rotor(calibration: str) -> bool:
    """Whether a name of a calibration is that of a roulette wheel."""
    return calibration.startswith("rotor ")


def sums_of(stored: object) -> SpinSums:
    """Sums as the store has them, of a wheel with a clapper."""
    return _SUMS.validate_python(stored)


def run_sums_of(stored: object) -> RunSums:
    """The same of a roulette wheel."""
    return _RUN_SUMS.validate_python(stored)


def _event(entry: RecordedEntry) -> SpinMeasured | RotorMeasured | WheelDegraded | None:
    """What an entry says of a wheel; None for any other, and for one that this software cannot read."""
    adapter = _KINDS.get(entry.kind)
    if adapter is None:
        return None
    try:
        return adapter.validate_python(json.loads(entry.body)["event"])
    except (ValidationError, ValueError, KeyError, TypeError):
        log.warning("entry %d (%s) says of a wheel what this version cannot read", entry.seq, entry.kind)
        return None
