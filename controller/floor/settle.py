"""What a person settles at the floor: which branch of a record counts that contradicts itself, and other alerts.

It is on the floor's own record before it takes effect. A running floor notices, and tells its tables how far it has
their records now.
"""

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Engine, and_, delete, func, select, update
from sqlalchemy.exc import DBAPIError

from controller.errors import UserError
from controller.floor import schema
from controller.floor.database import away, count_settled, for_writing, upsert
from controller.floor.derive import Row, Sum, add_to_sums
from controller.floor.record import write_record
from controller.floor.store import FORK, RECORD, write_sums
from controller.floor.wheels import FAIRNESS, take_out
from controller.floor.wire import MOST_ENTRIES, Batch, write
from controller.journal.chain import GENESIS, Entry, utc_text

Branch = Literal["stored", "disputed"]
_records, _entries, _rounds = schema.records.c, schema.entries.c, schema.rounds.c
_disputed, _alerts = schema.disputed.c, schema.alerts.c
_OTHERS = (RECORD, FAIRNESS)
"""Further kinds of alerts that a person ends."""


class SettlementError(UserError):
    """It cannot be settled so; the message says why."""


def settle(
    engine: Engine, record: Path, utc_ns: int, table: str, accept: Branch | None, by: str, reason: str
) -> list[str]:
    """Settle what stands of a table; returns what was done, as sentences.

    Args:
        record: the file of the floor's own record.
        accept: which branch counts of a record that contradicts itself; None if there is none.

    Raises:
        SettlementError: there is nothing to settle, or a part of it is missing.
        FloorRecordError: the floor's own record cannot be written; nothing has changed.
        StoreAwayError: the database cannot be written; nothing has changed.
    """
    for name, text, most in (("name", by, 120), ("reason", reason, 1000)):
        if not text.strip() or len(text) > most or not text.isprintable():
            raise SettlementError(f"the {name} is missing, too long or not printable: it stays on record")
    now = utc_text(utc_ns)
    try:
        with for_writing(engine) as db, db.begin():
            count_settled(db)  # A running floor waits, and then reads its records anew.
            done = _forks(db, table, accept, now) + _other_alerts(db, table, now, f"{by}: {reason}")
            if not done:
                raise SettlementError(f"nothing of table {table} waits for a person")
            write_record(record, utc_ns, "settled", by, table=table, accepted=accept, reason=reason, done=done)
    except DBAPIError as error:
        raise away(error) from error
    return done


def _forks(db: Connection, table: str, accept: Branch | None, now: str) -> list[str]:
    done: list[str] = []
    forked = select(_records.id, _records.record).where(_records.table == table, _records.disputed)
    for record_id, record in db.execute(forked).all():
        if accept is None:
            raise SettlementError("the record contradicts itself: say which branch counts, stored or disputed")
        waiting = and_(_disputed.record_id == record_id, _disputed.settled.is_(None))
        first = db.execute(select(func.min(_disputed.first)).where(waiting)).scalar_one()
        if accept == "disputed":
            _cut(db, record_id, first, now)
            done.append(
                f"record {record[:16]}: the entries from {first} on are kept apart; the table sends its own"
            )
        else:
            done.append(f"record {record[:16]}: what was stored counts; the table has to begin a new record")
        db.execute(update(schema.disputed).where(waiting).values(settled=now))
        db.execute(update(schema.records).where(_records.id == record_id).values(disputed=False))
        _end(db, _alerts.kind == FORK, _alerts.key == record, now=now)
    return done


def _cut(db: Connection, record_id: int, first: int, now: str) -> None:
    """Move a record's entries from a number on to those kept apart, and take out what was derived from them.

    A round is derived as a whole, with the spins that it had before the first of these entries.
    """
    row = db.execute(select(schema.records).where(_records.id == record_id)).one()
    if first <= row.deleted_to + 1:
        raise SettlementError(f"the entries up to {row.deleted_to} were deleted: what was stored has to stay")
    _keep_apart(db, record_id, row.record, first, now)
    before = and_(_rounds.record_id == record_id, _rounds.last < first)
    opening = db.execute(select(func.max(_rounds.last)).where(before)).scalar()
    after = opening or 0
    take_out(db, record_id, after)
    spins, false = schema.spins.c, and_(_rounds.record_id == record_id, _rounds.last > after)
    sums: dict[Sum, list[int]] = {}
    for round_ in db.execute(select(schema.rounds).where(false)).mappings():
        of_round = (spins.record_id == record_id, spins.round == round_["number"])
        add_to_sums(sums, dict(round_), map(dict, db.execute(select(schema.spins).where(*of_round)).mappings()), -1)
    write_sums(db, sums)
    for counted in (schema.sums, schema.wheel_counts):
        db.execute(delete(counted).where(counted.c["count"] == 0))
    db.execute(delete(schema.rounds).where(false))
    db.execute(delete(schema.spins).where(spins.record_id == record_id, spins.seq > after))
    db.execute(delete(schema.entries).where(_entries.record_id == record_id, _entries.seq >= first))
    last = select(_entries.hash).where(_entries.record_id == record_id, _entries.seq == first - 1)
    values = {
        "seq": first - 1,
        "hash": db.execute(last).scalar() or GENESIS,
        "opening": opening,
        "readable_to": min(row.readable_to, first - 1),
    }
    db.execute(update(schema.records).where(_records.id == record_id).values(values))
    _end(db, _alerts.key.startswith(f"{record_id}:"), now=now)


def _keep_apart(db: Connection, record_id: int, record: str, first: int, now: str) -> None:
    columns = [_entries[name] for name in Entry._fields]
    query = select(*columns).where(_entries.record_id == record_id, _entries.seq >= first).order_by(_entries.seq)
    rows: Sequence[Entry] = [Entry(*row) for row in db.execute(query)]
    kept: list[Row] = []
    for begin in range(0, len(rows), MOST_ENTRIES):
        some = rows[begin : begin + MOST_ENTRIES]
        about = {"record_id": record_id, "first": some[0].seq, "hash": some[0].hash, "received": now}
        kept.append(about | {"batch": zlib.compress(write(Batch.of(record, some))), "settled": now})
    upsert(db, schema.disputed, kept)  # A batch that was accepted earlier is there already, perhaps shorter.


def _other_alerts(db: Connection, table: str, now: str, said: str) -> list[str]:
    stands = and_(_alerts.table == table, _alerts.kind.in_(_OTHERS), _alerts.ended.is_(None))
    done: list[str] = []
    for alert in db.execute(select(schema.alerts).where(stands)).all():
        done.append(f"ended: {alert.text}")
        _end(db, _alerts.id == alert.id, now=now, remedy=f"settled by {said}")
    return done


def _end(db: Connection, *which: object, now: str, remedy: str | None = None) -> None:
    values = {"ended": now} | ({"remedy": remedy[:1000]} if remedy is not None else {})
    db.execute(update(schema.alerts).where(_alerts.ended.is_(None), *which).values(values))  # type: ignore[arg-type]
