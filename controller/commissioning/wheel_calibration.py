"""From a measured geometry and the section that a person named to what stands in a table's file."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from pydantic import ValidationError

from config.clapper import MeasuredClapper, PerDirection, PerDirectionLoss
from config.schema import WheelSection
from controller.commissioning.wheel_edges import MeasurementError
from controller.commissioning.wheel_measurement import Measured, WheelMeasurement
from controller.commissioning.wheel_recording import WheelRecording
from controller.commissioning.wheel_spins import imbalance, throws
from controller.events.event import Event, WheelRested
from controller.runtime.wheel_geometry import geometry
from controller.tracking.clapper_wheel.energy import SpinRun
from controller.tracking.clapper_wheel.wheel import WheelTracker

_AFTERWARDS_NS = 60_000_000_000
_SLIP_MARGIN_DEG = 0.1
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
    measured = WheelMeasurement(recording, wheel.counts_per_turn, sections, wheel.debounce_ns, section).measure()
    provisional = _section_of_file(wheel, measured, 0, today)
    rested, runs = resting_section(recording, provisional, sections)
    final = _section_of_file(wheel, measured, (section - rested) % sections, today)
    return Calibrated(
        _with_losses(final, runs),
        (*measured.warnings, *_out_of_balance(recording, measured.origin, final, sections)),
    )


def _out_of_balance(recording: WheelRecording, origin: int, wheel: WheelSection, sections: int) -> Iterator[str]:
    """A heavy spot that the throws show: the wheel favours a sector, and may swing back by itself."""
    thrown = throws(recording, origin, geometry(wheel, sections))
    found = [heavy for spin in thrown if (heavy := spin.heavy()) is not None]
    heavy = sum(found) / len(found) if found else 0j
    if abs(heavy) > _HEAVY:
        yield imbalance(heavy, sections)


def _with_losses(wheel: WheelSection, runs: Sequence[SpinRun]) -> WheelSection:
    """What the throws lost; without a long one each way, spins are compared with themselves only."""
    fits = {run.direction: fit for run in runs if (fit := run.fit()) is not None}
    if len(fits) < 2 or wheel.clapper is None:
        return wheel
    losses: dict[str, PerDirectionLoss | Decimal] = {
        "section_loss": _losses(lambda way: fits[way].section),
        "air_loss": _losses(lambda way: max(0.0, fits[way].air)),
        "loss_spread": _rounded(
            min(
                _MOST_SPREAD,
                max(
                    _LEAST_SPREAD,
                    *(_SPREADS * fit.spread for fit in fits.values()),
                    *(run.pass_spread(fits[run.direction].section) for run in runs if run.direction in fits),
                ),
            )
        ),
    }
    if any(fit.drag for fit in fits.values()):
        losses["drag_loss"] = _losses(lambda way: fits[way].drag)
    return wheel.model_copy(update={"clapper": wheel.clapper.model_copy(update=losses)})


def _losses(value: Callable[[int], float]) -> PerDirectionLoss:
    return PerDirectionLoss(clockwise=_rounded(value(-1), 6), counterclockwise=_rounded(value(1), 6))


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
                if tracker.run is not None and tracker.run not in runs:
                    runs.append(tracker.run)

    for batch in recording.batches:
        keep(tracker.tick(batch.timestamps_ns[0]))
        keep(tracker.feed(batch))
    keep(tracker.tick(recording.end_ns + _AFTERWARDS_NS))
    doubted = next((rest.fault for rest in rests if rest.fault is not None), None)
    if doubted is not None:
        raise MeasurementError(
            f"the wheel's own recording does not fit what was measured ({doubted}); record again"
        )
    if not rests or rests[-1].section is None:
        raise NearPegError(
            "the wheel does not rest within a section: a peg bends the clapper, or is too near; turn it to the "
            "middle of one"
        )
    return rests[-1].section, runs


def _section_of_file(wheel: WheelSection, measured: Measured, turned: int, today: date) -> WheelSection:
    """The wheel's section of the file, the pegs numbered so many sections on."""
    sections = len(measured.pegs_deg)
    pitch, degree = 360 / sections, 360 / wheel.counts_per_turn
    offset = round((turned * pitch - measured.first_deg) / degree) % wheel.counts_per_turn
    rest = (measured.first_deg + offset * degree - turned * pitch + 180) % 360 - 180
    own = [measured.pegs_deg[(peg - turned) % sections] + rest for peg in range(sections)]
    sides = measured.sides

    def both(value: Callable[[int], float]) -> PerDirection:
        return PerDirection(clockwise=_rounded(value(-1)), counterclockwise=_rounded(value(1)))

    try:
        clapper = MeasuredClapper(
            measured=today.isoformat(),
            closes_deg=both(lambda way: sides[way].closes),
            slips_from_deg=both(lambda way: sides[way].slips_from - _SLIP_MARGIN_DEG),
            slips_to_deg=both(lambda way: sides[way].slips_to + _SLIP_MARGIN_DEG),
            closing_delay_ms=_rounded(measured.closing_delay_s * 1000),
            opening_delay_ms=_rounded(measured.opening_delay_s * 1000),
            pegs_deg=[_rounded(error) for error in own],
            runout_deg=_rounded(measured.runout_deg),
            runout_at_deg=_rounded((measured.runout_at_deg + turned * pitch) % 360) % 360,
            left_over_deg=_rounded(measured.left_over_deg),
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
