"""``calibrate``: a recording and the section that a person named become the wheel's section of a table's file."""

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import yaml

from config.edit import replace, with_entry
from config.loader import load_text, read
from config.schema import PerDirectionLoss, WheelSection
from controller.commissioning.wheel_measurement import (
    Measured,
    compared,
    even,
    measure,
    peg_name,
    rounded,
    run_out,
)
from controller.commissioning.wheel_recording import WAYS, MeasurementError, SeenPass, WheelRecording, seen_edges
from controller.commissioning.wheel_spins import (
    THROWN_DEG_S,
    Throw,
    fit,
    imbalance,
    imbalance_words,
    throws,
)
from controller.configuration.rules import RULES
from controller.events.event import WheelRested
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Text, say
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.wheel import WheelTracker

_AFTERWARDS_NS = 60_000_000_000
_LEAST_TURNS = 0.75
_BENT_DEG, _MOST_BENT_DEG = 0.6, 1.5
_LOOSE_DEG = 0.8
_SPREAD = Decimal(1)
"""Allowed difference between turns of one spin, in sections' loss."""
_HEAVY = 0.1
"""A heavy spot that favours a section by so much shows in one throw; what less shows is a throw's own."""
_COARSE_NS, _ROUNDED_NS = 50_000, 2_000
"""Samples farther apart are too coarse for speeds. A recorder that rounds their times is off by less."""
_OF_HANDS = ("stuck-line", "turned-free")
"""Faults that a hand causes by turning the wheel in several pulls. They count only at the last rest."""
_WIDTH = 100


class OnceMoreError(MeasurementError):
    """What was recorded is good; the wheel does not rest where it should, or the answer does not serve."""


class Calibrated(NamedTuple):
    """The wheel's section of the table's file with the new values, and warnings: what a person should look at."""

    wheel: WheelSection
    warnings: tuple[str, ...]


def calibrate(recording: WheelRecording, sections: int, section: int, today: date) -> Calibrated:
    """Measure a wheel.

    Args:
        section: at the clapper when the recording ends, an index into the wheel's order.

    Raises:
        MeasurementError: the recording does not give the geometry.
    """
    if recording.lost:
        raise MeasurementError("edges were lost while it was recorded; look at the encoder's lines, record again")
    wheel, seen, day = recording.wheel, seen_edges(recording), today.isoformat()
    _check_turns(recording, seen.passes, sections)
    measured = measure(seen.passes, even(seen.passes, sections))
    end_deg = (recording.count + 0.5 - seen.origin) * 360 / wheel.counts_per_turn
    measured = measured.numbered(section - math.floor((end_deg - measured.first_deg) * sections / 360))
    warnings = _wrong_pegs(measured)
    found = measured.in_file(wheel, seen.spread_deg, day)
    if astray := resting_section(recording, found, sections) - section:  # The leather is beyond a peg.
        found = measured.numbered(-astray).in_file(wheel, seen.spread_deg, day)
    calibrated = geometry(found, sections)
    thrown = list(throws(recording, seen.origin, calibrated))
    heavy, _ = imbalance(thrown, calibrated)
    if abs(heavy) > _HEAVY:
        warnings.append(imbalance_words(heavy, sections))
    if (apart_ns := _samples_ns(recording)) > _COARSE_NS:
        warnings.append(
            f"edges are stamped every {apart_ns / 1e6:.2f} ms: of spins that are recorded so, honest ones look "
            "touched. Record 20,000 samples a second or more, and calibrate anew"
        )
    return Calibrated(_with_losses(found, thrown), tuple(warnings))


def _samples_ns(recording: WheelRecording) -> int:
    """How far apart a recorder takes its samples: edges are so much apart, or several times as much. Edges that are
    stamped as they come are apart by any time."""
    stamps = [at_ns for batch in recording.batches for at_ns in batch.timestamps_ns]
    waits = sorted(other - one for one, other in pairwise(stamps))
    return min((steps for one, other in pairwise(waits) if (steps := other - one) > _ROUNDED_NS), default=0)


def _check_turns(recording: WheelRecording, passes: Sequence[SeenPass], sections: int) -> None:
    for way, name in WAYS.items():
        if sum(one.direction == way for one in passes) < _LEAST_TURNS * sections:
            turned = sum(max(0.0, turns * way) for turns in recording.turned()) > _LEAST_TURNS
            if turned and any(one.direction == -way for one in passes):
                raise MeasurementError(
                    f"turning {name}, no peg opens the contact: it is on the wrong side of the leather"
                )
            raise MeasurementError(
                f"the wheel was not turned {name} far enough: twice around, slowly, then a throw; record again"
            )
    if 2 * sum(one.struck[1] > THROWN_DEG_S for one in passes) < sections:
        raise MeasurementError(
            "the wheel was not thrown: what the contact's delay does to a fast wheel was not seen; record "
            "again, with a throw each way"
        )


