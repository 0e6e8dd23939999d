"""Rows as CSV (RFC 4180).

A cell that a spreadsheet would read as a formula (it begins with = + - @, a tab or a line break) gets an apostrophe
before it (OWASP, CSV injection), and so does one that begins with an apostrophe. A program that removes one leading
apostrophe from each text gets what is stored.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from controller.floor.exports.export_rows import check_complete, row_batches
from controller.floor.exports.export_tables import Cells, ExportTable
from controller.floor.queries.scope import Scope

CSV = "text/csv; charset=utf-8; header=present"
_GUARDED = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def csv_text(columns: Sequence[str], batches: Iterable[Iterable[Sequence[Any]]]) -> Iterator[bytes]:
    """A header line and a line for each row, UTF-8; lists and parts within a cell are separated by ``; ``."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for rows in batches:
        writer.writerows(map(_cells, rows))
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def export_csv(
    connection: Connection, table: ExportTable, scope: Scope, advance: Callable[[int], None] = lambda _: None
) -> Iterator[bytes]:
    """All rows of a scope, a piece at a time.

    Args:
        connection: in a transaction that sees one state of the store.
        advance: is called with the number of the store's rows that were read since the last call.

    Raises:
        ExportError: the store does not have all rows of the scope; there is no piece then.
        SQLAlchemyError: the store cannot be read on.
    """
    check_complete(connection, table, scope)

    def counted() -> Iterator[list[Cells]]:
        for read, rows in row_batches(connection, table, scope):
            yield rows
            advance(read)

    yield from csv_text(table.columns, counted())


def _cells(row: Sequence[Any]) -> list[object]:
    return [_cell(value) for value in row]


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, str):
        return _guarded(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        return _guarded("; ".join(f"{name}={part}" for name, part in value.items()))
    if isinstance(value, list | tuple):
        return _guarded("; ".join(map(str, value)))
    return _guarded(str(value))


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(_GUARDED) else text
