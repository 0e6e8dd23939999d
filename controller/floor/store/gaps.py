"""Up to where a table's record is complete in the store, and what is missing from it."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, Row, select, update

from controller.floor.queries.times import ms_of
from controller.floor.store import schema
from controller.floor.store.alerts import FORK, GAP, is_active, raise_alert
from controller.floor.store.engine import insert_new
from controller.journal.chain import GENESIS
from controller.messages.models import RoundClosed

_rounds = schema.rounds.c
_records = schema.records.c
_alerts = schema.alerts.c

_Run: TypeAlias = Row[tuple[int, int, str]]
"""First and last entry of a round that is stored, and the last one's hash."""
_MOST_NAMED = 5
_AT_ONCE = 200
_REMEDY = "the floor requests them from the table; if they do not arrive, check the table's publisher and journal"


class MissingRange(NamedTuple):
    """What the floor lacks from a table's present record.

    Attributes:
        record: the hash of its first entry.
        after: the entry up to which the store is complete.
        seen: whether later rounds are stored, which proves a gap; else only the table reports more entries.
        online: whether the table is online.
        patient: whether a request may not help, as of a record that contradicts itself or cannot be proven.
        wait_ns: a request cannot help before so long; 0 if that is not known.
    """

    record: str
    after: int
    seen: bool
    online: bool
    patient: bool
    wait_ns: int = 0


def begin(db: Connection, table: str, record: str, received: str) -> None:
    """Add a record, of which nothing need be stored yet."""
    row = {"table": table, "record": record, "seq": 0, "hash": GENESIS, "begun": received}
    insert_new(db, schema.records, row)


def complete(db: Connection, table: str, record: str) -> tuple[int, str]:
    """The entry up to which a record is complete from its beginning, and its hash."""
    query = select(_records.seq, _records.hash).where(_records.table == table, _records.record == record)
    row = db.execute(query).first()
    return (row[0], row[1]) if row else (0, GENESIS)


def advance(db: Connection, message: RoundClosed, received: str) -> None:
    """A round was stored: update up to where its record is complete, and the alert of its gap."""
    table, record = message.table, message.record
    before, _ = complete(db, table, record)
    seq, digest, beyond = _walk(db, table, record, before)
    if seq != before:
        place = (_records.table == table, _records.record == record)
        db.execute(update(schema.records).where(*place).values(seq=seq, hash=digest))
    if seq == message.seq and not beyond:
        return  # The next round in order: there was no gap, and there is none.
    _update_gap_alert(db, table, record, received, _Gap(seq, _missing(seq, beyond), message.number))


def _walk(db: Connection, table: str, record: str, seq: int) -> tuple[int, str, list[_Run]]:
    """The end of the unbroken run of rounds after an entry, its hash, and the first rounds that lie beyond it."""
    digest = ""
    while True:
        rows, run = _after(db, table, record, seq), 0
        while run < len(rows) and rows[run].first == seq + 1:
            seq, digest = rows[run].seq, rows[run].hash
            run += 1
        if run < _AT_ONCE:
            return seq, digest, rows[run:]


def _after(db: Connection, table: str, record: str, seq: int) -> list[_Run]:
    """The first of the rounds that are stored after an entry."""
    query = select(_rounds.first, _rounds.seq, _rounds.hash)
    of_record = (_rounds.table == table, _rounds.record == record, _rounds.seq > seq)
    return list(db.execute(query.where(*of_record).order_by(_rounds.seq).limit(_AT_ONCE)))


def _missing(seq: int, beyond: Sequence[_Run]) -> str:
    """The entries missing between an entry and the rounds beyond it, as text; empty for none."""
    holes = []
    for row in beyond:
        if row.first > seq + 1:
            holes.append(f"{seq + 1} to {row.first - 1}")
        seq = row.seq
    more = " and perhaps more" if len(holes) > _MOST_NAMED or len(beyond) == _AT_ONCE else ""
    return ", ".join(holes[:_MOST_NAMED]) + more


class _Gap(NamedTuple):
    """What is missing after an entry, as text, and the round that showed it."""

    seq: int
    missing: str
    round: int


def _update_gap_alert(db: Connection, table: str, record: str, received: str, gap: _Gap) -> None:
    """Keep one alert for all entries missing from a record."""
    of_gap = (_alerts.table == table, _alerts.kind == GAP, _alerts.ended.is_(None))
    active = [
        (id_, key)
        for id_, key in db.execute(select(_alerts.id, _alerts.key).where(*of_gap))
        if key.startswith(f"{record}:")
    ]
    text = f"entries {gap.missing} of the table's record have not arrived{_why(db, table)}"
    if not gap.missing:
        values: dict[str, object] = {"ended": received}
    elif active:
        values = {"text": text}
    else:
        key = f"{record}:{gap.seq + 1}:{received}"
        raise_alert(db, table, GAP, key, received, text, received, _REMEDY, gap.round)
        return
    db.execute(update(schema.alerts).where(_alerts.id.in_([id_ for id_, _ in active])).values(**values))


