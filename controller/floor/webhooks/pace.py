"""When a receiver is told next: so many messages a minute at most, and longer waits while it takes none."""

import random
from collections import deque
from collections.abc import Callable

MINUTE_S = 60.0
FIRST_WAIT_S, LONGEST_WAIT_S = 5.0, 900.0
"""After the first failure, and after many."""


class MessagePace:
    """The messages to a receiver in the last minute. Reads no clock; callers pass seconds of a monotonic one."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._sent: deque[float] = deque()

    def left(self, now_s: float) -> int:
        """How many more may be sent now."""
        while self._sent and self._sent[0] <= now_s - MINUTE_S:
            self._sent.popleft()
        return self._per_minute - len(self._sent)

    def wait_s(self, now_s: float) -> float:
        """How long until one more may be sent."""
        return 0.0 if self.left(now_s) > 0 else self._sent[0] + MINUTE_S - now_s

    def sent(self, now_s: float) -> None:
        """One was sent, whether or not it was taken."""
        self._sent.append(now_s)


class RetryWaits:
    """How long to wait after failures: twice as long each time, and drawn, so that not all try at once.

    Args:
        draw: a number from 0 to 1.
    """

    def __init__(self, draw: Callable[[], float] = random.random) -> None:
        self._draw = draw
        self.failures = 0

    def succeeded(self) -> None:
        """It was taken."""
        self.failures = 0

    def failed_s(self, requested: str = "") -> float:
        """It was not; returns how long to wait.

        Args:
            requested: how many seconds the receiver asks for, as text.
        """
        most = min(FIRST_WAIT_S * 2.0 ** min(self.failures, 20), LONGEST_WAIT_S)
        self.failures += 1
        least = float(requested) if requested.isascii() and requested.isdigit() else 0.0
        return min(max(most * (0.5 + self._draw() / 2), least), LONGEST_WAIT_S)
