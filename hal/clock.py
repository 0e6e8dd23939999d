"""The real clock: the kernel's monotonic time and asyncio's timers."""

import asyncio
import time
from collections.abc import Callable

from hal.interfaces import Timer


class LoopClock:
    """Time of a live table. Create it inside the running event loop; use it from that loop only."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def utc_ns(self) -> int:
        return time.time_ns()

    def call_at(self, at_ns: int, action: Callable[[], None]) -> Timer:
        # Loop time and the monotonic clock share their rate; only the difference is passed.
        delay_s = max(0, at_ns - time.monotonic_ns()) / 1e9
        return self._loop.call_later(delay_s, action)
