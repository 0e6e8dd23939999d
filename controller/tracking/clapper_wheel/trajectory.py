"""How one wheel moved since it last stood, and what its contact did.

While the wheel moves, squared speeds are taken from mark to mark, and the last sections are kept count by count. At
rest they are asked where and when pegs bent the leather, to a part of a count.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from controller.tracking.clapper_wheel.energy import LATE_NS, SpinRun
from controller.tracking.clapper_wheel.geometry import NS_PER_S, WheelGeometry

LAST_SECTIONS: Final = 9
"""So many sections at the end are looked at count by count: a hand there shows in no turn's energy."""
_MOST_TURNS: Final = 40
"""No throw makes so many: a wheel that a hand turns on and on is not remembered for longer."""
CYCLE: Final = 4
"""The lines of an encoder are not all alike: speeds are taken over whole cycles of A and B."""
_CYCLES_PER_TURN: Final = 360
"""A speed before a peg is taken over about a degree."""


_SLOW_NS: Final = 200_000_000
"""A wheel whose strikes are further apart is slow."""
KEPT: Final = 12
"""So many edges of the contact are kept for a rest: more than it has after its last long passage."""

ContactEdge = tuple[int, int]
"""When the contact changed, and the wheel's direction for a strike, else 0."""


class Contact:
    """The clapper's contact: closed while the clapper hangs free, and then its line is low.

    It opens when a peg bends the clapper (a strike), and closes when the clapper is free again (a release). A
    strike is an opening after ``debounce_ns`` without a change. Any other opening is chatter: it was no release.

    Attributes:
        bent: the contact is open after the last edge.
        slow: the last strike was that of a slow wheel.
        soon: it came so soon after a release that a late stamp may have made it of chatter.
        edges: the last ones, without chatter.
    """

    def __init__(self, bent: bool, debounce_ns: int, kept: int | None = KEPT) -> None:
        self.bent = bent
        self.slow, self.soon = True, False
        self.edges: deque[ContactEdge] = deque(maxlen=kept)
        self._debounce_ns = debounce_ns
        self._changed_ns = -debounce_ns
        self._struck_ns = -_SLOW_NS

    def strikes(self, at_ns: int, direction: int) -> bool:
        """A rising edge: the contact opens. Returns whether it is a strike.

        Args:
            direction: in which the wheel moves.
        """
        closed_ns = at_ns - self._changed_ns
        struck = not self.bent and closed_ns >= self._debounce_ns
        self.bent, self._changed_ns, self.soon = True, at_ns, closed_ns < self._debounce_ns + LATE_NS
        if struck:
            self.slow, self._struck_ns = at_ns - self._struck_ns >= _SLOW_NS, at_ns
            self.edges.append((at_ns, direction))
        elif self.edges and not self.edges[-1][1]:
            self.edges.pop()  # It was no release.
        return struck

    def releases(self, at_ns: int) -> None:
        """A falling edge: the contact closes, perhaps not the last one before the next strike."""
        self.bent, self._changed_ns = False, at_ns
        self.edges.append((at_ns, 0))

    def realign(self, bent: bool, at_ns: int) -> None:
        """The contact's level, whatever its edges said."""
        if bent != self.bent:
            self.bent, self._changed_ns = bent, at_ns


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


