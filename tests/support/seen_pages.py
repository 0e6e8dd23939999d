"""A floor's pages that show nothing, and keep what they were given to show."""

from typing import Any

from prometheus_client.registry import Collector
from sqlalchemy import Engine

from config.floor import FloorConfig
from controller.floor.process import ReadLinkState
from hal.interfaces import Clock


class SeenPages:
    """A :class:`controller.floor.process.PageServer`."""

    def __init__(
        self,
        config: FloorConfig,
        engine: Engine,
        clock: Clock,
        read_link: ReadLinkState,
    ) -> None:
        self.engine, self.link = engine, read_link
        self.details: list[str] = []
        """Why the broker is not there, at each change."""
        self.counted: Collector | None = None
        self.closed = False

    async def keep_open(self, address: str, port: int) -> None:
        self.address = (address, port)

    def measure(self, counted: Collector) -> None:
        self.counted = counted

    def changed(self) -> None:
        self.details.append(self.link()["detail"])

    def close(self) -> None:
        self.closed = True


class PagesMade:
    """Makes them for a floor, which has them once its store is open."""

    def __init__(self) -> None:
        self.all: list[SeenPages] = []

    def __call__(self, *given: Any) -> SeenPages:
        self.all.append(SeenPages(*given))
        return self.all[-1]

    @property
    def connected(self) -> bool:
        """Whether the floor hears its tables."""
        return any(one.link()["connected"] for one in self.all)
