"""Stores rounds: each once, and none that contradicts the stored ones."""

import json
import zlib
from enum import Enum

from sqlalchemy import Connection, insert, select, update

from controller.floor.ingest.chain import ChainStretch, contradiction
from controller.floor.ingest.validation import Arrived
from controller.floor.store import schema
from controller.floor.store.alerts import FORK, RECORD, raise_alert, round_is_over
from controller.floor.store.engine import insert_new
from controller.floor.store.gaps import advance, begin, present_record
from controller.floor.store.retention import is_deleted
from controller.messages.models import RoundClosed

_rounds = schema.rounds.c
_records = schema.records.c
_disputed = schema.disputed.c

_FORKED = "two tables may bear this name, or its journal was changed or put back; compare it with: journal verify"


class RoundFate(Enum):
    """How a round's message was handled."""

    STORED = "stored"
    REPEATED = "repeated"
    DISPUTED = "disputed"


def take_round(db: Connection, message: RoundClosed, arrived: Arrived) -> RoundFate:
    """Store a new round, and update its record and alerts."""
    table, record, received = message.table, message.record, arrived.utc
    if is_deleted(db, table, record, message.seq):
        return RoundFate.REPEATED  # It was stored and counted before.
    new = ChainStretch.of(message)
    before, after = _neighbours(db, table, record, new)
    if after is not None and after.first <= new.seq and _same(db, table, record, new):
        return RoundFate.REPEATED
    wrong = contradiction(new, before, after)
    if not wrong and before is None and _follows_disputed(db, table, record, new):
        wrong = f"it follows a round that is disputed, which ends at entry {new.first - 1}"
    if wrong:
        return _dispute(db, message, arrived, wrong)
    begin(db, table, record, received)
    db.execute(insert(schema.rounds).values(**_row(message), received=received))
    if message.first == 1:
        _on_first_round(db, message, received)
    advance(db, message, received)
    round_is_over(db, message, received, present_record(db, table) == record)
    return RoundFate.STORED


def _neighbours(
    db: Connection, table: str, record: str, new: ChainStretch
) -> tuple[ChainStretch | None, ChainStretch | None]:
    """The stored stretch just before a new one, and the first that ends at its first entry or later."""
    query = select(_rounds.first, _rounds.previous, _rounds.seq, _rounds.hash)
    near = (_rounds.table == table, _rounds.record == record, _rounds.seq >= new.first - 1)
    rows = [ChainStretch(*row) for row in db.execute(query.where(*near).order_by(_rounds.seq).limit(2))]
    before = rows.pop(0) if rows and rows[0].seq < new.first else None
    return before, rows[0] if rows else None


def _same(db: Connection, table: str, record: str, new: ChainStretch) -> bool:
    """Whether a round with this end is stored."""
    at = (_rounds.table == table, _rounds.record == record, _rounds.seq == new.seq)
    return db.execute(select(_rounds.hash).where(*at)).scalar() == new.hash


def _follows_disputed(db: Connection, table: str, record: str, new: ChainStretch) -> bool:
    """Whether the round before a new one is disputed: else the rest of its branch could be stored after a gap."""
    at = (_disputed.table == table, _disputed.record == record, _disputed.seq == new.first - 1)
    return db.execute(select(_disputed.id).where(*at, _disputed.hash == new.previous)).first() is not None


def _dispute(db: Connection, message: RoundClosed, arrived: Arrived, why: str) -> RoundFate:
    """Keep a round that contradicts what is stored; the first one raises the record's only fork alert."""
    table, record = message.table, message.record
    row = {"table": table, "record": record, "seq": message.seq, "hash": message.hash, "why": why}
    is_new = insert_new(
        db, schema.disputed, {**row, "payload": zlib.compress(arrived.payload), "received": arrived.utc}
    )
    text = f"round {message.number} contradicts the record that is stored: {why}"
    raise_alert(db, table, FORK, record, message.closed, text, arrived.utc, _FORKED, message.number)
    return RoundFate.DISPUTED if is_new else RoundFate.REPEATED


def _on_first_round(db: Connection, message: RoundClosed, received: str) -> None:
    """The first round of a record was stored: a table's second record must name what it replaces."""
    table, record = message.table, message.record
    if message.replaces:
        place = (_records.table == table, _records.record == record)
        db.execute(update(schema.records).where(*place).values(replaces=message.replaces))
        text = f"the table began a new record: {message.replaces}"
        remedy = "see the damaged journal that was set aside at the table"
        raise_alert(db, table, RECORD, record, message.closed, text, received, remedy, message.number)
        return
    others = (_records.table == table, _records.record != record, _records.replaces == "", _records.seq > 0)
    if db.execute(select(_records.record).where(*others)).first() is not None:
        text = "the table began a record that does not say what it replaces"
        key = f"{record}:begun"
        raise_alert(db, table, FORK, key, message.closed, text, received, _FORKED, message.number)


def _row(message: RoundClosed) -> dict[str, object]:
    """A round as the store has it."""
    same = ("table", "record", "seq", "hash", "first", "previous", "number", "game", "opened", "closed")
    lists = ("wheel", "dealer", "results", "voids", "returned", "corrections", "phases")
    plain = message.model_dump(include={*same, *lists, "spins", "entries"})
    entries = plain.pop("entries")
    checked = entries is not None
    packed = zlib.compress(json.dumps(entries, ensure_ascii=False).encode()) if checked else None
    return {**plain, "checked": checked, "entries": packed}
