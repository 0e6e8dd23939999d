"""Pin factories: the part of gpiozero that knows the library below it. Each is made once, when first needed.

.. code-block:: yaml

    options: # of every device of backend gpiozero
      pin_factory: gpiod
      chip: 0

:data:`MAKERS` is the seam for tests: put a function there that makes gpiozero's ``MockFactory``.
"""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from hal.errors import PinError
from hal.gpiozero.error_messages import explained
from hal.gpiozero.settings import PinSettings
from hal.libraries import missing


class PinFactory(Protocol):
    """The part of gpiozero's pin factories that is used here; they are passed to gpiozero's devices."""

    def close(self) -> None: ...

    def spi(self, *, port: int, device: int) -> Any: ...


Maker = Callable[[int | None], PinFactory]
"""Makes a pin factory on the chip of this number, or where None, on the header's."""


def _gpiod(chip: int | None) -> PinFactory:
    from hal.gpiozero.gpiod_factory import GpiodFactory

    factory: PinFactory = GpiodFactory(chip)
    return factory


def _lgpio(chip: int | None) -> PinFactory:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except FileNotFoundError as error:  # On import, lgpio opens a pipe in the working directory.
        raise PinError(
            "lgpio cannot make its pipe in the working directory; start the table in a folder that its user may "
            "write to (systemd: WorkingDirectory=)"
        ) from error
    try:
        factory: PinFactory = LGPIOFactory(chip)
    except Exception:
        _open_chips(chip)
        raise
    return factory


def _open_chips(chip: int | None) -> None:
    """Check the chip files for the cause of an error: lgpio only reports that it cannot open one.

    Raises:
        FileNotFoundError, PermissionError: there is none, or none for this user.
    """
    names = ["gpiochip0", "gpiochip4"] if chip is None else [f"gpiochip{chip}"]
    there = [path for path in map(DEVICES.joinpath, names) if path.exists()]
    for path in there or [DEVICES / names[0]]:
        os.close(os.open(path, os.O_RDWR))


def _rpigpio(chip: int | None) -> PinFactory:
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    factory: PinFactory = RPiGPIOFactory()
    return factory


def _pigpio(chip: int | None) -> PinFactory:
    from gpiozero.pins.pigpio import PiGPIOFactory

    try:
        factory: PinFactory = PiGPIOFactory()
    except OSError as error:
        raise PinError(f"{error}; start the daemon: sudo systemctl enable --now pigpiod") from error
    return factory


def _native(chip: int | None) -> PinFactory:
    from gpiozero.pins.native import NativeFactory

    factory: PinFactory = NativeFactory()
    return factory


DEVICES = Path("/dev")
MAKERS: dict[str, Maker] = {
    "gpiod": _gpiod,
    "lgpio": _lgpio,
    "rpigpio": _rpigpio,
    "pigpio": _pigpio,
    "native": _native,
}
"""What makes each pin factory, by the name in the option ``pin_factory``."""


@cache
def _made(make: Maker, chip: int | None) -> PinFactory:
    """One factory for the whole process: it detects a pin that is used twice."""
    return make(chip)


def pin_factory(device: str, settings: PinSettings) -> PinFactory:
    """The pin factory that a device's options select.

    Args:
        device: its name in errors.

    Raises:
        HalError: it cannot be created; the message gives the remedy.
    """
    name = settings.pin_factory
    try:
        return _made(MAKERS[name], settings.chip)
    except ModuleNotFoundError as error:
        missing_library = missing(f"{device}: pin factory {name}", error)
        if missing_library is None:
            raise
        raise missing_library from error
    except Exception as error:  # Each of the libraries has errors of its own.
        raise explained(f"{device}: pin factory {name}", error) from error
