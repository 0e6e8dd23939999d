"""Whether a hand touched a wheel that runs: its energy says so.

After the hand that threw it has let go, a wheel only loses energy, and evenly. A wheel that gains some, that stood
and moves on, or that loses more than its own bearing, leather and air take, was touched. Marks some sections apart
give the energy over the turns (``energy.py``); the last sections are analysed count by count. All of it is computed
once the wheel is at rest.
"""

from collections.abc import Sequence
from itertools import repeat
from typing import Final

from controller.tracking.clapper_wheel.ending import CountRun, speed_at_the_end
from controller.tracking.clapper_wheel.energy import SpinLoss, SpinRun, pushed_again, uneven
from controller.tracking.clapper_wheel.geometry import NS_PER_S, WheelGeometry
from controller.tracking.clapper_wheel.last_counts import LastCounts
from controller.tracking.reading import Stamps, stamps_at

_LAST_SECTIONS: Final = 9
"""So many sections at the end are looked at count by count."""
_CYCLE: Final = 4
_MOST_STRETCHES: Final = 2000
"""So many are kept before their marks are found; a spin has fewer, unless its edges come one by one."""
_NOISE: Final = 0.001
"""How exactly a squared speed is known, of itself."""
_UNCALIBRATED_SPREAD: Final = 4.0
_END_SECTIONS: Final = 1.6
"""The energy at the last mark lasts so much longer than the wheel then ran, in sections, if a hand stopped it."""

_LAST_SPEED: Final = 0.1
_LAST_COUNTS: Final = 12
"""At its last counts a wheel has the energy for this part of a section, and for so many counts, at most."""


_Mark = tuple[int, int, int, int]
"""When a mark was passed, the direction, its number from the index on, and its count."""

_Stretch = tuple[int, int, int, Stamps, int]
"""Edges of the encoder in one direction, whose stamps are looked up when they are needed: the count before them,
how many, the direction, the stamps, and where among these the first one is."""


