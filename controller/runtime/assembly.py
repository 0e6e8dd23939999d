"""Builds one table from its configuration: devices by name from the registry, machine from the game."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from config.clapper import MeasuredClapper
from config.schema import (
    DeviceSection,
    DeviceSections,
    RotorHeadDevice,
    RotorSection,
    TableConfig,
    WheelSection,
)
from controller.access.authentication import Authentication
from controller.access.credentials import CredentialsFile
from controller.configuration.device_options import device_options
from controller.journal.journal import Journal
from controller.limits.amounts import currency_of, file_amounts
from controller.limits.sign import FileLimits
from controller.runtime.devices import Devices
from controller.runtime.table import Origin, Table
from controller.statechart.registry import find_game
from controller.tracking.clapper_wheel.energy import SpinLoss
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.hand import marks_per_turn
from controller.tracking.clapper_wheel.places import PegSide, Places
from controller.tracking.clapper_wheel.wheel import WheelTracker
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from controller.tracking.tracker import MakeTracker
from hal.interfaces import Clock, EdgeSource, KeySource, LampPanel, ResultReader, Sounder, SwitchInput
from hal.registry import open_device


def geometry(wheel: WheelSection, sections: int) -> WheelGeometry:
    """The wheel's geometry from its section of the configuration.

    Args:
        sections: the number of the wheel's sections.
    """
    return WheelGeometry(
        counts_per_turn=wheel.counts_per_turn,
        index_offset_counts=wheel.index_offset_counts,
        sections=sections,
        reversed=wheel.reversed,
        rest_ns=wheel.rest_ns,
        tolerance_mdeg=wheel.tolerance_mdeg,
        contact_mdeg=wheel.contact_mdeg,
        debounce_ns=wheel.debounce_ns,
        final_speed_mdeg_s=wheel.final_speed_mdeg_s,
        places=clapper_places(wheel.clapper) if wheel.clapper is not None else None,
        losses=_losses(wheel.clapper) if wheel.clapper is not None else None,
        runout=_runout(wheel.clapper, wheel, sections) if wheel.clapper is not None else (),
    )


def _losses(clapper: MeasuredClapper) -> tuple[SpinLoss, SpinLoss] | None:
    """What the wheel loses counterclockwise and clockwise, as ``calibrate`` wrote it."""
    section, air, spread = clapper.section_loss, clapper.air_loss, float(clapper.loss_spread)
    if section is None or air is None or not section.clockwise * section.counterclockwise:
        return None
    return (
        SpinLoss(float(section.counterclockwise), float(air.counterclockwise), spread),
        SpinLoss(float(section.clockwise), float(air.clockwise), spread),
    )


def _runout(clapper: MeasuredClapper, wheel: WheelSection, sections: int) -> tuple[float, ...]:
    """The wheel's turn from mark to mark over the encoder's, by mark from the index on."""
    size, at = float(clapper.runout_deg), float(clapper.runout_at_deg)
    marks = marks_per_turn(sections)
    index = wheel.index_offset_counts * 360 / wheel.counts_per_turn

    def ahead(mark: int) -> float:
        return size * math.cos(math.radians(index + mark * 360 / marks - at))

    return tuple(1 - (ahead(mark + 1) - ahead(mark)) * marks / 360 for mark in range(marks))


def clapper_places(clapper: MeasuredClapper) -> Places:
    """The contact's places as ``calibrate`` wrote them."""

    def side(closes: Decimal, slips_from: Decimal, slips_to: Decimal) -> PegSide:
        return PegSide(int(closes * 1000), int(slips_from * 1000), int(slips_to * 1000))

    closes, slips_from, slips_to = clapper.closes_deg, clapper.slips_from_deg, clapper.slips_to_deg
    runout, at = float(clapper.runout_deg), float(clapper.runout_at_deg)
    even = 360 / len(clapper.pegs_deg)
    return Places(
        side(closes.counterclockwise, slips_from.counterclockwise, slips_to.counterclockwise),
        side(closes.clockwise, slips_from.clockwise, slips_to.clockwise),
        tuple(
            round(1000 * (float(own) + runout * math.cos(math.radians(peg * even - at))))
            for peg, own in enumerate(clapper.pegs_deg)
        ),
        int(clapper.closing_delay_ms * 1_000_000),
        int(clapper.opening_delay_ms * 1_000_000),
        int(clapper.left_over_deg * 1000),
    )


def rotor_geometry(rotor: RotorSection, head: RotorHeadDevice) -> RotorGeometry:
    """The geometry of a roulette wheel from its sections of the configuration."""
    return RotorGeometry(
        counts_per_turn=rotor.counts_per_turn,
        beams=1 if head.pins.ball_2 is None else 2,
        beam_angle_mdeg=rotor.beam_angle_mdeg,
        reversed=rotor.reversed,
        ball_um=rotor.ball_um,
        track_um=rotor.track_um,
        leaves_from_ns=rotor.leaves_from_ns,
    )


