"""Builds one table from its configuration: devices by name from the registry, machine from the game."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel

from config.schema import (
    DeviceSection,
    DeviceSections,
    RotorHeadDevice,
    RotorSection,
    TableConfig,
)
from controller.access.credentials import CredentialsFile
from controller.configuration.machines import machines
from controller.configuration.shipped import device_options
from controller.journal.journal import Journal
from controller.machine.registry import find_game
from controller.runtime.table import Origin, Setup, Table
from controller.table.desk import Staff
from controller.table.inputs import Devices
from controller.tracking.tracker import MakeTracker
from hal.computer import ComputerHealth
from hal.interfaces import Clock, EdgeSource, KeySource, LampPanel, ResultReader, Sounder, SwitchInput, TamperInput
from hal.registry import open_device

if TYPE_CHECKING:  # A kind of wheel is loaded by the tables that have it.
    from controller.tracking.roulette.rotor import RotorGeometry

log = logging.getLogger("table")


def rotor_geometry(rotor: RotorSection, head: RotorHeadDevice) -> "RotorGeometry":
    from controller.tracking.roulette.rotor import RotorGeometry

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
        from controller.runtime.wheel_geometry import geometry
        from controller.tracking.clapper_wheel.wheel import WheelTracker

        of_wheel = geometry(wheel, len(find_game(config.game).wheel))
        return lambda levels: WheelTracker(of_wheel, levels)
    if rotor is not None and head is not None:
        from controller.tracking.roulette.wheel import RouletteTracker

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
            tamper=cast(TamperInput, open_section("tamper", sections.tamper)) if sections.tamper else None,
            panel=cast(LampPanel, open_section("panel", sections.panel)),
            sounder=cast(Sounder, open_section("sounder", sections.sounder)),
        )
    except BaseException:
        for device in opened:
            device.close()
        raise


def _head(sections: DeviceSections, open_section: Callable[[str, DeviceSection], Any]) -> Any:
    if sections.head is not None:
        return open_section("edges", sections.head)
    return open_section("rotor", sections.rotor) if sections.rotor is not None else None


def build(
    config: TableConfig,
    origin: Origin,
    clock: Clock,
    journal: Journal,
    staff: Staff | None = None,
    computer: ComputerHealth | None = None,
) -> Table:
    """A table with open devices, not yet started.

    Args:
        origin: recorded at the start.
        staff: who may act as floorperson or deal, if not those of the configuration.
        computer: tells of its supply and its clock's battery; None not to look.
    """
    people, head = staff or staff_of(config), tracker(config)
    setup = Setup(config, origin, machines(config), head, people, computer)
    return Table(setup, journal, open_devices(config, clock), clock)


def staff_of(config: TableConfig) -> Staff | None:
    """Who may act at a table; None where the key alone is sufficient. Changes of the file take effect at once."""
    section = config.credentials
    if section is None:
        return None
    return Staff(CredentialsFile(Path(section.file)), section.session_s * 1_000_000_000, section.dealer_pin)


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
