"""``calibrate``: from a recording and the section that a person named to the wheel's section of a table's file."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from pydantic import ValidationError

from config.clapper import MeasuredClapper, PerDirection, PerDirectionLoss
from config.schema import WheelSection
from controller.commissioning.wheel_measurement import Measured, measure, once_around, peg_name, without
from controller.commissioning.wheel_recording import Edge, MeasurementError, WheelRecording, seen_edges
from controller.commissioning.wheel_spins import THROWN_DEG_S, fit, heavy_spot, imbalance, pass_spread, throws
from controller.events.event import Event, WheelRested
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Text, say
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.energy import SpinRun
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

SLIP_MARGIN_DEG = 0.1
WAYS = {1: "counterclockwise", -1: "clockwise"}
_AFTERWARDS_NS = 60_000_000_000
_LEAST_TURNS = 0.75
_EDGES = 256
_BENT_DEG = 0.6
_MOST_BENT_DEG = 1.5
_LOOSE_DEG = 0.8
_LEAST_SPREAD = 0.5
_MOST_SPREAD = 3.0
_SPREADS = 1.5
"""A spin's turns may differ by so many times what they differed by in the recording."""
_HEAVY = 0.1
"""A heavy spot that favours a section by so much shows in one throw; what less shows is a throw's own."""


class NearPegError(MeasurementError):
    """The wheel does not rest within a section."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a table's file is to say of its wheel.

    Attributes:
        wheel: the file's section with the new values.
        warnings: what a person should look at.
    """

    wheel: WheelSection
    warnings: tuple[str, ...]


def calibrate(
    recording: WheelRecording, wheel: WheelSection, sections: int, section: int, today: date
) -> Calibrated:
    """Measure a wheel.

    Args:
        section: at the clapper when the recording ends, an index into the wheel's order.

    Raises:
        MeasurementError: the recording does not give the geometry.
    """
    if recording.lost:
        raise MeasurementError("edges were lost while it was recorded; look at the encoder's lines, record again")
    seen = seen_edges(recording, wheel.counts_per_turn, wheel.debounce_ns)
    _check_turns(recording, seen.strikes, sections)
    measured = measure(seen.strikes, seen.slips, sections)
    end_deg = (recording.count + 0.5 - seen.origin) * 360 / wheel.counts_per_turn
    at_end = math.floor((end_deg - measured.first_deg) * sections / 360)
    warnings = _wrong_pegs(measured, sections, section - at_end)
    provisional = _section_of_file(wheel, measured, seen.spread_deg, 0, today)
    rested, runs = resting_section(recording, provisional, sections)
    final = _section_of_file(wheel, measured, seen.spread_deg, (section - rested) % sections, today)
    in_file = geometry(final, sections)
    heavy = [at for spin in throws(recording, seen.origin, in_file) if (at := heavy_spot(*spin, in_file))]
    if heavy and abs(sum(heavy)) > _HEAVY * len(heavy):
        warnings.append(imbalance(sum(heavy) / len(heavy), sections))
    return Calibrated(_with_losses(final, runs), tuple(warnings))


def _check_turns(recording: WheelRecording, strikes: Sequence[Edge], sections: int) -> None:
    for way, name in WAYS.items():
        if sum(edge.direction == way for edge in strikes) < _LEAST_TURNS * sections:
            turned = sum(edge.direction == way for edge in recording.index()) > 2
            if turned and any(edge.direction == -way for edge in strikes):
                raise MeasurementError(
                    f"turning {name}, no peg closes the contact: it is on the wrong side of the leather"
                )
            raise MeasurementError(
                f"the wheel was not turned {name} far enough: twice around, slowly, then a throw; record again"
            )
    if 2 * sum(edge.speed > THROWN_DEG_S for edge in strikes) < sections:
        raise MeasurementError(
            "the wheel was not thrown: what the contact's delay does to a fast wheel was not seen; record "
            "again, with a throw each way"
        )


