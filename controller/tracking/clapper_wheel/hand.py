"""Whether a hand touched a wheel that runs: what no wheel does by itself, though each of its edges is at its place.

After the hand that threw it has let go, a wheel only loses energy, and evenly. A wheel that a peg slows down is
slower with every count until it turns or the leather slips off; one that turns back is slow before and after; and
one that stops was slow at the end. Lines that break in the last moment make such pictures, too. Each detector looks
at one such thing, and is asked once the wheel is at rest.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise, repeat
from statistics import median
from typing import Final

from controller.events.words import NOTHING, Text
from controller.tracking.clapper_wheel.energy import LATE_NS, NEAR, SpinLoss, SpinRun, middles, uneven
from controller.tracking.clapper_wheel.geometry import (
    MDEG_PER_TURN,
    NS_PER_S,
    ROCKS_BACK_WITHIN_MDEG,
    WheelGeometry,
)
from controller.tracking.clapper_wheel.trajectory import CYCLE, LastSections, PegPass, Turning

_FEWEST_SPEEDS: Final = 4
"""With fewer marks a movement is none that a hand could have touched after the throw."""
_UNCALIBRATED_SPREAD: Final = 4.0
"""What turns of a wheel differ by whose losses were not measured, in sections' loss."""
_END_SECTIONS: Final = 1.6
"""The energy at the last mark lasts so much longer than the wheel then ran, in sections, if a hand stopped it."""
_LAST: Final = 2
"""Counts over which the speed at the end is taken."""
_LAST_SPEED, _LAST_COUNTS, _PEG_COUNTS = 0.15, 4, 12
"""At its last counts a wheel has the energy for this part of a section, and for so many counts, at most: friction
stops it there, or a peg that opens the contact."""
_TREMBLES: Final = 0.1
"""A wheel that is about to stop rarely has more energy over its last four counts, as a part of a section's loss."""
_PAUSE_NS: Final = 350_000_000
"""A wheel that takes so long for a count stands: friction stops one that runs freely sooner."""
_WHILE_NS: Final = 100_000_000
"""Over so long at least a late stamp changes a speed by a few hundredths only."""
_LEATHER_GIVES: Final = 1.5
"""A leather, and a heavy spot, give a wheel that turns back no more than so many sections' loss."""
_BACK_SECTIONS: Final = 3
"""Leather and heavy spot push a wheel back by no more than so many sections (2.3 in 2,600 honest spins)."""
_FASTER: Final = 1.3
"""A squared speed that grows by less may be uneven lines of the encoder and a late stamp."""
_AT_ONCE: Final = 3.5
"""Two counts of a wheel are not so many times nearer to each other than to those before and after them."""
_FASTER_UNDER_PEG: Final = 1.15
"""No wheel takes a whole cycle of A and B faster than one before, under a peg; but a stamp's error remains."""
_FINE: Final = 5760
"""Of an encoder with so many counts a turn, each is looked at; of a finer one, so many a turn."""
_LEFT: Final = 0.2
"""A wheel that a peg turns back loses its energy as it bends the leather, but for this part of a section's loss."""
_LEAST_TO_PASS: Final = 0.7
"""With less than this part of what bending the leather takes no wheel passes a peg. The least in a simulation was
0.83."""
_FEWEST_PEGS, _PEG_PART = 3, 0.6
"""So many pegs are needed to measure what bending the leather takes. The speeds before and after a peg are at most
this part of a section apart."""
_LEATHER: Final = 0.65
"""If too few pegs measure it, bending the leather takes at least about this part of what a section takes."""

CountStep = tuple[int, int, int]
"""When a count was entered, the count, and the direction."""
Figures = dict[str, str | int] | None
"""Of what a detector found: whole sections and degrees/s; None if it found nothing."""


