"""How long commits took, in the figures by which a disk is judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.commissioning.disk.thresholds import SLOW_MS, STALL_MS


@dataclass(frozen=True, slots=True)
class FlushTimes:
    """The distribution over so many commits, in milliseconds."""

    count: int
    p50_ms: float
    p99_ms: float
    worst_ms: float
    slow: int
    """How many took more than :data:`SLOW_MS`."""
    stalled: int
    """How many took more than :data:`STALL_MS`."""


def flush_times(durations_ns: Sequence[int]) -> FlushTimes:
    """The figures of some commits.

    Raises:
        ValueError: there is none.
    """
    if not durations_ns:
        raise ValueError("nothing was measured")
    ordered = sorted(durations_ns)
    return FlushTimes(
        len(ordered),
        percentile_ns(ordered, 50) / 1e6,
        percentile_ns(ordered, 99) / 1e6,
        ordered[-1] / 1e6,
        sum(duration > SLOW_MS * 1e6 for duration in ordered),
        sum(duration > STALL_MS * 1e6 for duration in ordered),
    )


def percentile_ns(ordered: Sequence[int], percent: int) -> int:
    """The least of some ordered durations that so many percent of them do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


@dataclass(frozen=True, slots=True)
class FlushComparison:
    """Writes of one page to a file of their own, in microseconds, in the median."""

    with_flush_us: float
    without_us: float
