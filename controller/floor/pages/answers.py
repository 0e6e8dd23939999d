"""Responses that cover many rounds: exports."""

from collections.abc import Callable
from http import HTTPStatus

from sqlalchemy import Connection

from controller.floor.exports.csv_export import CSV, export_csv
from controller.floor.exports.export_rows import check_size
from controller.floor.exports.export_tables import EXPORTS
from controller.floor.queries.query_pool import QueryPool
from controller.floor.queries.scope import scope_of
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS, as_json

MOST_ROWS = 50_000
"""The most rows of the store in one export of the pages: it is made in memory."""
FILES = {f"/export/{name}.csv": table for name, table in EXPORTS.items()}
"""What can be exported, by path."""
_NOTHING = f"there is nothing here; exports are {', '.join(FILES)}"


class Exports:
    """Answers below ``/export/``."""

    def __init__(self, pool: QueryPool, now_ms: Callable[[], int]) -> None:
        self._pool = pool
        self._now_ms = now_ms

    async def answer(self, request: Request) -> Response:
        """A file, or a sentence that names what is wrong with the request."""
        table = FILES.get(request.path)
        if table is None:
            return as_json({"error": _NOTHING}, HTTPStatus.NOT_FOUND)

        def encode(connection: Connection) -> bytes:
            check_size(connection, table, scope, MOST_ROWS)
            return b"".join(export_csv(connection, table, scope))

        try:
            scope = scope_of(request.query, self._now_ms(), known=table.parameters)
            return csv_file(await self._pool.ask(encode, request.peer), table.name)
        except ValueError as error:
            return as_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)


def csv_file(body: bytes, name: str) -> Response:
    """A file that a browser saves under a name."""
    disposition = ("Content-Disposition", f'attachment; filename="{name}.csv"')
    return Response(HTTPStatus.OK, body, CSV, (*GUARDS, FRESH, disposition))