@dataclass(frozen=True)
class Ending:
    """What is known of a wheel that was thrown and has come to rest.

    Attributes:
        run: its speeds in the direction of the throw.
        ended: the count at which the middle of the last of these is.
        lossy: edges were lost: no turn can be compared with another.
        last: its last sections.
        origin: the count at the index mark.
        slipped: the leather has slipped off the peg that was struck last.
        back: counts of the longest run after the throw.
    """

    geometry: WheelGeometry
    run: SpinRun
    ended: float
    lossy: bool
    last: LastSections
    origin: int
    slipped: bool
    back: int

    @property
    def compared(self) -> bool:
        """Speeds can be compared."""
        return len(self.run.speeds) >= _FEWEST_SPEEDS and not self.lossy

    @cached_property
    def loss(self) -> SpinLoss | None:
        """What the wheel loses, as measured, or else as in this run; None if neither says."""
        known = self.geometry.losses
        if known is not None:
            return known[self.run.direction < 0]
        line = self.run.line()
        return line and SpinLoss(line.section, line.air, _UNCALIBRATED_SPREAD)

    @property
    def section(self) -> float:
        """The squared speed that a section takes, (degrees/s)²; 0 if that is not known."""
        return self.loss.section if self.loss is not None else 0.0

    def section_turning(self, direction: int) -> float:
        """The same, as measured in a direction, or else as in this run."""
        known = self.geometry.losses
        if known is not None:
            return known[direction < 0].section
        return self.section if self.compared else 0.0

    @cached_property
    def leather(self) -> float | None:
        """The part of a section's loss that bending the leather takes, measured at the last pegs; None if they are
        too few."""
        pitch, took = self.geometry.counts_per_turn / self.geometry.sections, []
        for one in self.last.passes:
            part = one.apart / pitch
            if one.entry is not None and one.after is not None and self.section and part <= _PEG_PART:
                took.append(((one.entry - one.after) / self.section - part) / (1 - part))
        return min(1.0, max(0.0, median(took))) if len(took) >= _FEWEST_PEGS else None

    @property
    def trembled(self) -> bool:
        """An encoder line only seemed to be stuck: the wheel was about to stop when it first went back by a count,
        and no peg has touched the leather since."""
        runs, contact = self.last.runs, self.last.contact
        begun = [i for i, (one, back) in enumerate(pairwise(runs)) if len(one.stamps) > 1 == len(back.stamps)]
        if not (self.compared and begun) or (contact and contact[-1][0] > runs[begun[0]].stamps[-1]):
            return False
        ends = [runs[i].stamps[-1 - CYCLE :] for i in begun]
        return all(self.squared(end[-1] - end[0], len(end) - 1) <= _TREMBLES * self.section for end in ends)

    @property
    def coarse(self) -> int:
        """Of a fine encoder not every count is looked at, but each so many."""
        return max(1, self.geometry.counts_per_turn // 1440)

    @cached_property
    def steps(self) -> list[CountStep]:
        """The counts of the last sections; none if turns cannot be compared."""
        steps: list[CountStep] = []
        coarse = self.coarse
        for run in self.last.runs if self.compared else ():
            way, begun, stamps = run.direction, run.first, run.stamps
            first = -begun * way % coarse
            at = range(begun + way * first, begun + way * len(stamps), way * coarse)
            steps += zip(stamps[first::coarse], at, repeat(way), strict=False)
            last = stamps[-1], run.last, way
            if steps[-1:] != [last]:
                steps.append(last)  # Where the wheel turns, each count matters.
        return steps

    @property
    def unit(self) -> float:
        """A speed of one count in a nanosecond, degrees/s."""
        return 360 * NS_PER_S / self.geometry.counts_per_turn

    def squared(self, within_ns: int, counts: int) -> float:
        """A squared speed, (degrees/s)²."""
        return (self.unit * counts / max(1, within_ns)) ** 2

    def is_free(self, count: int) -> bool:
        """No peg bends the leather here, whichever way the wheel came."""
        at = count - self.origin
        return not self.geometry.bends(at, 1) and not self.geometry.bends(at, -1)


# -- by its energy -------------------------------------------------------------------------------------------------


def _pushed_again(ending: Ending) -> Figures:
    """It slowed to a speed, and was faster after that."""
    if not ending.compared:
        return None
    run, section = ending.run, ending.section
    fastest, last = run.fastest, run.speeds[-1]
    led = fastest > run.long_led
    if not led and _risen(run.speeds[fastest:], section) is None:
        return None  # Where no single speed has risen, no middle one has.
    speeds = [*middles(run.speeds, NEAR)[:-1], last - run.by_late_stamp(last)]
    found = (min(speeds[:fastest]), speeds[fastest]) if led else _risen(speeds[fastest:], section)
    return found and {"slow": round(found[0] ** 0.5), "fast": round(found[1] ** 0.5)}


def _risen(speeds: Sequence[float], section: float) -> tuple[float, float] | None:
    """The least squared speed, and one after it that is too much greater."""
    for least, speed in zip(accumulate(speeds, min), speeds[1:], strict=False):
        if speed > 1.06 * least + 1.5 * section:
            return least, speed
    return None


def _uneven(ending: Ending) -> Figures:
    """Some turns cost more, or less, than the others."""
    found = uneven(ending.run, ending.loss) if ending.compared and ending.loss is not None else None
    if found is None:
        return None
    turns, more = found
    return {"braked": round(max(more, 0)), "pushed": round(max(-more, 0)), "turns": f"{turns:.1f}"}


def _stopped_short(ending: Ending) -> Figures:
    """It did not run as far as its energy at the last mark takes it."""
    runs, section, geometry, way = ending.last.runs, ending.section, ending.geometry, ending.run.direction
    if not (ending.compared and section and runs):
        return None
    farthest = max(way * count for last in runs for count in (last.first, last.last))
    ran = (farthest - way * ending.ended) * geometry.sections / geometry.counts_per_turn
    left = ending.run.speeds[-1] / section - ran
    if left <= _END_SECTIONS + 0.1 * ran:
        return None
    return {"sections": round(left)}


def _stopped_fast(ending: Ending) -> Figures:
    """It was still fast over its last two counts."""
    runs, section, geometry = ending.last.runs, ending.section, ending.geometry
    stamps, contact = runs[-1].stamps if runs else [], ending.last.contact
    if not (ending.compared and section) or len(stamps) <= _LAST:
        return None
    counts = _PEG_COUNTS if contact and contact[-1][0] > stamps[-1 - _LAST] else _LAST_COUNTS
    at_last = ending.squared(stamps[-1] - stamps[-1 - _LAST] + LATE_NS, _LAST)
    if at_last <= section * (_LAST_SPEED + counts * geometry.sections / geometry.counts_per_turn):
        return None
    return {"speed": round(at_last**0.5)}


# -- count by count ------------------------------------------------------------------------------------------------


def _pushed_back(ending: Ending) -> Figures:
    """It turned back where no peg pushes it, and moved further before it turned again than rest allows."""
    geometry, runs = ending.geometry, ending.last.runs if ending.compared else ()
    if ending.compared and ending.back * geometry.sections > _BACK_SECTIONS * geometry.counts_per_turn:
        return {}
    for run, back in pairwise(runs):
        far = len(back.stamps) > max(3, geometry.counts_per_turn // 480)
        if far and not geometry.bends(run.last - ending.origin, run.direction):
            return {}
    return None


def _moved_on(ending: Ending) -> Figures:
    """It moved on faster than in a pause before, where no peg bends the leather."""
    steps = ending.steps
    for i, ((at_ns, at, way), (next_ns, next_at, next_way)) in enumerate(pairwise(steps)):
        if next_ns - at_ns >= _PAUSE_NS and next_way == way and ending.is_free(at):
            onward = [step for step in steps[i + 1 :] if step[2] == way][:7]
            if len(onward) >= 4:
                (begun_ns, begun, _), (ended_ns, ended, _) = onward[0], onward[-1]
                paused = ending.squared(next_ns - at_ns, next_at - at)
                if ending.squared(ended_ns - begun_ns, ended - begun) > 4 * paused:
                    return {}
    return None


def _gained(ending: Ending) -> Figures:
    """Its speed rose over the last sections. Where the wheel rocks, only the leather may do that."""
    steps, section, unit = ending.steps, ending.section, ending.unit
    reach = max(4, ending.geometry.counts_per_turn // 360 // ending.coarse)
    rocks, least, later, count = False, math.inf, 0, len(steps)
    for i, (one_ns, one, way) in enumerate(steps):
        # A later step, so far apart that a late stamp matters little.
        if later < i + reach:
            later = i + reach
        while later < count and steps[later][0] < one_ns + _WHILE_NS:
            later += 1
        if later >= count:
            break
        other_ns, other, other_way = steps[later]
        if way != other_way:
            rocks, least = True, math.inf
            continue
        moved, took_ns = unit * (other - one), other_ns - one_ns
        speed = (moved / (took_ns + LATE_NS)) ** 2
        if rocks and section and speed > _LEATHER_GIVES * section:
            return {"back": 1, "speed": round(speed**0.5)}
        if rocks and not (ending.is_free(one) and ending.is_free(other)):
            least = math.inf
            continue
        if speed > _FASTER * least + 0.3 * section:
            return {"back": 0, "speed": round(speed**0.5)}
        speed = (moved / (took_ns - LATE_NS)) ** 2
        if speed < least:
            least = speed
    return None


# -- what no wheel does --------------------------------------------------------------------------------------------


def _turned_at_speed(ending: Ending) -> Figures:
    """It turned under a peg with more energy than bending the leather so far takes."""
    if any(_has_energy_left(one, ending) for one in ending.last.turnings):
        return {}
    return None


def _has_energy_left(turned: Turning, ending: Ending) -> bool:
    """Whether the wheel had bent the leather too little to be stopped by it."""
    geometry, section = ending.geometry, ending.section_turning(turned.direction)
    side, mdeg = geometry.places.side(turned.direction), MDEG_PER_TURN / geometry.counts_per_turn
    bent = turned.bent * mdeg + ROCKS_BACK_WITHIN_MDEG
    bends = side.releases_from_mdeg - side.strikes_mdeg + ROCKS_BACK_WITHIN_MDEG
    leather = 1.0 if ending.leather is None else ending.leather
    rubs = (1 - leather) * (turned.bent + 1) * geometry.sections / geometry.counts_per_turn
    return 0 < section * (_LEFT + leather * (bent / bends) ** 2 + rubs) < turned.entry


def _counted_at_once(ending: Ending) -> Figures:
    """Lines that were away for a while come back together: A and B of an encoder that turns do not change so."""
    runs = ending.last.runs
    stamps = [at_ns for run in runs for at_ns in run.stamps]
    turns = set(accumulate([len(run.stamps) for run in runs]))
    took_ns = [other - one for one, other in pairwise(stamps)]
    for i, (before_ns, between_ns, after_ns) in enumerate(zip(took_ns, took_ns[1:], took_ns[2:], strict=False)):
        most_ns = (between_ns + LATE_NS) * _AT_ONCE
        if after_ns > most_ns and before_ns > most_ns and i + 2 not in turns:
            return {}
    return None


def _gained_under_peg(ending: Ending) -> Figures:
    """It went on against the peg that bent the leather, and became faster."""
    wide = CYCLE * max(1, ending.geometry.counts_per_turn // _FINE)
    for passed in ending.last.passes:
        stamps = passed.onward or ()
        took_ns = [other - one for one, other in zip(stamps, stamps[wide:], strict=False)]
        slowest = accumulate(took_ns, max)
        for before_ns, now_ns in zip(slowest, took_ns[wide:], strict=False):
            if before_ns - LATE_NS > _FASTER_UNDER_PEG * (now_ns + LATE_NS):
                return {}
    return None


# -- against the leather -------------------------------------------------------------------------------------------


def _weak(ending: Ending) -> Figures:
    """It went past a peg without the energy for it, or too slowly."""
    geometry, passes = ending.geometry, ending.last.passes
    least = {way: max(1, geometry.release_after(way)) for way in (1, -1)}
    passed = [one for one in passes if one.onward is not None and len(one.onward) >= least[one.direction]]
    if ending.slipped:
        passed += passes[-1:]
    return {} if any(cannot_have_passed(one, ending) for one in passed) else None


def cannot_have_passed(passed: PegPass, ending: Ending) -> bool:
    """Whether a wheel was too weak or too slow to go on past a peg; False if its speed was not seen.

    Bending the leather takes most of what a section takes. And it slows the wheel down the more the further it is
    bent: so on average the wheel is at least half as fast there as before, until the leather slips off.
    """
    if passed.entry is None:
        return False
    side = ending.geometry.places.side(passed.direction)
    bends_deg = max(side.releases_to_mdeg - side.strikes_mdeg, 1) / 1000
    bent_s = (passed.released_ns - passed.struck_ns) / NS_PER_S
    too_long = bent_s * math.sqrt(passed.entry) > 2 * bends_deg
    leather = _LEATHER if ending.leather is None else ending.leather
    return too_long or passed.entry < _LEAST_TO_PASS * leather * ending.section_turning(passed.direction)


DETECTORS: Final[Mapping[str, Callable[[Ending], Figures]]] = {
    "pushed-again": _pushed_again,
    "uneven": _uneven,
    "stopped-short": _stopped_short,
    "stopped-fast": _stopped_fast,
    "pushed-back": _pushed_back,
    "moved-on": _moved_on,
    "gained": _gained,
    "turned-at-speed": _turned_at_speed,
    "counted-at-once": _counted_at_once,
    "gained-under-peg": _gained_under_peg,
    "weak": _weak,
}
"""By name, in the order in which they are asked. Each returns the figures of what a hand did; None for nothing."""


def touch(ending: Ending) -> Text:
    """What a hand did, by the code of the first detector that found it."""
    verdicts = ((name, detect(ending)) for name, detect in DETECTORS.items())
    return next((Text(name, figures) for name, figures in verdicts if figures is not None), NOTHING)
