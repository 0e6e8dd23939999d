"""``/metrics`` of a table: what it records is counted; all else is in memory, and read when it is asked for.

Loaded at the start of a table whose file has ``screens: metrics: true``, for it loads a library.
"""

import collections
from collections.abc import Callable, Iterator

from prometheus_client import Counter, Metric
from prometheus_client.core import GaugeMetricFamily, StateSetMetricFamily

from config.schema import TableConfig
from controller.events.effect import Alert, Bonus, Refused, Result, RoundOpened, Void, WagersReturned
from controller.events.event import BallLeftTrack, Health, Press, WheelRested
from controller.events.record import Outcome
from controller.journal.record import RecordedDecision
from controller.runtime.table import Table
from controller.viewmodel.history import TableHistory
from controller.web.exchange import Request, Response
from controller.web.label_values import LabelValues
from controller.web.metrics_page import PREFIX, metrics_response, process_registry
from controller.web.metrics_token import MetricsToken, refused
from hal.interfaces import Clock

_LABELS = ("table", "game")
_OF_GAME = "none"
"""The device of an alert that is about none."""
_SPINS = (WheelRested, BallLeftTrack)
_CORRECT = "correct"


class TableMetrics:
    """The metrics of one table. Counts are since this process started, which Prometheus knows of counters.

    Args:
        token: who shows it may read them; None if anybody may.
        viewers: how many screens are connected.
    """

    def __init__(
        self, config: TableConfig, clock: Clock, token: MetricsToken | None, viewers: Callable[[], int]
    ) -> None:
        self._of = (config.table, config.game)
        self._token = token
        self._viewers = viewers
        self._table: Table | None = None
        self._history: TableHistory | None = None
        self._reasons = LabelValues()
        self._registry = process_registry("table", clock)
        self._registry.register(self)
        self._decisions = self._counter("decisions_total", "Decisions on record since the process started.")
        ended = "Spins of the wheel or runs of the ball that ended, void ones included."
        self._spins = self._counter("spins_total", ended)
        self._corrections = self._counter("corrections_total", "Entries that the dealer began to correct.")
        self._of_effects = {
            RoundOpened: self._counter("rounds_total", "Rounds opened since the process started."),
            Result: self._counter("results_total", "Results of spins, rolls or deals."),
            Bonus: self._counter("bonus_spins_total", "Sections that called for another spin."),
            Refused: self._counter("refused_presses_total", "Presses of keys that were not possible then."),
            Alert: self._counter("alerts_total", "Alerts raised."),
        }
        labels, registry = (*_LABELS, "reason"), self._registry
        self._voids = Counter(f"{PREFIX}voids_total", "Void spins and rolls, by reason.", labels, registry=registry)
        returned = "How often all wagers went back to the players, by reason."
        self._returned = Counter(f"{PREFIX}wagers_returned_total", returned, labels, registry=registry)

    def watch(self, table: Table | None, history: TableHistory | None) -> None:
        """A table is about to start; None: none runs."""
        self._table, self._history = table, history

    def answer(self, request: Request) -> Response:
        """Answer ``/metrics``."""
        return refused(request, self._token) or metrics_response(request, self._registry)

    def count(self, recorded: RecordedDecision) -> None:
        """Count a decision of the table."""
        record, table = recorded.record, self._table
        self._decisions.inc()
        if record.outcome == Outcome.ACCEPTED.value:
            # While people try the sensors, a wheel that turns is no spin.
            inspecting = table is not None and record.state in table.machine.rounds.inspecting
            self._spins.inc(isinstance(record.event, _SPINS) and not inspecting)
            self._corrections.inc(isinstance(record.event, Press) and record.event.control == _CORRECT)
        for effect in record.effects:
            if isinstance(effect, Void):
                self._voids.labels(*self._of, self._reasons.of(effect.reason)).inc()
            elif isinstance(effect, WagersReturned):
                self._returned.labels(*self._of, self._reasons.of(effect.reason)).inc()
            elif type(effect) in self._of_effects:
                self._of_effects[type(effect)].inc()

    def collect(self) -> Iterator[Metric]:
        """What is so now, for the registry."""
        table, history = self._table, self._history
        connected = "Connected screens: boards and dealer's screens."
        yield self._gauge("screens_viewers", connected, self._viewers())
        runs = "1 while the table runs; 0 while it waits for a journal or a device."
        yield self._gauge("running", runs, table is not None)
        halted = "1 if the table halted, as its record could not be written."
        yield self._gauge("halted", halted, table is not None and bool(table.halted))
        if table is not None and history is not None:
            yield from self._of_running(table, history)

    def _of_running(self, table: Table, history: TableHistory) -> Iterator[Metric]:
        """What there is of a table that runs."""
        machine = table.machine
        text = "The state of the game's machine: 1 for the present one. Absent while no table runs."
        state = StateSetMetricFamily(f"{PREFIX}state", text, labels=_LABELS)
        state.add_metric(self._of, {str(each.value): each is machine.state for each in machine.states})
        yield state
        yield self._gauge("journal_entries", "Entries of the journal in use.", len(table.journal))
        active = collections.Counter(dict.fromkeys((_OF_GAME, *history.devices.names), 0))
        active.update(alert.device or _OF_GAME for alert in history.active_alerts())
        text = "Alerts of this round and those of devices still out of order, by device."
        alerts = GaugeMetricFamily(f"{PREFIX}alerts_active", text, labels=(*_LABELS, "device"))
        for device, count in sorted(active.items()):
            alerts.add_metric((*self._of, device), count)
        yield alerts
        text = "The health of each sensor and device: 1 for the present one."
        health = StateSetMetricFamily(f"{PREFIX}device_health", text, labels=(*_LABELS, "device"))
        for one in history.devices.listed():
            health.add_metric(
                (*self._of, one["device"]), {each.value: each.value == one["state"] for each in Health}
            )
        yield health

    def _counter(self, name: str, text: str) -> Counter:
        return Counter(f"{PREFIX}{name}", text, _LABELS, registry=self._registry).labels(*self._of)

    def _gauge(self, name: str, text: str, value: float) -> Metric:
        made = GaugeMetricFamily(f"{PREFIX}{name}", text, labels=_LABELS)
        made.add_metric(self._of, value)
        return made
