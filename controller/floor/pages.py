"""The floor's web pages: all tables, one table, wheels, figures of a period, rounds, and ``/metrics``.

They only read the database. Each page is a document of :mod:`controller.floor.documents` and a template; with
``?format=json`` the document itself is returned. Requests are answered in a few threads, so that a slow query holds
up neither the loop nor the next page.
"""

import logging
import socket
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio.to_thread
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from controller import __version__
from controller.events.words import plain, spoken
from controller.floor import charts, documents
from controller.floor.documents import Document, MissingError
from controller.floor.figures import BY, PERIODS, QueryError
from controller.floor.metrics import FloorMetrics
from controller.web.serving import Guard, listening_at_last, serve

log = logging.getLogger("floor")

THREADS = 4
"""Requests that are answered at a time; the floor's own work shares the processor with them."""
MOST_CONNECTIONS = 256
_HERE = Path(__file__).parent
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Charts have style sheets of their own within the page."""
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_SCOPE = ("period", "from", "to", *BY)
_ERRORS = (HTTPException, QueryError, MissingError, SQLAlchemyError)


def local_zone() -> tzinfo:
    """The time zone of this computer."""
    try:
        with open("/etc/localtime", "rb") as file:
            return ZoneInfo.from_file(file, key="local time")
    except (OSError, ValueError):
        return UTC


class Pages:
    """The web application of one floor.

    Args:
        engine: of the floor's database.
        floor: its name.
        odds: of the alarm about a wheel, to 1.
        hosts: names by which other computers call this one; a request by any other name is refused.
        zone: of the times that people read.
    """

    def __init__(
        self,
        engine: Engine,
        metrics: FloorMetrics,
        floor: str,
        odds: int,
        hosts: Sequence[str] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        zone: tzinfo | None = None,
    ) -> None:
        self._engine, self._metrics, self._now, self._zone = engine, metrics, now, zone or local_zone()
        self._templates = _environment(self._zone, floor, odds)
        self.application = Starlette(
            routes=[
                self._page("/", "overview", documents.overview),
                self._page("/tables/{name:path}", "table", documents.table),
                self._page("/wheels", "wheels", documents.wheels),
                self._page("/wheels/{name:path}", "wheel", documents.wheel),
                self._page("/figures", "figures", documents.figures_of, (*_SCOPE, "by")),
                self._page("/rounds", "rounds", documents.rounds_of, (*_SCOPE, "void", "before")),
                self._page("/rounds/{record:number}/{number:number}", "round", documents.round_of),
                Route("/metrics", self._answer_metrics),
                Mount("/assets", StaticFiles(directory=_HERE / "assets")),
            ],
            exception_handlers=dict.fromkeys(_ERRORS, self._failed),
            middleware=[Middleware(Guard, hosts=hosts, headers=HEADERS)],
        )

    async def serve(self, address: str, port: int) -> None:
        """Serve the pages until cancelled. While the port is not available: retry; the floor goes on without."""
        listener = await listening_at_last(address, port, log)
        log.info("the floor's pages are at http://%s:%d/", address, port)
        await self.serve_on(listener)

    async def serve_on(self, listener: socket.socket) -> None:
        """Serve the pages on a listening socket until cancelled."""
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        await serve(self.application, listener, MOST_CONNECTIONS)

    def _page(
        self, path: str, template: str, read: Callable[..., Document], parameters: Sequence[str] = ()
    ) -> Route:
        def answer(request: Request) -> Response:
            _check(request, parameters)
            now = self._now().astimezone(self._zone)
            with self._engine.connect() as connection:
                document = read(connection, now, request.query_params, **request.path_params)
            return self._respond(template, request, document)

        return Route(path, answer)

    def _respond(self, template: str, request: Request, document: Document, status: int = 200) -> Response:
        if request.query_params.get("format") == "json":
            return JSONResponse(document, status)
        query = {key: value for key, value in request.query_params.items() if key != "format"}
        page = self._templates.get_template(f"{template}.html")
        now = self._now().astimezone(self._zone)
        return HTMLResponse(page.render(document, query=query, path=request.url.path, now=now), status)

    def _failed(self, request: Request, error: Exception) -> Response:
        """A page that says what is wrong."""
        if isinstance(error, HTTPException):
            status, sentence = error.status_code, error.detail
            if status == 404:
                sentence = f"There is no page {request.url.path}."
        elif isinstance(error, SQLAlchemyError):
            log.error("no page %s: %s", request.url.path[:80], str(error).partition("\n")[0])
            status, sentence = 503, "The floor's database cannot be read. The floor's log has the reason."
        else:
            status, sentence = 404 if isinstance(error, MissingError) else 400, str(error)
        return self._respond("error", request, {"error": sentence, "status": status}, status)

    def _answer_metrics(self, _: Request) -> Response:
        return Response(generate_latest(self._metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})


def _check(request: Request, parameters: Sequence[str]) -> None:
    """Refuse what a query does not have: a misspelt name would silently show something else."""
    known = (*parameters, "format")
    for name, value in request.query_params.multi_items():
        if name not in known:
            raise QueryError(f"This page has no parameter '{name}'. It has {', '.join(known)}.")
        if name == "format" and value not in ("html", "json"):
            raise QueryError(f"There is no format '{value}'. Use html or json.")


def _environment(zone: tzinfo, floor: str, odds: int) -> Environment:
    """The templates with their filters."""
    loader = FileSystemLoader(_HERE / "templates")
    made = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )

    def when(text: str, form: str = "%-d %b %H:%M:%S") -> str:
        """A time of the database in the floor's time zone."""
        return datetime.fromisoformat(text).astimezone(zone).strftime(form)

    def odds_text(log10: float) -> str:
        """Evidence as odds: ``25 to 1``, ``10^6.2 to 1``."""
        return f"10^{log10:.1f} to 1" if log10 >= 6 else f"{10**log10:,.{1 if log10 < 1 else 0}f} to 1"

    made.globals |= {"floor": floor, "odds": odds, "version": __version__}
    made.globals |= {"charts": charts, "BY": BY, "PERIODS": PERIODS}
    made.filters |= {"when": when, "plain": plain, "spoken": spoken, "odds_text": odds_text, "n": "{:,}".format}
    return made