class Trajectory:
    """The movement of one wheel, from one rest to the next."""

    def __init__(self, geometry: WheelGeometry, count: int, origin: int) -> None:
        self._turn, self._sections = geometry.counts_per_turn, geometry.sections
        self._keep = LAST_SECTIONS * self._turn // self._sections
        # From mark to mark whole cycles of A and B, if there are enough.
        self._cycle = CYCLE if self._turn >= 2 * CYCLE * self._sections else 1
        self._factors = geometry.runout or (1.0,) * self._sections
        self.restart(count, origin)

    def restart(self, count: int, origin: int) -> None:
        """The wheel stands at this count; ``origin`` is the one at the index mark."""
        self._origin, self._rested = origin, count
        self._runs: deque[CountRun] = deque()
        self._kept = 0
        self.lossy = False

    def moved(self, start: int, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        """The wheel moved by this many counts in one direction."""
        runs = self._runs
        if not runs or runs[-1].direction != direction:
            runs.append(CountRun(direction, start + direction))
        runs[-1].stamps += stamps[first : first + edges]
        self._kept += edges
        while self._kept > _MOST_TURNS * self._turn:
            oldest = runs[0]
            cut = min(self._turn, len(oldest.stamps))
            del oldest.stamps[:cut]
            oldest.first += oldest.direction * cut
            self._kept -= cut
            if not oldest.stamps:
                runs.popleft()

    def stands(self) -> None:
        """The wheel is still at rest: an encoder that trembles on an edge may do so for ever."""
        runs = self._runs
        while len(runs) > self._keep:
            self._kept -= len(runs.popleft().stamps)

    def lost_edges(self) -> None:
        """No turn of this run can be compared with another."""
        self.lossy = True

    def run(self, direction: int) -> tuple[SpinRun, float]:
        """The squared speeds between marks in a direction, and at which count the middle of the last of them is.

        There is a mark in each section, so that between two of them lies one peg.
        """
        turn, sections, speeds, middle = self._turn, self._sections, [], 0.0
        factors, before_ns, before_way, before, begun = self._factors, 0, 0, 0, 0
        for run in self._runs:
            start, way, stamps = run.first - run.direction, run.direction, run.stamps
            low, high = sorted((start, run.last))
            # Upwards it is the edge on entering the mark's count, downwards that on leaving it.
            entered = way > 0
            for mark in range(self._mark_below(low) + 1, self._mark_below(high) + 1)[::way]:
                count = self._count_of(mark)
                at_ns = stamps[(count - start) * way - entered]
                if way == before_way == direction:
                    turned = abs(count - begun) * 360 / turn * factors[min(before, mark) % sections]
                    speed = turned * NS_PER_S / (at_ns - before_ns or 1)
                    speeds.append(speed * speed)
                    middle = count - way * turn / (2 * sections)
                before_ns, before_way, before, begun = at_ns, way, mark, count
        return SpinRun(direction, speeds, sections), middle

    def _count_of(self, mark: int) -> int:
        """The count of a mark, at the beginning of a cycle."""
        cycle = self._cycle
        return -((-mark * self._turn // self._sections - self._origin) // cycle) * cycle

    def _mark_below(self, count: int) -> int:
        """The last mark at a count or below it."""
        mark = (count - self._origin) * self._sections // self._turn
        return mark if self._count_of(mark) <= count else mark - 1

    # -- count by count ------------------------------------------------------------------------------------------

    def count_at(self, at_ns: int) -> int:
        """The count that the wheel had entered last at a moment shortly before now."""
        for run in reversed(self._runs):
            if run.stamps[0] <= at_ns:
                return run.first + run.direction * (bisect_right(run.stamps, at_ns) - 1)
        return self._runs[0].first - self._runs[0].direction if self._runs else self._rested

    def last_runs(self) -> list[CountRun]:
        """The last sections, by direction."""
        last, left = list[CountRun](), self._keep
        for run in reversed(self._runs):
            stamps = run.stamps[-left:]
            last.append(CountRun(run.direction, run.last - run.direction * (len(stamps) - 1), stamps))
            left -= len(stamps)
            if not left:
                break
        return last[::-1]


class PegPass(NamedTuple):
    """A strike, and the release after it.

    Attributes:
        direction: in which the wheel moved when it struck.
        struck_ns: when it did.
        released_ns: when the contact closed.
        onward: when it entered each count meanwhile; None if it turned.
        goes_on: after the release it enters the next count in that direction.
        entry: its squared speed before the peg, (degrees/s)²; None if that was not seen.
        after: the same after the release.
        apart: by so many counts the two are.
    """

    direction: int
    struck_ns: int
    released_ns: int
    onward: Sequence[int] | None
    goes_on: bool
    entry: float | None
    after: float | None
    apart: int


class Turning(NamedTuple):
    """A wheel turned back.

    Attributes:
        direction: in which it moved before.
        bent: by so many counts, at most, it went on after a peg had opened the contact; 0 if none had.
        entry: its squared speed before that peg, or before it turned, (degrees/s)².
    """

    direction: int
    bent: int
    entry: float


class LastSections:
    """The last sections that a wheel passed, and what the contact did there, to a part of a count.

    Between two counts a wheel moves evenly enough, so that the stamps of the contact's edges say where it was.

    Args:
        runs: in order of time.

    Attributes:
        passes: strikes with their releases, in order.
    """

    def __init__(self, runs: Sequence[CountRun], contact: Sequence[ContactEdge], counts_per_turn: int) -> None:
        self.runs, self.contact = runs, contact
        self._counts_per_turn = counts_per_turn
        self._entry_counts = CYCLE * max(1, counts_per_turn // (CYCLE * _CYCLES_PER_TURN))
        self._begins = [run.stamps[0] for run in runs]
        self.passes = list(self._passes())

    def _seen(self, at_ns: int) -> tuple[CountRun, int] | None:
        """The run at a moment, and which of its stamps is the last before; None if it is too long ago."""
        place = bisect_right(self._begins, at_ns) - 1
        if place < 0:
            return None
        run = self.runs[place]
        return run, bisect_right(run.stamps, at_ns) - 1

    def place(self, at_ns: int) -> tuple[float, int] | None:
        """Where the wheel was at a moment, and its direction; None unless it went on to the next count."""
        seen = self._seen(at_ns)
        if seen is None:
            return None
        run, last = seen
        if last + 1 >= len(run.stamps):
            return None
        from_ns, to_ns = run.stamps[last], run.stamps[last + 1]
        part = (at_ns - from_ns) / (to_ns - from_ns or 1)
        # A count is entered at its lower border from below, and at its upper border from above.
        border = run.first + run.direction * last + (run.direction < 0)
        return border + run.direction * part, run.direction

    def speed(self, at_ns: int, around: int) -> float:
        """In counts a second, over so many counts to each side of a moment at which :meth:`place` is known."""
        seen = self._seen(at_ns)
        assert seen is not None
        stamps, last = seen[0].stamps, seen[1]
        low, high = max(0, last - around), min(len(stamps) - 1, last + 1 + around)
        return (high - low) * NS_PER_S / max(1, stamps[high] - stamps[low])

    def farthest(self, direction: int, from_ns: int, at_rest: int) -> int:
        """How far the wheel surely came in a direction after a moment: the border of a count."""
        counts = [at_rest]
        for run in self.runs:
            if run.stamps[-1] > from_ns:
                counts += [run.first + run.direction * bisect_right(run.stamps, from_ns), run.last]
        return max(counts) if direction > 0 else min(counts) + 1

    def stood_ns(self, at_ns: int) -> int:
        """For how long it had not moved at a moment; 0 or less if it moved then or later."""
        return at_ns - self.runs[-1].stamps[-1] if self.runs else 0

    @property
    def turnings(self) -> Iterator[Turning]:
        """Where the wheel turned, if its speed before that was seen."""
        for run, after in pairwise(self.runs):
            edges = [edge for edge in self.contact if edge[0] < after.stamps[0]]
            seen = self._seen(edges[-1][0]) if edges and edges[-1][1] == run.direction else None
            place = seen[1] if seen is not None and seen[0] is run else len(run.stamps) - 1
            entry = self.squared(run, place)
            if entry is not None:
                struck = seen[0].first + run.direction * seen[1] if seen is not None else run.last + run.direction
                yield Turning(run.direction, 1 + (run.last - struck) * run.direction, entry)

    def _passes(self) -> Iterator[PegPass]:
        for (struck_ns, direction), (released_ns, strikes) in pairwise(self.contact):
            one, other = self._seen(struck_ns), self._seen(released_ns)
            if direction and not strikes and one is not None and other is not None:
                straight = one[0] is other[0] and one[0].direction == direction
                onward = one[0].stamps[one[1] + 1 : other[1] + 1] if straight else None
                goes_on = other[0].direction == direction and other[1] + 1 < len(other[0].stamps)
                entry, counts = self.squared(*one) if one[0].direction == direction else None, self._entry_counts
                after = self.squared(other[0], other[1] + 1 + counts) if straight and goes_on else None
                apart = counts + 1 + len(onward or ())
                yield PegPass(direction, struck_ns, released_ns, onward, goes_on, entry, after, apart)

    def squared(self, run: CountRun, last: int) -> float | None:
        """The squared speed before a count."""
        counts = self._entry_counts
        if not counts <= last < len(run.stamps):
            return None
        within_ns = run.stamps[last] - run.stamps[last - counts]
        return (counts * 360 * NS_PER_S / (self._counts_per_turn * (within_ns or 1))) ** 2
