"""Whether a wheel can have come to rest as its edges say: what no wheel does, whatever the places of its edges.

Lines that break in the last moment can make a picture in which every edge is at its place. Its times give it away.
A wheel that a peg slows down is slower with every count until it turns or the leather slips off; one that turns
back is slow before and after; and one that stops was slow at the end. Only the last needs a calibration.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Final

from controller.tracking.clapper_wheel.contact import ContactEdges, SlowPass
from controller.tracking.clapper_wheel.geometry import NS_PER_S

_LATE_NS: Final = 3_000_000
_TURNS: Final = ((2, 1.52), (4, 1.47), (8, 1.44))
"""Counts on either side of a turning, and by what the time over half as many more is longer, at most. A steady
speed gives 1.67, 1.57, 1.53; an honest wheel of the fleet at most 1.30, 1.25, 1.25."""
_COARSE_TURNS: Final = ((2, 1.9),)
_COARSE: Final = 2400
"""With fewer counts a turn a stiff leather stops the wheel within a count or two: it seems to turn at once."""
_AT_ONCE: Final = 3.5
"""Two counts of a wheel are not so many times nearer to each other than to those before and after them."""
_FASTER: Final = ((1, 1.45), (2, 1.2), (4, 1.06))
"""Counts, and by what a wheel takes them faster than counts before, under a peg. An honest one of the fleet does
not: by 1.004, once it is known how wide the encoder's lines are."""
_STATES: Final = 4
"""Levels of two lines: a count in four has the same, and lasts longer or less than others on every turn."""
_AROUND: Final = _STATES + 2
"""So many stamps in a row compare a state, the middle one, with four around it."""
_FEWEST: Final = 3
"""Counts that tell how wide such a state is."""
_LAST: Final = 2
_FINE: Final = 5760
"""Of an encoder with so many counts a turn, each is looked at; of a finer one, so many a turn."""


