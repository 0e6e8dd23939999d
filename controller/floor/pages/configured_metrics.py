"""The metrics of a floor whose file asks for them; without what they need the pages and the store go on."""

import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from sqlalchemy import Engine

from config.floor import FloorConfig
from controller.floor.ingest.counters import IngestState
from controller.web.exchange import Request, Response
from controller.web.metrics_token import MetricsTokenError, token_of, unavailable
from hal.interfaces import Clock

log = logging.getLogger("floor")


class MetricsOfFloor(Protocol):
    """What the pages know of them."""

    ingest: Callable[[], IngestState] | None

    @property
    def answer(self) -> Callable[[Request], Response | Awaitable[Response]]:
        """Answers ``/metrics``."""

    def close(self) -> None:
        """End what is being read."""


class _Unavailable:
    """Metrics that cannot be given.

    Args:
        why: as a sentence.
    """

    def __init__(self, why: str) -> None:
        log.error("no metrics: %s; messages are stored all the same", why)
        self.answer = unavailable(why)
        self.ingest: Callable[[], IngestState] | None = None

    def close(self) -> None:
        pass


def metrics_of_floor(config: FloorConfig, engine: Engine, clock: Clock) -> MetricsOfFloor | None:
    """The metrics; None if the file does not ask for them."""
    if not config.screens.metrics:
        return None
    try:
        from controller.floor.pages.metrics import FloorMetrics  # Only here is its library loaded.

        return FloorMetrics(config.floor, engine, clock, token_of(config.screens.metrics_token))
    except MetricsTokenError as error:
        return _Unavailable(f"screens: metrics_token: {error}")
