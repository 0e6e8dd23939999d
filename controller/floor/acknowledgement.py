"""A person acknowledges an alert, with a reason: it is on the floor's record, then in the store.

The pages and the command ``acknowledge`` both end here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection, select

from controller.floor.store import acknowledgements, schema

RECORDED = "alert-acknowledged"
"""The kind of its entry on the floor's record."""
SHORTEST, LONGEST = 3, 500
"""Of a reason, in characters."""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """Who acknowledges, why, from where and when.

    Attributes:
        origin: the address of the person's browser, or that it was the command line.
        utc: the time, in the format of messages.
    """

    person: str
    reason: str
    origin: str
    utc: str


class WrittenRecord(Protocol):
    """The floor's own record."""

    def write(self, kind: str, person: str, what: Mapping[str, object] | None = None) -> object:
        """Write an entry; it is durable when this returns. Raises JournalError."""


def check_reason(reason: object) -> str:
    """A reason as it can be kept.

    Raises:
        ValueError: it cannot; the message says which can.
    """
    if not isinstance(reason, str) or not reason.isprintable() or not SHORTEST <= len(reason.strip()) <= LONGEST:
        raise ValueError(f"give a reason of {SHORTEST} to {LONGEST} characters, on one line")
    return reason


def acknowledge(db: Connection, record: WrittenRecord, id_: int, by: Acknowledgement) -> bool:
    """Put an acknowledgement on record, and in the store; returns whether there was such an alert.

    Args:
        db: a transaction that writes.

    Raises:
        JournalError: it cannot be on record, and is not in the store.
    """
    alert = acknowledgements.unacknowledged(db, id_)
    if alert is None:
        return False
    table, kind, text = alert
    what = {"alert": id_, "table": table, "alert_kind": kind, "text": text, "reason": by.reason, "from": by.origin}
    record.write(RECORDED, by.person, what)
    return acknowledgements.acknowledge(db, id_, by.person, by.utc, by.reason)


def acknowledge_all(db: Connection, record: WrittenRecord, table: str, kind: str, by: Acknowledgement) -> str:
    """Acknowledge all active alerts of a kind of a table; returns what it led to, as text.

    Raises:
        JournalError: as :func:`acknowledge`.
    """
    alerts = schema.alerts.c
    active = (alerts.table == table, alerts.kind == kind, alerts.ended.is_(None), alerts.acknowledged.is_(None))
    ids = list(db.execute(select(alerts.id).where(*active).order_by(alerts.id)).scalars())
    done = sum(acknowledge(db, record, id_, by) for id_ in ids)
    return f"{done} alert{'' if done == 1 else 's'} of {table} acknowledged"
