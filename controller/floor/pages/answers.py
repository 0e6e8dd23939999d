"""Responses that cover many rounds: exports."""

from collections.abc import Callable
from http import HTTPStatus

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
from controller.floor.queries.scope import Scope, scope_of
from controller.floor.queries.statistics import BY
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS, as_json

CSV, JSON = "text/csv; charset=utf-8; header=present", "application/json"
_NOTHING = "there is nothing here; exports are rounds and statistics, .csv and .json"


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
