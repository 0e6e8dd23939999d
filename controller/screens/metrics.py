"""``/metrics`` of a table, which Prometheus reads, from the table's view ``counts``.

Names follow https://prometheus.io/docs/practices/naming/: one prefix, base units, ``_total`` for what only grows.
No label has a round, a person or a dealer.
"""

import hmac
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
from hal.interfaces import Clock

log = logging.getLogger("table")

PREFIX = "table_controller_"
LEAST_CHARACTERS = 16
"""A shorter token could be found by trying."""
_MOST_BYTES = 4096
_COUNTERS = {
    "decisions": "Decisions on record since the table's process started.",
    "rounds": "Rounds opened since the table's process started.",
    "spins": "Spins of the wheel or runs of the ball that ended, void ones included.",
    "results": "Results of spins, rolls or deals.",
    "bonus_spins": "Sections that called for another spin.",
    "corrections": "Entries that the dealer began to correct.",
    "refused_presses": "Presses of keys that were not possible then.",
    "alerts": "Alerts raised.",
    "voids": "Void spins and rolls, by reason.",
    "wagers_returned": "How often all wagers went back to the players, by reason.",
}
_GAUGES = {
    "screens_viewers": "Connected screens: boards and dealer's screens.",
    "running": "1 while the table runs; 0 while it waits for a journal or a device.",
    "halted": "1 if the table halted, as its record could not be written.",
    "journal_entries": "Entries of the journal in use. Absent while no table runs, as all that follows.",
    "alerts_active": "Alerts of this round and those of devices still out of order, by device.",
}
_STATE = "The state of the game's machine: 1 for the present one."
_HEALTH = "The health of each sensor and device: 1 for the present one."
_LABELS = {"voids": "reason", "wagers_returned": "reason", "alerts_active": "device"}
_REFUSED = "the token is missing or wrong: send it as `Authorization: Bearer TOKEN`; see docs/floor.md\n"


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
        counts: dict[str, Any] = {**self._hub.views["counts"], "screens_viewers": self._hub.viewers}
        for kind, texts in ((CounterMetricFamily, _COUNTERS), (GaugeMetricFamily, _GAUGES)):
            for name, text in texts.items():
                if name in counts:
                    label = _LABELS.get(name)
                    made = kind(f"{PREFIX}{name}", text, labels=(*self._of, *([label] if label else [])))
                    for value, count in (counts[name] if label else {"": counts[name]}).items():
                        made.add_metric((*self._of.values(), *([value] if label else [])), count)
                    yield made
        if "state" in counts:
            state = StateSetMetricFamily(f"{PREFIX}state", _STATE, labels=tuple(self._of))
            state.add_metric(tuple(self._of.values()), counts["state"])
            yield state
            health = StateSetMetricFamily(f"{PREFIX}device_health", _HEALTH, labels=(*self._of, "device"))
            for device, found in counts["device_health"].items():
                health.add_metric((*self._of.values(), device), {one.value: one.value == found for one in Health})
            yield health


def _token(file: str | None) -> tuple[bytes, str]:
    """The configured token, empty for none; and why its file cannot be used."""
    if file is None:
        return b"", ""
    where = f"screens: metrics_token: {file}"
    try:
        with Path(file).open("rb") as opened:
            token = opened.read(_MOST_BYTES).strip()
    except OSError as error:
        return b"", f"{where}: {error.strerror}; write a token into it (docs/floor.md)"
    if len(token) < LEAST_CHARACTERS or any(byte <= 32 or byte > 126 for byte in token):
        return b"", (
            f"{where}: a token is one line of at least {LEAST_CHARACTERS} printable characters without blanks; "
            "make one with: openssl rand -hex 32"
        )
    return token, ""
