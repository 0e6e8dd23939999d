"""Which changes of alerts are to be told to which receiver, and which it has taken. All of it is in the store.

What happened to an alert is read from its row: nothing that changes alerts has to know of webhooks, and what
changed while no floor ran, or by another worker, is told as well.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)

from config.webhooks import WebhookSection
from controller.floor.store.engine import insert_new
from controller.floor.store.schema import alerts, webhook_events, webhook_receivers

EVENTS = {"raised": "received", "escalated": "escalated", "acknowledged": "acknowledged", "ended": "ended"}
"""What may happen to an alert, and the column that says when. At the same time the earlier one here comes first."""
OVERLAP = 1_000
"""So many numbers of alerts are looked at again: another worker's transaction may end later than a newer one."""
_MOST = 5_000
"""The most alerts that one look takes up."""

_a, _e = alerts.c, webhook_events.c


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """Something that a receiver is still to be told.

    Attributes:
        alert: the alert's row.
    """

    id: int
    event: str
    at: str
    alert: Row[Any]


def is_any_new(db: Connection, receiver: WebhookSection) -> bool:
    """Whether :func:`take_up` would take up any; this only reads."""
    since = _since(db, receiver.name)
    return since is None or any(db.execute(query.limit(1)).first() for query in _queries(receiver, since))


def take_up(db: Connection, receiver: WebhookSection) -> int:
    """Take up what has happened to alerts since the last look; returns how many events that are.

    A new receiver is told of what is active and of all that comes.

    Args:
        db: a transaction that writes.
    """
    since = _since(db, receiver.name)
    highest = db.execute(select(func.max(_a.id))).scalar() or 0
    if since is None:
        insert_new(db, webhook_receivers, {"receiver": receiver.name, "seen": highest, "begun": highest})
        since = highest
    found = {row.id: row for query in _queries(receiver, since) for row in db.execute(query.limit(_MOST))}
    taken = sum(_add(db, receiver.name, found[id_]) for id_ in sorted(found))
    if len(found) < _MOST:
        own = (webhook_receivers.c.receiver == receiver.name, webhook_receivers.c.seen < highest)
        db.execute(update(webhook_receivers).where(*own).values(seen=highest))
    return taken


def _since(db: Connection, receiver: str) -> int | None:
    """The number of an alert after which all are looked at; None for a new receiver."""
    columns = (webhook_receivers.c.seen, webhook_receivers.c.begun)
    row = db.execute(select(*columns).where(webhook_receivers.c.receiver == receiver)).first()
    return None if row is None else max(row.seen - OVERLAP, row.begun)


def _queries(receiver: WebhookSection, since: int) -> tuple[Select[Any], Select[Any]]:
    """The alerts that are new or active and were not taken up, and those that were and have changed since."""

    def taken(event: str) -> ColumnElement[bool]:
        return exists().where(_e.receiver == receiver.name, _e.alert == _a.id, _e.event == event)

    new = (or_(_a.id > since, _a.ended.is_(None)), ~taken("raised"))
    known = select(_e.alert).where(_e.receiver == receiver.name, _e.event == "raised")
    changed = [and_(_a[column].is_not(None), ~taken(event)) for event, column in EVENTS.items()]
    chosen: list[ColumnElement[bool]] = []
    if receiver.kinds is not None:
        chosen.append(_a.kind.in_(receiver.kinds))
    if receiver.tables is not None:
        chosen.append(_a.table.in_(receiver.tables))
    return (
        select(alerts).where(*new, *chosen).order_by(_a.id),
        select(alerts).where(_a.id.in_(known), ~taken("ended"), or_(*changed), *chosen).order_by(_a.id),
    )


def _add(db: Connection, receiver: str, row: Row[Any]) -> int:
    """Take up what has happened to an alert, in the order in which it did."""
    order = list(EVENTS)
    happened = [(row._mapping[column], event) for event, column in EVENTS.items() if row._mapping[column]]
    happened.sort(key=lambda one: (one[1] != "raised", one[1] == "ended", one[0], order.index(one[1])))
    values = [{"receiver": receiver, "alert": row.id, "event": event, "at": at} for at, event in happened]
    return sum(insert_new(db, webhook_events, one) for one in values)


def pending(db: Connection, receiver: str, most: int) -> list[PendingEvent]:
    """What the receiver is still to be told, the first first."""
    query = (
        select(_e.id.label("event_id"), _e.event, _e.at.label("event_at"), alerts)
        .join(alerts, _a.id == _e.alert)
        .where(_e.receiver == receiver, _e.done.is_(None))
        .order_by(_e.id)
        .limit(most)
    )
    return [PendingEvent(row.event_id, row.event, row.event_at, row) for row in db.execute(query)]


def count_pending(db: Connection, receiver: str) -> int:
    """How much the receiver is still to be told."""
    query = select(func.count()).select_from(webhook_events).where(_e.receiver == receiver, _e.done.is_(None))
    return db.execute(query).scalar_one()


def mark_done(db: Connection, ids: Sequence[int], utc: str) -> None:
    """The receiver has taken these, or they are given up."""
    db.execute(update(webhook_events).where(_e.id.in_(ids)).values(done=utc))


def forget_delivered(db: Connection, receiver: str) -> None:
    """Delete what needs not be known any more: of alerts that have ended, all of it told; of deleted alerts."""
    since = _since(db, receiver) or 0
    of = webhook_events.alias().c
    ended = exists().where(of.receiver == receiver, of.alert == _e.alert, of.event == "ended", of.done.is_not(None))
    over = or_(and_(_e.alert <= since, ended), ~exists().where(_a.id == _e.alert))
    db.execute(delete(webhook_events).where(_e.receiver == receiver, over))


@contextmanager
def held(engine: Engine, receiver: str) -> Iterator[bool]:
    """Whether this worker, and no other one, tells the receiver meanwhile.

    In PostgreSQL the receiver's row is locked as long: a worker that dies loses it with its connection. SQLite has
    one floor alone, and its lock would stop the writer.
    """
    if engine.dialect.name != "postgresql":
        yield True
        return
    query = select(webhook_receivers).where(webhook_receivers.c.receiver == receiver)
    with engine.begin() as db:
        yield db.execute(query.with_for_update(skip_locked=True)).first() is not None
