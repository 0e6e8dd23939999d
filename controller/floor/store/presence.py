"""When each table last sent a message, and the state that it reported."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy import update as change

from controller.floor.ingest.validation import Accepted, Refusal
from controller.floor.store import schema
from controller.floor.store.engine import upsert
from controller.messages.models import HealthMessage, OnlineMessage, RoundClosed, StateMessage
from controller.messages.topics import Topic

_NEW: Mapping[str, Any] = {
    "game": "",
    "online": False,
    "running": False,
    "software": "",
    "state": None,
    "health": None,
    "obstacle": None,
    "obstacle_until": None,
}
_OF_RECORD = (f"/{Topic.ROUND.value}", f"/{Topic.PART.value}")


def update(db: Connection, messages: Sequence[Accepted]) -> set[str]:
    """Update the tables' rows from messages, in the order in which they arrived.

    Returns:
        the tables with rounds among them, of which others were refused before.
    """
    known = schema.tables.c
    names = {one.table for one in messages}
    stored = db.execute(select(schema.tables).where(known.table.in_(names))).mappings()
    rows: dict[str, dict[str, Any]] = {row["table"]: dict(row) for row in stored}
    for one in messages:
        utc = one.arrived.utc
        row = rows.setdefault(one.table, {"table": one.table, **_NEW, "heard": utc, "changed": utc})
        _apply(row, one)
    upsert(db, schema.tables, [rows[name] for name in sorted(rows)])
    rounds = {one.table for one in messages if isinstance(one.message, RoundClosed)}
    return {name for name in rounds if rows[name]["obstacle"] is not None}


def note_refused(db: Connection, refused: Sequence[Refusal]) -> None:
    """Note why rounds of known tables were refused: they will be missing, and a request may not help."""
    known = schema.tables.c
    latest = {one.table: one for one in refused if one.arrived.topic.endswith(_OF_RECORD)}
    for table, one in sorted(latest.items()):
        values = {"obstacle": f"refused: {one.why}", "obstacle_until": one.until or None}
        db.execute(change(schema.tables).where(known.table == table).values(**values))


def nothing_missing(db: Connection, table: str) -> None:
    """Nothing is missing of a table: why rounds were refused is over."""
    known = schema.tables.c
    there = known.table == table
    db.execute(change(schema.tables).where(there).values(obstacle=None, obstacle_until=None))


def _apply(row: dict[str, Any], one: Accepted) -> None:
    message, utc = one.message, one.arrived.utc
    if not one.arrived.retained:
        row["heard"] = utc  # A retained message was sent some time before.
    if isinstance(message, OnlineMessage):
        if row["online"] != message.online:
            row["changed"] = utc
        row |= {"online": message.online, "running": message.running}
        row["software"] = message.software or row["software"]  # The last will does not have it.
    elif isinstance(message, StateMessage):
        if not _is_behind(one, row["state"], message.at):
            row |= {"game": message.game, "state": message.model_dump()}
    elif isinstance(message, HealthMessage):
        if not _is_behind(one, row["health"], message.at):
            row["health"] = message.model_dump()
    elif isinstance(message, RoundClosed):
        row["game"] = row["game"] or message.game


def _is_behind(one: Accepted, known: Mapping[str, Any] | None, at: str) -> bool:
    """Whether a retained message is older than the stored one, as after a broker lost its latest messages."""
    return one.arrived.retained and known is not None and at < str(known["at"])
