"""Lets settlements take effect: each is on the floor's own record before anything changes."""

import json
import zlib
from collections.abc import Iterator
from typing import Any, Protocol

from sqlalchemy import Connection, Row, delete, func, select, update

from controller.floor.ingest.validation import Accepted, Arrived, receive
from controller.floor.queries.times import ms_of
from controller.floor.settlement import DISPUTED, STORED, Settlement
from controller.floor.store import schema, wheel_places
from controller.floor.store.alerts import FORK, GAP, GROUP, WHEEL
from controller.floor.store.engine import insert_new
from controller.floor.store.gaps import accept_gaps, set_back
from controller.messages.models import RecordedEntry, RoundClosed, SpinResult, write
from controller.messages.topics import Topic, of_table

_rounds = schema.rounds.c
_disputed = schema.disputed.c
_settled = schema.settlements.c


class RoundTaker(Protocol):
    """What a settlement does with rounds, as the store does it."""

    def take_again(self, db: Connection, round_: Accepted) -> None:
        """Take a round that was kept apart as if it came now."""

    def withdraw(self, db: Connection, row: Row[Any], message: RoundClosed) -> None:
        """Take a round out of what it is counted in; ``row`` is that of the store."""


def pending(db: Connection) -> list[Row[Any]]:
    """The settlements that have not taken effect, the first one first."""
    return list(db.execute(select(schema.settlements).where(_settled.done.is_(None)).order_by(_settled.id)))


def apply(db: Connection, row: Row[Any], utc: str, store: RoundTaker) -> str:
    """Let a settlement take effect; returns what it led to, as text."""
    settlement = Settlement(row.kind, row.table, row.person, row.reason, row.what)
    said = f"settled by {row.person}: {row.reason}"
    if row.kind == FORK:
        outcome = _fork(db, settlement, utc, store)
    elif row.kind == GAP:
        outcome = accept_gaps(db, row.table)
    elif row.kind == WHEEL:
        before = wheel_places.move(db, row.what, row.table, utc)
        outcome = f"wheel {row.what} is at table {row.table}" + (f", and was at {before}" if before else "")
    elif row.kind == GROUP:
        outcome = "the group's floor goes without what was deleted here"
    else:
        outcome = "the forged messages stay refused"
    db.execute(update(schema.settlements).where(_settled.id == row.id).values(done=utc, outcome=outcome))
    alerts = schema.alerts.c
    active = (alerts.kind == row.kind, alerts.ended.is_(None))
    of_wheel = alerts.key.startswith(f"{row.what}:", autoescape=True)
    whose = of_wheel if row.kind == WHEEL else alerts.table == row.table
    values = {"ended": utc, "remedy": f"{said} ({outcome})"}
    db.execute(update(schema.alerts).where(*active, whose).values(**values))
    return outcome


def _fork(db: Connection, settlement: Settlement, utc: str, store: RoundTaker) -> str:
    """Keep one branch of each of a table's records that contradict themselves."""
    first = select(_disputed.record, func.min(_disputed.seq)).where(_disputed.table == settlement.table)
    forked = list(db.execute(first.group_by(_disputed.record)))
    if settlement.what == STORED or not forked:
        return f"the branch that was stored first is kept; {_apart(db, settlement.table)} rounds stay apart"
    removed = restored = 0
    for record, _ in forked:
        branch = list(_branch(db, settlement.table, record, utc))
        if not branch:
            continue  # Nothing of it can be read any more: the branch that is stored stays.
        begins = min(round_.message.first for round_ in branch if isinstance(round_.message, RoundClosed))
        removed += _take_out(db, settlement, record, begins, utc, store)
        for round_ in branch if settlement.what == DISPUTED else ():
            message = round_.message
            assert isinstance(message, RoundClosed)
            place = (_disputed.table == settlement.table, _disputed.record == record, _disputed.seq == message.seq)
            db.execute(delete(schema.disputed).where(*place, _disputed.hash == message.hash))
            store.take_again(db, round_)
            restored += 1
    return f"{removed} rounds that were stored are kept apart; {restored} that were apart are stored"


def _apart(db: Connection, table: str) -> int:
    return db.execute(select(func.count()).where(_disputed.table == table)).scalar() or 0


def _branch(db: Connection, table: str, record: str, utc: str) -> Iterator[Accepted]:
    """The disputed rounds of a record, in order, checked as if they came now."""
    rows = select(_disputed.payload, _disputed.received).where(_disputed.table == table, _disputed.record == record)
    for row in db.execute(rows.order_by(_disputed.seq, _disputed.id)):
        arrived = Arrived(of_table(table, Topic.ROUND), zlib.decompress(row.payload), ms_of(utc) * 1_000_000)
        checked = receive(arrived)
        if isinstance(checked, Accepted):
            yield checked


def _take_out(db: Connection, settlement: Settlement, record: str, begins: int, utc: str, store: RoundTaker) -> int:
    """Move the stored rounds of a record from an entry on to those that are kept apart."""
    table = settlement.table
    of_branch = (_rounds.table == table, _rounds.record == record, _rounds.seq >= begins)
    rows = list(db.execute(select(schema.rounds).where(*of_branch).order_by(_rounds.seq)))
    for row in rows:
        message = _message(row)
        store.withdraw(db, row, message)
        place = {"table": table, "record": record, "seq": row.seq, "hash": row.hash, "received": utc}
        why, payload = f"settled by {settlement.person}: {settlement.reason}", zlib.compress(write(message))
        insert_new(db, schema.disputed, {**place, "why": why, "payload": payload})
    db.execute(delete(schema.rounds).where(*of_branch))
    set_back(db, table, record, begins)
    return len(rows)


def _message(row: Row[Any]) -> RoundClosed:
    """A stored round as a message: without the entry that opened it, which is in the round before."""
    kept = {name: value for name, value in row._mapping.items() if name in RoundClosed.model_fields}
    entries = json.loads(zlib.decompress(row.entries)) if row.entries is not None else None
    kept["entries"] = [RecordedEntry(**entry) for entry in entries] if entries is not None else None
    kept["spins"] = [SpinResult(**spin) for spin in row.spins]
    return RoundClosed(**kept)
