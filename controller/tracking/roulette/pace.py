"""Whether a rotor that turned goes on turning, judged by the times of its counts.

A rotor that slows down by itself takes a little longer for each count than for the one before; the very last count
takes less than the four before it took together (so long as it loses speed evenly). One that is held takes longer.
While it is too fast for that to be its last count, what it may lose of its speed says how long the next one takes
at the most. A rotor that was seen to go back was in a hand.
"""

from collections.abc import Iterator
from math import inf, sqrt

from controller.tracking.reading import Stamps

_CRAWL_NS = 100_000_000_000
"""A rotor that would take so long for a turn stands, or is about to: its counts do not tell which."""
_HOLD_NS = 100_000_000
"""A hand that pushes the rotor on may slow it for so long: it is not held."""
_COARSE_NS = 500_000_000
"""Without a count for so long it stands, however few counts make a turn."""
_SLOWS_REV_S2 = 0.06
"""No bearing takes more off a rotor's speed."""
_UNEVEN = 2
"""A count may be so many times wider than the others: lines of an encoder are not all alike."""
_FEW = 4
"""Counts of a whole cycle of A and B, so that it does not matter how the edges lie within."""


class Pace:
    """The last counts of a rotor that turns one way.

    Args:
        counts_per_turn: of the encoder.
    """

    def __init__(self, counts_per_turn: int) -> None:
        self._longest_ns = min(_COARSE_NS, max(_HOLD_NS, _CRAWL_NS // counts_per_turn))
        self._slows = _SLOWS_REV_S2 * counts_per_turn / 1e18
        """Counts per squared nanosecond."""
        self._went_back = False
        self._recent: list[int] = []
        """When the last counts came since the rotor stood; one more than :data:`_FEW` at most."""

    def stands(self, now_ns: int) -> bool:
        """Whether no count has come for too long, at a moment that is not before the last one."""
        if not self._recent:
            return True
        limit_ns: float = self._longest_ns
        if len(self._recent) > _FEW:
            few_ns = self._recent[-1] - self._recent[0]
            limit_ns = min(limit_ns, max(_HOLD_NS, min(few_ns, self._next_ns(few_ns))))
        return now_ns - self._recent[-1] > (_HOLD_NS if self._went_back else limit_ns)

    def _next_ns(self, few_ns: int) -> float:
        """What the next count takes at the most, after :data:`_FEW` that took so long."""
        speed = _FEW / max(1, few_ns) - self._slows * few_ns / 2
        squared = speed * speed - 2 * self._slows
        return _UNEVEN * (speed - sqrt(squared)) / self._slows if speed > 0 and squared > 0 else inf

    def back(self) -> None:
        """A count back: the rotor is held, unless it is soon where it was."""
        self._went_back = True

    def rest(self) -> None:
        """The rotor stood, or turned back."""
        self._recent.clear()
        self._went_back = False

    def go(self, stamps: Stamps, first: int, last: int) -> int | None:
        """Counts that go on the same way.

        Returns:
            the place of the first count after the rotor stood for the last time; None if it did not stand.
        """
        resumed, begin = None, first
        for place in self._after_gaps(stamps, first, last):
            self._take(stamps, begin, place - 1)
            if self.stands(stamps[place]):
                self._recent.clear()
                resumed = place
            begin = place
        self._take(stamps, begin, last)
        return resumed

    def _take(self, stamps: Stamps, first: int, last: int) -> None:
        self._recent += [stamps[place] for place in range(max(first, last - _FEW), last + 1)]
        del self._recent[: -_FEW - 1]
        self._went_back = self._went_back and first > last

    def _after_gaps(self, stamps: Stamps, first: int, last: int) -> Iterator[int]:
        """The places of counts before which nothing came for so long that the rotor may have stood."""
        if not self._recent or stamps[first] - self._recent[-1] > _HOLD_NS:
            yield first
        yield from _after_gaps_within(stamps, first, last)


def _after_gaps_within(stamps: Stamps, first: int, last: int) -> Iterator[int]:
    if stamps[last] - stamps[first] <= _HOLD_NS:
        return
    if last - first == 1:
        yield last
        return
    middle = (first + last) // 2
    yield from _after_gaps_within(stamps, first, middle)
    yield from _after_gaps_within(stamps, middle, last)
