"""The metrics of a table whose file asks for them; if something lacks, that is logged, and the table plays on."""

import logging
from collections.abc import Callable
from typing import Protocol

from config.schema import TableConfig
from controller.journal.record import RecordedDecision
from controller.runtime.table import Table
from controller.viewmodel.history import TableHistory
from controller.web.exchange import Request, Response
from controller.web.metrics_token import MetricsTokenError, token_of, unavailable
from hal.interfaces import Clock

log = logging.getLogger("table")


class MetricsOfTable(Protocol):
    """What the screens' server knows of them."""

    def watch(self, table: Table | None, history: TableHistory | None) -> None:
        """A table is about to start; None: none runs."""

    def count(self, recorded: RecordedDecision) -> None:
        """Count a decision of the table."""

    def answer(self, request: Request) -> Response:
        """Answer ``/metrics``."""


class _Unavailable:
    """Metrics that cannot be given.

    Args:
        why: as a sentence.
    """

    def __init__(self, why: str) -> None:
        log.error("no metrics: %s; the table plays on", why)
        self.answer = unavailable(why)

    def watch(self, table: Table | None, history: TableHistory | None) -> None:
        pass

    def count(self, recorded: RecordedDecision) -> None:
        pass


def metrics_of(config: TableConfig, clock: Clock, viewers: Callable[[], int]) -> MetricsOfTable:
    """The metrics, or what says why there are none.

    Args:
        viewers: how many screens are connected.
    """
    try:
        from controller.screens.table_metrics import TableMetrics  # Only here is its library loaded.

        return TableMetrics(config, clock, token_of(config.screens.metrics_token), viewers)
    except MetricsTokenError as error:
        return _Unavailable(f"screens: metrics_token: {error}")
