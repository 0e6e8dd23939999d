"""Alerts in the store: each is stored once, and is active from when it is raised until it ends."""

from sqlalchemy import Connection, select, update

from controller.floor.store import schema
from controller.floor.store.engine import insert_new
from controller.messages.models import AlertMessage, RoundClosed

TABLE, GAP, FORK, RECORD, FAIRNESS = "table", "gap", "fork", "record", "fairness"
"""Kinds: raised by the table itself, missing entries, a record that contradicts itself, a record that replaces
another, a wheel that does not look fair."""
SOFTWARE = "software"
"""A challenge for the table's software was answered wrongly, or not."""

_alerts = schema.alerts
_c = schema.alerts.c


def raise_alert(
    db: Connection,
    table: str,
    kind: str,
    key: str,
    at: str,
    text: str,
    received: str,
    remedy: str = "",
    round_: int = 0,
    ended: str | None = None,
) -> bool:
    """Store an alert, unless it is stored already; returns whether it is new.

    Args:
        key: identifies it among the alerts of its table and kind.
        ended: when it ended; None while it is active.
    """
    row = {"table": table, "kind": kind, "key": key, "at": at, "round": round_, "text": text, "remedy": remedy}
    return insert_new(db, _alerts, {**row, "received": received, "ended": ended})


def is_active(db: Connection, table: str, kind: str, key: str) -> bool:
    """Whether this alert is active."""
    query = select(_c.id).where(_c.table == table, _c.kind == kind, _c.key == key, _c.ended.is_(None))
    return db.execute(query).first() is not None


def of_table(db: Connection, alert: AlertMessage, received: str) -> bool:
    """Store an alert that a table raised; it has ended already if its round is stored."""
    rounds = schema.rounds.c
    closing = (
        select(rounds.closed)
        .where(rounds.table == alert.table, rounds.record == alert.record, rounds.seq >= alert.seq)
        .order_by(rounds.seq)
        .limit(1)
    )
    return _store(db, alert, received, db.execute(closing).scalar())


def round_is_over(db: Connection, message: RoundClosed, received: str, present: bool) -> int:
    """A round was stored: store its alerts, and end all alerts of it and of the rounds before.

    Args:
        present: whether the round's record is the table's present one, so that the alerts of others have ended.

    Returns:
        How many of the round's alerts are new.
    """
    new = sum(_store(db, alert, received, message.closed) for alert in message.alerts)
    query = select(_c.id, _c.key).where(_c.table == message.table, _c.kind == TABLE, _c.ended.is_(None))
    over = [id_ for id_, key in db.execute(query) if _is_over(key, message, present)]
    if over:
        db.execute(update(_alerts).where(_c.id.in_(over)).values(ended=message.closed))
    return new


def of_software(db: Connection, table: str, problem: str, utc: str) -> None:
    """A challenge was judged: raise an alert, or end those before; one that says the same stays."""
    query = select(_c.id, _c.text).where(_c.table == table, _c.kind == SOFTWARE, _c.ended.is_(None))
    active = list(db.execute(query))
    over = [id_ for id_, text in active if text != problem]
    if over:
        db.execute(update(_alerts).where(_c.id.in_(over)).values(ended=utc))
    if problem and len(over) == len(active):
        remedy = "call the technician: table-controller verify-software at the table, then install it anew"
        raise_alert(db, table, SOFTWARE, utc, utc, problem, utc, remedy)


def _store(db: Connection, alert: AlertMessage, received: str, ended: str | None) -> bool:
    key = f"{alert.record}:{alert.seq}:{alert.part}"
    return raise_alert(
        db, alert.table, TABLE, key, alert.at, alert.text, received, alert.remedy, alert.round, ended
    )


def _is_over(key: str, message: RoundClosed, present: bool) -> bool:
    record, seq, _ = key.split(":")
    return int(seq) <= message.seq if record == message.record else present
