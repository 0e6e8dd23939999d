"""Builds one table from its configuration: devices by name from the registry, machine from the game."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from config.schema import DeviceSection, DeviceSections, TableConfig
from controller.access.credentials import CredentialsFile
from controller.configuration.machines import machines
from controller.configuration.shipped import device_options
from controller.events.words import Text
from controller.journal.deciders import Decider
from controller.journal.journal import Journal
from controller.runtime.table import Setup, Table
from controller.table.desk import Staff
from controller.table.inputs import Devices
from hal.computer import ComputerHealth
from hal.interfaces import Clock, EdgeSource, KeySource, LampPanel, ResultReader, Sounder, SwitchInput, TamperInput
from hal.registry import open_device


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
    this: Decider,
    clock: Clock,
    journal: Journal,
    staff: Staff | None = None,
    computer: ComputerHealth | None = None,
    replaces: tuple[Text, ...] = (),
) -> Table:
    """A table with open devices, not yet started.

    Args:
        this: what runs, for the record.
        staff: who may act as floorperson or deal, if not those of the configuration.
        computer: tells of its supply and its clock's battery; None not to look.
        replaces: the damaged journals that this one replaces.
    """
    head = None
    if config.wheel is not None or config.rotor is not None:
        from controller.runtime.trackers import tracker  # Only tables with a wheel load it.

        head = tracker(config)
    setup = Setup(config, this, machines(config), head, staff or staff_of(config), computer, replaces)
    return Table(setup, journal, open_devices(config, clock), clock)


def staff_of(config: TableConfig) -> Staff | None:
    """Who may act at a table; None where the key alone is sufficient. Changes of the file take effect at once."""
    section = config.credentials
    if section is None:
        return None
    return Staff(CredentialsFile(Path(section.file)), section.session_s * 1_000_000_000, section.dealer_pin)
