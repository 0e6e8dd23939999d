"""Responses that cover many rounds: the figures of the statistics page, and exports."""

from collections.abc import Callable
from http import HTTPStatus

from controller.floor.pages import charts
from controller.floor.pages.documents import Statistics
from controller.floor.queries.export import (
    COLUMNS,
    ExportedRows,
    as_csv,
    as_json_array,
    columns_of_statistics,
    exported_rounds,
    exported_statistics,
)
from controller.floor.queries.query_pool import QueryPool
from controller.floor.queries.scope import HOUR_MS, Scope, scope_of
from controller.floor.queries.statistics import BY, kept_scope, statistics
from controller.floor.queries.times import utc_of
from controller.floor.store.retention import kept_from
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS, KINDS, as_json

CSV, JSON = "text/csv; charset=utf-8; header=present", "application/json"
_NOTHING = "there is nothing here; exports are rounds and statistics, .csv and .json"
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
        if what not in ("rounds", "statistics") or kind not in ("csv", "json"):
            return as_json({"error": _NOTHING}, HTTPStatus.NOT_FOUND)
        try:
            if what == "rounds":
                return await self._rounds(request, scope_of(request.query, self._now_ms()), kind)
            scope = scope_of(request.query, self._now_ms(), ("by",))
            return await self._statistics(request, scope, kind)
        except ValueError as error:
            return as_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)

    async def _rounds(self, request: Request, scope: Scope, kind: str) -> Response:
        def encode(rows: ExportedRows) -> bytes:
            return as_csv(COLUMNS, rows) if kind == "csv" else as_json_array(rows)

        body = await self._pool.ask(lambda connection: encode(exported_rounds(connection, scope)), request.peer)
        return _file(body, "rounds", kind)

    async def _statistics(self, request: Request, scope: Scope, kind: str) -> Response:
        by = by_of(request)
        rows = await self._pool.ask(lambda connection: exported_statistics(connection, scope, by), request.peer)
        body = as_csv(columns_of_statistics(by), rows) if kind == "csv" else as_json_array(rows)
        return _file(body, "statistics", kind)


def _file(body: bytes, name: str, kind: str) -> Response:
    disposition = ("Content-Disposition", f'attachment; filename="{name}.{kind}"')
    return Response(HTTPStatus.OK, body, CSV if kind == "csv" else JSON, (*GUARDS, FRESH, disposition))
