"""Builds one table from its configuration: devices by name from the registry, machine from the game."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from config.schema import DeviceSection, RotorHeadDevice, RotorSection, TableConfig, WheelSection
from config.schema import DeviceSections as DeviceSections
from controller.access.authentication import Authentication
from controller.access.credentials import CredentialsFile
from controller.configuration.device_options import device_options
from controller.journal.journal import Journal
from controller.limits.amounts import currency_of, file_amounts
from controller.limits.sign import FileLimits
from controller.runtime.devices import Devices
from controller.runtime.table import Origin, Table
from controller.statechart.registry import find_game
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from controller.tracking.tracker import MakeTracker
from hal.interfaces import Clock, EdgeSource, KeySource, LampPanel, ResultReader, Sounder, SwitchInput
from hal.registry import open_device


def geometry(wheel: WheelSection, sections: int) -> WheelGeometry:
    """The wheel's geometry as its section of the configuration gives it.

    Args:
        sections: how many the game's wheel has.
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
    )


def rotor_geometry(rotor: RotorSection, head: RotorHeadDevice) -> RotorGeometry:
    """The geometry of a roulette wheel as its sections of the configuration give it."""
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
    """What makes the tracker of a table's sensor head from the lines' first levels; None for no head."""
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
        HalError: a device does not answer; those already open are closed again.
    """
    opened: list[Any] = []
    sections = config.devices

    def opens(kind: str, section: DeviceSection) -> Any:
        device = open_device(kind, section.backend, section, device_options(config, kind, section), clock)
        opened.append(device)
        return device

    keys = {"buttons": sections.buttons, "keypad": sections.keypad, "keyboard": sections.keyboard}
    try:
        return Devices(
            head=cast(EdgeSource | None, _head(sections, opens)),
            reader=cast(ResultReader, opens("reader", sections.reader)) if sections.reader else None,
            keys={
                name: cast(KeySource, opens("keys", section))
                for name, section in keys.items()
                if section is not None
            },
            switches=cast(SwitchInput, opens("switches", sections.switches)),
            panel=cast(LampPanel, opens("panel", sections.panel)),
            sounder=cast(Sounder, opens("sounder", sections.sounder)),
        )
    except BaseException:
        for device in opened:
            device.close()
        raise


def _head(sections: DeviceSections, opens: Callable[[str, DeviceSection], Any]) -> Any:
    """The sensor head of either kind of wheel."""
    if sections.head is not None:
        return opens("edges", sections.head)
    return opens("rotor", sections.rotor) if sections.rotor is not None else None


def build(
    config: TableConfig,
    origin: Origin,
    clock: Clock,
    journal: Journal,
    acts: Authentication | None = None,
    keys: Mapping[str, KeySource] | None = None,
) -> Table:
    """A table, its devices open, not yet started.

    Args:
        origin: what the record says of the start.
        keys: what is pressed beside the devices of the configuration.
        acts: who may act as floorperson, if not whom the configuration names.
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
    """Who may act as floorperson at a table. Credentials that are added or removed count from then on."""
    section = config.credentials
    if section is None:
        return Authentication(None)
    return Authentication(CredentialsFile(Path(section.file)), section.session_s * 1_000_000_000)


def on_simulated_hardware(config: TableConfig, options: Mapping[str, object] | None = None) -> TableConfig:
    """The same table with every device simulated; its encoder is mounted as the configuration says.

    Args:
        options: options of the simulated wheel, if there is one (see ``hal/mock/settings.py``).
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
    # The bench asks for no PIN: credentials are of the casino's people, and stay on the table.
    return config.model_copy(update={"devices": devices.model_copy(update=update), "credentials": None})


def _mounted_rotor(config: TableConfig) -> dict[str, object]:
    """The simulated roulette wheel as the configuration says that it is built."""
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
