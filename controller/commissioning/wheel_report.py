"""``wheel-report`` for a wheel with a clapper: what has drifted since its calibration, and what to do.

It runs the measurement of ``calibrate`` over the edges of kept spins and compares the figures with those in the
table's file. A figure has drifted if it differs by more than healthy wheels do from one measurement to the next.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from config.schema import WheelSection
from controller.commissioning.wheel_calibration import WAYS
from controller.commissioning.wheel_measurement import Measured, measure, once_around, peg_name, without
from controller.commissioning.wheel_recording import (
    Edge,
    MeasurementError,
    SeenEdges,
    WheelRecording,
    seen_edges,
)
from controller.commissioning.wheel_spins import heavy_spot, imbalance, throws
from controller.drawing.plots import Curve, Plot
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.energy import SpinRun
from controller.tracking.clapper_wheel.geometry import Places, WheelGeometry
from controller.tracking.clapper_wheel.rest import taken_of_calibrated

NEEDED = 2
"""So many spins of two turns or more are needed."""
_PLACE_DEG = 0.1
"""Calibrations of one wheel differ by less in the mean of all strikes."""
_PEG_DEG = 0.2
"""One late stamp moves the middle of a peg's strikes by less."""
_RUNOUT_DEG = 0.1
_DELAY_MS = 0.5
_LOOSE_DEG = 0.3
_LOSS, _LOSS_OF_SPIN = 0.04, 0.03
"""What a section takes differs by this part, and in single spins by about so much more."""
_HEAVY, _HEAVY_OF_SPIN = 0.03, 0.025
"""A wheel in good balance favours a section by less; a single spin shows that no better."""
_SURE = 3.0
_LEATHER = "Look at the leather and its screws, replace a soft or crooked leather, then calibrate the wheel anew."
_CONTACT = "Look at the contact and its wire, then calibrate the wheel anew."
_STRAIGHTEN = "Straighten it or screw it in, then calibrate the wheel anew."


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the wheel.

    Attributes:
        name: what it is, with the direction.
        unit: of the values; empty for a part of 1.
        before: as calibrated, or measured before; None if it was not.
        now: as measured; None if it cannot be.
        remedy: what to do, if it has drifted; else empty.
    """

    name: str
    unit: str
    before: float | None
    now: float | None
    remedy: str = ""

    def __str__(self) -> str:
        values = f"{self._value(self.now):>9}{self._value(self.before):>12}"
        return f"{self.name:<38}{values}  {self.remedy or 'in order'}"

    def _value(self, value: float | None) -> str:
        if value is None:
            return "–"
        return f"{value:.2f}{self.unit}" if self.unit else f"{value:.1%}"


@dataclass
class WheelReport:
    """What the spins say of their wheel.

    Attributes:
        title: what was measured.
        beside: what the figures are compared with.
        figures: in the order in which they are shown.
        plots: of the same.
    """

    title: str
    beside: str
    figures: list[Figure] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)

    @property
    def drifted(self) -> bool:
        """Whether there is something to do."""
        return any(figure.remedy for figure in self.figures)


def clapper_report(recordings: Iterable[WheelRecording], wheel: WheelSection, sections: int) -> WheelReport:
    """Compare spins with the calibration.

    Args:
        wheel: the table's section of the file, calibrated.

    Raises:
        MeasurementError: there are too few spins, or their strikes fit no such wheel.
    """
    assert wheel.clapper is not None
    in_file, left_out = geometry(wheel, sections), Counter[str]()
    spins: list[SeenEdges] = []
    thrown: list[tuple[SpinRun, float]] = []
    for recording in recordings:
        try:
            if recording.lost:
                raise MeasurementError("edges were lost")
            spins.append(seen_edges(recording, wheel.counts_per_turn, wheel.debounce_ns, from_edge=True))
        except MeasurementError as error:
            left_out[str(error).partition(";")[0]] += 1
            continue
        thrown += throws(recording, spins[-1].origin, in_file)
    without_ = "".join(f"; left out: {many} ({why})" for why, many in left_out.most_common())
    if len(thrown) < NEEDED:
        raise MeasurementError(f"{len(thrown)} of {NEEDED} spins of two turns or more that are needed{without_}")
    comparison = _Comparison(spins, wheel, in_file)
    title = f"calibrated {wheel.clapper.measured}: {len(thrown)} spins measured{without_}"
    report = WheelReport(title, "calibrated", [*comparison.figures(), *_energy_figures(thrown, in_file)])
    report.plots = list(_plots(comparison, thrown, in_file))
    return report


class _Comparison:
    """The measured geometry beside that of the file. Places are degrees along the rim."""

    def __init__(self, spins: Sequence[SeenEdges], wheel: WheelSection, in_file: WheelGeometry) -> None:
        self.sections = in_file.sections
        degree, pitch = 360 / wheel.counts_per_turn, 360 / self.sections
        self.places: Places = in_file.places
        self._most_deg = (in_file.tolerance_mdeg + self.places.spread_mdeg) / 1000
        self.strikes = [spin.strikes for spin in spins]
        strikes = [edge for spin in spins for edge in spin.strikes]
        self.now: Measured = measure(strikes, [edge for spin in spins for edge in spin.slips], self.sections)
        first = self.now.first_deg + wheel.index_offset_counts * degree
        self._number = round(first / pitch)
        """The number of the first measured peg in the file."""
        apart = [self._off(peg, first - self._number * pitch) for peg in range(self.sections)]
        shared = fmean(off for off in apart if off is not None)
        self.apart = [0.0 if off is None else off - shared for off in apart]
        """How far each peg is from its place, beside what all have in common."""
        off = {way: way * shared + side.closes - self._closes(way) for way, side in self.now.sides.items()}
        turned = 0.0
        if any(spin.on_edge for spin in spins):  # The calibration may have taken the other count for it.
            counts = round(fmean(way * later for way, later in off.items()) / degree)
            turned = max(-1, min(1, counts)) * degree
        self.later = {way: later - way * turned for way, later in off.items()}
        """How much later than calibrated the contact closes, by direction."""
        self.offset_deg = wheel.index_offset_counts * degree - turned
        self.once = once_around(self.apart)

    def _off(self, peg: int, rest: float) -> float | None:
        """How far a peg of the file is from its place."""
        now = self.now.pegs_deg[(peg - self._number) % self.sections]
        return None if now is None else now + rest - self.peg_deg(peg)

    def peg_deg(self, peg: int) -> float:
        """How far the calibrated peg is from its even place, as the encoder sees it."""
        return self.places.pegs_mdeg[peg % self.sections] / 1000

    def _closes(self, way: int) -> float:
        return self.places.side(way).closes_mdeg / 1000

    def figures(self) -> Iterator[Figure]:
        """Places by direction, delays, pegs and run-out."""
        remedy = f"{_LEATHER} Beyond {self._most_deg:.2f}° from the calibrated place spins are void."
        for way, side in sorted(self.now.sides.items()):
            closes, later, name = self._closes(way), self.later[way], WAYS[way]
            yield compared(f"contact closes {name}", "°", closes, closes + later, _PLACE_DEG, remedy)
            if side.slips is not None:
                slips = self.places.side(way)
                middle = (slips.slips_from_mdeg + slips.slips_to_mdeg) / 2000
                allowed = _PLACE_DEG + (slips.slips_to_mdeg - slips.slips_from_mdeg) / 4000
                now = side.slips[1] - side.closes + closes + later
                yield compared(f"leather slips off {name}", "°", middle, now, allowed, remedy)
        delays = self.places.closing_delay_ns / 1e6, self.places.opening_delay_ns / 1e6
        yield compared("contact closes late", " ms", delays[0], self.now.closing_delay_s * 1e3, _DELAY_MS, _CONTACT)
        yield compared("contact opens late", " ms", delays[1], self.now.opening_delay_s * 1e3, _DELAY_MS, _CONTACT)
        spread = self.places.spread_mdeg / 1000
        yield compared("strikes scatter by", "°", spread, max(spread, self.now.left_over_deg), _LOOSE_DEG, _LEATHER)
        yield from self._pegs()
        remedy = "See that the encoder and its coupling are fast, then calibrate the wheel anew."
        yield compared("encoder's run-out, change", "°", 0.0, abs(self.once), _RUNOUT_DEG, remedy)

    def _pegs(self) -> Iterator[Figure]:
        missing = {(peg + self._number) % self.sections for peg in self.now.missing}
        if len(missing) * 6 > self.sections:
            yield Figure("pegs", "", None, None, f"{len(missing)} pegs did not close the contact: {_CONTACT}")
            return
        own = without(self.once, self.apart)
        for peg in range(self.sections):
            name, was = peg_name(peg, self.sections), self.peg_deg(peg)
            if peg in missing:
                yield Figure(
                    name, "°", was, None, "It did not close the contact: replace it, then calibrate the wheel anew."
                )
            elif abs(own[peg]) > _PEG_DEG:
                yield Figure(name, "°", was, was + own[peg], f"It is bent or loose. {_STRAIGHTEN}")
        farthest = max((off for peg, off in enumerate(own) if peg not in missing), key=abs)
        if not missing and abs(farthest) <= _PEG_DEG:
            yield Figure("pegs, the farthest", "°", 0.0, farthest)

    def late_deg(self, edge: Edge) -> float:
        """How much later than calibrated a strike came."""
        pitch, way = 360 / self.sections, edge.direction
        past = (edge.at_deg + self.offset_deg) * way - self._closes(way)
        past -= self.places.closing_delay_ns / 1e9 * edge.speed
        peg = round(past / pitch) * way
        return past - (peg * pitch + self.peg_deg(peg)) * way


def compared(name: str, unit: str, before: float, now: float, allowed: float, remedy: str) -> Figure:
    """A figure that has drifted if it differs by more than is allowed."""
    return Figure(name, unit, before, now, remedy if abs(now - before) > allowed else "")


def _energy_figures(thrown: Sequence[tuple[SpinRun, float]], in_file: WheelGeometry) -> Iterator[Figure]:
    """Losses by direction, and the balance."""
    more: dict[int, list[float]] = defaultdict(list)
    for run, _ in thrown:
        if (taken := taken_of_calibrated(run, in_file)) is not None:
            more[run.direction].append(taken - 1)
    means = {way: fmean(parts) for way, parts in sorted(more.items())}
    for way, mean in means.items():
        allowed = _LOSS + _SURE * _LOSS_OF_SPIN / math.sqrt(len(more[way]))
        yield compared(
            f"section takes {WAYS[way]}", "", 1.0, 1 + mean, allowed, _loss_remedy(mean, means.get(-way, mean))
        )
    heavy = [at for spin in thrown if (at := heavy_spot(*spin, in_file)) is not None]
    if heavy:
        mean_heavy = sum(heavy) / len(heavy)
        allowed = _HEAVY + _SURE * _HEAVY_OF_SPIN / math.sqrt(len(heavy))
        yield compared(
            "best section is favoured by",
            "",
            0.0,
            abs(mean_heavy),
            allowed,
            imbalance(mean_heavy, in_file.sections),
        )


def _loss_remedy(mean: float, other: float) -> str:
    """What to do about a changed loss; ``other`` is the change in the other direction."""
    if mean * other < 0 and abs(other) > abs(mean) / 3:
        return "The leather hangs to one side: set it straight or replace it, then calibrate the wheel anew."
    if mean > 0:
        return "Clean and grease the bearing, see that nothing rubs, then calibrate the wheel anew."
    return "The leather has softened: replace it, then calibrate the wheel anew."


def _plots(
    comparison: _Comparison, thrown: Sequence[tuple[SpinRun, float]], in_file: WheelGeometry
) -> Iterator[Plot]:
    """Strikes and losses from spin to spin, and the pegs around the wheel."""
    curves = []
    for way, name in WAYS.items():
        late = [
            [comparison.late_deg(edge) for edge in of_spin if edge.direction == way]
            for of_spin in comparison.strikes
        ]
        points = tuple((float(spin), median(of_spin)) for spin, of_spin in enumerate(late, 1) if of_spin)
        curves.append(Curve(f"strikes {name}: degrees later than calibrated", points))
    taken = [taken_of_calibrated(run, in_file) for run, _ in thrown]
    losses = tuple((float(spin), part) for spin, part in enumerate(taken, 1) if part is not None)
    curves.append(Curve("what a section takes, over the calibrated loss", losses))
    last = float(max(len(comparison.strikes), len(thrown)))
    yield from (Plot(curve.label, last, (curve,), (), (), None, "spins") for curve in curves if curve.points)
    pegs = tuple((float(peg), off) for peg, off in enumerate(comparison.apart, 1))
    label = "pegs: degrees from the calibrated place, clockwise along the rim"
    yield Plot(label, float(comparison.sections), (Curve(label, pegs),), (), (), None, "pegs")
