"""Asks the floor's pages without a network."""

import asyncio
from datetime import UTC, datetime, tzinfo
from typing import Any

from asgi import Answer, asked
from filled_floor import NOW
from sqlalchemy import Engine

from controller.floor.metrics import FloorMetrics
from controller.floor.pages import Pages


class Browser:
    """Pages of a floor, and who asks for them.

    Attributes:
        metrics: of the floor.
        pages: served without a network.
    """

    def __init__(self, engine: Engine, zone: tzinfo = UTC, now: datetime = NOW, **options: Any) -> None:
        self.metrics = FloorMetrics(engine)
        self.pages = Pages(engine, self.metrics, "Main floor", 10_000, now=lambda: now, zone=zone, **options)

    async def get(self, address: str, host: str = "localhost:8080") -> Answer:
        """The answer to ``GET``; the address is as a browser sends it."""
        return await asked(self.pages.application, address, host=host)

    def ask(self, address: str, host: str = "localhost:8080") -> Answer:
        """The same in an event loop of its own."""
        return asyncio.run(self.get(address, host))
