"""Adds numbers to those that are stored: for sums that several floors' processes may add to."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ARRAY, Connection, Table, func, literal, select
from sqlalchemy.dialects import postgresql


def add_rows(db: Connection, table: Table, sums: Mapping[tuple[str, ...], Sequence[int]]) -> None:
    """Add numbers to the rows of a table; a row that is not there yet begins with 0.

    Rows are taken in the order of their keys, so that two processes never wait for each other.

    Args:
        sums: by primary key, in the order of its columns, the numbers of the other columns in theirs.
    """
    changed = [(*key, *numbers) for key, numbers in sorted(sums.items()) if any(numbers)]
    if not changed:
        return
    if db.dialect.name == "postgresql":
        _add_arrays(db, table, changed)
    else:
        # Straight to the driver: what SQLAlchemy does for each row would take twice as long as the row.
        db.exec_driver_sql(_statement(table), changed)


def _add_arrays(db: Connection, table: Table, rows: Sequence[tuple[object, ...]]) -> None:
    """One statement with an array a column: a row costs a fraction of what one with values of its own does."""
    arrays = [
        func.unnest(literal(list(values), ARRAY(column.type)))
        for column, values in zip(table.columns, zip(*rows, strict=True), strict=True)
    ]
    names = [column.name for column in table.columns]
    statement: Any = postgresql.insert(table).from_select(names, select(*arrays))
    added = {name: table.c[name] + statement.excluded[name] for name in _numbers(table)}
    db.execute(statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=added))


@cache
def _statement(table: Table) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    keys = ", ".join(f'"{column.name}"' for column in table.primary_key)
    added = ", ".join(f'"{name}" = "{name}" + excluded."{name}"' for name in _numbers(table))
    places = ", ".join("?" * len(table.columns))
    return f"INSERT INTO {table.name} ({names}) VALUES ({places}) ON CONFLICT ({keys}) DO UPDATE SET {added}"


def _numbers(table: Table) -> list[str]:
    return [column.name for column in table.columns if not column.primary_key]
