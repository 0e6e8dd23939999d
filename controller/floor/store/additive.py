"""Adds numbers to those that are stored: for sums that several floors' processes may add to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ARRAY, Connection, Table, func, literal, select
from sqlalchemy.dialects import postgresql, sqlite


def add_rows(db: Connection, table: Table, sums: Mapping[tuple[str, ...], Sequence[int]]) -> None:
    """Add numbers to the rows of a table; a row that is not there yet begins with 0.

    Rows are taken in the order of their keys, so that two processes never wait for each other.

    Args:
        sums: by primary key, in the order of its columns, the numbers of the other columns in theirs.
    """
    changed = [(*key, *numbers) for key, numbers in sorted(sums.items()) if any(numbers)]
    if not changed:
        return
    names = [column.name for column in table.columns]
    statement: Any
    if db.dialect.name == "postgresql":
        # One statement with an array a column: a row costs a fraction of what one with values of its own does.
        arrays = [
            func.unnest(literal(list(values), ARRAY(column.type)))
            for column, values in zip(table.columns, zip(*changed, strict=True), strict=True)
        ]
        db.execute(_adding(postgresql.insert(table).from_select(names, select(*arrays)), table))
        return
    statement = _adding(sqlite.insert(table), table)
    db.execute(statement, [dict(zip(names, row, strict=True)) for row in changed])


def _adding(statement: Any, table: Table) -> Any:
    keys = [column.name for column in table.primary_key]
    new = statement.excluded
    added = {name: table.c[name] + new[name] for name in _others(table, keys)}
    return statement.on_conflict_do_update(index_elements=keys, set_=added)


def _others(table: Table, keys: Sequence[str]) -> Iterable[str]:
    return (column.name for column in table.columns if column.name not in keys)
