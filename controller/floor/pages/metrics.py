"""``/metrics`` of a floor: what its process counts, and what the store says of all tables, a few seconds old."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import PROCESS_COLLECTOR, Metric
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from controller.floor.ingest.counters import FloorCounters, IngestState
from controller.floor.pages import metrics_declared as declared
from controller.floor.queries.query_pool import QueryPool
from controller.floor.queries.store_figures import FiguresReader, StoreFigures
from controller.metrics.bucket_counts import BucketCounts
from controller.metrics.declaration import MetricDeclaration
from controller.metrics.families import histogram, numbers, of_process
from controller.web.exchange import Request, Response
from controller.web.metrics_page import metrics_response
from controller.web.metrics_token import MetricsToken, refused
from hal.interfaces import Clock

log = logging.getLogger("floor")

FRESH_NS = 5_000_000_000
"""The store is read again after so long at the earliest, whoever asks."""
PATIENCE_S = 2.0
"""How long an answer waits for the store: what is counted is shown without it."""
LOCKED = ("locked", "malfunction")


class FloorMetrics:
    """The metrics of one floor. Create and use it inside the running event loop.

    Args:
        token: who shows it may read them; None if anybody may.

    Attributes:
        ingest: what the floor's process knows of the messages; None for pages without one.
    """

    def __init__(self, floor: str, engine: Engine, clock: Clock, token: MetricsToken | None) -> None:
        self.ingest: Callable[[], IngestState] | None = None
        self._floor = floor
        self._token = token
        self._clock = clock
        self._started_s = clock.utc_ns() / 1e9
        self._pool = QueryPool(engine, "floor-metrics")
        self._reader = FiguresReader()
        self._figures: StoreFigures | None = None
        self._begun_ns: int | None = None
        self._took_s = 0.0
        self._reading: asyncio.Task[None] | None = None

    async def answer(self, request: Request) -> Response:
        """Answer ``/metrics``."""
        wrong = refused(request, self._token)
        if wrong is not None:
            return wrong
        figures = await self._read_figures()
        return metrics_response(request, self._families(figures))

    def close(self) -> None:
        """End what is being read."""
        if self._reading is not None:
            self._reading.cancel()
        self._pool.close()

    # -- the store -----------------------------------------------------------------------------------------

    async def _read_figures(self) -> StoreFigures | None:
        """What the store says, a few seconds old at most; None if it does not say it in time."""
        now_ns = self._clock.now_ns()
        if self._reading is None and (self._begun_ns is None or now_ns - self._begun_ns >= FRESH_NS):
            self._begun_ns = now_ns
            self._reading = asyncio.create_task(self._read())
        if self._reading is not None:
            done, _ = await asyncio.wait((self._reading,), timeout=PATIENCE_S)
            if not done:
                return None
        return self._figures

    async def _read(self) -> None:
        begun_ns = self._clock.now_ns()
        try:
            self._figures = await self._pool.ask(self._reader.read)
            self._took_s = (self._clock.now_ns() - begun_ns) / 1e9
        except SQLAlchemyError as error:
            log.error("the store cannot be read for the metrics: %s", str(error).partition("\n")[0])
            self._figures = None
        finally:
            self._reading = None

    # -- the metrics ---------------------------------------------------------------------------------------

    def _families(self, figures: StoreFigures | None) -> Iterator[Metric]:
        yield from of_process("floor", self._started_s)
        yield from PROCESS_COLLECTOR.collect()
        yield self._one(declared.READABLE, figures is not None)
        yield self._one(declared.READ, self._took_s)
        if figures is not None:
            yield from self._of_store(figures)
        if self.ingest is not None:
            ingest = self.ingest()
            yield from self._now(ingest)
            yield from self._of_messages(ingest.counters)
            yield from self._of_rounds(ingest.counters)

    def _of_store(self, figures: StoreFigures) -> Iterator[Metric]:
        known: dict[MetricDeclaration, Counter[str]] = {}
        states: Counter[tuple[str, str]] = Counter()
        for group, count in figures.tables.items():
            playing = group.online and group.running
            holds = {
                declared.TABLES: True,
                declared.ONLINE: group.online,
                declared.PLAYING: playing,
                declared.LOCKED: playing and group.state in LOCKED,
            }
            for metric, is_so in holds.items():
                known.setdefault(metric, Counter())[group.game] += count if is_so else 0
            if playing and group.state:
                states[group.game, group.state] += count
        for metric in (declared.TABLES, declared.ONLINE, declared.PLAYING, declared.LOCKED):
            yield self._by(metric, known.get(metric, {}))
        yield self._by(declared.STATES, states)
        yield self._by(declared.ALERTS, figures.alerts)
        yield self._by(declared.DEVICES, figures.devices)

    def _now(self, ingest: IngestState) -> Iterator[Metric]:
        yield self._one(declared.QUEUE, ingest.waiting_messages)
        yield self._one(declared.QUEUE_BYTES, ingest.waiting_bytes)
        yield self._one(declared.INCOMPLETE, ingest.incomplete_tables)
        yield self._one(declared.CONNECTED, ingest.connected)
        yield self._one(declared.AVAILABLE, ingest.store_available)

    def _of_messages(self, counters: FloorCounters) -> Iterator[Metric]:
        yield self._by(declared.RECEIVED, counters.received)
        yield self._by(declared.REFUSED, counters.refused)
        yield self._one(declared.DROPPED, counters.dropped)
        yield self._one(declared.RESENDS, counters.resend_requests)
        yield self._one(declared.STORE_ERRORS, counters.store_errors)
        yield self._one(declared.CONNECTIONS, counters.connections)
        yield self._one(declared.FAILURES, counters.connection_failures)
        yield self._spread(declared.BATCH, counters.batch_s)
        yield self._spread(declared.BATCH_MESSAGES, counters.batch_messages)

    def _of_rounds(self, counters: FloorCounters) -> Iterator[Metric]:
        yield self._by(declared.ROUNDS, counters.rounds)
        yield self._by(declared.SPINS, counters.spins)
        yield self._by(declared.VOIDS, counters.voids)
        yield self._by(declared.CORRECTIONS, counters.corrections)
        yield self._spread(declared.LAG, counters.lag_s)

    def _one(self, metric: MetricDeclaration, value: float) -> Metric:
        return numbers(metric, {(self._floor,): value})

    def _by(
        self, metric: MetricDeclaration, values: Mapping[str, float] | Mapping[tuple[str, str], float]
    ) -> Metric:
        """A metric with one or two labels of its own."""
        samples = {(key,) if isinstance(key, str) else key: value for key, value in sorted(values.items())}
        return numbers(metric, {(self._floor, *key): value for key, value in samples.items()})

    def _spread(self, metric: MetricDeclaration, counts: BucketCounts) -> Metric:
        return histogram(metric, {(self._floor,): counts})
