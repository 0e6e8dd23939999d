"""What one spin says of its wheel: losses, ripple, and where and for how long each peg closes the contact."""

import math
from array import array
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean, median

from controller.tracking.clapper_wheel.clapper import CHATTER, OPENS, STRIKE, ClapperLevel
from controller.tracking.clapper_wheel.energy import NEVER_LET_GO_TURNS, SpinRun
from controller.tracking.clapper_wheel.geometry import NS_PER_S, WheelGeometry
from controller.tracking.clapper_wheel.hand import marks_per_turn
from controller.tracking.clapper_wheel.places import Places
from controller.wheel_health.main_run import MainRun, main_run
from controller.wheel_health.ripple import ripple
from hal.events import CLAPPER
from hal.lazy_dataclass import dataclass

LEAST_TURNS = 2.0
"""A movement of fewer turns is no spin, and is not measured."""
_LET_GO = 9
"""After a ninth of a turn more the hand has let go."""
_SLOWEST_SECTIONS = 6.0
"""Below so many sections' loss a mean speed between marks says too little of the energy."""
_CYCLE = 4
_ON_AN_EDGE = 0.15
"""An index joined with the encoder's lines changes on an edge of theirs, within so many counts."""


@dataclass(frozen=True, slots=True)
class SpinMeasures:
    """The measures of one spin. Places are degrees past their calibrated ones, in the direction of the spin.

    Attributes:
        direction: +1 counterclockwise, -1 clockwise.
        turns: of the longest run in one direction.
        section_loss: squared speed that a section takes, (degrees/s)²; 0 for too short a spin, or one led by hand.
        air_loss: part of the squared speed that a turn takes besides.
        loss_ratio: what sections took, over what they took in the calibration; 0 if either is not known.
        heavy_cosine: what goes once around, as the part by which it makes sections take more or less than the mean
            (its cosine along the rim, from the first section's start).
        heavy_sine: the same, its sine.
        strike_deg: the middle strike.
        release_deg: the middle slip, from the middle of the calibrated range.
        width_deg: the middle way with the contact closed.
        pegs_deg: by peg, how far its strikes lie from all strikes' place: their mean or their middle, whichever is
            less, so that one late stamp is no bent peg; NaN for one that never struck.
        passages: by peg, how often it struck.
        missed: pegs that were passed twice or more and never struck.
        chatter: bounces of the contact.
        index_on_edge: the index changes where a count begins: the calibration may have taken either count for it.
    """

    direction: int
    turns: float
    section_loss: float
    air_loss: float
    loss_ratio: float
    heavy_cosine: float
    heavy_sine: float
    strike_deg: float
    release_deg: float
    width_deg: float
    pegs_deg: "array[float]"
    passages: "array[int]"
    missed: tuple[int, ...]
    chatter: int
    index_on_edge: bool

    @property
    def ripple_sections(self) -> float:
        """Amplitude of what goes once around in the squared speed, in sections' loss."""
        return math.hypot(self.heavy_cosine, self.heavy_sine) * len(self.passages) / (2 * math.pi)

    @property
    def fastest_at_deg(self) -> float:
        """Where along the rim the wheel is fastest by it, from the first section's start: 0 to 360."""
        return math.degrees(math.atan2(self.heavy_sine, self.heavy_cosine)) % 360

    @property
    def odd_peg(self) -> int:
        """The peg whose strikes lie farthest from where those of the others say they should."""
        return max(
            range(len(self.pegs_deg)), key=lambda peg: abs(self.pegs_deg[peg]) if self.passages[peg] else -1.0
        )


