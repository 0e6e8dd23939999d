"""The tracker of a table's sensor head, with the geometry of its wheel, from the table's file."""

import math
from decimal import Decimal
from typing import TYPE_CHECKING

from config.schema import (
    NS_PER_S,
    MeasuredClapper,
    PerDirectionLoss,
    RotorHeadDevice,
    RotorSection,
    TableConfig,
    WheelSection,
)
from controller.machine.registry import find_game
from controller.tracking.clapper_wheel.energy import SpinLoss
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry, assumed
from controller.tracking.tracker import MakeTracker

if TYPE_CHECKING:  # A kind of wheel is loaded by the tables that have it.
    from controller.tracking.roulette.rotor import RotorGeometry

_PI = Decimal("3.14159265")
_NO_LOSS = PerDirectionLoss(clockwise=Decimal(0), counterclockwise=Decimal(0))


def tracker(config: TableConfig) -> MakeTracker | None:
    """The function that makes a tracker from the lines' initial levels; None for a table without a sensor head."""
    wheel, rotor, head = config.wheel, config.rotor, config.devices.rotor
    if wheel is not None:
        from controller.tracking.clapper_wheel.wheel import WheelTracker

        of_wheel = geometry(wheel, len(find_game(config.game).wheel))
        return lambda levels: WheelTracker(of_wheel, levels)
    if rotor is not None and head is not None:
        from controller.tracking.roulette.wheel import RouletteTracker

        of_rotor = rotor_geometry(rotor, head)
        return lambda levels: RouletteTracker(of_rotor, levels)
    return None


def rotor_geometry(rotor: RotorSection, head: RotorHeadDevice) -> "RotorGeometry":
    from controller.tracking.roulette.rotor import RotorGeometry

    return RotorGeometry(
        counts_per_turn=rotor.counts_per_turn,
        beams=1 if head.pins.ball_2 is None else 2,
        beam_angle_mdeg=int(rotor.beam_angle_deg * 1000),
        reversed=rotor.reversed,
        ball_um=int(rotor.ball_mm * 1000),
        track_um=int(rotor.track_mm * 1000 * _PI),
        leaves_from_ns=int(rotor.leaves_from_s * NS_PER_S),
    )


def geometry(wheel: WheelSection, sections: int) -> WheelGeometry:
    """The wheel's geometry from its section of the configuration.

    Args:
        sections: the number of the wheel's sections.
    """
    clapper = wheel.clapper
    return WheelGeometry(
        counts_per_turn=wheel.counts_per_turn,
        index_offset_counts=wheel.index_offset_counts,
        sections=sections,
        reversed=wheel.reversed,
        rest_ns=wheel.rest_ns,
        tolerance_mdeg=wheel.tolerance_mdeg,
        debounce_ns=wheel.debounce_ns,
        places=clapper_places(clapper) if clapper is not None else assumed(int(wheel.contact_deg * 1000)),
        losses=_losses(clapper) if clapper is not None else None,
        runout=_runout(clapper, wheel, sections) if clapper is not None else (),
    )


def _losses(clapper: MeasuredClapper) -> tuple[SpinLoss, SpinLoss] | None:
    """What the wheel loses counterclockwise and clockwise, as ``calibrate`` wrote it."""
    section, air, spread = clapper.section_loss, clapper.air_loss, clapper.loss_spread
    if section is None or air is None or not section.clockwise * section.counterclockwise:
        return None
    drag = clapper.drag_loss or _NO_LOSS
    return (
        SpinLoss(*map(float, (section.counterclockwise, air.counterclockwise, spread, drag.counterclockwise))),
        SpinLoss(*map(float, (section.clockwise, air.clockwise, spread, drag.clockwise))),
    )


def _runout(clapper: MeasuredClapper, wheel: WheelSection, sections: int) -> tuple[float, ...]:
    """The wheel's turn from mark to mark over the encoder's, by mark from the index on."""
    size, at = float(clapper.runout_deg), float(clapper.runout_at_deg)
    index = wheel.index_offset_counts * 360 / wheel.counts_per_turn

    def ahead(mark: int) -> float:
        return size * math.cos(math.radians(index + mark * 360 / sections - at))

    return tuple(1 - (ahead(mark + 1) - ahead(mark)) * sections / 360 for mark in range(sections))


def clapper_places(clapper: MeasuredClapper) -> Places:
    """The contact's places as ``calibrate`` wrote them."""

    def side(strikes: Decimal, releases_from: Decimal, releases_to: Decimal) -> PegSide:
        return PegSide(int(strikes * 1000), int(releases_from * 1000), int(releases_to * 1000))

    strikes, releases_from, releases_to = clapper.strikes_deg, clapper.releases_from_deg, clapper.releases_to_deg
    runout, at = float(clapper.runout_deg), float(clapper.runout_at_deg)
    even = 360 / len(clapper.pegs_deg)
    return Places(
        side(strikes.counterclockwise, releases_from.counterclockwise, releases_to.counterclockwise),
        side(strikes.clockwise, releases_from.clockwise, releases_to.clockwise),
        tuple(
            round(1000 * (float(own) + runout * math.cos(math.radians(peg * even - at))))
            for peg, own in enumerate(clapper.pegs_deg)
        ),
        int(clapper.strike_delay_ms * 1_000_000),
        int(clapper.release_delay_ms * 1_000_000),
        int(clapper.left_over_deg * 1000),
    )
