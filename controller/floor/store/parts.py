"""Rounds that are too long for one message: their entries come in parts, before the round's own message."""

import json
import zlib
from collections.abc import Iterator

from sqlalchemy import Connection, delete, func, select

from controller.floor.ingest.chain import follows
from controller.floor.store import schema
from controller.floor.store.engine import insert_new
from controller.messages.models import RecordedEntry, RoundClosed, RoundPart

MOST_PARTS = 256
"""Of a table, kept until their rounds come; the oldest go first. A round of more parts stays unproven."""

_parts = schema.parts.c


def keep(db: Connection, part: RoundPart, received: str) -> None:
    """Keep a part, whose entries are verified."""
    entries = zlib.compress(json.dumps([entry.model_dump() for entry in part.entries], ensure_ascii=False).encode())
    place = part.model_dump(include={"table", "record", "first", "previous", "seq", "hash"})
    if not insert_new(db, schema.parts, {**place, "entries": entries, "received": received}):
        return
    mine = _parts.table == part.table
    if (db.execute(select(func.count()).where(mine)).scalar() or 0) > MOST_PARTS:
        oldest = select(_parts.id).where(mine).order_by(_parts.id.desc()).offset(MOST_PARTS)
        db.execute(delete(schema.parts).where(_parts.id.in_(oldest)))


def assembled(db: Connection, message: RoundClosed) -> list[RecordedEntry] | None:
    """All entries of a round whose first ones came in parts; None while a part is missing.

    The parts are found from the last one on, each by its hash: a false one is never among them.
    """
    rest = message.entries or []
    chain: list[int] = []
    seq, head = rest[0].seq - 1, ""
    while seq >= message.first:
        at = (_parts.table == message.table, _parts.record == message.record, _parts.seq == seq)
        query = select(_parts.id, _parts.first, _parts.previous, _parts.hash).where(*at)
        rows = [row for row in db.execute(query) if (row.hash == head if head else follows(row.hash, rest[0]))]
        if not rows:
            return None
        chain.append(rows[0].id)
        seq, head = rows[0].first - 1, rows[0].previous
    if seq != message.first - 1 or head != message.previous:
        return None
    return [*(entry for id_ in reversed(chain) for entry in _entries(db, id_)), *rest]


def _entries(db: Connection, id_: int) -> Iterator[RecordedEntry]:
    packed = db.execute(select(_parts.entries).where(_parts.id == id_)).scalar_one()
    return (RecordedEntry(**entry) for entry in json.loads(zlib.decompress(packed)))


def forget(db: Connection, message: RoundClosed) -> None:
    """Let the parts of a stored round go: they are stored with it."""
    of_round = (_parts.record == message.record, _parts.seq >= message.first, _parts.seq <= message.seq)
    db.execute(delete(schema.parts).where(_parts.table == message.table, *of_round))
