"""``/metrics`` of a publisher, served by its own process; loaded where ``broker: metrics:`` asks for it."""

import asyncio
import logging
from collections.abc import Iterator
from http import HTTPStatus

from prometheus_client import PROCESS_COLLECTOR, Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from config.screens import PublisherMetricsSection
from controller.journal.errors import JournalError
from controller.publishing.publisher import Publisher
from controller.web.exchange import Request, Response
from controller.web.metrics_page import PREFIX, metrics_response, process_registry
from controller.web.metrics_token import refused, token_of
from controller.web.opening import keep_open
from controller.web.routes import FRESH, GUARDS, LOOPBACK, host_of
from controller.web.server import HttpServer
from hal.interfaces import Clock

log = logging.getLogger("floor")

_OWN = f"{PREFIX}publisher_"
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
        self._registry = process_registry("publisher", clock)
        self._registry.register(PROCESS_COLLECTOR)
        self._registry.register(self)
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
        return refused(request, self._token) or metrics_response(request, self._registry)

    def collect(self) -> Iterator[Metric]:
        """What the publisher counts, and what is so now, for the registry."""
        counters = self._publisher.counters
        yield self._gauge("connected", "1 while the broker is connected.", counters.connected)
        opened = "Connections to the broker that were opened."
        yield self._counter("connections_total", opened, counters.connections)
        failed = "What kept it from publishing, as publish --status names it."
        yield self._counter("failures_total", failed, self._publisher.failures.count)
        if counters.acknowledged_ns:
            last = "When the broker last took a message, in seconds since 1970 UTC. Absent until it took one."
            name = "last_acknowledged_timestamp_seconds"
            yield self._gauge(name, last, counters.acknowledged_ns / 1e9, "seconds")
        taken = CounterMetricFamily(
            f"{_OWN}messages_total", "Messages that the broker took.", labels=("table", "topic")
        )
        for topic, count in sorted(counters.published.items()):
            taken.add_metric((self._table, topic), count)
        yield taken
        again = "Of these, messages that the floor had asked for again."
        yield self._counter("messages_repeated_total", again, counters.repeated)
        yield self._counter("messages_refused_total", "Messages that the broker refused.", counters.refused)
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
        cursor = published.place.seq
        yield self._gauge("journal_entries", "Entries of the table's journal.", entries)
        stored = "The size of the journal's file, without what is being written."
        yield self._gauge("journal_bytes", stored, size, "bytes")
        yield self._gauge("cursor_entries", "The last entry of which all is published.", cursor)
        yield self._gauge("closed_entries", "The last entry that a published round covers.", published.closed)
        behind = "Entries that follow the cursor; a round is published once over."
        yield self._gauge("behind_entries", behind, max(0, entries - cursor))

    def _counter(self, name: str, text: str, value: float) -> Metric:
        made = CounterMetricFamily(_OWN + name, text, labels=("table",))
        made.add_metric((self._table,), value)
        return made

    def _gauge(self, name: str, text: str, value: float, unit: str = "") -> Metric:
        made = GaugeMetricFamily(_OWN + name, text, labels=("table",), unit=unit)
        made.add_metric((self._table,), value)
        return made
