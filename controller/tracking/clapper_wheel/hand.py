"""Whether a hand touched a wheel that runs: its energy says so.

After the hand that threw it has let go, a wheel only loses energy, and evenly. A wheel that gains some, that stood
and moves on, or that loses more than its own bearing, leather and air take, was touched. Marks some sections apart
give the energy over the turns (``energy.py``); the last sections are analysed count by count. All of it is computed
once the wheel is at rest.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from controller.tracking.clapper_wheel.energy import LATE_NS, SpinLoss, SpinRun, pushed_again, uneven
from controller.tracking.clapper_wheel.geometry import NS_PER_S, WheelGeometry
from controller.tracking.reading import Stamps

_LAST_SECTIONS = 9
"""So many sections at the end are looked at count by count."""
_CYCLE = 4
_PAUSE_NS = 350_000_000
_WHILE_NS = 100_000_000
_NOISE = 0.001
"""How exactly a squared speed is known, of itself."""
_UNCALIBRATED_SPREAD = 4.0
_LEATHER_GIVES = 1.5
"""A leather, and a heavy spot, give a wheel that turns back no more than so many sections' loss."""
_END_SECTIONS = 1.6
"""The energy at the last mark lasts so much longer than the wheel then ran, in sections, if a hand stopped it."""


_Mark = tuple[int, int, int]
"""When a mark was passed, the direction, and its number from the index on."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Encoder edges in one direction, whose stamps are looked up when they are needed."""

    start: int
    edges: int
    direction: int
    stamps: Stamps
    first: int


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
        self._stretches: deque[_Stretch] = deque()
        self._kept = 0
        self._origin = origin
        self._lossy = False
        self._last_mark = 0
        self._mark = self._mark_below(count)
        self._bounds()

    def lost_edges(self) -> None:
        """Edges were lost: of this run, no turn can be compared with another."""
        self._lossy = True

    def _bounds(self) -> None:
        """Below ``low``, and from ``high`` on, the wheel has passed another mark."""
        self.low = self._count_of(self._mark)
        self.high = self._count_of(self._mark + 1)

    def _count_of(self, mark: int) -> int:
        count = self._origin - (-mark * self._turn // self._marks_per_turn)
        return count + -count % self._cycle

    def _mark_below(self, count: int) -> int:
        """The last mark at a count or below it."""
        mark = (count - self._origin) * self._marks_per_turn // self._turn
        return mark if self._count_of(mark) <= count else mark - 1

    def moved(self, start: int, edges: int, direction: int, stamps: Stamps, first: int) -> None:
        """The wheel has moved from a count, by so many edges one way."""
        self._stretches.append(_Stretch(start, edges, direction, stamps, first))
        self._kept += edges
        while self._kept - self._stretches[0].edges > self._keep:
            self._kept -= self._stretches.popleft().edges
        end = start + direction * edges
        if self.low <= end < self.high:
            return
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

    def found(self, direction: int, origin: int) -> str:
        """What a hand did to a wheel that is now at rest, in words; empty if nothing did.

        Args:
            direction: in which it was thrown.
            origin: the count at the index mark.
        """
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
        steps = self._last_steps()
        return self._stopped(run, section, steps) or self._at_the_end(steps, section, origin)

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

    def _last_steps(self) -> list[CountStep]:
        steps: list[CountStep] = []
        turn: CountStep | None = None
        coarse = max(1, self._turn // 1440)
        for stretch in self._stretches:
            way, stamps, first = stretch.direction, stretch.stamps, stretch.first
            if turn is not None and turn[2] != way and steps[-1:] != [turn]:
                steps.append(turn)  # Where the wheel turns, each count matters.
            # By the counts themselves, however the edges were delivered.
            begin = -(stretch.start + way) * way % coarse
            edges = range(begin, stretch.edges, coarse)
            steps += [(stamps[first + edge], stretch.start + way * (edge + 1), way) for edge in edges]
            turn = stamps[first + stretch.edges - 1], stretch.start + way * stretch.edges, way
        return steps if turn is None or steps[-1:] == [turn] else [*steps, turn]

    def _stopped(self, run: SpinRun, section: float, steps: Sequence[CountStep]) -> str:
        """A wheel that did not run as far as its energy at the last mark takes it."""
        if not section or not steps:
            return ""
        way = run.direction
        middle = self._count_of(self._last_mark) - way * self._turn / (2 * self._marks_per_turn)
        farthest = max(way * count for _, count, _ in steps)
        ran = (farthest - way * middle) * self._geometry.sections / self._turn
        left = run.speeds[-1] / section - ran
        if left > _END_SECTIONS + 0.1 * ran:
            return f"stopped {left:.0f} sections before it would have stopped by itself"
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
        least, rocks = float("inf"), False
        for one, other in self._over_a_while(steps):
            if one[2] != other[2]:
                least, rocks = float("inf"), True
                continue
            within_ns, counts = other[0] - one[0], other[1] - one[1]
            speed = self._speed(within_ns + LATE_NS, counts)
            if rocks and section and speed > _LEATHER_GIVES * section:
                return f"pushed on after it had turned back, to {speed**0.5:.0f} degrees/s"
            if rocks and not (self._is_free(one[1] - origin) and self._is_free(other[1] - origin)):
                least = float("inf")
                continue
            if speed > 1.3 * least + 0.3 * section:
                return f"pushed in the last sections, to {speed**0.5:.0f} degrees/s"
            least = min(least, self._speed(within_ns - LATE_NS, counts))
        return ""

    def _over_a_while(self, steps: Sequence[CountStep]) -> Iterator[tuple[CountStep, CountStep]]:
        """Steps with later ones, so far apart that a late stamp matters little."""
        reach = max(4, self._turn // 360 // max(1, self._turn // 1440))
        later = 0
        for place, step in enumerate(steps):
            later = max(later, place + reach)
            while later < len(steps) and steps[later][0] - step[0] < _WHILE_NS:
                later += 1
            if later >= len(steps):
                return
            yield step, steps[later]


def marks_per_turn(sections: int) -> int:
    """Marks a turn: one in each section, so that between two of them lies one peg."""
    return sections