class Hand:
    """Looks for a hand on one wheel, from one rest to the next."""

    def __init__(self, geometry: WheelGeometry, count: int) -> None:
        self._geometry = geometry
        self._turn = geometry.counts_per_turn
        self._marks_per_turn = marks_per_turn(geometry.sections)
        self._keep = _LAST_SECTIONS * self._turn // geometry.sections
        # From mark to mark whole cycles of A and B, if there are enough: the lines of an encoder are not all alike.
        self._cycle = _CYCLE if self._turn >= 2 * _CYCLE * self._marks_per_turn else 1
        self._factors = geometry.runout or (1.0,) * self._marks_per_turn
        self._last_counts = LastCounts(geometry)
        self.run: SpinRun | None = None
        """The last run, from throw to rest; None for a movement that was none."""
        self.restart(count, count)

    def restart(self, count: int, origin: int) -> None:
        """The wheel stands at this count; ``origin`` is the one at the index mark."""
        self._marks: list[_Mark] = []
        self._stretches: list[_Stretch] = []
        self._enough = _MOST_STRETCHES
        self._looked = 0
        self._origin = origin
        self._lossy = False
        self._last_mark = 0
        self._mark = self._mark_below(count)
        # Below the one, and from the other on, the wheel has passed another mark.
        self._low, self._high = self._count_of(self._mark), self._count_of(self._mark + 1)

    def lost_edges(self) -> None:
        """Edges were lost: of this run, no turn can be compared with another."""
        self._lossy = True

    def _count_of(self, mark: int) -> int:
        """The count of a mark, at the beginning of a cycle."""
        cycle = self._cycle
        return -((-mark * self._turn // self._marks_per_turn - self._origin) // cycle) * cycle

    def _mark_below(self, count: int) -> int:
        """The last mark at a count or below it."""
        mark = (count - self._origin) * self._marks_per_turn // self._turn
        return mark if self._count_of(mark) <= count else mark - 1

    def moved(self, start: int, edges: int, direction: int, stamps: Stamps, first: int) -> None:
        """The wheel moved by this many counts in one direction."""
        self._stretches.append((start, edges, direction, stamps, first))
        if len(self._stretches) > self._enough:
            self._keep_the_last()

    def _keep_the_last(self) -> None:
        """Find the marks of so many stretches, and keep those that are needed at rest."""
        self._look()
        del self._stretches[: self._first_kept()]
        self._looked = len(self._stretches)
        self._enough = self._looked + _MOST_STRETCHES

    def _first_kept(self) -> int:
        """The first stretch of the last sections."""
        kept, place = 0, len(self._stretches)
        while place and kept < self._keep:
            place -= 1
            kept += self._stretches[place][1]
        return place

    def _look(self) -> None:
        """Find the marks in the stretches that were not looked at yet."""
        for start, edges, direction, stamps, first in self._stretches[self._looked :]:
            end = start + direction * edges
            if not self._low <= end < self._high:
                self._pass(start, end, direction, stamps, first)
        self._looked = len(self._stretches)

    def _pass(self, start: int, end: int, direction: int, stamps: Stamps, first: int) -> None:
        mark, self._mark = self._mark, self._mark_below(end)
        numbers = range(mark + 1, self._mark + 1) if direction > 0 else range(mark, self._mark, -1)
        counts = [self._count_of(number) for number in numbers]
        # Upwards it is the edge on entering the mark's count, downwards that on leaving it.
        at = first - start - 1 if direction > 0 else first + start
        passed_ns = stamps_at(stamps, [at + direction * count for count in counts])
        self._marks += zip(passed_ns, repeat(direction), numbers, counts, strict=False)
        self._low, self._high = self._count_of(self._mark), self._count_of(self._mark + 1)

    def found(self, direction: int, origin: int, runs: Sequence[CountRun]) -> str:
        """What a hand did to a wheel that is now at rest, in words; empty if nothing did.

        Args:
            direction: in which it was thrown.
            origin: the count at the index mark.
            runs: its last sections.
        """
        self._look()
        self.run = run = SpinRun(direction, self._speeds(direction), self._marks_per_turn, self._geometry.sections)
        if len(run.speeds) < 4 or self._lossy:
            return ""
        known = self._geometry.losses
        loss = known[direction < 0] if known is not None else run.line()
        section = loss.section if loss is not None else 0.0
        again = pushed_again(run, section)
        if again is not None:
            slow, fast = (speed**0.5 for speed in again)
            return f"pushed again: from {slow:.0f} to {fast:.0f} degrees/s"
        if loss is not None:
            if known is None:
                loss = SpinLoss(loss.section, loss.air, _UNCALIBRATED_SPREAD)
            found = uneven(run, loss, _NOISE)
            if found is not None:
                turns, more = found
                what = f"braked, by {more:.0f}" if more > 0 else f"pushed, by {-more:.0f}"
                return f"{what} sections, about {turns:.1f} turns after it was let go"
        return self._stopped(run, section, runs) or self._last_counts.found(runs, section, origin)

    # -- from mark to mark -----------------------------------------------------------------------------------

    def _speeds(self, direction: int) -> list[float]:
        """Squared speeds, (degrees/s)², between marks in the direction of the throw."""
        turn, per_turn, factors = self._turn, self._marks_per_turn, self._factors
        speeds: list[float] = []
        one_ns, way, one, begun, last = 0, 0, 0, 0, self._last_mark
        for other_ns, other_way, other, ended in self._marks:
            if way == other_way == direction:
                turned = abs(ended - begun) * 360 / turn * factors[(one if one < other else other) % per_turn]
                speed = turned * NS_PER_S / (other_ns - one_ns or 1)
                speeds.append(speed * speed)
                last = other
            one_ns, way, one, begun = other_ns, other_way, other, ended
        self._last_mark = last
        return speeds

    # -- count by count --------------------------------------------------------------------------------------

    def last_runs(self) -> list[CountRun]:
        """The last sections of the way, by direction, however the edges were delivered."""
        runs: list[CountRun] = []
        stretches = self._stretches[self._first_kept() :]
        begin = max(0, sum(edges for _, edges, *_ in stretches) - self._keep)
        for start, edges, direction, stamps, first in stretches:
            if not runs or runs[-1].direction != direction:
                runs.append(CountRun(direction, start + direction * (begin + 1)))
            runs[-1].stamps += stamps[first + begin : first + edges]
            begin = 0  # Only the first stretch may reach back beyond them.
        return runs

    def _stopped(self, run: SpinRun, section: float, runs: Sequence[CountRun]) -> str:
        """A wheel that did not run as far as its energy at the last mark takes it."""
        if not section or not runs:
            return ""
        way = run.direction
        middle = self._count_of(self._last_mark) - way * self._turn / (2 * self._marks_per_turn)
        farthest = max(way * count for last in runs for count in (last.first, last.last))
        ran = (farthest - way * middle) * self._geometry.sections / self._turn
        left = run.speeds[-1] / section - ran
        if left > _END_SECTIONS + 0.1 * ran:
            return f"stopped {left:.0f} sections before it would have stopped by itself"
        at_last = speed_at_the_end(runs, self._turn)
        if at_last > section * (_LAST_SPEED + _LAST_COUNTS * self._geometry.sections / self._turn):
            return f"stopped at {at_last**0.5:.0f} degrees/s"
        return ""


def marks_per_turn(sections: int) -> int:
    """Marks a turn: one in each section, so that between two of them lies one peg."""
    return sections
