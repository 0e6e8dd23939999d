"""``/metrics`` of the floor for Prometheus: counts of this process, and the tables and alerts in its database.

Labels are few: no round, person, dealer or table is among them.
"""

import logging
from collections import Counter as Counts
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, disable_created_metrics
from prometheus_client import ProcessCollector as ProcessMetrics
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from controller import __version__
from controller.floor.schema import alerts, tables

log = logging.getLogger("floor")

PREFIX = "table_controller_floor_"
_LAGS_S = (0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600, 3600)


class FloorMetrics(Collector):
    """The floor's metrics. The process counts by the attributes; tables and alerts are read at each request.

    Attributes:
        rounds: rounds stored, by game.
        voids: void spins and rolls stored, by game.
        entries: entries stored.
        refused: messages refused, by reason.
        lag: seconds from an entry at its table to the commit here.
        store_failures: transactions that failed.
        store_available: whether the last transaction succeeded.
        connected: whether the broker is connected.
    """

    def __init__(self, engine: Engine) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._engine = engine
        self.registry = made = CollectorRegistry()
        self.rounds = Counter(f"{PREFIX}rounds", "Rounds stored.", ["game"], registry=made)
        self.voids = Counter(f"{PREFIX}voids", "Void spins and rolls.", ["game"], registry=made)
        self.entries = Counter(f"{PREFIX}entries", "Entries stored.", registry=made)
        self.refused = Counter(f"{PREFIX}messages_refused", "Messages refused.", ["reason"], registry=made)
        self.lag = Histogram(f"{PREFIX}ingest_lag_seconds", "From entry to commit.", buckets=_LAGS_S, registry=made)
        self.store_failures = Counter(f"{PREFIX}store_failures", "Transactions that failed.", registry=made)
        self.store_available = Gauge(f"{PREFIX}store_available", "1 if the last one succeeded.", registry=made)
        self.store_available.set(1)
        self.connected = Gauge(f"{PREFIX}broker_connected", "1 while the broker is connected.", registry=made)
        Info(f"{PREFIX}build", "The version that runs.", registry=made).info({"version": __version__})
        ProcessMetrics(registry=made)
        made.register(self)

    def describe(self) -> list[Metric]:
        """Nothing: the registry shall not read the database to learn the names."""
        return []

    def collect(self) -> Iterator[Metric]:
        """What the database has, for the registry."""
        by_state = select(tables.c.game, tables.c.online, tables.c.running)
        kinds = select(alerts.c.kind, func.count()).where(alerts.c.ended.is_(None)).group_by(alerts.c.kind)
        readable = GaugeMetricFamily(f"{PREFIX}store_readable", "1 if the database could be read for this answer.")
        try:
            with self._engine.connect() as connection:
                states = Counts((game, _state(*how)) for game, *how in connection.execute(by_state))
                standing = connection.execute(kinds).all()
        except SQLAlchemyError as error:
            log.error("the database cannot be read for the metrics: %s", str(error).partition("\n")[0])
            readable.add_metric([], 0)
            yield readable
            return
        readable.add_metric([], 1)
        yield readable
        each = GaugeMetricFamily(f"{PREFIX}tables", "Tables ever heard, by state.", labels=("game", "state"))
        for game in sorted({game for game, _ in states}):
            for state in ("running", "idle", "offline"):
                each.add_metric([game, state], states[game, state])
        yield each
        stand = GaugeMetricFamily(f"{PREFIX}alerts_standing", "Alerts that have not ended.", labels=("kind",))
        for kind, count in standing:
            stand.add_metric([kind], count)
        yield stand


def _state(online: bool, running: bool) -> str:
    """Idle: the publisher is connected, the table's own process does not run."""
    return "offline" if not online else "running" if running else "idle"
