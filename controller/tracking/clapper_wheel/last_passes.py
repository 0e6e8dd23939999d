"""The last pegs that bent the leather, to a part of a count: where and when each closed the contact and let it go.

Between two counts a wheel moves evenly enough, so that the stamps of the contact's edges say where it was. Asked
once the wheel is at rest.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from controller.tracking.clapper_wheel.contact import ContactEdges
from controller.tracking.clapper_wheel.ending import CountRun
from controller.tracking.clapper_wheel.geometry import NS_PER_S, WheelGeometry

_CYCLE: Final = 4
"""The lines of an encoder are not all alike: speeds are taken over whole cycles of A and B."""
_CYCLES_PER_TURN: Final = 360


class PegPass(NamedTuple):
    """One closing of the contact, and the opening after it.

    Attributes:
        direction: in which the wheel moved when the contact closed.
        closed_ns: when it did.
        opened_ns: when it opened.
        onward: how many counts the wheel went on meanwhile; None if it turned.
        goes_on: after the opening it enters the next count in that direction.
        entry: its squared speed before the peg, (degrees/s)²; None if that was not seen.
    """

    direction: int
    closed_ns: int
    opened_ns: int
    onward: int | None
    goes_on: bool
    entry: float | None


class LastWay:
    """The last sections of a wheel's way, count by count.

    Args:
        runs: in order of time.
    """

    def __init__(self, runs: Sequence[CountRun]) -> None:
        self._runs = [run for run in runs if run.stamps]
        self._begins = [run.stamps[0] for run in self._runs]

    def seen(self, at_ns: int) -> tuple[CountRun, int] | None:
        """The run at a moment, and which of its stamps is the last before; None if it is too long ago."""
        place = bisect_right(self._begins, at_ns) - 1
        if place < 0:
            return None
        run = self._runs[place]
        return run, bisect_right(run.stamps, at_ns) - 1

    def place(self, at_ns: int) -> tuple[float, int] | None:
        """Where the wheel was at a moment, and its direction; None unless it went on to the next count."""
        seen = self.seen(at_ns)
        if seen is None:
            return None
        run, last = seen
        if last + 1 >= len(run.stamps):
            return None
        from_ns, to_ns = run.stamps[last], run.stamps[last + 1]
        part = (at_ns - from_ns) / (to_ns - from_ns or 1)
        return entered_at(run.first + run.direction * last, run.direction) + run.direction * part, run.direction

    def farthest(self, direction: int, from_ns: int, at_rest: int) -> int:
        """How far the wheel surely came in a direction after a moment: the border of a count."""
        counts = [at_rest]
        for run in self._runs:
            if run.stamps[-1] > from_ns:
                counts += [run.first + run.direction * bisect_right(run.stamps, from_ns), run.last]
        return max(counts) if direction > 0 else min(counts) + 1

    def speeds_turned_in_the_open(self, contact: ContactEdges, counts_per_turn: int) -> Iterator[tuple[int, float]]:
        """The direction and the squared speed before each turning at which the contact was open, and had been."""
        for run, back in pairwise(self._runs):
            last = len(run.stamps) - 1
            entry = _entry(run, last, counts_per_turn)
            before = list(takewhile(lambda edge: edge[0] <= back.stamps[0], contact))  # noqa: B023
            if entry is None or back.direction == run.direction or not before or before[-1][1]:
                continue
            if before[-1][0] <= run.stamps[last - _entry_counts(counts_per_turn)]:
                yield run.direction, entry

    def passes(self, contact: ContactEdges, counts_per_turn: int) -> list[PegPass]:
        """The closings of the contact with their openings, in order."""
        found = []
        for (closed_ns, direction), (opened_ns, closes) in pairwise(contact):
            one, other = self.seen(closed_ns), self.seen(opened_ns)
            if direction and not closes and one is not None and other is not None:
                onward = other[1] - one[1] if one[0] is other[0] and one[0].direction == direction else None
                goes_on = other[0].direction == direction and other[1] + 1 < len(other[0].stamps)
                entry = _entry(*one, counts_per_turn) if one[0].direction == direction else None
                found.append(PegPass(direction, closed_ns, opened_ns, onward, goes_on, entry))
        return found


def entered_at(count: int, direction: int) -> int:
    """The border at which a count is entered."""
    return count if direction > 0 else count + 1


def _entry_counts(counts_per_turn: int) -> int:
    return _CYCLE * max(1, counts_per_turn // (_CYCLE * _CYCLES_PER_TURN))


def _entry(run: CountRun, last: int, counts_per_turn: int) -> float | None:
    counts = _entry_counts(counts_per_turn)
    if last < counts:
        return None
    within_ns = run.stamps[last] - run.stamps[last - counts]
    return (counts * 360 * NS_PER_S / (counts_per_turn * (within_ns or 1))) ** 2


def cannot_have_passed(passed: PegPass, geometry: WheelGeometry) -> bool:
    """Whether the wheel went on past a peg without the energy for it, or too slowly.

    Bending the leather takes most of what a section takes. And it slows the wheel down the more the further it is
    bent: so on average the wheel is at least half as fast there as before, until the leather slips off.
    """
    if geometry.losses is None or passed.entry is None:
        return False
    if passed.entry < _LEAST_TO_PASS * geometry.losses[passed.direction < 0].section:
        return True
    return _held_for(passed, geometry, passed.entry) > _LONGEST_TO_PASS


def must_have_passed(passed: PegPass, geometry: WheelGeometry) -> bool:
    """Whether the wheel had the energy to pass a peg, and the contact opened sooner than if it had turned back."""
    if geometry.losses is None or passed.entry is None:
        return False
    if passed.entry < _MOST_TO_TURN * geometry.losses[passed.direction < 0].section:
        return False
    return _held_for(passed, geometry, passed.entry) < _SHORTEST_TO_TURN


def cannot_have_turned(direction: int, entry: float, geometry: WheelGeometry) -> bool:
    """Whether the wheel was too fast to be turned back by a leather that did not close the contact."""
    return geometry.losses is not None and entry > _MOST_TO_TURN_OPEN * geometry.losses[direction < 0].section


def reopened(passed: PegPass, way: LastWay, geometry: WheelGeometry) -> float | None:
    """How many counts beyond the place where it closed the contact opened; None if that was not seen exactly."""
    places = geometry.measured
    closed = way.place(passed.closed_ns - places.closing_delay_ns)
    opened = way.place(passed.opened_ns - places.opening_delay_ns)
    if closed is None or opened is None or closed[1] != passed.direction:
        return None
    return (opened[0] - closed[0]) * passed.direction


def _held_for(passed: PegPass, geometry: WheelGeometry, entry: float) -> float:
    """How long the contact was closed, as a part of the longest that passing the peg can take."""
    side = geometry.measured.side(passed.direction)
    bends_deg: float = (side.slips_to_mdeg - side.closes_mdeg) / 1000
    return (passed.opened_ns - passed.closed_ns) / NS_PER_S * math.sqrt(entry) / (2 * max(bends_deg, 0.001))


_LEAST_TO_PASS: Final = 0.45
"""Of what a section takes. Honest wheels of both simulations pass with 0.54 and more."""
_LONGEST_TO_PASS: Final = 1.0
"""They pass within 0.87; each that turned back had less than 0.45, or took longer than 1.0."""
_MOST_TO_TURN, _SHORTEST_TO_TURN = 0.5, 0.9
_MOST_TO_TURN_OPEN: Final = 0.45
"""Honest wheels turn back with 0.26 at most if the contact has not closed."""