def _wrong_pegs(measured: Measured, sections: int, named: int) -> list[str]:
    """Bent pegs, in words.

    Args:
        named: the number of the first peg, as a person numbers the sections.

    Raises:
        MeasurementError: pegs are missing, or bent too far; or the clapper is too loose.
    """

    def names(pegs: Sequence[int]) -> list[str]:
        return [peg_name(peg + named, sections) for peg in pegs]

    missing = measured.missing
    if len(missing) > sections // 6:
        raise MeasurementError(
            f"only {sections - len(missing)} of {sections} pegs closed the contact both ways: the "
            "clapper is too loose, or its contact sits wrong"
        )
    if missing:
        where = ", ".join(names(missing)[:4])
        raise MeasurementError(
            f"a peg is missing, or does not reach the leather: {where}. Repair it, and record again"
        )
    if measured.left_over_deg > _LOOSE_DEG:
        raise MeasurementError(
            f"the same peg closes the contact at places {2 * measured.left_over_deg:.1f} degrees apart: "
            "the clapper is too loose, or the encoder slips"
        )
    if any(side.slips is None for side in measured.sides.values()):
        raise MeasurementError("the contact did not open again behind the pegs; look at it, and record again")
    own = _own_errors(measured)[0]
    bent = [peg for peg, error in enumerate(own) if abs(error) > _BENT_DEG]
    said = [f"{name} is bent by {own[peg]:+.1f} degrees" for peg, name in zip(bent, names(bent), strict=True)]
    if any(abs(own[peg]) > _MOST_BENT_DEG for peg in bent):
        raise MeasurementError("; ".join(said) + ": straighten it, and record again")
    return said


def _own_errors(measured: Measured) -> tuple[list[float], complex]:
    """Each peg's own error, and what goes once around: it is the encoder's run-out."""
    pegs = [error or 0.0 for error in measured.pegs_deg]
    once = once_around(pegs)
    return without(once, pegs), once


def _with_losses(wheel: WheelSection, runs: Sequence[SpinRun]) -> WheelSection:
    """What the throws lost; without a long one each way, spins are compared with themselves only."""
    fits = {run.direction: found for run in runs if (found := fit(run)) is not None}
    if len(fits) < 2 or wheel.clapper is None:
        return wheel

    def both(value: Callable[[int], float]) -> PerDirectionLoss:
        return PerDirectionLoss(clockwise=_rounded(value(-1), 6), counterclockwise=_rounded(value(1), 6))

    spreads = [_SPREADS * loss.spread for loss in fits.values()]
    spreads += [pass_spread(run, fits[run.direction].section) for run in runs if run.direction in fits]
    losses: dict[str, PerDirectionLoss | Decimal] = {
        "section_loss": both(lambda way: fits[way].section),
        "air_loss": both(lambda way: max(0.0, fits[way].air)),
        "loss_spread": _rounded(min(_MOST_SPREAD, max(_LEAST_SPREAD, *spreads))),
    }
    if any(loss.drag for loss in fits.values()):
        losses["drag_loss"] = both(lambda way: fits[way].drag)
    return wheel.model_copy(update={"clapper": wheel.clapper.model_copy(update=losses)})


def resting_section(recording: WheelRecording, wheel: WheelSection, sections: int) -> tuple[int, list[SpinRun]]:
    """The section at the clapper when a recording ends, an index into the wheel's order; and the throws.

    Args:
        wheel: as measured. The tracker must agree with all of the recording's edges.

    Raises:
        NearPegError: the wheel does not rest within a section.
        MeasurementError: an edge contradicts what was measured.
    """
    tracker = WheelTracker(geometry(wheel, sections), recording.levels)
    rests: list[WheelRested] = []
    runs: list[SpinRun] = []

    def keep(events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, WheelRested):
                rests.append(event)
                if tracker.ending is not None and tracker.ending.run not in runs:
                    runs.append(tracker.ending.run)

    for batch in recording.batches:
        for at in range(0, len(batch), _EDGES):  # A file is one batch; the tracker keeps only the last throw.
            part = slice(at, at + _EDGES)
            stamps = batch.timestamps_ns[part]
            keep(tracker.tick(stamps[0]))
            keep(tracker.feed(EdgeBatch(batch.edges[part], stamps, batch.seqnos[part])))
    keep(tracker.tick(recording.end_ns + _AFTERWARDS_NS))
    doubted = next((rest.fault for rest in rests if rest.fault is not None), None)
    if doubted is not None:
        found = say(TABLE_WORDS, Text("fault", doubted.parameters))
        raise MeasurementError(f"the wheel's own recording does not fit what was measured ({found}); record again")
    if not rests or rests[-1].section is None:
        raise NearPegError(
            "the wheel does not rest within a section: a peg bends the clapper, or is too near; turn it to the "
            "middle of one"
        )
    return rests[-1].section, runs


