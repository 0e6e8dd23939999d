"""``/metrics`` of a publisher, served by its own process; loaded where ``broker: metrics:`` asks for it."""

import asyncio
import logging
from collections.abc import Iterator
from http import HTTPStatus

from prometheus_client import PROCESS_COLLECTOR, Metric

from config.screens import PublisherMetricsSection
from controller.journal.errors import JournalError
from controller.metrics.declaration import MetricDeclaration
from controller.metrics.families import Values, numbers, of_process
from controller.publishing import metrics_declared as declared
from controller.publishing.publisher import Publisher
from controller.web.exchange import Request, Response
from controller.web.metrics_page import metrics_response
from controller.web.metrics_token import refused, token_of
from controller.web.opening import keep_open
from controller.web.routes import FRESH, GUARDS, LOOPBACK, host_of
from controller.web.server import HttpServer
from hal.interfaces import Clock

log = logging.getLogger("floor")

_SERVED = "the publisher's metrics at http://%s:%d/metrics"
_UNAVAILABLE = (
    "no metrics at %s:%d: %s; see broker: metrics: in the table's file; it publishes all the same; retrying"
)


class PublisherMetrics:
    """The metrics of one table's publisher, and their server. Create and use it inside the running event loop.

    Args:
        section: where they are served, and with which token.

    Raises:
        MetricsTokenError: the file of the token cannot be used.
    """

    def __init__(self, table: str, section: PublisherMetricsSection, publisher: Publisher, clock: Clock) -> None:
        self._table = table
        self._section = section
        self._publisher = publisher
        self._token = token_of(section.token)
        self._started_s = clock.utc_ns() / 1e9
        self._hosts = {*LOOPBACK, *(host.lower() for host in section.hosts), section.address}
        self._server = HttpServer(self.answer)
        self._opening: asyncio.Task[None] | None = None

    async def open(self, address: str, port: int) -> int:
        """Listen; returns the port.

        Raises:
            OSError: the address is not available.
        """
        return await self._server.open(address, port)

    async def keep_open(self) -> None:
        """Listen; if that is not possible, retry: publishing does not need it."""
        section = self._section
        self._opening = await keep_open(self.open, section.address, section.port, log, _SERVED, _UNAVAILABLE)

    def close(self) -> None:
        """Stop serving."""
        if self._opening is not None:
            self._opening.cancel()
        self._server.close()

    def answer(self, request: Request) -> Response:
        """Answer any request; there is nothing but ``/metrics``."""
        if host_of(request.headers.get("host", "")) not in self._hosts:
            words = b"this computer does not have that name; see broker: metrics: hosts\n"
            return Response(HTTPStatus.MISDIRECTED_REQUEST, words, headers=(*GUARDS, FRESH))
        if request.method not in ("GET", "HEAD"):
            allow = (*GUARDS, FRESH, ("Allow", "GET, HEAD"))
            return Response(HTTPStatus.METHOD_NOT_ALLOWED, b"only GET and HEAD\n", headers=allow)
        return refused(request, self._token) or metrics_response(request, self.families())

    def families(self) -> Iterator[Metric]:
        """Every metric, as it is now."""
        counters = self._publisher.counters
        yield from of_process("publisher", self._started_s)
        yield from PROCESS_COLLECTOR.collect()
        yield self._one(declared.CONNECTED, counters.connected)
        yield self._one(declared.CONNECTIONS, counters.connections)
        yield self._one(declared.FAILURES, self._publisher.failures.count)
        if counters.acknowledged_ns:
            yield self._one(declared.ACKNOWLEDGED, counters.acknowledged_ns / 1e9)
        published: dict[Values, float] = {
            (self._table, topic): count for topic, count in sorted(counters.published.items())
        }
        yield numbers(declared.PUBLISHED, published)
        yield self._one(declared.REPEATED, counters.repeated)
        yield self._one(declared.REFUSED, counters.refused)
        yield from self._progress()

    def _progress(self) -> Iterator[Metric]:
        """How far the journal is published; nothing while it cannot be read, which the log says."""
        try:
            reading = self._publisher.reading()
            if reading is None:
                return
            source, published = reading
            entries, size = source.length(), source.file.stat().st_size
        except (JournalError, OSError):
            return
        yield self._one(declared.ENTRIES, entries)
        yield self._one(declared.BYTES, size)
        yield self._one(declared.CURSOR, published.place.seq)
        yield self._one(declared.CLOSED, published.closed)
        yield self._one(declared.BEHIND, max(0, entries - published.place.seq))

    def _one(self, metric: MetricDeclaration, value: float) -> Metric:
        return numbers(metric, {(self._table,): value})
