"""How far each record was relayed to the group's floor, and what that cannot have. A house's floor writes it."""

import secrets
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from controller.floor.store import schema
from controller.floor.store.alerts import GROUP, end_alerts, raise_alert
from controller.floor.store.engine import insert_new, upsert
from controller.floor.store.schema import relayed


class RecordPlace(NamedTuple):
    """A record of a table."""

    table: str
    record: str


OF_ALERTS = RecordPlace("", "")
"""The place of the alerts of all tables."""
_IDENTITY = "identity"
"""The key in ``about`` of what tells this store from every other."""
_REMEDY = (
    "the table's journal may still have them; once it is decided that the group goes without: table-controller "
    "settle FILE group TABLE here, and settle the gap at the group's floor"
)
_HELD = "see what keeps the relay from the group's broker: the floor's log, and group: in its file"
_records = schema.records.c
_alerts = schema.alerts.c


def relayed_to(db: Connection, table: str, record: str) -> int:
    """The last entry of a record that the group's broker has; 0 for none."""
    place = (relayed.c.table == table, relayed.c.record == record)
    return db.execute(select(relayed.c.seq).where(*place)).scalar() or 0


def keep_relayed(db: Connection, places: Mapping[RecordPlace, int]) -> None:
    """The group's broker has these tables' rounds of these records up to these entries; alerts up to this id."""
    rows = [{"table": table, "record": record, "seq": seq} for (table, record), seq in sorted(places.items())]
    upsert(db, relayed, rows)


def never_relayed(db: Connection, table: str, record: str, seq: int, why: str, utc: str) -> None:
    """A round is stored, and the group's floor cannot have it: keep one alert for all of a record."""
    text = f"the group lacks rounds of the table, the last of them up to entry {seq}: {why}"
    _raise(db, table, f"{record}:lost", text, utc, _REMEDY)


def group_lacks(db: Connection, table: str, record: str, last: int, utc: str, after: int | None = None) -> None:
    """The rounds up to an entry are deleted here: an alert names those that the group's floor lacks, if any.

    Args:
        after: the entry up to which the group's floor is complete, as it says; None for what was relayed.
    """
    complete = relayed_to(db, table, record) if after is None else after
    if complete >= last:
        return
    text = f"the group lacks entries {complete + 1} to {last} of the table's record; deleted here by {utc[:10]}"
    _raise(db, table, f"{record}:{complete + 1}", text, utc, _REMEDY)


def held_for_group(db: Connection, table: str, record: str, first: int | None, utc: str) -> None:
    """Rounds from an entry on are kept longer, since the group's floor lacks them: keep the alert of that.

    Args:
        first: None if nothing is kept longer.
    """
    key = f"{record}:held"
    if first is None:
        end_alerts(db, table, GROUP, key, utc)
        return
    text = f"rounds from entry {first} on are older than retention: says, and kept: the group's floor lacks them"
    _raise(db, table, key, text, utc, _HELD)


def _raise(db: Connection, table: str, key: str, text: str, utc: str, remedy: str) -> None:
    """Raise an alert, or let it say what is so now."""
    if not raise_alert(db, table, GROUP, key, utc, text, utc, remedy):
        same = (_alerts.table == table, _alerts.kind == GROUP, _alerts.key == key)
        changed = (_alerts.text != text) | _alerts.ended.is_not(None)
        db.execute(update(schema.alerts).where(*same, changed).values(text=text, remedy=remedy, ended=None))


def identity(db: Connection) -> str:
    """What tells this store from every other, drawn at the first call."""
    insert_new(db, schema.about, {"key": _IDENTITY, "value": secrets.token_hex(16)})
    return str(db.execute(select(schema.about.c.value).where(schema.about.c.key == _IDENTITY)).scalar_one())


def deleted_to(db: Connection, table: str, record: str) -> int:
    """The last entry of a record's rounds that were deleted; 0 for none."""
    place = (_records.table == table, _records.record == record)
    return db.execute(select(_records.deleted_to).where(*place)).scalar() or 0