def measure(
    levels: Mapping[str, bool], edges: bytes, stamps: Sequence[int], geometry: WheelGeometry
) -> SpinMeasures | None:
    """Measure a spin.

    Args:
        levels: of each line before the first edge, by letter (see :mod:`hal.events`).
        edges: those of one movement, one letter each, as in :class:`hal.events.EdgeBatch`.
        stamps: of each, in nanoseconds.
        geometry: calibrated.

    Returns:
        None for a movement of fewer than two turns, one without index, or one of which edges were lost.

    Raises:
        ValueError: the geometry was not calibrated.
    """
    if geometry.places is None:
        raise ValueError("a wheel that was not calibrated has no places to compare with")
    run = main_run(levels, edges, stamps, geometry.reversed)
    if run is None or run.edges < LEAST_TURNS * geometry.counts_per_turn:
        return None
    index = _index(run, geometry.counts_per_turn)
    if index is None:
        return None
    near = round(index)
    on_edge = abs(index - near) < _ON_AN_EDGE
    origin = near if on_edge else math.floor(index)
    level = ClapperLevel(levels[CLAPPER], geometry.debounce_ns)
    kinds = level.kinds(run.reading.others, run.reading.others_ns)
    contact = _Contact(run, geometry, geometry.places, origin)
    contact.read(kinds)
    if not contact.strikes:
        return None
    return _measures(run, geometry, _Energy.of(run, geometry, origin), contact, (kinds.count(CHATTER), on_edge))


def _measures(
    run: MainRun, geometry: WheelGeometry, energy: "_Energy", contact: "_Contact", lines: tuple[int, bool]
) -> SpinMeasures:
    loss, air, ratio = energy.losses(geometry)
    cosine, sine = energy.heavy(loss)
    strike = median(off for _, off in contact.strikes)
    sections = geometry.sections
    pegs = _by_peg(sections, [(peg, off - strike) for peg, off in contact.strikes])
    passages = array("l", [0]) * sections
    for peg, _ in contact.strikes:
        passages[peg] += 1
    turns = run.edges / geometry.counts_per_turn
    missed = tuple(peg for peg, times in enumerate(passages) if not times) if turns >= LEAST_TURNS + 0.1 else ()
    return SpinMeasures(
        run.direction, turns, loss, air, ratio, cosine, sine, strike, contact.release(),
        median(contact.widths) if contact.widths else 0.0, pegs, passages, missed, *lines,
    )  # fmt: skip


def _by_peg(sections: int, values: Sequence[tuple[int, float]]) -> "array[float]":
    groups: list[list[float]] = [[] for _ in range(sections)]
    for peg, value in values:
        groups[peg].append(value)
    return array("d", (_least(group) if group else math.nan for group in groups))


def _least(values: list[float]) -> float:
    return min(fmean(values), median(values), key=abs)


def _index(run: MainRun, turn: int) -> float | None:
    """Where the wheel was at the index mark, in counts; None if it was not seen."""
    others = run.reading.others
    rising = ord("Z") if run.direction > 0 else ord("z")
    places = [run.place(i) for i, letter in enumerate(others) if letter == rising and run.holds(i)]
    if not places:
        return None
    base = places[0]
    return base + median((other - base + turn / 2) % turn - turn / 2 for other in places)


class _Contact:
    """Strikes and slips of a spin, each with its peg."""

    def __init__(self, run: MainRun, geometry: WheelGeometry, places: Places, origin: int) -> None:
        self._run, self._geometry, self._places = run, geometry, places
        self._offset = geometry.index_offset_counts - origin
        self._degree, self._pitch = 360 / geometry.counts_per_turn, 360 / geometry.sections
        self._side = places.side(run.direction)
        self.strikes: list[tuple[int, float]] = []
        """The peg, and degrees past its calibrated place."""
        self._slips: list[float] = []
        self.widths: list[float] = []
        """Degrees from strike to slip."""

    def read(self, kinds: bytes) -> None:
        """Take the spin's edges, by kind."""
        run, debounce_ns = self._run, self._geometry.debounce_ns
        struck: int | None = None
        opened: int | None = None
        for i, kind in enumerate(kinds):
            if kind == STRIKE:
                self._pass(struck, opened)
                struck, opened = i, None
            elif kind == OPENS and (
                opened is None or run.reading.others_ns[i] - run.reading.others_ns[opened] > debounce_ns
            ):
                opened = i
        self._pass(struck, opened)

    def _pass(self, struck: int | None, opened: int | None) -> None:
        """A peg's passage: the edges at which it closed the contact and let it go."""
        run, places = self._run, self._places
        if struck is None or not run.holds(struck):
            return
        at = self._past(struck, places.closing_delay_ns)
        closes = self._side.closes_mdeg / 1000
        number = round((at - closes) * run.direction / self._pitch)
        peg = number % self._geometry.sections
        error = places.pegs_mdeg[peg] / 1000 if places.pegs_mdeg else 0.0
        place = (number * self._pitch + error) * run.direction
        self.strikes.append((peg, at - closes - place))
        if opened is not None and run.holds(opened):
            slipped = self._past(opened, places.opening_delay_ns)
            self._slips.append(slipped - place)
            self.widths.append(slipped - at)

    def _past(self, edge: int, delay_ns: int) -> float:
        """Degrees along the way, from the first section's start, without what the contact's delay adds."""
        run = self._run
        along = (run.place(edge) + self._offset) * run.direction
        return (along - run.speed(edge) * delay_ns) * self._degree

    def release(self) -> float:
        middle = (self._side.slips_from_mdeg + self._side.slips_to_mdeg) / 2000
        return median(self._slips) - middle if self._slips else 0.0


