"""The rate of edges on each line of a sensor head, over the last half second."""

from bisect import bisect_right
from collections import deque

from hal.events import LINES, EdgeBatch

NS_PER_S = 1_000_000_000
WINDOW_NS = NS_PER_S // 2


class EdgeRates:
    """A listener of a table's edges, also across restarts."""

    def __init__(self) -> None:
        self._batches: deque[EdgeBatch] = deque()

    def __call__(self, batch: EdgeBatch) -> None:
        """Take a batch; the table calls this."""
        if len(batch):
            self._batches.append(batch)
            self._forget(batch.timestamps_ns[-1])

    def rate(self, line: str, now_ns: int) -> int:
        """The edges per second of a line, rising and falling.

        Args:
            line: its name, as in ``hal.events.LINES``.
        """
        self._forget(now_ns)
        rising, falling = (letter.encode() for letter in (LINES[line], LINES[line].lower()))
        count = 0
        for batch in self._batches:
            first = bisect_right(batch.timestamps_ns, now_ns - WINDOW_NS)
            count += batch.edges.count(rising, first) + batch.edges.count(falling, first)
        return count * NS_PER_S // WINDOW_NS

    def _forget(self, now_ns: int) -> None:
        """Drop what is older than the window."""
        while self._batches and self._batches[0].timestamps_ns[-1] <= now_ns - WINDOW_NS:
            self._batches.popleft()