def _section_of_file(
    wheel: WheelSection, measured: Measured, spread_deg: float, turned: int, today: date
) -> WheelSection:
    """The wheel's section of the file, the pegs numbered so many sections on."""
    sections = len(measured.pegs_deg)
    pitch, degree = 360 / sections, 360 / wheel.counts_per_turn
    offset = round((turned * pitch - measured.first_deg) / degree) % wheel.counts_per_turn
    rest = (measured.first_deg + offset * degree - turned * pitch + 180) % 360 - 180
    own, once = _own_errors(measured)
    runout_at = math.degrees(math.atan2(once.imag, once.real))

    def both(value: Callable[[int], float]) -> PerDirection:
        return PerDirection(clockwise=_rounded(value(-1)), counterclockwise=_rounded(value(1)))

    def slips(way: int) -> Sequence[float]:
        return measured.sides[way].slips or (0.0, 0.0)

    try:
        clapper = MeasuredClapper(
            measured=today.isoformat(),
            closes_deg=both(lambda way: measured.sides[way].closes),
            slips_from_deg=both(lambda way: slips(way)[0] - SLIP_MARGIN_DEG),
            slips_to_deg=both(lambda way: slips(way)[-1] + SLIP_MARGIN_DEG),
            closing_delay_ms=_rounded(measured.closing_delay_s * 1000),
            opening_delay_ms=_rounded(measured.opening_delay_s * 1000),
            pegs_deg=[_rounded(own[(peg - turned) % sections] + rest) for peg in range(sections)],
            runout_deg=_rounded(abs(once)),
            runout_at_deg=_rounded((runout_at + turned * pitch) % 360) % 360,
            left_over_deg=_rounded(measured.left_over_deg + spread_deg),
        )
    except ValidationError as error:
        raise MeasurementError(_beyond(error)) from error
    return wheel.model_copy(update={"index_offset_counts": offset, "clapper": clapper})


def _beyond(error: ValidationError) -> str:
    """Which figures are beyond those of any wheel."""
    beyond = sorted({f"{one['loc'][0]} {one['input']}" for one in error.errors()})
    return (
        f"no wheel has such a clapper: {', '.join(beyond)}; look at contact, leather and encoder, and record again"
    )


def _rounded(value: float, digits: int = 3) -> Decimal:
    """As the file has it."""
    scale = 10**digits
    return Decimal(round(value * scale)) / scale if math.isfinite(value) else Decimal(0)


# -- in words ------------------------------------------------------------------------------------------------------


def report(found: Calibrated, order: Sequence[str]) -> Iterator[str]:
    """What was measured, a line each; then what a person should look at."""
    clapper = found.wheel.clapper
    assert clapper is not None
    peg, error = max(enumerate(clapper.pegs_deg), key=lambda one: abs(one[1]))
    beside = f"between {section_name(order, peg - 1)} and {section_name(order, peg)}"
    way = "clockwise" if error > 0 else "counterclockwise"
    closes, least, most = clapper.closes_deg, clapper.slips_from_deg, clapper.slips_to_deg
    lines = {
        "measured": clapper.measured,
        "index": f"index_offset_counts {found.wheel.index_offset_counts}",
        "closes": f"{_past(closes.clockwise)} turning clockwise, "
        f"{_past(closes.counterclockwise)} turning counterclockwise",
        "slips off": f"{least.clockwise:f}° to {most.clockwise:f}° past the peg turning clockwise, "
        f"{least.counterclockwise:f}° to {most.counterclockwise:f}° counterclockwise",
        "contact": f"closes {clapper.closing_delay_ms:f} ms, opens {clapper.opening_delay_ms:f} ms late",
        "encoder": f"out of centre by {clapper.runout_deg:f}°, most at {clapper.runout_at_deg:f}°",
        "pegs": f"the farthest from its place is the one {beside}: {abs(error):f}° {way} along the rim",
        "left over": f"{clapper.left_over_deg:f}° at most, of what no figure above explains",
    }
    yield from (f"{name:<14}{text}" for name, text in lines.items())
    yield from (f"{'warning':<14}{warning}" for warning in found.warnings)


def _past(degrees: Decimal) -> str:
    return f"{abs(degrees):f}° {'before' if degrees < 0 else 'past'} the peg" if degrees else "at the peg"


def section_name(order: Sequence[str], section: int) -> str:
    """A section by its number in the wheel's order, from 1, and its name."""
    section %= len(order)
    return f"#{section + 1} ({order[section]})"


def place_name(order: Sequence[str], section: int) -> str:
    """A section and those beside it, counterclockwise and clockwise along the rim."""
    beside = f"{section_name(order, section - 1)} and {section_name(order, section + 1)}"
    return f"{section_name(order, section)}, between {beside}"
