"""Alerts in the store: each is stored once, and is active from when it is raised until it ends."""

from sqlalchemy import Connection, select, update

from controller.floor.store import schema
from controller.floor.store.engine import insert_new
from controller.messages.models import AlertMessage, RoundClosed

TABLE, GAP, FORK, RECORD, FAIRNESS, QUOTA = "table", "gap", "fork", "record", "fairness", "quota"
"""Kinds: raised by the table itself, missing entries, a record that contradicts itself, a record that replaces
another, a wheel that does not look fair, a table that sends more than its quota."""
FALSE, UNPROVEN, WHEEL = "false", "unproven", "wheel"
"""Kinds: a message that says other than its entries, rounds that cannot be derived from entries, a wheel's serial
number at a second table."""
HOUSE, CLOCK, GROUP = "house", "clock", "group"
"""Kinds: two floors under one house's name, a house's clock that is wrong, rounds that the group's floor lacks."""
SEVERITY = (FORK, FALSE, HOUSE, RECORD, UNPROVEN, WHEEL, FAIRNESS, CLOCK, GROUP, QUOTA, GAP, TABLE)
"""The kinds, the gravest first: a record that is damaged or forged stands before all else."""
_FALSE_REMEDY = (
    "secure the table: someone with its certificate, or at the broker, makes messages; compare with: "
    "journal verify; once it is explained: table-controller settle"
)

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
    hash_: str | None = None,
) -> bool:
    """Store an alert, unless it is stored already; returns whether it is new.

    Args:
        key: identifies it among the alerts of its table and kind.
        ended: when it ended; None while it is active.
        hash_: of the entry that raised it; None for an alert of the floor's own.
    """
    row = {"table": table, "kind": kind, "key": key, "at": at, "round": round_, "text": text, "remedy": remedy}
    return insert_new(db, _alerts, {**row, "received": received, "ended": ended, "hash": hash_})


def raise_false(db: Connection, table: str, text: str, received: str, round_: int = 0) -> None:
    """A table's message was forged or damaged. One alert at a time stands for all of a table; a person ends it."""
    active = select(_c.id).where(_c.table == table, _c.kind == FALSE, _c.ended.is_(None))
    if db.execute(active).first() is None:
        raise_alert(db, table, FALSE, received, received, text, received, _FALSE_REMEDY, round_)


def end_alerts(db: Connection, table: str, kind: str, key: str, received: str) -> None:
    """End the active alerts of a kind whose key begins so."""
    active = (_c.table == table, _c.kind == kind, _c.ended.is_(None), _c.key.startswith(key, autoescape=True))
    db.execute(update(_alerts).where(*active).values(ended=received))


def is_active(db: Connection, table: str, kind: str, key: str) -> bool:
    """Whether an alert whose key begins so is active."""
    begins = _c.key.startswith(key, autoescape=True)
    query = select(_c.id).where(_c.table == table, _c.kind == kind, begins, _c.ended.is_(None))
    return db.execute(query).first() is not None


def of_table(db: Connection, alert: AlertMessage, received: str) -> bool:
    """Store an alert that a table raised; it has ended already if its round is stored.

    Its text is believed until the round comes, whose entries say what it is.
    """
    rounds = schema.rounds.c
    closing = (
        select(rounds.closed)
        .where(rounds.table == alert.table, rounds.record == alert.record, rounds.seq >= alert.seq)
        .order_by(rounds.seq)
        .limit(1)
    )
    closed = db.execute(closing).scalar()
    is_new = _store(db, alert, received, closed)
    if not is_new and closed is not None:
        same = (_c.table == alert.table, _c.kind == TABLE, _c.key == _key(alert))
        text = db.execute(select(_c.text).where(*same)).scalar()
        if text != alert.text:
            raise_false(db, alert.table, _false(alert.seq, alert.text, str(text)), received, alert.round)
    return is_new


def round_is_over(db: Connection, message: RoundClosed, received: str, present: bool) -> int:
    """A round was stored: store its alerts, and end all alerts of it and of the rounds before.

    An alert that came before it and is not in its entries was made up.

    Args:
        present: whether the round's record is the table's present one, so that the alerts of others have ended.

    Returns:
        How many of the round's alerts are new.
    """
    query = select(_c.id, _c.key, _c.text).where(_c.table == message.table, _c.kind == TABLE, _c.ended.is_(None))
    over = [(id_, key, text) for id_, key, text in db.execute(query) if _is_over(key, message, present)]
    true = {_key(alert): alert for alert in message.alerts}
    for id_, key, text in over:
        alert = true.get(key)
        if alert is not None and alert.text != text:
            db.execute(
                update(_alerts).where(_c.id == id_).values(text=alert.text, remedy=alert.remedy, at=alert.at)
            )
        if (alert is None and _is_listed(key, message)) or (alert is not None and alert.text != text):
            is_so = alert.text if alert is not None else "nothing"
            raise_false(db, message.table, _false(int(key.split(":")[1]), text, is_so), received, message.number)
    if over:
        db.execute(update(_alerts).where(_c.id.in_([id_ for id_, _, _ in over])).values(ended=message.closed))
    return sum(_store(db, alert, received, message.closed) for alert in message.alerts)


def _false(seq: int, said: str, is_so: str) -> str:
    return f"an alert of entry {seq} was said to be '{said[:200]}', and is '{is_so[:200]}' by the entry"


def _key(alert: AlertMessage) -> str:
    return f"{alert.record}:{alert.seq}:{alert.part}"


def _store(db: Connection, alert: AlertMessage, received: str, ended: str | None) -> bool:
    key, table = _key(alert), alert.table
    return raise_alert(
        db, table, TABLE, key, alert.at, alert.text, received, alert.remedy, alert.round, ended, alert.hash
    )


def _is_listed(key: str, message: RoundClosed) -> bool:
    """Whether an alert with this key would be in a round's message, which lists the latest ones."""
    record, seq, part = key.split(":")
    first = min(((alert.seq, alert.part) for alert in message.alerts), default=(message.first, 0))
    return record == message.record and first <= (int(seq), int(part)) and int(seq) <= message.seq


def _is_over(key: str, message: RoundClosed, present: bool) -> bool:
    record, seq, _ = key.split(":")
    return int(seq) <= message.seq if record == message.record else present
