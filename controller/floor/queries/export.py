"""Rounds and figures as files: CSV (RFC 4180) for spreadsheets, JSON for programs.

A cell that a spreadsheet would read as a formula (it begins with = + - @, a tab or a line break) gets an
apostrophe before it (OWASP, CSV injection). An export is complete or refused: a truncated file would look
complete.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from controller.floor.queries.scope import Scope
from controller.floor.queries.statistics import statistics
from controller.floor.store.retention import kept_from
from controller.floor.store.schema import rounds

MOST_ROUNDS = 50_000
"""The most rounds in one export."""
COLUMNS = (
    *("table", "record", "first", "seq", "hash", "number", "game", "opened", "closed", "wheel", "dealer"),
    *("results", "voids", "returned", "corrections", "phases", "checked"),
)
"""Of a round: as the store has them."""
FIGURES = (
    *("name", "rounds", "spins", "an_hour", "an_hour_in_play", "play_ms", "void_rate", "voids", "corrections"),
    *("corrections_per_1000", "phases"),
)
"""Of statistics: as :class:`controller.floor.queries.statistics.Figures` explains them."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
ExportedRows = Sequence[Mapping[str, Any]]


class NotKeptError(ValueError):
    """Rounds of the requested time were deleted."""


class TooMuchError(ValueError):
    """The requested rounds exceed the size of an export."""


def exported_rounds(connection: Connection, scope: Scope) -> ExportedRows:
    """The rounds, in the order in which they closed.

    Raises:
        TooMuchError: there are more than fit; the message gives their number and the remedy.
        NotKeptError: some may have been deleted; the message says from when on all are kept.
    """
    kept = kept_from(connection)
    if scope.since < kept:
        raise NotKeptError(
            f"rounds are kept from {kept} on, as retention: in the floor's file says, and the request is from "
            f"{scope.since}: choose 'from={kept}' or later; statistics go back further"
        )
    where = scope.conditions(connection)
    count = connection.execute(select(func.count()).select_from(rounds).where(*where)).scalar_one()
    if count > MOST_ROUNDS:
        raise TooMuchError(
            f"these are {count:,} rounds, and an export holds at most {MOST_ROUNDS:,}: choose 'from' and 'to' "
            f"closer together, or a table; the request is from {scope.since} to {scope.until}"
        )
    query = select(*(rounds.c[name] for name in COLUMNS)).where(*where)
    return [
        dict(row)
        for row in connection.execute(query.order_by(rounds.c.closed, rounds.c.table, rounds.c.id)).mappings()
    ]


def exported_statistics(connection: Connection, scope: Scope, by: str) -> ExportedRows:
    """The figures by table, wheel, game or dealer; the first column is named after it."""
    return [
        {by if name == "name" else name: value for name, value in _picked(one.document(), FIGURES).items()}
        for one in statistics(connection, scope, by)
    ]


def columns_of_statistics(by: str) -> tuple[str, ...]:
    """The names of the columns."""
    return (by, *FIGURES[1:])


def as_csv(columns: Sequence[str], rows: ExportedRows) -> bytes:
    """A header line and a line for each row, UTF-8; lists and parts within a cell are separated by ``; ``."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row[name]) for name in columns] for row in rows)
    return text.getvalue().encode()


def as_json_array(rows: ExportedRows) -> bytes:
    """An array with an object for each row, UTF-8."""
    return json.dumps(list(rows), ensure_ascii=False, allow_nan=False, indent=None).encode() + b"\n"


def _picked(document: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: document[name] for name in names}


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        return _escape_formula("; ".join(f"{name}={part}" for name, part in value.items()))
    if isinstance(value, list | tuple):
        return _escape_formula("; ".join(map(str, value)))
    return _escape_formula(str(value))


def _escape_formula(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
