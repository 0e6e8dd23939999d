"""How often requests to publish again are answered. Publishers of tables use it, and the relay of a house.

A request costs the computer that answers time, and the broker traffic. Whoever can write at the topic of requests
can send any number of them. So an answer begins anew only so often, and the same request is not answered twice
within a minute. The floor requests again what it still lacks.
"""

from controller.messages.models import ResendRequest

_S = 1_000_000_000
BURST, REFILL_NS = 5, 30 * _S
"""So many requests are answered at once, and one more each time so long has passed."""
SAME_NS = 60 * _S
"""The same request is answered again after so long."""


class ResendLimit:
    """Which requests are answered. Reads no clock; callers pass the nanoseconds of a monotonic one."""

    def __init__(self) -> None:
        self._left = BURST
        self._refilled_ns: int | None = None
        self._answered: tuple[str, int, int] | None = None
        """Record and entry of the last request that was answered, and when."""

    def admits(self, request: ResendRequest, now_ns: int) -> bool:
        """Whether to answer a request now; it counts as answered."""
        self._refill(now_ns)
        if self._answered is not None:
            record, after, at_ns = self._answered
            if (record, after) == (request.record, request.after) and now_ns - at_ns < SAME_NS:
                return False
        if self._left == 0:
            return False
        self._left -= 1
        self._answered = (request.record, request.after, now_ns)
        return True

    def forget(self) -> None:
        """The last request may be answered again at once."""
        self._answered = None

    def _refill(self, now_ns: int) -> None:
        if self._refilled_ns is None:
            self._refilled_ns = now_ns
        more = (now_ns - self._refilled_ns) // REFILL_NS
        self._left = min(BURST, self._left + more)
        self._refilled_ns += more * REFILL_NS
