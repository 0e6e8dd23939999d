"""Whether a hand touched a wheel that runs: its energy says so.

After the hand that threw it has let go, a wheel only loses energy, and evenly. A wheel that gains some, that stood
and moves on, or that loses more than its own bearing, leather and air take, was touched. Marks some sections apart
give the energy over the turns (``energy.py``); the last sections are analysed count by count. All of it is computed
once the wheel is at rest.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from controller.tracking.clapper_wheel.ending import CountRun, speed_at_the_end
from controller.tracking.clapper_wheel.energy import LATE_NS, SpinLoss, SpinRun, pushed_again, uneven
from controller.tracking.clapper_wheel.geometry import NS_PER_S, WheelGeometry
from controller.tracking.reading import Stamps

_LAST_SECTIONS = 9
"""So many sections at the end are looked at count by count."""
_CYCLE = 4
_MOST_STRETCHES = 2000
"""So many are kept before their marks are found; a spin has fewer, unless its edges come one by one."""
_PAUSE_NS = 350_000_000
_WHILE_NS = 100_000_000
_NOISE = 0.001
"""How exactly a squared speed is known, of itself."""
_UNCALIBRATED_SPREAD = 4.0
_LEATHER_GIVES = 1.5
"""A leather, and a heavy spot, give a wheel that turns back no more than so many sections' loss."""
_END_SECTIONS = 1.6
"""The energy at the last mark lasts so much longer than the wheel then ran, in sections, if a hand stopped it."""

_LAST_SPEED = 0.1
_LAST_COUNTS = 12
"""At its last counts a wheel has the energy for this part of a section, and for so many counts, at most."""


_Mark = tuple[int, int, int]
"""When a mark was passed, the direction, and its number from the index on."""


