"""Opens the devices of a table's file, by their backends' names."""

from typing import Any

from config.schema import DeviceSection, TableConfig
from controller.configuration.shipped import device_options
from controller.table.inputs import Devices
from hal.interfaces import Clock
from hal.registry import open_device


def open_devices(config: TableConfig, clock: Clock) -> Devices:
    """Open every device of the configuration.

    Raises:
        HalError: a device cannot be opened; those already open are closed again.
    """
    opened, sections = list[Any](), config.devices
    keys = {"buttons": sections.buttons, "keypad": sections.keypad, "keyboard": sections.keyboard}

    def device(kind: str, section: DeviceSection | None) -> Any:
        if section is None:
            return None
        options = device_options(config, kind, section)
        opened.append(open_device(kind, section.backend, section, options, clock))
        return opened[-1]

    try:
        return Devices(
            head=device("edges", sections.head) or device("rotor", sections.rotor),
            reader=device("reader", sections.reader),
            keys={name: device("keys", section) for name, section in keys.items() if section is not None},
            switches=device("switches", sections.switches),
            tamper=device("tamper", sections.tamper),
            panel=device("panel", sections.panel),
            sounder=device("sounder", sections.sounder),
        )
    except BaseException:
        for one in opened:
            one.close()
        raise
