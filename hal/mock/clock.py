"""Virtual time: jumps from timer to timer, as fast as the processor allows."""

import heapq
from collections.abc import Callable

from hal.interfaces import Timer

NS_PER_S = 1_000_000_000


class _Call:
    def __init__(self, action: Callable[[], None]) -> None:
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class VirtualClock:
    """A clock that stands still until it is advanced.

    Args:
        utc_ns: wall time at monotonic time 0; the default is 2026-01-01 00:00 UTC.
    """

    def __init__(self, utc_ns: int = 1_767_225_600 * NS_PER_S) -> None:
        self._now_ns = self._order = 0
        self._utc_ns = utc_ns
        self._calls: list[tuple[int, int, _Call]] = []
        """When each is due, in which order they were asked for, and what to do."""

    def now_ns(self) -> int:
        return self._now_ns

    def utc_ns(self) -> int:
        return self._utc_ns + self._now_ns

    def set_utc(self, utc_ns: int) -> None:
        self._utc_ns = utc_ns - self._now_ns

    def call_at(self, at_ns: int, action: Callable[[], None]) -> Timer:
        self._order += 1
        call = _Call(action)
        heapq.heappush(self._calls, (max(at_ns, self._now_ns), self._order, call))
        return call

    def advance_to(self, at_ns: int) -> None:
        """Make every call that is due up to ``at_ns``, in order, and stop there."""
        while self._calls and self._calls[0][0] <= at_ns:
            due_ns, _, call = heapq.heappop(self._calls)
            if call.action is not None:
                self._now_ns = due_ns
                call.action()
        self._now_ns = max(self._now_ns, at_ns)
