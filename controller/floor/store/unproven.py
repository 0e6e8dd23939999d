"""Rounds that cannot be derived from entries: kept apart, counted for nothing, requested again."""

import zlib

from sqlalchemy import Connection, delete, func, select

from controller.floor.ingest.validation import Arrived
from controller.floor.store import schema
from controller.floor.store.alerts import UNPROVEN, end_alerts, raise_alert
from controller.floor.store.engine import insert_new
from controller.messages.models import RoundClosed

MOST_KEPT = 200
"""Of a table; the oldest go first. The table has them all."""
_REMEDY = "its rounds count for nothing until they come with all their entries; the floor requests them again"

_unproven = schema.unproven.c


class UnprovenRounds:
    """The rounds of all tables that are not proven. It remembers of which tables there are any."""

    def __init__(self) -> None:
        self._tables: set[str] | None = None

    def keep(self, db: Connection, message: RoundClosed, arrived: Arrived, why: str) -> bool:
        """Keep a round and raise the record's alert, which ends with its last unproven round; whether it is new."""
        table, received = message.table, arrived.utc
        place = message.model_dump(include={"table", "record", "seq", "hash", "number"})
        payload = zlib.compress(arrived.payload)
        row = {**place, "why": why, "payload": payload, "received": received}
        is_new = insert_new(db, schema.unproven, row)
        self._of(db).add(table)
        mine = _unproven.table == table
        if is_new and (db.execute(select(func.count()).where(mine)).scalar() or 0) > MOST_KEPT:
            oldest = select(_unproven.id).where(mine).order_by(_unproven.id.desc()).offset(MOST_KEPT)
            db.execute(delete(schema.unproven).where(_unproven.id.in_(oldest)))
        active = select(schema.alerts.c.id).where(
            schema.alerts.c.table == table, schema.alerts.c.kind == UNPROVEN, schema.alerts.c.ended.is_(None)
        )
        if db.execute(active).first() is None:
            text = f"round {message.number} cannot be derived from its entries: {why}"
            key = f"{message.record}:{received}"
            raise_alert(db, table, UNPROVEN, key, message.closed, text, received, _REMEDY, message.number)
        return is_new

    def proven(self, db: Connection, message: RoundClosed, received: str) -> None:
        """A round was stored: it is not unproven any more, if it was."""
        if message.table not in self._of(db):
            return
        mine = _unproven.table == message.table
        same = (mine, _unproven.record == message.record, _unproven.seq == message.seq)
        db.execute(delete(schema.unproven).where(*same))
        if db.execute(select(_unproven.id).where(mine)).first() is None:
            end_alerts(db, message.table, UNPROVEN, "", received)
            self._of(db).discard(message.table)

    def forget(self) -> None:
        """A transaction failed: what is remembered is read again."""
        self._tables = None

    def _of(self, db: Connection) -> set[str]:
        if self._tables is None:
            self._tables = set(db.execute(select(_unproven.table).distinct()).scalars())
        return self._tables
