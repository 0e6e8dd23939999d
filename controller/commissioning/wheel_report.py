"""``wheel-report`` for a wheel with a clapper: what has drifted since its calibration, and what to do.

It runs the measurement of ``calibrate`` over the edges of kept spins and compares the figures with those in the
table's file. A figure has drifted if it differs by more than healthy wheels do from one measurement to the next.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean, median

from config.schema import WheelSection
from controller.commissioning.wheel_measurement import (
    Figure,
    Measured,
    compared,
    measure,
    peg_name,
    run_out,
)
from controller.commissioning.wheel_recording import (
    WAYS,
    MeasurementError,
    SeenEdges,
    WheelRecording,
    seen_edges,
)
from controller.commissioning.wheel_spins import Throw, imbalance, imbalance_words, throws
from controller.drawing.plots import Curve, Plot
from controller.journal.recovery import checkpoint_in
from controller.journal.replay.trace import trace_file
from controller.runtime.table_client import opened, traces_of
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.rest import taken_of_calibrated
from hal.events import EdgeBatch

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
SURE = 3.0
_ANEW = "then calibrate the wheel anew."
_LEATHER = f"Look at the leather and its screws, replace a soft or crooked leather, {_ANEW}"
_CONTACT = f"Look at the contact and its wire, {_ANEW}"
_ENCODER = f"See that the encoder and its coupling are fast, {_ANEW}"
_STARTS = ("table-started", "power-restored")


@dataclass
class WheelReport:
    """What the spins say of their wheel.

    Attributes:
        title: what was measured.
        figures: in the order in which they are shown.
        plots: of the same.
    """

    title: str
    figures: list[Figure] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)

    @property
    def drifted(self) -> bool:
        """Whether there is something to do."""
        return any(figure.remedy for figure in self.figures)

    def compare(self, name: str, unit: str, before: float, now: float, allowed: float, remedy: str) -> None:
        """Add a figure that has drifted if it differs by more than is allowed."""
        self.figures.append(Figure(name, unit, before, now, remedy if abs(now - before) > allowed else ""))

    def plot(self, label: str, values: Sequence[float | None], axis: str = "spins") -> None:
        """Add a plot of values that are numbered from 1, if any is known."""
        points = tuple((float(number), value) for number, value in enumerate(values, 1) if value is not None)
        if points:
            self.plots.append(Plot(label, float(len(values)), (Curve(label, points),), (), (), None, axis))


def kept_edges(journal: Path, game: str, calibrated: str = "") -> list[tuple[dict[str, bool], EdgeBatch]]:
    """The movements of all rounds that are kept, without those of which edges were lost: levels before, and edges.

    Args:
        calibrated: the day of the calibration; only rounds after the day's last start of the table count.

    Raises:
        MeasurementError: no edges are kept, or all are older than the calibration.
        JournalError: journal or edges cannot be read, or they are of another game.
    """
    file = trace_file(journal)
    with opened(journal) as entries:
        started = [entry for entry in entries.entries() if entry.kind in _STARTS]
    if started:
        checkpoint_in(game, started[0])
    since = max((entry.round for entry in started if entry.utc[:10] == calibrated), default=-1)
    with traces_of(journal) as traces:
        if traces is None:
            raise MeasurementError(f"{file}: no edges are kept beside the journal; see journal.trace_rounds")
        rounds = list(traces.rounds())
        stretches = [one for number in rounds if number > since for one in traces.of(number)]
    if rounds and not stretches:
        raise MeasurementError(
            f"{file}: spins from before the calibration of {calibrated} do not count, and there are no others; "
            "play some rounds"
        )
    return [
        (one.levels, EdgeBatch(one.edges, one.stamps_ns, range(1, 1 + len(one.edges))))
        for one in stretches
        if not one.lost and one.reading is None
    ]


def clapper_report(recordings: Iterable[WheelRecording], wheel: WheelSection, sections: int) -> WheelReport:
    """Compare spins with the calibration.

    Args:
        wheel: the table's section of the file, calibrated.

    Raises:
        MeasurementError: there are too few spins, or their strikes fit no such wheel.
    """
    assert wheel.clapper is not None
    calibrated, left_out = geometry(wheel, sections), Counter[str]()
    spins: list[SeenEdges] = []
    thrown: list[Throw] = []
    for recording in recordings:
        try:
            if recording.lost:
                raise MeasurementError("edges were lost")
            spins.append(seen_edges(recording, from_edge=True))
        except MeasurementError as error:
            left_out[str(error).partition(";")[0]] += 1
            continue
        thrown += throws(recording, spins[-1].origin, calibrated)
    without = "".join(f"; left out: {many} ({why})" for why, many in left_out.most_common())
    if len(thrown) < NEEDED:
        raise MeasurementError(f"{len(thrown)} of {NEEDED} spins of two turns or more that are needed{without}")
    report = WheelReport(f"calibrated {wheel.clapper.measured}: {len(thrown)} spins measured{without}")
    expected = Measured.calibrated(calibrated)
    off = _compare_places(report, spins, expected, wheel, calibrated)
    _compare_energy(report, thrown, calibrated)
    for way, name in WAYS.items():
        of_spins = ([expected.struck(one)[1] for one in spin.passes if one.direction == way] for spin in spins)
        late = [median(of_spin) if of_spin else None for of_spin in of_spins]
        report.plot(f"strikes {name}: degrees later than calibrated", late)
    taken = [taken_of_calibrated(run, calibrated) for run, _ in thrown]
    report.plot("what a section takes, over the calibrated loss", taken)
    report.plot("pegs: degrees from the calibrated place, clockwise along the rim", off, "pegs")
    return report


def _compare_places(
    report: WheelReport,
    spins: Sequence[SeenEdges],
    expected: Measured,
    wheel: WheelSection,
    calibrated: WheelGeometry,
) -> list[float]:
    """Places by direction, delays, pegs and run-out.

    Returns:
        how far each peg is from its place, beside what all have in common, in degrees along the rim.
    """
    before, degree = wheel.clapper, 360 / wheel.counts_per_turn
    assert before is not None
    measured = measure([one for spin in spins for one in spin.passes], expected)
    shift = measured.first_deg - expected.first_deg
    if any(spin.on_edge for spin in spins):  # The calibration may have taken the other count for it.
        moved = (shift + way * (at - expected.strikes_deg[way]) for way, at in measured.strikes_deg.items())
        shift -= max(-1, min(1, round(fmean(moved) / degree))) * degree
    now = measured.shifted(shift).in_file(wheel, 0.0, before.measured).clapper
    assert now is not None
    apart = [
        0.0 if at is None else at - (was or 0.0)
        for at, was in zip(measured.pegs_deg, expected.pegs_deg, strict=True)
    ]
    own, once = run_out(apart)
    most_deg = (calibrated.tolerance_mdeg + calibrated.places.spread_mdeg) / 1000
    leather = f"{_LEATHER} Beyond {most_deg:.2f}° from the calibrated place spins are void."
    sides = map(calibrated.places.side, WAYS)
    releases_deg = fmean(side.releases_to_mdeg - side.releases_from_mdeg for side in sides) / 1000
    limits = {
        **{f"strike {WAYS[way]}": (_PLACE_DEG, leather) for way in measured.strikes_deg},
        **{f"release {WAYS[way]}": (_PLACE_DEG + releases_deg / 4, leather) for way in measured.releases_deg},
        "strike delay": (_DELAY_MS, _CONTACT),
        "release delay": (_DELAY_MS, _CONTACT),
        "strikes scatter by": (_LOOSE_DEG, _LEATHER),
        "encoder is out of centre by": (_RUNOUT_DEG, _ENCODER),
    }
    changes = {
        "strikes scatter by": float(now.left_over_deg - before.left_over_deg),  # They may scatter less.
        "encoder is out of centre by": abs(once),
    }
    for figure in compared(before, now):
        if figure.name in limits:
            allowed, remedy = limits[figure.name]
            drifted = changes.get(figure.name, abs(figure.change)) > allowed
            report.figures.append(replace(figure, remedy=remedy if drifted else ""))
    report.figures += _peg_figures(own, measured.missing, expected)
    return apart


def _peg_figures(own: Sequence[float], missing: Collection[int], expected: Measured) -> Iterator[Figure]:
    """The pegs that have moved, or the one that has moved farthest.

    Args:
        own: how far each is from its place.
        missing: those that did not strike.
    """
    for peg, (off, was) in enumerate(zip(own, expected.pegs_deg, strict=True)):
        name = peg_name(peg, len(own))
        if peg in missing:
            yield Figure(name, "°", was, None, f"It did not open the contact: replace it, {_ANEW}")
        elif abs(off) > _PEG_DEG:
            now = (was or 0.0) + off
            yield Figure(name, "°", was, now, f"It is bent or loose. Straighten it or screw it in, {_ANEW}")
    farthest = max(own, key=abs)
    if not missing and abs(farthest) <= _PEG_DEG:
        yield Figure("pegs, the farthest", "°", 0.0, farthest)


def _compare_energy(report: WheelReport, thrown: Sequence[Throw], calibrated: WheelGeometry) -> None:
    """Losses by direction, and the balance."""
    more: dict[int, list[float]] = defaultdict(list)
    for run, _ in thrown:
        if (taken := taken_of_calibrated(run, calibrated)) is not None:
            more[run.direction].append(taken - 1)
    means = {way: fmean(parts) for way, parts in sorted(more.items())}
    for way, mean in means.items():
        allowed = _LOSS + SURE * _LOSS_OF_SPIN / math.sqrt(len(more[way]))
        remedy = _loss_remedy(mean, means.get(-way, mean))
        report.compare(f"section takes {WAYS[way]}", "", 1.0, 1 + mean, allowed, remedy)
    heavy, seen = imbalance(thrown, calibrated)
    if seen:
        allowed = _HEAVY + SURE * _HEAVY_OF_SPIN / math.sqrt(seen)
        words = imbalance_words(heavy, calibrated.sections)
        report.compare("best section is favoured by", "", 0.0, abs(heavy), allowed, words)


def _loss_remedy(mean: float, other: float) -> str:
    """What to do about a changed loss; ``other`` is the change in the other direction."""
    if mean * other < 0 and abs(other) > abs(mean) / 3:
        return f"The leather hangs to one side: set it straight or replace it, {_ANEW}"
    if mean > 0:
        return f"Clean and grease the bearing, see that nothing rubs, {_ANEW}"
    return f"The leather has softened: replace it, {_ANEW}"