def tracker(config: TableConfig) -> MakeTracker | None:
    """The function that makes a tracker from the lines' initial levels; None for a table without a sensor head."""
    wheel, rotor, head = config.wheel, config.rotor, config.devices.rotor
    if wheel is not None:
        of_wheel = geometry(wheel, len(find_game(config.game).wheel))
        return lambda levels: WheelTracker(of_wheel, levels)
    if rotor is not None and head is not None:
        of_rotor = rotor_geometry(rotor, head)
        return lambda levels: RouletteTracker(of_rotor, levels)
    return None


def open_devices(config: TableConfig, clock: Clock) -> Devices:
    """Open every device of the configuration.

    Raises:
        HalError: a device cannot be opened; those already open are closed again.
    """
    opened: list[Any] = []
    sections = config.devices

    def open_section(kind: str, section: DeviceSection) -> Any:
        device = open_device(kind, section.backend, section, device_options(config, kind, section), clock)
        opened.append(device)
        return device

    keys = {"buttons": sections.buttons, "keypad": sections.keypad, "keyboard": sections.keyboard}
    try:
        return Devices(
            head=cast(EdgeSource | None, _head(sections, open_section)),
            reader=cast(ResultReader, open_section("reader", sections.reader)) if sections.reader else None,
            keys={
                name: cast(KeySource, open_section("keys", section))
                for name, section in keys.items()
                if section is not None
            },
            switches=cast(SwitchInput, open_section("switches", sections.switches)),
            panel=cast(LampPanel, open_section("panel", sections.panel)),
            sounder=cast(Sounder, open_section("sounder", sections.sounder)),
        )
    except BaseException:
        for device in opened:
            device.close()
        raise


def _head(sections: DeviceSections, open_section: Callable[[str, DeviceSection], Any]) -> Any:
    """The sensor head of either kind of wheel."""
    if sections.head is not None:
        return open_section("edges", sections.head)
    return open_section("rotor", sections.rotor) if sections.rotor is not None else None


def build(
    config: TableConfig,
    origin: Origin,
    clock: Clock,
    journal: Journal,
    acts: Authentication | None = None,
    keys: Mapping[str, KeySource] | None = None,
) -> Table:
    """A table with open devices, not yet started.

    Args:
        origin: recorded at the start.
        acts: the authentication, if not that of the configuration.
        keys: key sources in addition to those of the configuration.
    """
    game = find_game(config.game)
    devices = open_devices(config, clock)
    return Table(
        game.name,
        game.machine(config),
        journal,
        replace(devices, keys={**devices.keys, **keys}) if keys else devices,
        clock,
        origin,
        tracker(config),
        acts or authority(config),
        FileLimits(file_amounts(config.limits), currency_of(config.limits)),
    )


def authority(config: TableConfig) -> Authentication:
    """The authentication of a table. Changes of its credentials file take effect at once."""
    section = config.credentials
    if section is None:
        return Authentication(None)
    return Authentication(CredentialsFile(Path(section.file)), section.session_s * 1_000_000_000)


def on_simulated_hardware(config: TableConfig, options: Mapping[str, object] | None = None) -> TableConfig:
    """The same table with every device simulated, and its encoder mounted as configured.

    What was measured of a real wheel's clapper does not hold for the simulated one, unless that is built to be the
    same by its options.

    Args:
        options: of the simulated wheel, if there is one (see ``hal/mock/settings.py``).
    """

    def simulated(section: DeviceSection | None, extra: Mapping[str, object]) -> BaseModel | None:
        return section and section.model_copy(update={"backend": "mock", "options": dict(extra)})

    devices, wheel = config.devices, config.wheel
    mounted: dict[str, object] = dict(options or {})
    if wheel is not None:
        mounted = {
            "counts_per_turn": wheel.counts_per_turn,
            "index_offset_counts": wheel.index_offset_counts,
            "reversed": wheel.reversed,
            "contact_deg": float(wheel.contact_deg),
            **mounted,
        }
    update = {name: simulated(getattr(devices, name), {}) for name in type(devices).model_fields}
    update["head"] = simulated(devices.head, mounted)
    update["rotor"] = simulated(devices.rotor, {**_mounted_rotor(config), **(options or {})})
    # The bench requires no PIN: the credentials belong to the casino's staff, and stay on the table.
    simulated_table: dict[str, object] = {"devices": devices.model_copy(update=update), "credentials": None}
    if wheel is not None and not set(options or {}) - {"seed"}:
        simulated_table["wheel"] = wheel.model_copy(update={"clapper": None})
    return config.model_copy(update=simulated_table)


def _mounted_rotor(config: TableConfig) -> dict[str, object]:
    """The options of the simulated roulette wheel that follow from the configuration."""
    rotor, pockets = config.rotor, find_game(config.game).pockets
    if rotor is None or pockets is None:
        return {}
    return {
        "counts_per_turn": rotor.counts_per_turn,
        "reversed": rotor.reversed,
        "beam_angle_deg": float(rotor.beam_angle_deg),
        "track_mm": float(rotor.track_mm),
        "ball_mm": float(rotor.ball_mm),
        "pockets": pockets(config.rules),
    }
