"""Whether a hand touched a wheel in its last sections, count by count.

There each count matters: a wheel that stood and moves on, that turns back where no peg pushes it, or that becomes
faster. Asked by ``hand.py`` once the wheel is at rest.
"""

from collections.abc import Sequence
from itertools import repeat, takewhile
from typing import Final

from controller.tracking.clapper_wheel.ending import CountRun
from controller.tracking.clapper_wheel.energy import LATE_NS
from controller.tracking.clapper_wheel.geometry import NS_PER_S, WheelGeometry

_PAUSE_NS: Final = 350_000_000
_WHILE_NS: Final = 100_000_000
_LEATHER_GIVES: Final = 1.5
"""A leather, and a heavy spot, give a wheel that turns back no more than so many sections' loss."""
_FASTER: Final = 1.3
"""A wheel gains speed if its squared speed grows by more than this factor."""

CountStep = tuple[int, int, int]
"""When a count was entered, the count, and the direction."""


class LastCounts:
    """Looks at the last sections of one wheel's way."""

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        self._turn = geometry.counts_per_turn
        self._coarse = max(1, self._turn // 1440)
        """Of a finer encoder not every count is looked at."""
        self._reach = max(4, self._turn // 360 // self._coarse)

    def found(self, runs: Sequence[CountRun], section: float, origin: int) -> str:
        """What a hand did there, in words; empty if nothing did.

        Args:
            section: the squared speed that a section takes, (degrees/s)²; 0 if that is not known.
            origin: the count at the index mark.
        """
        steps = self._steps(runs)
        if not steps:
            return ""
        for i in self._pauses_and_turns(steps):
            (at_ns, at, way), (next_ns, next_at, next_way) = steps[i : i + 2]
            if next_way != way:
                if self._goes_on(steps[i + 1 :]) and not self._geometry.bends(at - origin, way):
                    return "pushed back after it had stopped"
            elif self._is_free(at - origin) and self._goes_on_faster(
                steps[i + 1 :], self._speed(next_ns - at_ns, next_at - at)
            ):
                return "moved on after it had stood"
        return self._gained(steps, section, origin)

    def _steps(self, runs: Sequence[CountRun]) -> list[CountStep]:
        steps: list[CountStep] = []
        coarse = self._coarse
        for run in runs:
            way, begun, stamps = run.direction, run.first, run.stamps
            first = -begun * way % coarse
            at = range(begun + way * first, begun + way * len(stamps), way * coarse)
            steps += zip(stamps[first::coarse], at, repeat(way), strict=False)
            last = stamps[-1], run.last, way
            if steps[-1:] != [last]:
                steps.append(last)  # Where the wheel turns, each count matters.
        return steps

    @staticmethod
    def _pauses_and_turns(steps: list[CountStep]) -> list[int]:
        """The steps after which the wheel paused or turned."""
        found: list[int] = []
        before_ns, _, before = steps[0]
        for i, (at_ns, _, way) in enumerate(steps):
            if at_ns - before_ns >= _PAUSE_NS or way != before:
                found.append(i - 1)
            before_ns, before = at_ns, way
        return found

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
        return max(abs(at - begun) for _, at, _ in onward) >= max(3, self._turn // 480)

    def _goes_on_faster(self, steps: Sequence[CountStep], speed: float) -> bool:
        """Whether the wheel then moves on faster than in the pause before."""
        onward = [step for step in steps if step[2] == steps[0][2]][:7]
        if len(onward) < 4:
            return False
        (begun_ns, begun, _), (ended_ns, ended, _) = onward[0], onward[-1]
        return self._speed(ended_ns - begun_ns, ended - begun) > 4 * speed

    def _gained(self, steps: list[CountStep], section: float, origin: int) -> str:
        """A speed that rises over the last sections. Where the wheel rocks, only the leather may do that."""
        rocks, allowed, later, last = False, 0.3 * section, 0, len(steps)
        slowest, slowest_ns, reach = 1, 0, self._reach
        """The slowest stretch so far, in counts and time; at first none, which is faster than any."""
        for i, (one_ns, one, way) in enumerate(steps):
            # A later step, so far apart that a late stamp matters little.
            if later < i + reach:
                later = i + reach
            soon_ns = one_ns + _WHILE_NS
            while later < last and steps[later][0] < soon_ns:
                later += 1
            if later >= last:
                break
            other_ns, other, other_way = steps[later]
            if way != other_way:
                rocks, slowest, slowest_ns = True, 1, 0
                continue
            within_ns, counts = other_ns - one_ns, abs(other - one)
            if rocks:
                if section and (speed := self._speed(within_ns + LATE_NS, counts)) > _LEATHER_GIVES * section:
                    return f"pushed on after it had turned back, to {speed**0.5:.0f} degrees/s"
                if not (self._is_free(one - origin) and self._is_free(other - origin)):
                    slowest, slowest_ns = 1, 0
                    continue
            # Whole numbers rule out nearly all of it, in less time.
            if counts * slowest_ns > slowest * (within_ns + LATE_NS):
                speed, least = self._speed(within_ns + LATE_NS, counts), self._speed(slowest_ns, slowest)
                if speed > _FASTER * least + allowed:
                    return f"pushed in the last sections, to {speed**0.5:.0f} degrees/s"
            if counts * slowest_ns < slowest * (within_ns - LATE_NS):
                slowest, slowest_ns = counts, within_ns - LATE_NS
        return ""
