"""Keypads with a Linux input driver, such as USB numeric keypads. Backend ``evdev``.

``codes`` name the key of each control as the kernel does (https://docs.kernel.org/input/event-codes.html); the
command ``evtest`` shows the devices, their names and those of the keys that are pressed::

    keyboard:
      backend: evdev
      options:
        device: /dev/input/by-id/usb-SIGMACHIP_USB_Keyboard-event-kbd
      codes: {1: KEY_KP1, 2: KEY_KP2, enter: KEY_KPENTER}

Instead of ``device``, ``name`` selects it by the kernel's name. Events carry the kernel's time stamps. Keys that
are down when the table starts, and keys without a control, are ignored. If the device is unplugged, its keys
are released, and it is reopened once it is back.
"""

from typing import cast

import evdev
from pydantic import BaseModel

from hal.evdev.device import Library
from hal.evdev.keypad import open_keys
from hal.evdev.settings import EvdevSettings
from hal.interfaces import Clock, KeySource


def open_device(wiring: BaseModel, settings: EvdevSettings, clock: Clock) -> KeySource:
    """The keys of a keyboard section.

    Raises:
        HalError: a key does not exist, or the device cannot be opened.
    """
    return open_keys(cast(Library, evdev), getattr(wiring, "codes", {}), settings, clock)
