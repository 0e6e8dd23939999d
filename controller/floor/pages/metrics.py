"""``/metrics`` of a floor: what its process counts, and what the store says of all tables, a few seconds old."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import PROCESS_COLLECTOR, Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from controller.floor.queries.query_pool import QueryPool
from controller.floor.queries.store_figures import FiguresReader, StoreFigures, TableGroup
from controller.web.exchange import Request, Response
from controller.web.metrics_page import PREFIX, metrics_response, process_registry
from controller.web.metrics_token import MetricsToken, refused
from hal.interfaces import Clock

log = logging.getLogger("floor")

FRESH_NS = 5_000_000_000
"""The store is read again after so long at the earliest, whoever asks."""
PATIENCE_S = 2.0
"""How long an answer waits for the store: what is counted is shown without it."""
LOCKED = ("locked", "malfunction")
_DEVICES = "Sensors and devices out of order, as the tables last said."
Values = tuple[str, ...]


class FloorMetrics:
    """The metrics of one floor. Create and use it inside the running event loop.

    Args:
        token: who shows it may read them; None if anybody may.
    """

    def __init__(self, floor: str, engine: Engine, clock: Clock, token: MetricsToken | None) -> None:
        self._floor = floor
        self._token = token
        self._clock = clock
        self._registry = process_registry("floor", clock)
        self._registry.register(PROCESS_COLLECTOR)
        self._registry.register(self)
        self._pool = QueryPool(engine, "floor-metrics")
        self._reader = FiguresReader()
        self._figures: StoreFigures | None = None
        self._shown: StoreFigures | None = None
        self._begun_ns: int | None = None
        self._took_s = 0.0
        self._reading: asyncio.Task[None] | None = None

    async def answer(self, request: Request) -> Response:
        """Answer ``/metrics``."""
        wrong = refused(request, self._token)
        if wrong is not None:
            return wrong
        self._shown = await self._read_figures()
        return metrics_response(request, self._registry)

    def measure(self, counted: Collector) -> None:
        """Show what the floor's process counts, too; pages may be without one."""
        self._registry.register(counted)

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

    def collect(self) -> Iterator[Metric]:
        """What the store says, for the registry."""
        figures = self._shown
        readable = "1 if the store could be read for this answer, in time."
        yield self._gauge("store_readable", readable, (), [((), figures is not None)])
        took = "How long reading the store for an answer took last."
        yield self._gauge("store_read_seconds", took, (), [((), self._took_s)], "seconds")
        if figures is None:
            return
        yield from self._of_tables(figures.tables)
        alerts = [((kind,), count) for kind, count in figures.alerts.items()]
        yield self._gauge("alerts_active", "Active alerts by kind.", ("kind",), alerts)
        yield self._gauge("devices_faulty", _DEVICES, ("device", "state"), figures.devices.items())

    def _of_tables(self, tables: Mapping[TableGroup, int]) -> Iterator[Metric]:
        heard: Counter[Values] = Counter()
        online, playing, locked, states = heard.copy(), heard.copy(), heard.copy(), heard.copy()
        for group, count in tables.items():
            game, plays = (group.game,), group.online and group.running
            heard[game] += count
            online[game] += count * group.online
            playing[game] += count * plays
            locked[game] += count * (plays and group.state in LOCKED)
            if plays and group.state:
                states[group.game, group.state] += count
        yield self._gauge("tables", "Tables that were ever heard.", ("game",), heard.items())
        yield self._gauge(
            "tables_online", "Tables whose publisher is connected to the broker.", ("game",), online.items()
        )
        runs = "Tables that are online and whose own process runs."
        yield self._gauge("tables_playing", runs, ("game",), playing.items())
        yield self._gauge(
            "tables_locked", "Playing tables that are locked or in malfunction.", ("game",), locked.items()
        )
        yield self._gauge(
            "table_states", "Playing tables by the state of their game.", ("game", "state"), states.items()
        )

    def _gauge(
        self, name: str, text: str, labels: Values, samples: Iterable[tuple[Values, float]], unit: str = ""
    ) -> Metric:
        """A gauge of this floor with labels of its own."""
        made = GaugeMetricFamily(f"{PREFIX}floor_{name}", text, labels=("floor", *labels), unit=unit)
        for values, value in sorted(samples):
            made.add_metric((self._floor, *values), value)
        return made
