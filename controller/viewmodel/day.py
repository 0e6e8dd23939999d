"""The results of one day, for the players' board: how often each came, and how many others came since.

Counts of what happened, from recorded decisions. They say nothing of what comes next.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

NAMED = 3
"""Labels that are named as the most frequent, and as those that came the longest ago."""


class CountedResult(NamedTuple):
    """What a result changed in the counts of its day, so that it can be taken back."""

    labels: tuple[str, ...]
    before: Mapping[str, int]
    """The number within the day of each label's result before this one; a label that had none is left out."""


class DayResults:
    """The results of a day. The work for each does not grow with the day.

    Attributes:
        day: in the table's time zone; None before the first result.
        spins: results of the day.
    """

    def __init__(self, day: date | None = None) -> None:
        self.day = day
        self.spins = 0
        self._counts: Counter[str] = Counter()
        self._newest: dict[str, int] = {}

    def add(self, labels: tuple[str, ...]) -> CountedResult:
        """Count a result under its labels."""
        before = {label: self._newest[label] for label in labels if label in self._newest}
        self.spins += 1
        self._counts.update(labels)
        self._newest.update(dict.fromkeys(labels, self.spins))
        return CountedResult(labels, before)

    def withdraw(self, counted: CountedResult) -> None:
        """Take the newest result back."""
        self.spins -= 1
        self._counts.subtract(counted.labels)
        for label in counted.labels:
            self._newest.pop(label, None)
        self._newest.update(counted.before)

    def count(self, label: str) -> int:
        """How often a label came."""
        return self._counts[label]

    def since(self, label: str) -> int | None:
        """The results since a label came last: 0 for the newest result; None if it did not come on this day."""
        newest = self._newest.get(label)
        return None if newest is None else self.spins - newest

    def most_frequent(self, labels: Sequence[str]) -> list[str]:
        """The labels that came most often, at most :data:`NAMED`; those of equal count in the given order.

        Empty until there are as many results as labels: before, it would be chance alone.
        """
        came = (label for label in labels if self._counts[label] > 1)
        return self._named(labels, sorted(came, key=lambda label: -self._counts[label]))

    def longest_ago(self, labels: Sequence[str]) -> list[str]:
        """The labels that came the longest ago, those that never came first; limited as :meth:`most_frequent`."""
        return self._named(labels, sorted(labels, key=lambda label: self._newest.get(label, 0)))

    def _named(self, labels: Sequence[str], found: Iterable[str]) -> list[str]:
        return list(found)[:NAMED] if self.spins >= len(labels) else []
