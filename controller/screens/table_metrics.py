"""``/metrics`` of a table: numbers that are in memory, made into text when they are asked for.

Loaded at the start of a table whose file has ``screens: metrics: true``, for it loads a library.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import Metric

from config.schema import TableConfig
from controller.events.event import Health
from controller.journal.record import RecordedDecision
from controller.metrics.declaration import MetricDeclaration
from controller.metrics.families import Values, numbers, of_process, states
from controller.runtime.table import Table
from controller.screens import table_metrics_declared as declared
from controller.screens.table_counters import TableCounters
from controller.viewmodel.history import TableHistory
from controller.web.exchange import Request, Response
from controller.web.metrics_page import metrics_response
from controller.web.metrics_token import MetricsToken, refused
from hal.interfaces import Clock

_OF_GAME = "none"
"""The device of an alert that is about none."""


class TableMetrics:
    """The metrics of one table.

    Args:
        token: who shows it may read them; None if anybody may.
        viewers: how many screens are connected.
    """

    def __init__(
        self, config: TableConfig, clock: Clock, token: MetricsToken | None, viewers: Callable[[], int]
    ) -> None:
        self.counters = TableCounters()
        self._of: Values = (config.table, config.game)
        self._token = token
        self._viewers = viewers
        self._started_s = clock.utc_ns() / 1e9
        self._table: Table | None = None
        self._history: TableHistory | None = None

    def watch(self, table: Table | None, history: TableHistory | None) -> None:
        """A table is about to start; None: none runs."""
        self._table, self._history = table, history

    def count(self, recorded: RecordedDecision) -> None:
        """Count a decision of the table."""
        table = self._table
        self.counters.count(recorded, table is not None and recorded.record.state in table.machine.inspecting)

    def answer(self, request: Request) -> Response:
        """Answer ``/metrics``."""
        return refused(request, self._token) or metrics_response(request, self.families())

    def families(self) -> Iterator[Metric]:
        """Every metric, as it is now."""
        yield from of_process("table", self._started_s)
        yield from self._counted()
        yield self._one(declared.VIEWERS, self._viewers())
        table, history = self._table, self._history
        yield self._one(declared.RUNNING, table is not None)
        yield self._one(declared.HALTED, table is not None and bool(table.halted))
        if table is not None and history is not None:
            yield from self._of_running(table, history)

    def _counted(self) -> Iterator[Metric]:
        counts = self.counters
        yield self._one(declared.DECISIONS, counts.decisions)
        yield self._one(declared.ROUNDS, counts.rounds)
        yield self._one(declared.SPINS, counts.spins)
        yield self._one(declared.RESULTS, counts.results)
        yield self._one(declared.BONUSES, counts.bonuses)
        yield self._by(declared.VOIDS, counts.voids)
        yield self._by(declared.RETURNED, counts.returned)
        yield self._one(declared.CORRECTIONS, counts.corrections)
        yield self._one(declared.REFUSED, counts.refused)
        yield self._one(declared.ALERTS, counts.alerts)

    def _of_running(self, table: Table, history: TableHistory) -> Iterator[Metric]:
        """What there is of a table that runs."""
        machine = table.machine
        possible = {str(state.value): state is machine.state for state in machine.states}
        yield states(declared.STATE, {self._of: possible})
        yield self._one(declared.JOURNAL, len(table.journal))
        active = Counter(dict.fromkeys((_OF_GAME, *history.devices.names), 0))
        active.update(alert.device or _OF_GAME for alert in history.active_alerts())
        yield self._by(declared.ALERTS_ACTIVE, active)
        health = {(*self._of, one["device"]): _health(one["state"]) for one in history.devices.listed()}
        yield states(declared.DEVICES, health)

    def _one(self, metric: MetricDeclaration, value: float) -> Metric:
        return numbers(metric, {self._of: value})

    def _by(self, metric: MetricDeclaration, values: Mapping[str, float]) -> Metric:
        return numbers(metric, {(*self._of, value): count for value, count in sorted(values.items())})


def _health(state: str) -> dict[str, bool]:
    return {each.value: each.value == state for each in Health}
