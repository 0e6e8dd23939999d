"""Alerts that a person acknowledges, with a reason, and those that nobody acknowledges in time."""

from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from controller.floor.store.schema import alerts


@dataclass(frozen=True, slots=True)
class EscalatedAlert:
    """An alert that nobody acknowledged in time."""

    table: str
    text: str
    received: str


def unacknowledged(db: Connection, id_: int) -> tuple[str, str, str] | None:
    """The table, kind and text of an alert that nobody has acknowledged; None if there is none of this number."""
    columns = (alerts.c.table, alerts.c.kind, alerts.c.text)
    row = db.execute(select(*columns).where(alerts.c.id == id_, alerts.c.acknowledged.is_(None))).first()
    return None if row is None else (row.table, row.kind, row.text)


def acknowledge(db: Connection, id_: int, person: str, at: str, reason: str) -> bool:
    """Keep who acknowledged an alert, when and why; returns whether nobody had before."""
    change = update(alerts).where(alerts.c.id == id_, alerts.c.acknowledged.is_(None))
    values = {"acknowledged": at, "acknowledged_by": person, "reason": reason}
    return db.execute(change.values(**values).returning(alerts.c.id)).first() is not None


def escalate(db: Connection, received_before: str, at: str) -> list[EscalatedAlert]:
    """Mark the active alerts that nobody acknowledged in time; returns those that were not marked before."""
    due = (
        alerts.c.ended.is_(None),
        alerts.c.acknowledged.is_(None),
        alerts.c.escalated.is_(None),
        alerts.c.received < received_before,
    )
    columns = (alerts.c.table, alerts.c.text, alerts.c.received)
    rows = db.execute(update(alerts).where(*due).values(escalated=at).returning(*columns)).all()
    return [EscalatedAlert(row.table, row.text, row.received) for row in rows]


def is_any_due(db: Connection, received_before: str) -> bool:
    """Whether :func:`escalate` would mark any; this only reads."""
    due = (alerts.c.ended.is_(None), alerts.c.acknowledged.is_(None), alerts.c.escalated.is_(None))
    return (
        db.execute(select(alerts.c.id).where(*due, alerts.c.received < received_before).limit(1)).first()
        is not None
    )
