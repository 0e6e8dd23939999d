"""Builds one table from its configuration: devices by name from the registry, machine from the game."""

from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel

from config.schema import Devices as DeviceSections
from config.schema import DeviceSection, TableConfig, Wheel
from controller.games.game import find_game
from controller.records.journal import Journal
from controller.table import Devices, Table
from controller.tracking.geometry import WheelGeometry
from controller.tracking.wheel import WheelTracker
from hal.interfaces import Clock, EdgeSource, KeySource, LampPanel, Sounder, SwitchInput
from hal.registry import open_device


def geometry(wheel: Wheel) -> WheelGeometry:
    """The wheel's geometry as its section of the configuration gives it."""
    return WheelGeometry(
        counts_per_turn=wheel.counts_per_turn,
        index_offset_counts=wheel.index_offset_counts,
        reversed=wheel.reversed,
        rest_ns=wheel.rest_ns,
        tolerance_mdeg=wheel.tolerance_mdeg,
        contact_mdeg=wheel.contact_mdeg,
        debounce_ns=wheel.debounce_ns,
        final_speed_mdeg_s=wheel.final_speed_mdeg_s,
    )


def open_devices(sections: DeviceSections, clock: Clock) -> Devices:
    """Open every device of the configuration.

    Raises:
        HalError: a device does not answer; those already open are closed again.
    """
    opened: list[Any] = []

    def opens(kind: str, section: DeviceSection) -> Any:
        device = open_device(kind, section.backend, section, section.options, clock)
        opened.append(device)
        return device

    try:
        return Devices(
            head=cast(EdgeSource, opens("edges", sections.head)) if sections.head else None,
            keys=tuple(cast(KeySource, opens("keys", s)) for s in (sections.buttons, sections.keypad) if s),
            switches=cast(SwitchInput, opens("switches", sections.switches)),
            panel=cast(LampPanel, opens("panel", sections.panel)),
            sounder=cast(Sounder, opens("sounder", sections.sounder)),
        )
    except BaseException:
        for device in opened:
            device.close()
        raise


def build(config: TableConfig, configuration: str, clock: Clock, journal: Journal) -> Table:
    """A table, its devices open, not yet started.

    Args:
        configuration: SHA-256 of the configuration file.
    """
    game = find_game(config.game)
    wheel = config.wheel
    return Table(
        game.name,
        game.machine(config),
        journal,
        open_devices(config.devices, clock),
        clock,
        configuration,
        wheel=(lambda head: WheelTracker(geometry(wheel), head.levels())) if wheel is not None else None,
    )


def on_simulated_hardware(config: TableConfig, options: Mapping[str, object] | None = None) -> TableConfig:
    """The same table with every device simulated; its encoder is mounted as the configuration says.

    Args:
        options: options of the simulated wheel (see ``hal/mock/settings.py``).
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
    update = {name: simulated(getattr(devices, name), {}) for name in type(devices).model_fields if name != "head"}
    update["head"] = simulated(devices.head, mounted)
    return config.model_copy(update={"devices": devices.model_copy(update=update)})