_Stretch = tuple[int, int, int, Stamps, int]
"""Edges of the encoder in one direction, whose stamps are looked up when they are needed: the count before them,
how many, the direction, the stamps, and where among these the first one is."""
CountStep = tuple[int, int, int]
"""When a count was entered, the count, and the direction."""


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
        self.run: SpinRun | None = None
        """The last run, from throw to rest; None for a movement that was none."""
        self.restart(count, count)

    def restart(self, count: int, origin: int) -> None:
        """The wheel stands at this count; ``origin`` is the one at the index mark."""
        self._marks: list[_Mark] = []
        self._stretches: list[_Stretch] = []
        self._looked = 0
        self._origin = origin
        self._lossy = False
        self._last_mark = 0
        self._mark = self._mark_below(count)
        self._bounds()

    def lost_edges(self) -> None:
        """Edges were lost: of this run, no turn can be compared with another."""
        self._lossy = True

    def _bounds(self) -> None:
        """Below the one, and from the other on, the wheel has passed another mark."""
        self._low = self._count_of(self._mark)
        self._high = self._count_of(self._mark + 1)

    def _count_of(self, mark: int) -> int:
        count = self._origin - (-mark * self._turn // self._marks_per_turn)
        return count + -count % self._cycle

    def _mark_below(self, count: int) -> int:
        """The last mark at a count or below it."""
        mark = (count - self._origin) * self._marks_per_turn // self._turn
        return mark if self._count_of(mark) <= count else mark - 1

    def moved(self, start: int, edges: int, direction: int, stamps: Stamps, first: int) -> None:
        """The wheel has moved from a count, by so many edges one way."""
        stretches = self._stretches
        stretches.append((start, edges, direction, stamps, first))
        if len(stretches) - self._looked > _MOST_STRETCHES:
            self._look()
            del stretches[: self._first_kept()]
            self._looked = len(stretches)

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
        # Upwards it is the edge on entering the mark's count, downwards that on leaving it.
        count_of = self._count_of
        if direction > 0:
            at, passed = first - start - 1, range(mark + 1, self._mark + 1)
            self._marks += [(stamps[at + count_of(number)], 1, number) for number in passed]
        else:
            at, passed = first + start, range(mark, self._mark, -1)
            self._marks += [(stamps[at - count_of(number)], -1, number) for number in passed]
        self._bounds()

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
        loss = known[direction < 0] if known is not None else run.fit()
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
        return self._stopped(run, section, runs) or self._at_the_end(self._last_steps(runs), section, origin)

    # -- from mark to mark -----------------------------------------------------------------------------------

    def _speeds(self, direction: int) -> list[float]:
        """Squared speeds, (degrees/s)², between marks in the direction of the throw."""
        per_turn, factors, count_of = self._marks_per_turn, self._factors, self._count_of
        speeds: list[float] = []
        for (one_ns, way, one), (other_ns, other_way, other) in pairwise(self._marks):
            if way == other_way == direction:
                turned = abs(count_of(other) - count_of(one)) * 360 / self._turn
                turned *= factors[(one if one < other else other) % per_turn]
                speed = turned * NS_PER_S / (other_ns - one_ns or 1)
                speeds.append(speed * speed)
                self._last_mark = other
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

    def _last_steps(self, runs: Sequence[CountRun]) -> list[CountStep]:
        steps: list[CountStep] = []
        coarse = max(1, self._turn // 1440)
        for run in runs:
            way, begun, stamps = run.direction, run.first, run.stamps
            edges = range(-begun * way % coarse, len(stamps), coarse)
            steps += [(stamps[edge], begun + way * edge, way) for edge in edges]
            last = stamps[-1], begun + way * (len(stamps) - 1), way
            if steps[-1:] != [last]:
                steps.append(last)  # Where the wheel turns, each count matters.
        return steps

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

    def _at_the_end(self, steps: Sequence[CountStep], section: float, origin: int) -> str:
        """A wheel that stood, or nearly, and then moved on; or that turned back where no peg pushes it."""
        for i, ((at_ns, count, way), (next_ns, next_count, next_way)) in enumerate(pairwise(steps)):
            waited_ns = next_ns - at_ns
            if next_way != way:
                if self._goes_on(steps[i + 1 :]) and not self._geometry.bends(count - origin, way):
                    return "pushed back after it had stopped"
            elif waited_ns >= _PAUSE_NS and self._is_free(count - origin):
                speed = self._speed(waited_ns, next_count - count)
                if self._goes_on_faster(steps[i + 1 :], speed):
                    return "moved on after it had stood"
        return self._gained(steps, section, origin)

    def _is_free(self, at: int) -> bool:
        """No peg bends the leather here, whichever way the wheel came."""
        return not self._geometry.bends(at, 1) and not self._geometry.bends(at, -1)

    def _speed(self, within_ns: int, counts: int) -> float:
        """Squared, in (degrees/s)²."""
        return (abs(counts) * 360 * NS_PER_S / (self._turn * max(1, within_ns))) ** 2

    def _goes_on(self, steps: Sequence[CountStep]) -> bool:
        """Whether the wheel then moves further, before it turns again, than rest allows."""
        _, begun, way = steps[0]
        onward = takewhile(lambda step: step[2] == way, steps)
        return max(abs(count - begun) for _, count, _ in onward) >= max(3, self._turn // 480)

    def _goes_on_faster(self, steps: Sequence[CountStep], speed: float) -> bool:
        """Whether the wheel then moves on faster than in the pause before."""
        onward = [step for step in steps if step[2] == steps[0][2]][:7]
        if len(onward) < 4:
            return False
        (begun_ns, begun, _), (ended_ns, ended, _) = onward[0], onward[-1]
        return self._speed(ended_ns - begun_ns, ended - begun) > 4 * speed

    def _gained(self, steps: Sequence[CountStep], section: float, origin: int) -> str:
        """A speed that rises over the last sections. Where the wheel rocks, only the leather may do that."""
        least, rocks, speed_of, allowed = math.inf, False, self._speed, 0.3 * section
        for (one_ns, one, way), (other_ns, other, other_way) in self._over_a_while(steps):
            if way != other_way:
                least, rocks = math.inf, True
                continue
            within_ns, counts = other_ns - one_ns, other - one
            speed = speed_of(within_ns + LATE_NS, counts)
            if rocks and section and speed > _LEATHER_GIVES * section:
                return f"pushed on after it had turned back, to {speed**0.5:.0f} degrees/s"
            if rocks and not (self._is_free(one - origin) and self._is_free(other - origin)):
                least = math.inf
                continue
            if speed > 1.3 * least + allowed:
                return f"pushed in the last sections, to {speed**0.5:.0f} degrees/s"
            least = min(least, speed_of(within_ns - LATE_NS, counts))
        return ""

    def _over_a_while(self, steps: Sequence[CountStep]) -> Iterator[tuple[CountStep, CountStep]]:
        """Steps with later ones, so far apart that a late stamp matters little."""
        reach = max(4, self._turn // 360 // max(1, self._turn // 1440))
        stamps = [at_ns for at_ns, _, _ in steps]
        for place, step in enumerate(steps):
            later = max(place + reach, bisect_left(stamps, step[0] + _WHILE_NS))
            if later >= len(steps):
                return
            yield step, steps[later]


def marks_per_turn(sections: int) -> int:
    """Marks a turn: one in each section, so that between two of them lies one peg."""
    return sections
