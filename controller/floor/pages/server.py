"""The floor's pages: all tables, one table, wheels, statistics, and the exports. They only read the store.

Names of tables and wheels are percent-encoded in addresses; the server has decoded them. Each page is a file of
the package that fetches its document from the page's address with ``.json`` appended.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from config.floor import FloorConfig
from controller import __version__
from controller.fairness.rose import rose
from controller.floor.pages import charts, documents
from controller.floor.pages.answers import Exports
from controller.floor.pages.live import LiveOverview
from controller.floor.pages.missing import MISSING
from controller.floor.pages.statistics_answers import StatisticsAnswers
from controller.floor.queries import details
from controller.floor.queries.houses import houses_document
from controller.floor.queries.query_pool import BusyError, QueryPool
from controller.floor.queries.settling import alert_document
from controller.web.exchange import Request, Response
from controller.web.metrics_token import PLACE as METRICS
from controller.web.metrics_token import MetricsTokenError, token_of, unavailable
from controller.web.opening import keep_open
from controller.web.routes import FRESH, GUARDS, KINDS, Query, Site, as_json
from controller.web.server import HttpServer
from hal.interfaces import Clock

if TYPE_CHECKING:  # Loaded only for a floor whose file asks for metrics.
    from prometheus_client.registry import Collector

    from controller.floor.pages.metrics import FloorMetrics

log = logging.getLogger("floor")

_SERVED = "the floor's pages at http://%s:%d/"
_UNAVAILABLE = "no pages at %s:%d: %s; see screens: in the floor's file; messages are stored all the same; retrying"
_PACKAGES = ("controller.screens", "controller.floor.pages")
_PAGES = {
    "/": "floor.html",
    "/wheels": "wheels.html",
    "/statistics": "statistics.html",
    "/statistics/rounds": "playedrounds.html",
    "/houses": "houses.html",
}
_OF_WHEEL = (".json", "/rose.svg")
"""The documents of one wheel."""
_BUSY = "the store is busy with other requests; try again"
_OWN = "earlier requests from your computer are still being answered, each in its turn; try again"
_BROKEN = "the store cannot be read now; see the floor's log"


class Pages:
    """The pages of a floor.

    Args:
        engine: of the store; the pages read it in threads of their own.
        link: the state of the connection to the broker: connected, since_utc_ms, detail, messages.
    """

    def __init__(
        self,
        config: FloorConfig,
        engine: Engine,
        clock: Clock,
        link: Callable[[], documents.LinkState],
    ) -> None:
        self._config = config
        self._clock = clock
        self._opening: asyncio.Task[None] | None = None
        # A long query over many rounds must not delay the overview.
        self._pool, self._overview_pool = QueryPool(engine, "floor-pages"), QueryPool(engine, "floor-overview")
        self._sums_pool = QueryPool(engine, "floor-sums")
        sums = StatisticsAnswers(self._sums_pool, self._now_ms, config.fairness.odds)
        self.live = LiveOverview(config, self._overview_pool, clock, link)
        queries: dict[str, Query] = {
            "/floor.json": self._with_errors(self._overview),
            "/tables/": self._with_errors(self._table),
            "/wheels": self._with_errors(self._wheels),
            "/houses": self._with_errors(self._houses),
            "/statistics": self._with_errors(sums.answer),
            "/export/": self._with_errors(Exports(self._sums_pool, self._now_ms).answer),
            "/alerts/": self._with_errors(self._alert),
        }
        self._metrics: FloorMetrics | None = None
        if config.screens.metrics:
            queries[METRICS] = self._answer_of_metrics(engine)
        odds = config.fairness.odds
        floor: documents.FloorDescription = {"floor": config.floor, "version": __version__, "odds": odds}
        streams = {"/floor.events": self.live.channel}
        self.site = Site(config.screens.hosts, lambda: floor, _PAGES, streams, {}, queries, _PACKAGES)
        self._server = HttpServer(self.site)

    async def open(self, address: str, port: int) -> int:
        """Listen; returns the port.

        Raises:
            OSError: the address is not available.
        """
        return await self._server.open(address, port)

    async def keep_open(self, address: str, port: int) -> None:
        """Listen; if that is not possible, retry periodically: the store does not need the pages."""
        self._opening = await keep_open(self.open, address, port, log, _SERVED, _UNAVAILABLE)

    def _answer_of_metrics(self, engine: Engine) -> Query:
        """What answers ``/metrics``; without what they need the pages and the store go on."""
        from controller.floor.pages.metrics import FloorMetrics  # Only here is its library loaded.

        config = self._config
        try:
            token = token_of(config.screens.metrics_token)
        except MetricsTokenError as error:
            why = f"screens: metrics_token: {error}"
            log.error("no metrics: %s; messages are stored all the same", why)
            return unavailable(why)
        self._metrics = FloorMetrics(config.floor, engine, self._clock, token)
        return self._metrics.answer

    def measure(self, counted: "Collector") -> None:
        """The metrics show what the floor's process counts, too."""
        if self._metrics is not None:
            self._metrics.measure(counted)

    def changed(self) -> None:
        """The store or the connection to the broker has changed."""
        self.live.changed()

    def close(self) -> None:
        """Stop serving."""
        if self._opening is not None:
            self._opening.cancel()
        self.live.close()
        self._server.close()
        if self._metrics is not None:
            self._metrics.close()
        self._pool.close()
        self._sums_pool.close()
        self._overview_pool.close()

    # -- answers -------------------------------------------------------------------------------------------

    def _now_ms(self) -> int:
        return self._clock.utc_ns() // 1_000_000

    def _with_errors(self, answer: Callable[[Request], Awaitable[Response]]) -> Query:
        async def guarded(request: Request) -> Response:
            try:
                return await answer(request)
            except BusyError as busy:
                if busy.own:
                    return as_json({"error": _OWN}, HTTPStatus.TOO_MANY_REQUESTS)
                return as_json({"error": _BUSY}, HTTPStatus.SERVICE_UNAVAILABLE)
            except SQLAlchemyError as error:
                log.error("the store cannot be read for %s: %s", request.path[:80], str(error).partition("\n")[0])
                return as_json({"error": _BROKEN}, HTTPStatus.SERVICE_UNAVAILABLE)

        return guarded

    async def _overview(self, request: Request) -> Response:
        if request.path != "/floor.json":
            return missing("there is no such page")
        return as_json(await self.live.document())

    async def _houses(self, request: Request) -> Response:
        if request.path != "/houses.json":
            return missing("there is no such page")
        floor, now_ms = self._config.floor, self._now_ms()
        return as_json(await self._pool.ask(lambda store: houses_document(store, floor, now_ms), request.peer))

    async def _table(self, request: Request) -> Response:
        name, kind = _split(request.path.removeprefix("/tables/"), (".json", "/hours.svg", "/phases.svg"))
        if not await self._pool.ask(lambda connection: details.is_known(connection, name), request.peer):
            return missing(f"no table called '{name}' is known on this floor", kind)
        if not kind:
            return self.site.asset(request, "onetable.html")
        if kind == ".json":
            now_ms = self._now_ms()
            found = await self._pool.ask(
                lambda connection: details.table_document(connection, name, now_ms), request.peer
            )
            assert found is not None  # It was known a moment ago, and no table is ever deleted.
            document: documents.TablePage = {**found, "floor": self._config.floor}
            return as_json(document)
        return await self._chart(request, name, kind)

    async def _alert(self, request: Request) -> Response:
        """An alert, and what there is to settle of it."""
        name, kind = _split(request.path.removeprefix("/alerts/"), (".json",))
        id_ = int(name) if name.isascii() and name.isdigit() and len(name) < 16 else 0
        now_ms, floor = self._now_ms(), self._config.floor
        document = await self._pool.ask(lambda store: alert_document(store, id_, floor, now_ms), request.peer)
        if document is None:
            return missing("there is no alert of this number, or it was too old and is deleted", kind)
        return as_json(document) if kind else self.site.asset(request, "onealert.html")

    async def _chart(self, request: Request, table: str, kind: str) -> Response:
        """A table's rounds by the hour, or its time in each state."""
        now_ms = self._now_ms()
        if kind == "/hours.svg":
            scope = details.last_day(table, now_ms)
            hours = await self._pool.ask(lambda connection: details.hours(connection, scope), request.peer)
            names, counts = [hour[11:] for hour, _ in hours], [count for _, count in hours]
            title = "Rounds by the hour in which they closed (UTC)"
            return _svg(charts.bars(title, f"{title}; the numbers are in the list", names, {"rounds": counts}))
        figures = await self._pool.ask(lambda connection: details.phases(connection, table, now_ms), request.peer)
        rows = [(one.name, one.phases) for one in figures]
        title = "Time in each state, the last 24 hours"
        return _svg(charts.stacked(title, f"{title}; the shares are in the tables", rows))

    async def _wheels(self, request: Request) -> Response:
        if request.path == "/wheels.json":
            return as_json(
                await self._pool.ask(lambda store: details.wheels_document(store, self._config), request.peer)
            )
        if not request.path.startswith("/wheels/"):
            return missing("there is no such page")
        rest = request.path.removeprefix("/wheels/")
        name, kind = _split(rest, _OF_WHEEL)
        found = await self._wheel(request, name)
        if found is None and kind:  # A serial number may end like an address.
            name, kind, found = rest, "", await self._wheel(request, rest)
        if found is None:
            end = _split(rest, _OF_WHEEL)[1]
            return missing(f"no spin of a wheel '{name}' is known on this floor", end)
        if kind == "/rose.svg":
            return _svg(rose(found["counts"], found["labels"], f"Where wheel {name} stopped"))
        if not kind:
            return self.site.asset(request, "onewheel.html")
        document: documents.WheelPage = {**found, "utc_ms": self._now_ms()}
        return as_json(document)

    async def _wheel(self, request: Request, name: str) -> documents.WheelDocument | None:
        return await self._pool.ask(lambda store: details.wheel_document(store, self._config, name), request.peer)


def missing(sentence: str, kind: str = "") -> Response:
    """The response for something that does not exist: a page, or a document with the error."""
    if kind:
        return as_json({"error": sentence}, HTTPStatus.NOT_FOUND)
    body = (MISSING % escape(sentence[:300])).encode()
    return Response(HTTPStatus.NOT_FOUND, body, KINDS["html"], (*GUARDS, FRESH))


def _split(rest: str, kinds: tuple[str, ...]) -> tuple[str, str]:
    """A name and the kind of its document; empty for its page."""
    for kind in kinds:
        if rest.endswith(kind):
            return rest.removesuffix(kind), kind
    return rest, ""


def _svg(text: str) -> Response:
    return Response(HTTPStatus.OK, text.encode(), KINDS["svg"], (*GUARDS, FRESH))
