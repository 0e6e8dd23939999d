"""Reads the rows of an export from the store, some thousands at a time: memory does not grow with their number.

All of them are read in one transaction of the caller's, so that they are one state of the store.
"""

from collections.abc import Iterator
from itertools import chain

from sqlalchemy import Connection, func, select

from controller.floor.exports.export_tables import Cells, ExportTable
from controller.floor.queries.scope import Scope
from controller.floor.store.hour_sums import unsummed
from controller.floor.store.retention import kept_from

BATCH = 2_000
"""How many rows of the store are read at once."""


class ExportError(ValueError):
    """The export would not be complete; the message says why, and what to ask for."""


class NotKeptError(ExportError):
    """Rounds of the requested time were deleted."""


class TooMuchError(ExportError):
    """The requested rows exceed what may be exported at once."""


def check_complete(connection: Connection, table: ExportTable, scope: Scope) -> None:
    """Whether the store has all rows of a scope.

    Raises:
        NotKeptError: some may have been deleted; the message says from when on all are kept.
        ExportError: the sums of earlier rounds are still being made.
    """
    kept = kept_from(connection)
    if table.of_rounds and scope.since < kept:
        raise NotKeptError(
            f"rounds are kept from {kept} on, as retention: in the floor's file says, and the request is from "
            f"{scope.since}: choose 'from={kept}' or later; statistics and sums go back further"
        )
    if table.of_sums and unsummed(connection) != 0:
        raise ExportError(
            "the sums of earlier rounds are not complete yet: the running floor makes them; try again later"
        )


def count_rows(connection: Connection, table: ExportTable, scope: Scope) -> int:
    """How many rows of the store the export is made from; of spins, how many rounds."""
    of = table.read[0].table
    return connection.execute(
        select(func.count()).select_from(of).where(*table.conditions(scope, connection))
    ).scalar_one()


def check_size(connection: Connection, table: ExportTable, scope: Scope, most: int) -> None:
    """Whether an export is made from a limited number of the store's rows.

    Raises:
        TooMuchError: there are more; the message gives their number and the remedy.
    """
    count = count_rows(connection, table, scope)
    if count > most:
        what = "rounds" if table.of_rounds else table.name
        raise TooMuchError(
            f"these are {count:,} {what}, and an export holds at most {most:,}: choose 'from' and 'to' closer "
            f"together, or a table, or use 'floor FILE --export' on the floor's computer; the request is from "
            f"{scope.since} to {scope.until}"
        )


def row_batches(connection: Connection, table: ExportTable, scope: Scope) -> Iterator[tuple[int, list[Cells]]]:
    """The rows in their order: each time how many of the store's were read, and the export's made from them.

    Raises:
        SQLAlchemyError: the store cannot be read on.
    """
    query = select(*table.read).where(*table.conditions(scope, connection)).order_by(*table.order)
    # PostgreSQL would else send all rows before the first is taken.
    result = connection.execution_options(stream_results=True, max_row_buffer=BATCH).execute(query)
    try:
        for rows in result.partitions(BATCH):
            yield len(rows), list(chain.from_iterable(map(table.cells, rows)))
    finally:
        result.close()
