"""A floor's pages, served from a thread of the test, with a store that the test fills.

Its clock begins at a fixed time and goes on from there.
"""

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

from floor_pages import UPDATES
from stored_floor import NOW_MS, empty

from config.door import LogOnSection
from config.floor import FloorConfig
from config.schema import BrokerSection, ScreensSection
from controller.floor.pages.server import Pages
from controller.floor.record.floor_record import FloorRecord
from hal.clock import LoopClock

_CONFIG = FloorConfig(
    floor="north-hall", broker=BrokerSection(host="localhost", ca="ca", certificate="crt", key="key")
)
_ENDS_S = 10.0


class _Clock(LoopClock):
    """The wall time of the test's rounds."""

    def __init__(self) -> None:
        super().__init__()
        self._begun_ns = time.monotonic_ns()

    def utc_ns(self) -> int:
        return NOW_MS * 1_000_000 + time.monotonic_ns() - self._begun_ns


async def _clock() -> _Clock:
    """A clock of the running loop."""
    return _Clock()


class ServedFloor:
    """The pages of a floor.

    Args:
        log_on: how people log on; None for pages that are open.

    Attributes:
        address: ``http://127.0.0.1:PORT``.
        record: the floor's own, in memory.
        engine: of its store.
        link: the state of its connection to the broker; may be changed.
    """

    def __init__(self, folder: Path, log_on: LogOnSection | None = None) -> None:
        self.engine = empty(folder)
        self._config = _CONFIG.model_copy(update={"screens": ScreensSection(log_on=log_on)})
        self.link: dict[str, Any] = {"connected": True, "since_utc_ms": NOW_MS, "detail": "", "messages": 3}
        self._port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="served-floor", daemon=True)
        self._thread.start()
        self.clock: _Clock = self._call(_clock())
        self.record = FloorRecord(None, self.clock)
        self._pages = self._call(self._opened())
        self.address = f"http://127.0.0.1:{self._port}"

    def changed(self) -> None:
        """Announce that the store or the link has changed."""
        self._loop.call_soon_threadsafe(self._pages.changed)

    def pause(self) -> None:
        """Serve nothing more, as when the process has died."""
        self._call(self._closed())

    def resume(self) -> None:
        """Serve again at the same address."""
        self._pages = self._call(self._opened())

    def close(self) -> None:
        """End it."""
        if self._loop.is_closed():
            return
        self._call(self._closed())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_ENDS_S)
        self._loop.close()
        self.engine.dispose()

    async def _opened(self) -> Pages:
        pages = Pages(self._config, self.engine, self.clock, lambda: self.link, self.record, UPDATES.copy)
        self._port = await pages.open("127.0.0.1", self._port)
        return pages

    async def _closed(self) -> None:
        self._pages.close()
        await asyncio.sleep(0)

    def _call(self, what: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(_ENDS_S)
