"""Whether a rotor that turned goes on turning, judged by the times of its counts.

A rotor that slows down by itself takes a little longer for each count than for the one before; the very last count
takes less than the four before it took together (so long as it loses speed evenly). One that is held takes longer.
A rotor whose counts come so far apart that it might have been held between them is not proven to turn; no dealer
lets one become so slow. One that was seen to go back was in a hand.
"""

from collections.abc import Iterator

from controller.tracking.reading import Stamps

_CRAWL_NS = 12_500_000_000
"""A rotor that would take so long for a turn stands, or is about to: its counts do not tell which. Rotors are set
turning three times as fast and more."""
_HOLD_NS = 100_000_000
"""A hand that pushes the rotor on may slow it for so long: it is not held."""
_COARSE_NS = 500_000_000
"""Without a count for so long it stands, however few counts make a turn."""
_FEW = 4
"""Counts of a whole cycle of A and B, so that it does not matter how the edges lie within."""


class Pace:
    """The last counts of a rotor that turns one way.

    Args:
        counts_per_turn: of the encoder.
    """

    def __init__(self, counts_per_turn: int) -> None:
        self._longest_ns = min(_COARSE_NS, max(_HOLD_NS, _CRAWL_NS // counts_per_turn))
        self._went_back = False
        self._recent: list[int] = []
        """When the last counts came since the rotor stood; one more than :data:`_FEW` at most."""

    def stands(self, now_ns: int) -> bool:
        """Whether no count has come for too long, at a moment that is not before the last one."""
        if not self._recent:
            return True
        limit_ns = self._longest_ns
        if len(self._recent) > _FEW:
            limit_ns = min(limit_ns, max(_HOLD_NS, self._recent[-1] - self._recent[0]))
        return now_ns - self._recent[-1] > (_HOLD_NS if self._went_back else limit_ns)

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
