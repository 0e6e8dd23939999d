"""Responses that cover many rounds: the figures of the statistics page, and exports."""

import io
from collections.abc import Callable
from http import HTTPStatus

from sqlalchemy import Connection

from controller.floor.exports.export_file import FORMATS, write_export
from controller.floor.exports.export_rows import check_size
from controller.floor.exports.export_tables import EXPORTS, ExportTable
from controller.floor.exports.text_formats import csv_text, json_text
from controller.floor.pages import charts
from controller.floor.pages.documents import Statistics
from controller.floor.queries.export import columns_of_statistics, exported_statistics
from controller.floor.queries.query_pool import QueryPool
from controller.floor.queries.scope import HOUR_MS, Scope, scope_of
from controller.floor.queries.statistics import BY, kept_scope, statistics
from controller.floor.queries.times import utc_of
from controller.floor.store.retention import kept_from
from controller.web.http import Request, Response
from controller.web.routes import FRESH, GUARDS, KINDS, as_json

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
MOST_HOURS = 24 * 366
_DRAWN = 40
"""The most bars that a chart shows legibly."""


def by_of(request: Request) -> str:
    """What the requested figures are grouped by; by table if the request does not say.

    Raises:
        ValueError: no such grouping exists.
    """
    by = request.query.get("by", BY[0])
    if by not in BY:
        raise ValueError(f"'by' must be one of {', '.join(BY)}, not '{by[:40]}'")
    return by


class Sums:
    """Answers ``/statistics.json`` and ``/statistics/phases.svg``."""

    def __init__(self, pool: QueryPool, now_ms: Callable[[], int]) -> None:
        self._pool = pool
        self._now_ms = now_ms

    async def answer(self, request: Request) -> Response:
        """Figures by table, wheel, game or dealer."""
        if request.path not in ("/statistics.json", "/statistics/phases.svg"):
            return as_json({"error": "there is nothing here"}, HTTPStatus.NOT_FOUND)
        try:
            by, scope = by_of(request), self._scope(request)
        except ValueError as error:
            return as_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        figures, scope, kept = await self._pool.ask(
            lambda connection: (
                statistics(connection, scope, by),
                kept_scope(connection, scope),
                kept_from(connection),
            ),
            request.peer,
        )
        if request.path.endswith(".svg"):
            most = sorted(figures, key=lambda one: -one.rounds)[:_DRAWN]
            rows = [(one.name or "none", one.phases) for one in most]
            drawn = charts.stacked(f"Time in each state, by {by}", rows)
            return Response(HTTPStatus.OK, drawn.encode(), KINDS["svg"], (*GUARDS, FRESH))
        rows_by_name = [one.document() for one in figures]
        document: Statistics = {
            "by": by,
            "from": scope.since,
            "to": scope.until,
            "kept_from": kept,
            "figures": rows_by_name,
        }
        return as_json(document)

    def _scope(self, request: Request) -> Scope:
        """The requested scope; ``hours=8`` is the last eight by the floor's clock, as a browser's may be wrong."""
        now_ms, query = self._now_ms(), dict(request.query)
        hours = query.pop("hours", "")
        if hours:
            if not (hours.isascii() and hours.isdigit() and 1 <= int(hours[:6]) <= MOST_HOURS) or "from" in query:
                raise ValueError(f"'hours' must be a whole number from 1 to {MOST_HOURS}, without 'from'")
            query["from"] = utc_of(now_ms - int(hours) * HOUR_MS)
        return scope_of(query, now_ms, ("by", "hours"))


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
