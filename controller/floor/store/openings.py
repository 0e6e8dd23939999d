"""The entries that opened rounds, where the round before is not stored: without them no round can be derived anew.

A round's message holds the entry that opened it, which is the last one of the round before. The store keeps that
once, with the round before. Where that has not arrived, or was deleted, it is kept here for the relay to a group's
floor.
"""

import json
import zlib
from collections.abc import Sequence

from sqlalchemy import Connection, select

from controller.floor.store import schema
from controller.floor.store.engine import insert_new
from controller.floor.store.schema import openings
from controller.journal.chain import Entry
from controller.messages.closed_round import RoundOpening
from controller.messages.models import RoundClosed

_rounds = schema.rounds.c


def keep_opening(db: Connection, message: RoundClosed) -> None:
    """Keep the entry that opened a round whose predecessor is not stored."""
    if message.opening is not None and message.before is not None:
        entry = Entry(**message.opening.model_dump())
        _keep(db, message.table, message.record, RoundOpening(entry, message.before))


def keep_end(db: Connection, table: str, record: str, seq: int) -> None:
    """The round that ends at this entry is about to be deleted: keep its end, which opened the next one."""
    opening = opening_at(db, table, record, seq)
    if opening is not None:
        _keep(db, table, record, opening)


def opening_at(db: Connection, table: str, record: str, seq: int) -> RoundOpening | None:
    """The entry that opened the round after ``seq``; None if the store does not have it."""
    at = (_rounds.table == table, _rounds.record == record, _rounds.seq == seq)
    row = db.execute(select(_rounds.previous, _rounds.entries).where(*at)).first()
    if row is not None and (opening := opening_after(row.previous, entries_of(row.entries))) is not None:
        return opening
    of_record = (openings.c.table == table, openings.c.record == record, openings.c.seq == seq)
    kept = db.execute(select(openings.c.entry, openings.c.before).where(*of_record)).first()
    return RoundOpening(Entry(**kept.entry), kept.before) if kept is not None else None


def opening_after(previous: str, entries: Sequence[Entry]) -> RoundOpening | None:
    """What a stored round ends with, which opened the next one; None if it came without entries.

    Args:
        previous: the hash of the entry before its first one.
    """
    if not entries:
        return None
    return RoundOpening(entries[-1], entries[-2].hash if len(entries) > 1 else previous)


def entries_of(packed: bytes | None) -> list[Entry]:
    """The entries of a stored round, as the store has them; none if it came without."""
    listed = json.loads(zlib.decompress(packed)) if packed is not None else None
    return [Entry(**entry) for entry in listed or ()]


def _keep(db: Connection, table: str, record: str, opening: RoundOpening) -> None:
    place = {"table": table, "record": record, "seq": opening.entry.seq}
    insert_new(db, openings, {**place, "entry": opening.entry._asdict(), "before": opening.before})