def _count_of(mark: int, turn: int, per_turn: int) -> int:
    """A mark's count from the index on. Between two lie whole cycles of A and B, if there are enough: the lines of
    an encoder are not all alike, and what one section is too wide would seem a heavy spot."""
    count = -(-mark * turn // per_turn)
    return count + -count % _CYCLE if turn >= 2 * _CYCLE * per_turn else count


@dataclass(frozen=True, slots=True)
class _Energy:
    """Squared speeds from mark to mark, and where on the rim each was taken."""

    run: SpinRun
    angles: list[float]

    @staticmethod
    def of(run: MainRun, geometry: WheelGeometry, origin: int) -> "_Energy":
        turn, per_turn = geometry.counts_per_turn, marks_per_turn(geometry.sections)
        ends = (run.start, run.start + run.direction * run.edges)
        low, high = ((end - origin) * per_turn // turn for end in sorted(ends))
        counts = {mark: _count_of(mark, turn, per_turn) for mark in range(low - 1, high + 2)}
        passed = [(mark, run.passed_ns(count + origin)) for mark, count in counts.items()]
        seen = [(mark, at_ns) for mark, at_ns in passed if at_ns is not None][:: run.direction]
        speeds, angles = [], []
        for (one, one_ns), (other, other_ns) in pairwise(seen):
            begins = min(one, other)
            factor = geometry.runout[begins % per_turn] if geometry.runout else 1.0
            turned = (counts[begins + 1] - counts[begins]) * 360 / turn * factor
            speeds.append((turned * NS_PER_S / max(1, other_ns - one_ns)) ** 2)
            middle = (counts[begins] + counts[begins + 1]) / 2 + geometry.index_offset_counts
            angles.append(2 * math.pi * middle / turn)
        return _Energy(SpinRun(run.direction, speeds, per_turn, geometry.sections), angles)

    def losses(self, geometry: WheelGeometry) -> tuple[float, float, float]:
        """What a section takes, the air's part, and the first over what it was in the calibration."""
        run = self.run
        led = len(run.speeds) <= run.per_turn or run.fastest > NEVER_LET_GO_TURNS * run.per_turn
        line = None if led else run.line()
        if line is None:
            return 0.0, 0.0, 0.0
        if geometry.losses is None:
            return line.section, line.air, 0.0
        more = median(run.unlike(geometry.losses[run.direction < 0]))
        return line.section, line.air, max(0.0, 1 + more / run.sections)

    def heavy(self, section: float) -> tuple[float, float]:
        """What goes once around, as parts of a section's loss."""
        run = self.run
        if not section:
            return 0.0, 0.0
        first = run.fastest + run.per_turn // _LET_GO
        last = next((i for i in range(first, len(run.speeds)) if run.speeds[i] < _SLOWEST_SECTIONS * section), None)
        speeds, angles = run.speeds[first:last], self.angles[first:last]
        found = ripple(speeds, angles, [i / run.per_turn for i in range(len(speeds))])
        if found is None:
            return 0.0, 0.0
        per_section = 2 * math.pi / run.sections / section
        return found.cosine * per_section, found.sine * per_section
