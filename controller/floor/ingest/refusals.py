"""Refused messages: the latest are stored, all are counted."""

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from controller.floor.ingest.validation import Refusal, plain
from controller.floor.store import schema
from controller.floor.store.engine import upsert

MOST_KEPT = 1_000
MOST_NAMED = 5_000
"""How many table names have a count of their own; refusals under any further name share one nameless count."""

_TOPIC = 200


def keep(db: Connection, refusals: Sequence[Refusal]) -> None:
    """Count refused messages, and store an excerpt of the latest."""
    if not refusals:
        return
    db.execute(insert(schema.refused), [_row(one) for one in refusals[-MOST_KEPT:]])
    table = schema.refused.c
    oldest = select(table.id).order_by(table.id.desc()).offset(MOST_KEPT - 1).limit(1)
    db.execute(delete(schema.refused).where(table.id < oldest.scalar_subquery()))
    known = set(db.execute(select(schema.refused_count.c.table).distinct()).scalars())
    counts: Counter[tuple[str, str]] = Counter()
    last: dict[tuple[str, str], str] = {}
    for one in refusals:
        name = one.table if one.table in known or len(known) < MOST_NAMED else ""
        known.add(name)
        counts[name, one.reason] += 1
        last[name, one.reason] = one.arrived.utc
    rows = [{"table": key[0], "reason": key[1], "count": counts[key], "last": last[key]} for key in sorted(counts)]
    upsert(db, schema.refused_count, rows, adding="count")


def _row(one: Refusal) -> dict[str, object]:
    return {
        "received": one.arrived.utc,
        "topic": plain(one.arrived.topic, _TOPIC),
        "reason": one.reason,
        "detail": one.detail,
        "bytes": len(one.arrived.payload),
    }
