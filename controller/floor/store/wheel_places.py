"""At which table each wheel is. The spins of a wheel count for it only from the table that has it.

A wheel is where a record first says that it is, until that table's record says that it has another wheel, or none,
or a person says that it was moved. Spins under its serial number at a second table meanwhile are kept under the
number and that table's name.
"""

from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from controller.floor.store import schema
from controller.floor.store.alerts import WHEEL, raise_alert
from controller.messages.models import RoundClosed

_LONGEST = 80
_REMEDY = (
    "see which table has the wheel; if it was moved: table-controller settle FILE wheel TABLE --serial NUMBER; "
    "else correct the serial number in the file of the other table"
)

_places = schema.wheel_places.c


def counted_under(db: Connection, message: RoundClosed, received: str) -> str:
    """The name under which a stored round's spins count: the serial number, if its wheel is at this table."""
    table, wheel, closed = message.table, message.wheel, message.closed
    mine = _of_table(db, table)
    present = next((row for row in mine if row.until is None), None)
    if present is not None and present.wheel == wheel:
        return wheel
    if present is not None and present.since < closed:  # It has another wheel, or none, now.
        _end(db, present.wheel, table, closed)
    if not wheel:
        return ""
    earlier = next((row for row in mine if row.wheel == wheel), None)
    if earlier is not None and earlier.until is not None and closed <= earlier.until:
        return wheel  # A round that comes late, from when the wheel was here.
    holder = _holder(db, wheel, table)
    if holder is not None:
        key = f"{wheel[: _LONGEST - len(table) - 4]} at {table}"
        text = f"table {table} names the wheel {wheel}, which is at table {holder}; its spins are kept as {key}"
        raise_alert(db, table, WHEEL, f"{wheel}:{holder}", closed, text, received, _REMEDY, message.number)
        return key
    place(db, wheel, table, closed)
    return wheel


def place(db: Connection, wheel: str, table: str, since: str) -> None:
    """A wheel is at a table from now on."""
    here = (_places.wheel == wheel, _places.table == table)
    if db.execute(select(_places.wheel).where(*here)).first() is None:
        db.execute(insert(schema.wheel_places).values(wheel=wheel, table=table, since=since))
    else:
        db.execute(update(schema.wheel_places).where(*here).values(since=since, until=None))


def move(db: Connection, wheel: str, table: str, at: str) -> str:
    """A person says that a wheel is at a table now; returns where it was, empty for nowhere."""
    holder = _holder(db, wheel, table) or ""
    if holder:
        _end(db, wheel, holder, at)
    present = next((row for row in _of_table(db, table) if row.until is None and row.wheel != wheel), None)
    if present is not None:
        _end(db, present.wheel, table, at)
    place(db, wheel, table, at)
    return holder


def _of_table(db: Connection, table: str) -> list[Row[Any]]:
    return list(db.execute(select(schema.wheel_places).where(_places.table == table)))


def _end(db: Connection, wheel: str, table: str, at: str) -> None:
    db.execute(update(schema.wheel_places).where(_places.wheel == wheel, _places.table == table).values(until=at))


def _holder(db: Connection, wheel: str, table: str) -> str | None:
    """The other table that has a wheel; of a wheel of which nothing is kept yet, the last one with its rounds."""
    rows = list(db.execute(select(_places.table, _places.until).where(_places.wheel == wheel)))
    if rows:
        return next((row.table for row in rows if row.until is None and row.table != table), None)
    rounds = schema.rounds.c
    query = select(rounds.table).where(rounds.wheel == wheel).order_by(rounds.closed.desc()).limit(1)
    last = db.execute(query).scalar()
    if last is None or last == table:
        return None
    place(db, wheel, str(last), "")
    return str(last)
