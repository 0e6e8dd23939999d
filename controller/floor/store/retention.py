"""Deletes what the floor need not keep any longer, in slices, and writes each deletion to the floor's own record.

Sums of hours stay, and of each record its last round, so that the next one is still checked against it. Of a table
whose record contradicts itself nothing is deleted while that alert stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Table, delete, func, select, update

from config.floor import RetentionSection
from controller.floor.record.floor_record import FLOOR, FloorRecord
from controller.floor.store import schema
from controller.floor.store.alerts import FAIRNESS, FALSE, FORK, RECORD, WHEEL
from controller.floor.store.engine import upsert
from controller.floor.store.hour_sums import unsummed
from controller.floor.store.spin_sums import unspun

KEPT_FROM = "rounds_kept_from"
"""The key in ``about`` of the time from which on all rounds are kept."""
SLICE = 1_000
"""How many rounds are deleted at once."""
RECORDS = 50
"""How many records are looked at for one slice."""
PASS_NS = 3_600_000_000_000
"""How often everything is looked at."""
_EVIDENCE = (FORK, FALSE, RECORD, WHEEL, FAIRNESS)
"""Alerts that are never deleted."""
_rounds = schema.rounds.c
_records = schema.records.c
_alerts = schema.alerts.c


@dataclass(frozen=True, slots=True)
class _Deleted:
    table: str
    record: str
    first: int
    last: int
    rounds: int

    def document(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}


class Retention:
    """What of a store is deleted, and when.

    Args:
        record: of the floor; None for one that keeps none.
    """

    def __init__(self, config: RetentionSection, record: FloorRecord | None) -> None:
        self._config = config
        self._record = record
        self._next_ns = 0
        self._left: list[tuple[str, str]] = []
        """Tables and records whose rounds are still to be looked at in this pass."""

    def is_due(self, utc_ns: int) -> bool:
        """Whether :meth:`delete_slice` has anything to do."""
        config = self._config
        kept = not (config.rounds_days or config.refused_days or config.alerts_days)
        return not kept and (bool(self._left) or utc_ns >= self._next_ns)

    def delete_slice(self, db: Connection, utc_ns: int) -> None:
        """Delete some of what is too old.

        Raises:
            JournalError: the floor's record cannot be written; nothing is deleted.
        """
        if not self._left:
            self._next_ns = utc_ns + PASS_NS
            self._delete_others(db, utc_ns)
            self._left = self._all_records(db)
            return
        before = _days_ago(utc_ns, self._config.rounds_days)
        deleted: list[_Deleted] = []
        for _ in range(RECORDS):
            if not self._left or sum(one.rounds for one in deleted) >= SLICE:
                break
            found = _old_rounds(db, *self._left[-1], before)
            if found is not None:
                deleted.append(found)
            if found is None or found.rounds < SLICE:
                self._left.pop()
        if deleted:
            self._note("rounds-deleted", before, [one.document() for one in deleted])
            upsert(db, schema.about, [{"key": KEPT_FROM, "value": before}])
            for one in deleted:
                _delete_rounds(db, one)

    def _all_records(self, db: Connection) -> list[tuple[str, str]]:
        if not self._config.rounds_days or unsummed(db) != 0 or unspun(db) != 0:
            return []
        return [(row.table, row.record) for row in db.execute(select(_records.table, _records.record))]

    def _delete_others(self, db: Connection, utc_ns: int) -> None:
        """Delete refused messages and alerts: few enough for one transaction."""
        before = _days_ago(utc_ns, self._config.refused_days)
        refused = schema.refused.c.received < before
        if self._config.refused_days and (count := _count(db, schema.refused, refused)):
            self._note("refused-deleted", before, count)
            db.execute(delete(schema.refused).where(refused))
        before = _days_ago(utc_ns, self._config.alerts_days)
        ended = (_alerts.ended < before) & _alerts.kind.not_in(_EVIDENCE)
        if self._config.alerts_days and (count := _count(db, schema.alerts, ended)):
            self._note("alerts-deleted", before, count)
            db.execute(delete(schema.alerts).where(ended))

    def _note(self, kind: str, before: str, what: object) -> None:
        """Write a deletion to the floor's record, before it takes effect."""
        if self._record is not None:
            self._record.write(kind, FLOOR, {"before": before, "what": what})


def kept_from(db: Connection) -> str:
    """The time from which on all rounds are kept; empty if none was ever deleted."""
    query = select(schema.about.c.value).where(schema.about.c.key == KEPT_FROM)
    return db.execute(query).scalar() or ""


def is_deleted(db: Connection, table: str, record: str, seq: int) -> bool:
    """Whether the round that ends at this entry was stored and deleted."""
    of_record = (_records.table == table, _records.record == record, _records.deleted_to >= seq)
    return db.execute(select(_records.record).where(*of_record)).first() is not None


def _old_rounds(db: Connection, table: str, record: str, before: str) -> _Deleted | None:
    """The first rounds of a record that may be deleted: before its end, and closed before a time."""
    forked = (_alerts.table == table, _alerts.kind == FORK, _alerts.ended.is_(None))
    if db.execute(select(_alerts.id).where(*forked).limit(1)).first() is not None:
        return None
    of_record = (_records.table == table, _records.record == record)
    end = db.execute(select(_records.seq).where(*of_record)).scalar_one()
    query = select(_rounds.first, _rounds.seq, _rounds.closed).where(
        _rounds.table == table, _rounds.record == record
    )
    old: Sequence[tuple[int, int, str]] = [
        tuple(row) for row in db.execute(query.order_by(_rounds.seq).limit(SLICE))
    ]
    count = next((n for n, (_, seq, closed) in enumerate(old) if seq >= end or closed >= before), len(old))
    return _Deleted(table, record, old[0][0], old[count - 1][1], count) if count else None


def _delete_rounds(db: Connection, deleted: _Deleted) -> None:
    of_record = (_rounds.table == deleted.table, _rounds.record == deleted.record)
    db.execute(delete(schema.rounds).where(*of_record, _rounds.seq <= deleted.last))
    place = (_records.table == deleted.table, _records.record == deleted.record)
    db.execute(update(schema.records).where(*place).values(deleted_to=deleted.last))


def _count(db: Connection, table: Table, where: ColumnElement[bool]) -> int:
    return db.execute(select(func.count()).select_from(table).where(where)).scalar_one()


def _days_ago(utc_ns: int, days: int) -> str:
    """The beginning of the hour so many days ago, as the store has times."""
    hour = datetime.fromtimestamp(utc_ns // 1_000_000_000, UTC) - timedelta(days=days)
    return f"{hour:%Y-%m-%dT%H}:00:00.000Z"