def _why(db: Connection, table: str) -> str:
    """Why the table's last rounds were refused, if they were, in brackets."""
    obstacle = db.execute(select(schema.tables.c.obstacle).where(schema.tables.c.table == table)).scalar()
    return f" ({obstacle})" if obstacle else ""


def name_missing_end(db: Connection, table: str, received: str) -> None:
    """Raise the alert of the entries that a table says it has handed over, and that come after all that is here."""
    state = db.execute(select(schema.tables.c.state).where(schema.tables.c.table == table)).scalar()
    if state is None:
        return
    record, handed_over = state["record"], state["handed_over"]
    after, _ = complete(db, table, record)
    if handed_over > after and not _after(db, table, record, after):
        _update_gap_alert(db, table, record, received, _Gap(after, f"{after + 1} to {handed_over}", state["round"]))


def any_gap(db: Connection) -> bool:
    """Whether the alert of any gap is active."""
    active = select(_alerts.id).where(_alerts.kind == GAP, _alerts.ended.is_(None)).limit(1)
    return db.execute(active).first() is not None


def end_filled(db: Connection, received: str) -> None:
    """End the alerts of gaps that are filled: those at a record's end are not looked at with each round."""
    query = select(_alerts.table, _alerts.key).where(_alerts.kind == GAP, _alerts.ended.is_(None))
    for table, record in sorted({(table, key.partition(":")[0]) for table, key in db.execute(query)}):
        found = lack(db, table)
        if found is None or found.record != record:
            seq, _ = complete(db, table, record)
            if not _after(db, table, record, seq):
                _update_gap_alert(db, table, record, received, _Gap(seq, "", 0))


def accept_gaps(db: Connection, table: str) -> str:
    """Entries of a table's records are gone for good: nothing before its latest rounds is missing any more."""
    named = []
    for record, seq in db.execute(select(_records.record, _records.seq).where(_records.table == table)).all():
        reached, _, beyond = _walk(db, table, record, seq)
        missing = _missing(reached, beyond)
        while beyond:
            before = beyond[0].first - 1
            reached, digest, beyond = _walk(db, table, record, before)
            place = (_records.table == table, _records.record == record)
            db.execute(update(schema.records).where(*place).values(seq=reached, hash=digest))
        named += [missing] if missing else []
    return f"entries {'; '.join(named)} are gone for good" if named else "nothing is missing between stored rounds"


def set_back(db: Connection, table: str, record: str, begins: int) -> None:
    """The rounds of a record from an entry on were taken out: it is complete up to those before, at most."""
    before = (_rounds.table == table, _rounds.record == record, _rounds.seq < begins)
    latest = select(_rounds.seq, _rounds.hash).where(*before).order_by(_rounds.seq.desc()).limit(1)
    last = db.execute(latest).first()
    seq, _ = complete(db, table, record)
    if last is None or last.seq < seq:
        values = {"seq": last.seq, "hash": last.hash} if last is not None else {"seq": 0, "hash": GENESIS}
        place = (_records.table == table, _records.record == record)
        db.execute(update(schema.records).where(*place).values(**values))


def present_record(db: Connection, table: str) -> str | None:
    """The table's present record: that of its last state message, or else the latest one."""
    state = db.execute(select(schema.tables.c.state).where(schema.tables.c.table == table)).scalar()
    if state is not None:
        return str(state["record"])
    latest = select(_records.record).where(_records.table == table).order_by(_records.begun.desc()).limit(1)
    return db.execute(latest).scalar()


def lack(db: Connection, table: str, now: str = "") -> MissingRange | None:
    """What the floor lacks from a table's present record; None for nothing.

    Args:
        now: UTC; empty if it is not known.
    """
    known = schema.tables.c
    columns = (known.state, known.online, known.obstacle, known.obstacle_until)
    row = db.execute(select(*columns).where(known.table == table)).first()
    state, online, obstacle, until = row or (None, False, None, None)
    record = present_record(db, table)
    if record is None:
        return None
    after, _ = complete(db, table, record)
    unproven = _unproven_after(db, table, record, after)
    seen = unproven or bool(_after(db, table, record, after))
    if not seen and (state is None or state["handed_over"] <= after):
        return None
    wait_ns = max(0, ms_of(until) - ms_of(now)) * 1_000_000 if until and now else 0
    patient = unproven or obstacle is not None or is_active(db, table, FORK, record)
    return MissingRange(record, after, seen, online, patient, wait_ns)


def _unproven_after(db: Connection, table: str, record: str, after: int) -> bool:
    """Whether rounds after an entry are there, but not proven."""
    unproven = schema.unproven.c
    place = (unproven.table == table, unproven.record == record, unproven.seq > after)
    return db.execute(select(unproven.id).where(*place).limit(1)).first() is not None
