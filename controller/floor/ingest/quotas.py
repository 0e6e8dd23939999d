"""What each table may cost the floor: messages, bytes and processor time, each with a burst.

Pure: callers pass the nanoseconds of a monotonic clock.
"""

from config.floor import QuotaSection

_S = 1_000_000_000


class Bucket:
    """An amount that grows with time up to a burst. Spending more than is there leaves a debt, of a burst at most.

    Args:
        rate: how much it grows in a second.
        burst_s: how many seconds of it can be saved up.
    """

    def __init__(self, rate: float, burst_s: float, now_ns: int) -> None:
        self._rate = rate
        self._most = rate * burst_s
        self._level = self._most
        self._at_ns = now_ns

    def spend(self, amount: float, now_ns: int) -> None:
        """Take an amount out; a negative one puts it back."""
        level = self._level_at(now_ns) - amount
        self._level, self._at_ns = min(self._most, max(-self._most, level)), max(now_ns, self._at_ns)

    def has(self, now_ns: int) -> bool:
        """Whether anything is left."""
        return self._level_at(now_ns) > 0

    def _level_at(self, now_ns: int) -> float:
        return min(self._most, self._level + self._rate * max(0, now_ns - self._at_ns) / _S)


class Allowance:
    """What one table may still cost. It starts with the whole burst."""

    def __init__(self, quota: QuotaSection, now_ns: int) -> None:
        self._messages = Bucket(quota.messages_per_s, quota.burst_s, now_ns)
        self._bytes = Bucket(quota.megabytes_per_minute * 1e6 / 60, quota.burst_s, now_ns)
        self._processor_ns = Bucket(quota.processor_percent / 100 * _S, quota.burst_s, now_ns)

    def spend(self, messages: int, size: int, processor_ns: int, now_ns: int) -> None:
        """Account for what messages cost; negative figures are given back."""
        self._messages.spend(messages, now_ns)
        self._bytes.spend(size, now_ns)
        self._processor_ns.spend(processor_ns, now_ns)

    def lasts(self, now_ns: int) -> bool:
        """Whether the table is within its quota."""
        return self._messages.has(now_ns) and self._bytes.has(now_ns) and self._processor_ns.has(now_ns)
