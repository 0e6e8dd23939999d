"""Responses that cover many rounds: exports."""

import io
from collections.abc import Callable
from http import HTTPStatus

from sqlalchemy import Connection

from controller.floor.exports.export_file import FORMATS, write_export
from controller.floor.exports.export_rows import check_size
from controller.floor.exports.export_tables import EXPORTS, ExportTable
from controller.floor.exports.text_formats import csv_text, json_text
from controller.floor.queries.export import columns_of_statistics, exported_statistics
from controller.floor.queries.query_pool import QueryPool
from controller.floor.queries.scope import Scope, scope_of
from controller.floor.queries.statistics import BY
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS, as_json

MOST_ROWS = 50_000
"""The most rows of the store in one export of the pages: it is made in memory."""
EXPORT_KINDS = {
    "csv": "text/csv; charset=utf-8; header=present",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
_NOTHING = (
    f"there is nothing here; exports are {', '.join(EXPORTS)}: .{', .'.join(FORMATS)}; and statistics: .csv, .json"
)


def by_of(request: Request) -> str:
    """What the requested figures are grouped by; by table if the request does not say.

    Raises:
        ValueError: no such grouping exists.
    """
    by = request.query.get("by", BY[0])
    if by not in BY:
        raise ValueError(f"'by' must be one of {', '.join(BY)}, not '{by[:40]}'")
    return by


class Exports:
    """Answers below ``/export/``."""

    def __init__(self, pool: QueryPool, now_ms: Callable[[], int]) -> None:
        self._pool = pool
        self._now_ms = now_ms

    async def answer(self, request: Request) -> Response:
        """A file, or a sentence that names what is wrong with the request."""
        what, _, kind = request.path.removeprefix("/export/").partition(".")
        is_known = kind in FORMATS if what in EXPORTS else what == "statistics" and kind in ("csv", "json")
        if not is_known:
            return as_json({"error": _NOTHING}, HTTPStatus.NOT_FOUND)
        try:
            if what in EXPORTS:
                return await self._table(request, EXPORTS[what], kind)
            scope = scope_of(request.query, self._now_ms(), ("by",))
            return await self._statistics(request, scope, kind)
        except ValueError as error:
            return as_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)

    async def _table(self, request: Request, table: ExportTable, kind: str) -> Response:
        scope = scope_of(request.query, self._now_ms(), known=table.parameters)

        def encode(connection: Connection) -> bytes:
            check_size(connection, table, scope, MOST_ROWS)
            body = io.BytesIO()
            write_export(body, connection, table, scope, kind)
            return body.getvalue()

        return _file(await self._pool.ask(encode, request.peer), table.name, kind)

    async def _statistics(self, request: Request, scope: Scope, kind: str) -> Response:
        by = by_of(request)
        rows = await self._pool.ask(lambda connection: exported_statistics(connection, scope, by), request.peer)
        encode = csv_text if kind == "csv" else json_text
        return _file(b"".join(encode(columns_of_statistics(by), [rows])), "statistics", kind)


def _file(body: bytes, name: str, kind: str) -> Response:
    disposition = ("Content-Disposition", f'attachment; filename="{name}.{kind}"')
    return Response(HTTPStatus.OK, body, EXPORT_KINDS[kind], (*GUARDS, FRESH, disposition))
