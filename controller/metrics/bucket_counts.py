"""A histogram as plain numbers: what is measured on the way of messages is counted here, and shown at a scrape."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate


class BucketCounts:
    """How many measurements were at most so large.

    Args:
        bounds: the upper bounds of the buckets, ascending; a last one without a bound is added.

    Attributes:
        total: the sum of all measurements.
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.total = 0.0
        self._counts = [0] * (len(self.bounds) + 1)

    def add(self, measured: float) -> None:
        """Count a measurement."""
        self._counts[bisect_left(self.bounds, measured)] += 1
        self.total += measured

    @property
    def count(self) -> int:
        """How many measurements there were."""
        return sum(self._counts)

    def cumulative(self) -> Iterator[tuple[str, int]]:
        """Each bound as the format writes it, with how many measurements it holds."""
        names = (*(repr(float(bound)) for bound in self.bounds), "+Inf")
        return zip(names, accumulate(self._counts), strict=True)
