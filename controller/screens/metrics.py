"""``/metrics`` of a table, which Prometheus reads, from the table's view ``counts``.

Names follow https://prometheus.io/docs/practices/naming/: one prefix, base units, ``_total`` for what only grows.
No label has a round, a person or a dealer.
"""

import hmac
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, Info, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, StateSetMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from config.schema import TableConfig
from controller import __version__
from controller.events.event import Health
from controller.screens.streams import Hub
from controller.viewmodel.documents import DeviceStatus
from controller.viewmodel.table_counts import Counts
from hal.interfaces import Clock

log = logging.getLogger("table")

PREFIX = "table_controller_"
LEAST_CHARACTERS = 16
"""A shorter token could be found by trying."""
_MOST_BYTES = 4096
_MOST_REASONS, _LONGEST, _OTHER = 50, 60, "other"
"""Of a label: each value is a time series that Prometheus keeps for weeks."""
_COUNTERS = {
    "decisions": "Decisions on record since the table's process started.",
    "rounds": "Rounds opened since the table's process started.",
    "spins": "Spins of the wheel or runs of the ball that ended, void ones included.",
    "results": "Results of spins, rolls or deals.",
    "bonus_spins": "Sections that called for another spin.",
    "corrections": "Entries that the dealer began to correct.",
    "refused_presses": "Presses of keys that were not possible then.",
    "alerts": "Alerts raised.",
}
_REFUSED = "the token is missing or wrong: send it as `Authorization: Bearer TOKEN`; see docs/metrics.md\n"


class TableMetrics(Collector):
    """The metrics of one table. Without a usable token, if its file names one, nobody gets them.

    Args:
        hub: has the views of the table.
    """

    def __init__(self, config: TableConfig, clock: Clock, hub: Hub) -> None:
        self._of = {"table": config.table, "game": config.game}
        self._hub = hub
        self._token, self._problem = _token(config.screens.metrics_token)
        if self._problem:
            log.error("no metrics: %s; the other pages are served", self._problem)
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        build = Info(f"{PREFIX}build", "The version that runs; always 1.", registry=self._registry)
        build.info({"component": "table", "version": __version__})
        started = Gauge(f"{PREFIX}start_time_seconds", "When the screens started, in UTC.", registry=self._registry)
        started.set(clock.utc_ns() / 1e9)
        self._registry.register(self)

    async def answer(self, request: Request) -> Response:
        """Answer ``/metrics``."""
        if self._problem:
            return PlainTextResponse(f"no metrics: {self._problem}\n", 503)
        scheme, _, shown = request.headers.get("authorization", "").partition(" ")
        admitted = hmac.compare_digest(shown.strip().encode(), self._token) and scheme.lower() == "bearer"
        if self._token and not admitted:
            return PlainTextResponse(_REFUSED, 401, {"WWW-Authenticate": 'Bearer realm="metrics"'})
        return Response(generate_latest(self._registry), 200, {"Content-Type": CONTENT_TYPE_LATEST})

    def describe(self) -> list[Metric]:
        """Nothing: what there is depends on the table."""
        return []

    def collect(self) -> Iterator[Metric]:
        """What the table says now, for the registry."""
        counts: Counts = self._hub.views["counts"]
        for name, text in _COUNTERS.items():
            yield self._metric(CounterMetricFamily, name, text, counts["since_start"][name])
        yield self._by_label("voids", "Void spins and rolls, by reason.", counts["voids"])
        returned = "How often all wagers went back to the players, by reason."
        yield self._by_label("wagers_returned", returned, counts["wagers_returned"])
        connected = "Connected screens: boards and dealer's screens."
        yield self._metric(GaugeMetricFamily, "screens_viewers", connected, self._hub.viewers)
        runs = "1 while the table runs; 0 while it waits for a journal or a device."
        yield self._metric(GaugeMetricFamily, "running", runs, counts["running"])
        halted = "1 if the table halted, as its record could not be written."
        yield self._metric(GaugeMetricFamily, "halted", halted, counts["halted"])
        if counts["running"]:
            yield from self._of_running(counts, self._hub.views["dealer"]["health"])

    def _of_running(self, counts: Counts, devices: list[DeviceStatus]) -> Iterator[Metric]:
        """What there is of a table that runs."""
        text = "The state of the game's machine: 1 for the present one. Absent while no table runs."
        state = StateSetMetricFamily(f"{PREFIX}state", text, labels=tuple(self._of))
        state.add_metric(tuple(self._of.values()), counts["states"])
        yield state
        entries = "Entries of the journal in use."
        yield self._metric(GaugeMetricFamily, "journal_entries", entries, counts["entries"])
        text = "Alerts of this round and those of devices still out of order, by device."
        alerts = GaugeMetricFamily(f"{PREFIX}alerts_active", text, labels=(*self._of, "device"))
        for device, count in sorted(counts["alerts"].items()):
            alerts.add_metric((*self._of.values(), device), count)
        yield alerts
        text = "The health of each sensor and device: 1 for the present one."
        health = StateSetMetricFamily(f"{PREFIX}device_health", text, labels=(*self._of, "device"))
        for one in devices:
            states = {each.value: each.value == one["state"] for each in Health}
            health.add_metric((*self._of.values(), one["device"]), states)
        yield health

    def _metric(
        self, kind: type[CounterMetricFamily | GaugeMetricFamily], name: str, text: str, value: float
    ) -> Metric:
        made = kind(f"{PREFIX}{name}", text, labels=tuple(self._of))
        made.add_metric(tuple(self._of.values()), value)
        return made

    def _by_label(self, name: str, text: str, counts: Mapping[str, int]) -> Metric:
        """A counter by reason; the reasons beyond the first ones together."""
        made = CounterMetricFamily(f"{PREFIX}{name}", text, labels=(*self._of, "reason"))
        others = 0
        for number, (reason, count) in enumerate(counts.items()):
            if number < _MOST_REASONS and 0 < len(reason) <= _LONGEST:
                made.add_metric((*self._of.values(), reason), count)
            else:
                others += count
        if others:
            made.add_metric((*self._of.values(), _OTHER), others)
        return made


def _token(file: str | None) -> tuple[bytes, str]:
    """The configured token, empty for none; and why its file cannot be used."""
    if file is None:
        return b"", ""
    where = f"screens: metrics_token: {file}"
    try:
        with Path(file).open("rb") as opened:
            token = opened.read(_MOST_BYTES).strip()
    except OSError as error:
        return b"", f"{where}: {error.strerror}; write a token into it (docs/metrics.md)"
    if len(token) < LEAST_CHARACTERS or any(byte <= 32 or byte > 126 for byte in token):
        return b"", (
            f"{where}: a token is one line of at least {LEAST_CHARACTERS} printable characters without blanks; "
            "make one with: openssl rand -hex 32"
        )
    return token, ""