def _wrong_pegs(measured: Measured) -> list[str]:
    """Bent pegs, in words.

    Raises:
        MeasurementError: pegs are missing, or bent too far; or the clapper is too loose.
    """
    missing, sections = measured.missing, len(measured.pegs_deg)
    if len(missing) > sections // 6:
        raise MeasurementError(
            f"only {sections - len(missing)} of {sections} pegs opened the contact both ways: the "
            "clapper is too loose, or its contact sits wrong"
        )
    if missing:
        where = ", ".join(peg_name(peg, sections) for peg in missing[:4])
        raise MeasurementError(
            f"a peg is missing, or does not reach the leather: {where}. Repair it, and record again"
        )
    if measured.left_over_deg > _LOOSE_DEG:
        raise MeasurementError(
            f"strikes of one peg are {2 * measured.left_over_deg:.1f} degrees apart: "
            "the clapper is too loose, or the encoder slips"
        )
    if len(measured.releases_deg) < len(measured.strikes_deg):
        raise MeasurementError("the contact did not close behind the pegs; check it, and record again")
    own, _ = run_out([error or 0.0 for error in measured.pegs_deg])
    bent = {peg: error for peg, error in enumerate(own) if abs(error) > _BENT_DEG}
    said = [f"{peg_name(peg, sections)} is bent by {error:+.1f} degrees" for peg, error in bent.items()]
    if any(abs(error) > _MOST_BENT_DEG for error in bent.values()):
        raise MeasurementError("; ".join(said) + ": straighten it, and record again")
    return said


def _with_losses(wheel: WheelSection, thrown: Sequence[Throw]) -> WheelSection:
    """What the throws lost; without a long one each way, spins are compared with themselves only."""
    fits = {run.direction: found for run, _ in thrown if (found := fit(run)) is not None}
    if len(fits) < 2 or wheel.clapper is None:
        return wheel

    def both(value: Callable[[int], float]) -> PerDirectionLoss:
        return PerDirectionLoss(clockwise=rounded(value(-1), 6), counterclockwise=rounded(value(1), 6))

    losses: dict[str, PerDirectionLoss | Decimal] = {
        "section_loss": both(lambda way: fits[way].section),
        "air_loss": both(lambda way: max(0.0, fits[way].air)),
        "loss_spread": _SPREAD,
    }
    if any(loss.drag for loss in fits.values()):
        losses["drag_loss"] = both(lambda way: fits[way].drag)
    return wheel.model_copy(update={"clapper": wheel.clapper.model_copy(update=losses)})


def resting_section(recording: WheelRecording, wheel: WheelSection, sections: int) -> int:
    """The section at the clapper when a recording ends, an index into the wheel's order.

    Args:
        wheel: as measured. The tracker must agree with all of the recording's edges.

    Raises:
        OnceMoreError: the wheel does not rest within a section.
        MeasurementError: an edge contradicts what was measured.
    """
    tracker = WheelTracker(geometry(wheel, sections), recording.levels)
    events = [event for batch in recording.batches for event in tracker.feed(batch)]
    events += tracker.tick(recording.end_ns + _AFTERWARDS_NS)
    rests = [event for event in events if isinstance(event, WheelRested)]
    faults = [(rest.fault, rest is rests[-1]) for rest in rests if rest.fault is not None]
    doubted = next((fault for fault, at_end in faults if at_end or fault.found.code not in _OF_HANDS), None)
    if doubted is not None:
        found = say(TABLE_WORDS, Text("fault", doubted.parameters))
        raise MeasurementError(f"the wheel's own recording does not fit what was measured ({found}); record again")
    if not rests or rests[-1].section is None:
        raise OnceMoreError(
            "the wheel does not rest within a section: a peg bends the clapper, or is too near; turn it to the "
            "middle of one"
        )
    return rests[-1].section


def report(found: Calibrated, before: WheelSection) -> Iterator[str]:
    """What was measured, a line each; then what a person should look at."""
    clapper = found.wheel.clapper
    assert clapper is not None
    yield f"{f'measured {clapper.measured}':<38}{'now':>9}{'before':>12}"
    yield from map(str, compared(before.clapper, clapper))
    peg, error = max(enumerate(clapper.pegs_deg), key=lambda one: abs(one[1]))
    name = peg_name(peg, len(clapper.pegs_deg))
    yield f"farthest from its place: {name}, by {error:+.2f}° clockwise along the rim"
    yield from (f"warning       {warning}" for warning in found.warnings)
    yield f"index_offset_counts: {found.wheel.index_offset_counts}, before {before.index_offset_counts}"


def write(path: Path, wheel: WheelSection, reversed_before: bool) -> None:
    """Change the values in the table's file, and nothing else of it.

    Raises:
        NotFoundError: the file says a value in a way that cannot be changed in its place.
        ConfigError: a rule does not accept the new values.
        OSError: it cannot be written; the old file is as it was.
    """
    assert wheel.clapper is not None
    name, text = str(path), read(path).decode("utf-8-sig")
    if wheel.reversed != reversed_before:
        text = with_entry(text, name, ("wheel", "reversed"), [f"reversed: {str(wheel.reversed).lower()}"])
    offset = f"index_offset_counts: {wheel.index_offset_counts}"
    text = with_entry(text, name, ("wheel", "index_offset_counts"), [offset])
    values = wheel.clapper.model_dump(exclude_unset=True)
    figures = yaml.dump(values, Dumper=_Figures, default_flow_style=None, sort_keys=False, width=_WIDTH)
    about = "# measured by calibrate, which replaces all of it; measure again after work on wheel or clapper"
    lines = [f"clapper: {about}", *(f"  {line}" for line in figures.splitlines())]
    text = with_entry(text, name, ("wheel", "clapper"), lines)
    load_text(text.encode(), name, RULES)
    replace(path, text)


class _Figures(yaml.SafeDumper):
    """Writes decimals as numbers."""


_Figures.add_representer(Decimal, lambda dumper, value: dumper.represent_float(float(value)))