@dataclass(slots=True)
class CountRun:
    """Counts in one direction.

    Attributes:
        direction: +1 or -1.
        first: the count that was entered first.
        stamps: when each was entered, in nanoseconds.
    """

    direction: int
    first: int
    stamps: list[int] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The count that was entered last."""
        return self.first + self.direction * (len(self.stamps) - 1)

    def within(self, from_ns: int, to_ns: int) -> "CountRun":
        """What was counted between two moments."""
        begun = bisect_right(self.stamps, from_ns)
        first = self.first + self.direction * begun
        return CountRun(self.direction, first, self.stamps[begun : bisect_left(self.stamps, to_ns)])

    def evened(self, widths: Sequence[float]) -> list[float]:
        """When each count would have been entered, were they all as wide, in nanoseconds since the first."""
        at, found, count = 0.0, [0.0], self.first
        for one_ns, other_ns in pairwise(self.stamps):
            at += (other_ns - one_ns) / widths[count % _STATES]
            found.append(at)
            count += self.direction
        return found


def impossible(runs: Sequence[CountRun], contact: ContactEdges, counts_per_turn: int) -> str:
    """What no wheel does by itself, in words; empty if there is nothing of the kind.

    Args:
        runs: the last sections of the way.
        contact: what the contact did meanwhile.
    """
    step = max(1, counts_per_turn // _FINE)
    turns = tuple((counts * step, most) for counts, most in _TURNS) if counts_per_turn >= _COARSE else _COARSE_TURNS
    if any(_turned_at_speed(one.stamps, other.stamps, turns) for one, other in pairwise(runs)):
        return "turned back without slowing down: by a hand, or the encoder's lines are disturbed"
    if _counted_at_once(runs):
        return "two counts at once of a wheel that was slow before and after: edges are missing"
    passages = list(contact.slow_passages())
    widths = line_widths(runs) if passages else []
    if any(_gained(runs, passage, step, widths) for passage in passages):
        return "pushed on while a peg bent the clapper"
    return ""


def line_widths(runs: Iterable[CountRun]) -> list[float]:
    """How wide the encoder's states are, by count modulo four; 1 is a fourth of a cycle.

    An encoder's edges lie up to half a state out of place (the data sheets' 90 ± 45 degrees). How long the wheel
    was in a state is compared with four in a row around it, in which each occurs once.
    """
    found: list[list[float]] = [[] for _ in range(_STATES)]
    for run in runs:
        if len(run.stamps) < _AROUND:
            continue
        count, direction = run.first + run.direction, run.direction
        before_ns, one_ns, from_ns, to_ns, next_ns = run.stamps[: _AROUND - 1]
        for after_ns in run.stamps[_AROUND - 1 :]:
            count += direction
            around_ns = after_ns + next_ns - one_ns - before_ns
            if around_ns:
                found[count % _STATES].append(2 * _STATES * (to_ns - from_ns) / around_ns)
            before_ns, one_ns, from_ns, to_ns, next_ns = one_ns, from_ns, to_ns, next_ns, after_ns
    middle = [sorted(state)[len(state) // 2] if len(state) >= _FEWEST else 1.0 for state in found]
    return [max(0.1, width) for width in middle]


def speed_at_the_end(runs: Sequence[CountRun], counts_per_turn: int) -> float:
    """At least so fast was the wheel over its last two counts, squared, in (degrees/s)²; 0 if it turned there."""
    stamps = runs[-1].stamps if runs else []
    if len(stamps) <= _LAST:
        return 0.0
    within_ns = stamps[-1] - stamps[-1 - _LAST] + _LATE_NS
    return (_LAST * 360 * NS_PER_S / (counts_per_turn * within_ns)) ** 2


def _turned_at_speed(before: Sequence[int], after: Sequence[int], turns: Sequence[tuple[int, float]]) -> bool:
    """Slowing down to nothing, a wheel takes longer for its last counts than for those before them."""
    found = 0
    for near, most in turns:
        if len(before) < 2 * near or len(after) < near:
            break
        wide_ns, near_ns = after[near - 1] - before[-2 * near], after[near - 1] - before[-near]
        found += wide_ns > most * near_ns
        if wide_ns - _LATE_NS > most * (near_ns + _LATE_NS):
            return True
    return found > 1  # One alone may be a late stamp's.


def _counted_at_once(runs: Sequence[CountRun]) -> bool:
    """Lines that were away for a while come back together: A and B of an encoder that turns do not change so."""
    stamps = [at_ns for run in runs for at_ns in run.stamps]
    turns = set(accumulate([len(run.stamps) for run in runs]))
    before_ns = one_ns = other_ns = 0
    for i, after_ns in enumerate(stamps):
        most_ns = (other_ns - one_ns + _LATE_NS) * _AT_ONCE
        if after_ns - other_ns > most_ns and one_ns - before_ns > most_ns and i > 2 and i - 1 not in turns:
            return True
        before_ns, one_ns, other_ns = one_ns, other_ns, after_ns
    return False


def _gained(runs: Iterable[CountRun], passage: SlowPass, step: int, widths: Sequence[float]) -> bool:
    """The wheel went on against the peg that bent the leather, and became faster."""
    direction, from_ns, to_ns = passage
    passed = [part for run in runs if (part := run.within(from_ns, to_ns)).stamps]
    if not passed or passed[-1].direction != direction:  # It turned: the leather pushes it back.
        return False
    stamps = passed[-1].evened(widths)
    for counts, most in _FASTER:
        wide = counts * step
        took_ns = [other - one for one, other in zip(stamps, stamps[wide:], strict=False)]
        slowest_ns = 0.0
        for before_ns, now_ns in zip(took_ns, took_ns[wide:], strict=False):
            slowest_ns = max(slowest_ns, before_ns)
            if slowest_ns - _LATE_NS > most * (now_ns + _LATE_NS):
                return True
    return False
