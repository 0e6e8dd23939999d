"""Deletes what the floor need not keep any longer, in slices, and writes each deletion to the floor's own record.

Sums of hours stay, and of each record its last round, so that the next one is still checked against it. Of a table
whose record contradicts itself nothing is deleted while that alert stands. Where the rounds are partitioned, whole
months are dropped (:mod:`controller.floor.store.partition_retention`), and rows of the default partition deleted.
What the group's floor lacks is kept longer, for a while; what is deleted then is named by an alert. A floor of a
group drops no partitions: a month has rounds that the group lacks and others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import takewhile

from sqlalchemy import ColumnElement, Connection, Table, case, delete, func, select, update

from config.floor import RetentionSection
from controller.floor.record.floor_record import FLOOR, FloorRecord
from controller.floor.store import schema
from controller.floor.store.alerts import FAIRNESS, FALSE, FORK, RECORD, WHEEL
from controller.floor.store.engine import upsert
from controller.floor.store.hour_sums import unsummed
from controller.floor.store.openings import keep_end
from controller.floor.store.partition_retention import Deleted, drop_partition, partitions_before, records_left
from controller.floor.store.partitions import Partition, is_partitioned, month_after
from controller.floor.store.relayed import group_lacks, held_for_group, relayed_to
from controller.floor.store.spin_sums import unspun
from controller.journal.chain import utc_text

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


class Retention:
    """What of a store is deleted, and when.

    Args:
        record: of the floor; None for one that keeps none.
        holds_days: how many days longer rounds are kept that the group's floor lacks; None for a floor of no group.
    """

    def __init__(self, config: RetentionSection, record: FloorRecord | None, holds_days: int | None = None) -> None:
        self._config = config
        self._holds_days = holds_days
        self._record = record
        self._next_ns = 0
        self._partitions: list[Partition] = []
        """Those that are still to be dropped in this pass, the latest first."""
        self._left: list[tuple[str, str]] = []
        """Tables and records whose rounds are still to be looked at in this pass."""

    def is_due(self, utc_ns: int) -> bool:
        """Whether :meth:`delete_slice` has anything to do."""
        config = self._config
        kept = not (config.rounds_days or config.refused_days or config.alerts_days)
        return not kept and (bool(self._left or self._partitions) or utc_ns >= self._next_ns)

    def delete_slice(self, db: Connection, utc_ns: int) -> None:
        """Delete some of what is too old.

        Raises:
            JournalError: the floor's record cannot be written; nothing is deleted.
        """
        if not self._left and not self._partitions:
            self._next_ns = utc_ns + PASS_NS
            self._delete_others(db, utc_ns)
            self._begin_pass(db, self._before(db, utc_ns))
            return
        before = self._before(db, utc_ns)
        if self._partitions:
            if drop_partition(db, self._partitions.pop(), before, partial(self._note, "rounds-deleted", before)):
                upsert(db, schema.about, [{"key": KEPT_FROM, "value": before}])
            return
        utc = utc_text(utc_ns)
        limits = _Limits(before, self._held_before(utc_ns))
        deleted: list[Deleted] = []
        for _ in range(RECORDS):
            if not self._left or sum(one.rounds for one in deleted) >= SLICE:
                break
            found = _old_rounds(db, *self._left[-1], limits, utc)
            if found is not None:
                deleted.append(found)
            if found is None or found.rounds < SLICE:
                self._left.pop()
        if deleted:
            self._note("rounds-deleted", before, [one.document() for one in deleted])
            upsert(db, schema.about, [{"key": KEPT_FROM, "value": before}])
            for one in deleted:
                if limits.held is not None:
                    group_lacks(db, one.table, one.record, one.last, utc)
                _delete_rounds(db, one)

    def _held_before(self, utc_ns: int) -> str | None:
        """When rounds that the group's floor lacks must have closed to be deleted; None for a floor of no group."""
        held, days = self._holds_days, self._config.rounds_days
        return _days_ago(utc_ns, days + held) if held is not None else None

    def _before(self, db: Connection, utc_ns: int) -> str:
        """Rounds that closed before are too old: those of whole months, where a month is a partition."""
        before = _days_ago(utc_ns, self._config.rounds_days)
        if not self._drops_partitions(db):
            return before
        return f"{month_after(datetime.fromisoformat(before).date())}T00:00:00.000Z"

    def _drops_partitions(self, db: Connection) -> bool:
        """Whether whole months are deleted at once."""
        return self._holds_days is None and is_partitioned(db)

    def _begin_pass(self, db: Connection, before: str) -> None:
        """Note which partitions, and which records, are to be looked at."""
        if not self._config.rounds_days or unsummed(db) != 0 or unspun(db) != 0:
            return
        if self._drops_partitions(db):
            self._partitions = partitions_before(db, before)[::-1]
            self._left = records_left(db, before)
        else:
            self._left = [(row.table, row.record) for row in db.execute(select(_records.table, _records.record))]

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


@dataclass(frozen=True, slots=True)
class _Limits:
    """Rounds that closed before these times may be deleted.

    Attributes:
        held: of those that the group's floor lacks; None for a floor of no group.
    """

    before: str
    held: str | None


def _old_rounds(db: Connection, table: str, record: str, limits: _Limits, utc: str) -> Deleted | None:
    """The first rounds of a record that may be deleted: before its end, and old enough."""
    forked = (_alerts.table == table, _alerts.kind == FORK, _alerts.ended.is_(None))
    if db.execute(select(_alerts.id).where(*forked).limit(1)).first() is not None:
        return None
    of_record = (_records.table == table, _records.record == record)
    end = db.execute(select(_records.seq).where(*of_record)).scalar_one()
    query = select(_rounds.first, _rounds.seq, _rounds.closed).where(
        _rounds.table == table, _rounds.record == record
    )
    stored: Sequence[tuple[int, int, str]] = [
        tuple(row) for row in db.execute(query.order_by(_rounds.seq).limit(SLICE))
    ]
    old = list(takewhile(lambda row: row[1] < end and row[2] < limits.before, stored))
    if limits.held is not None:
        held, relayed = limits.held, relayed_to(db, table, record)
        free = list(takewhile(lambda row: row[1] <= relayed or row[2] < held, old))
        held_for_group(db, table, record, old[len(free)][0] if len(free) < len(old) else None, utc)
        old = free
    return Deleted(table, record, old[0][0], old[-1][1], len(old)) if old else None


def _delete_rounds(db: Connection, deleted: Deleted) -> None:
    of_record = (_rounds.table == deleted.table, _rounds.record == deleted.record)
    keep_end(db, deleted.table, deleted.record, deleted.last)
    db.execute(delete(schema.rounds).where(*of_record, _rounds.seq <= deleted.last))
    place = (_records.table == deleted.table, _records.record == deleted.record)
    last = case((_records.deleted_to < deleted.last, deleted.last), else_=_records.deleted_to)
    db.execute(update(schema.records).where(*place).values(deleted_to=last))


def _count(db: Connection, table: Table, where: ColumnElement[bool]) -> int:
    return db.execute(select(func.count()).select_from(table).where(where)).scalar_one()


def _days_ago(utc_ns: int, days: int) -> str:
    """The beginning of the hour so many days ago, as the store has times."""
    hour = datetime.fromtimestamp(utc_ns // 1_000_000_000, UTC) - timedelta(days=days)
    return f"{hour:%Y-%m-%dT%H}:00:00.000Z"
