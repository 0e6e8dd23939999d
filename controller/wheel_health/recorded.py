"""Measures and findings as the record keeps them, and measures as they are read from it.

What is recorded is rounded. A table takes its own measures from the event that it records, so that health that is
made from the record later is the same to the last digit.
"""

import math
from array import array

from controller.events.event import Direction, RotorMeasured, SpinMeasured, WheelDegraded
from controller.tracking.motion import direction_of
from controller.tracking.roulette.health import SpinHealth
from controller.wheel_health.findings import WheelFinding
from controller.wheel_health.measures import SpinMeasures

_FIGURES = 5
_PARTS = 5


def spin_measured(
    measures: SpinMeasures, round_: int, calibration: str, touched: bool, index_shift: int | None
) -> SpinMeasured:
    """A spin's measures as an event; the table adds its time.

    Args:
        measures: with the index taken as in the calibration (``WheelHealth.placed``).
        round_: in which the wheel came to rest.
        calibration: names the calibration.
        touched: the spin was void because a hand was on the running wheel.
        index_shift: by how many counts the index was taken elsewhere in the calibration; None if it cannot be.
    """
    return SpinMeasured(
        at_ns=0,
        round=round_,
        calibration=calibration,
        direction=direction_of(measures.direction),
        turns=round(measures.turns, 3),
        touched=touched,
        section_loss=_figures(measures.section_loss),
        air_loss=round(measures.air_loss, _PARTS),
        loss_ratio=round(measures.loss_ratio, _PARTS),
        heavy_cosine=round(measures.heavy_cosine, _PARTS),
        heavy_sine=round(measures.heavy_sine, _PARTS),
        strike_deg=round(measures.strike_deg, 4),
        release_deg=round(measures.release_deg, 4),
        width_deg=round(measures.width_deg, 4),
        pegs_mdeg=tuple(None if math.isnan(off) else round(off * 1000) for off in measures.pegs_deg),
        passages=tuple(measures.passages),
        missed=measures.missed,
        chatter=measures.chatter,
        index_shift=index_shift,
    )


def _figures(value: float) -> float:
    return float(f"{value:.{_FIGURES}g}")


def spin_measures(event: SpinMeasured) -> SpinMeasures:
    """The measures that an event holds."""
    return SpinMeasures(
        direction=1 if event.direction is Direction.COUNTERCLOCKWISE else -1,
        turns=event.turns,
        section_loss=event.section_loss,
        air_loss=event.air_loss,
        loss_ratio=event.loss_ratio,
        heavy_cosine=event.heavy_cosine,
        heavy_sine=event.heavy_sine,
        strike_deg=event.strike_deg,
        release_deg=event.release_deg,
        width_deg=event.width_deg,
        pegs_deg=array("d", (math.nan if off is None else off / 1000 for off in event.pegs_mdeg)),
        passages=array("l", event.passages),
        missed=event.missed,
        chatter=event.chatter,
        index_on_edge=False,
    )


def wheel_degraded(finding: WheelFinding, round_: int, calibration: str) -> WheelDegraded:
    """A finding as an event; the table adds its time."""
    direction = direction_of(finding.direction) if finding.direction else None
    return WheelDegraded(
        0, round_, calibration, finding.sign.value, finding.what, finding.remedy, direction, finding.peg,
        round(finding.value, 4),
    )  # fmt: skip


# -- roulette ------------------------------------------------------------------------------------------------------


def rotor_measured(spin: SpinHealth, round_: int, name: str) -> RotorMeasured:
    """A run's measures as an event; the table adds its time."""
    loss = spin.rotor_slows_rev_s2
    return RotorMeasured(
        at_ns=0,
        round=round_,
        calibration=name,
        drops_from_mdeg=spin.drops_from_mdeg,
        drops_within_mdeg=spin.drops_within_mdeg,
        between_beams=spin.between_beams,
        rotor_slows_rev_s2=None if loss is None else _figures(loss),
    )


def rotor_spin(event: RotorMeasured) -> SpinHealth:
    """The measures that an event holds."""
    return SpinHealth(
        event.at_ns, event.drops_from_mdeg, event.drops_within_mdeg, event.between_beams, event.rotor_slows_rev_s2
    )
