"""Pins that name themselves when something fails, and the libraries below gpiozero that drive them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from traceback import clear_frames
from typing import Any

import gpiozero

from hal.errors import HalError
from hal.gpiozero import PinSettings

NS_PER_MS = 1_000_000

# -- errors --------------------------------------------------------------------------------------------------------

_DENIED = (
    "this user may not use the pins; add it to the group gpio with: sudo usermod -aG gpio $USER, then log in again"
)
_BY_TYPE: tuple[tuple[type[Exception], str], ...] = (
    (gpiozero.GPIOPinInUse, "another device of this table has the pin; give each device a pin of its own"),
    (
        gpiozero.PinFixedPull,
        "the board itself pulls this pin up; wire the contact to ground, or use another pin than 2 and 3",
    ),
    (
        gpiozero.PinUnknownPi,
        "this computer is no Raspberry Pi that gpiozero knows; run the table on one, "
        "or try it without hardware: table-controller bench",
    ),
    (gpiozero.DeviceClosed, "the device is closed; start the table again"),
    (PermissionError, _DENIED),
)
# Some libraries raise the same error for everything and give the cause only in the text.
_BY_WORDS = (
    ("busy", "another program or a device-tree overlay has the pin; gpioinfo shows which, stop it"),
    ("not allocated", "another program took the pin away; gpioinfo shows which, stop it"),
    ("/dev/gpiomem", _DENIED),
    ("/dev/mem", _DENIED),
)


@contextmanager
def named(what: str) -> Iterator[None]:
    """Turns errors of gpiozero and the libraries below it into HalErrors with a remedy.

    Args:
        what: device, control and pin.
    """
    try:
        yield
    except ModuleNotFoundError:  # The registry names it and how to install it.
        raise
    except Exception as error:  # Each of the libraries has errors of its own.
        # Devices whose construction failed hold their pins, and the error's traceback refers to them.
        kept: BaseException | None = error
        while kept is not None:
            clear_frames(kept.__traceback__)
            kept = kept.__context__
        raise HalError(f"{what}: {_explained(error)}") from error


def _explained(error: Exception) -> str:
    text = str(error)
    if isinstance(error, HalError):
        return text
    for kind, words in _BY_TYPE:
        if isinstance(error, kind):
            return words
    for part, words in _BY_WORDS:
        if part in text:
            return words
    return f"{text or type(error).__name__}; check wiring and options, and see dmesg for the cause"


# -- the libraries -------------------------------------------------------------------------------------------------


def _gpiod() -> Any:
    from hal.gpiozero.gpiod_factory import GpiodFactory

    return GpiodFactory()


def _lgpio() -> Any:
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def _rpigpio() -> Any:
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return RPiGPIOFactory()


MAKERS: dict[str, Callable[[], Any]] = {"gpiod": _gpiod, "lgpio": _lgpio, "rpigpio": _rpigpio}
"""Makes each of gpiozero's pin factories."""


@cache
def _made(make: Callable[[], Any]) -> Any:
    """One factory for the whole process: it detects a pin that is used twice."""
    return make()


def pin_factory(device: str, settings: PinSettings) -> Any:
    """The pin factory that a device's options select.

    Args:
        device: its name in errors.

    Raises:
        HalError: it cannot be made; the message gives the remedy.
    """
    with named(f"{device}: pin factory {settings.pin_factory}"):
        return _made(MAKERS[settings.pin_factory])


# -- pins ----------------------------------------------------------------------------------------------------------


class Line:
    """A pin in use. Errors name device, control and pin."""

    def __init__(self, what: str, make: Callable[[], Any], closes_low: bool) -> None:
        self._what, self._closes_low = what, closes_low
        with named(what):
            self._device = make()

    def read(self) -> bool:
        """Whether it is active: closed, or lit."""
        with named(self._what):
            return bool(self._device.is_active)

    def watch(self, changed: Callable[[bool, float], None]) -> None:
        """Call back on every edge, in gpiozero's thread: whether the pin is active after it, and the driver's
        stamp."""
        self._changed = changed
        with named(self._what):
            self._device.pin.when_changed = self._edge

    def _edge(self, stamp_s: float, high: bool) -> None:
        self._changed(bool(high) != self._closes_low, stamp_s)

    def write(self, on: bool) -> None:
        with named(self._what):
            self._device.value = on

    def pull_low(self) -> None:
        """Pull a keypad's row low. It is never driven high: two keys of a column would short two rows."""
        with named(self._what):
            self._device.pin.output_with_state(False)

    def let_go(self) -> None:
        """Let a keypad's row float on its pull-up."""
        with named(self._what):
            self._device.pin.input_with_pull("up")

    def close(self) -> None:
        """Switch an output off, as a driver may keep its last level, and release the pin. Errors are ignored."""
        with suppress(HalError):
            if isinstance(self._device, gpiozero.OutputDevice):
                self.write(False)
        with suppress(HalError), named(self._what):
            self._device.close()


class Pins:
    """The pins of one device. If one cannot be opened, those already opened are released.

    Args:
        device: its name in errors, as in the table's file.

    Raises:
        HalError: the pins cannot be reached at all; so do the methods, for one pin.
    """

    def __init__(self, device: str, settings: PinSettings) -> None:
        self._named = device
        self._factory = pin_factory(device, settings)
        self._lines: list[Line] = []

    def input(self, name: str, pin: int, closes_low: bool) -> Line:
        """A contact, pulled to the level that it does not close to.

        gpiozero's own ``Button`` keeps a thread that wakes ten times a second, to tell how long it is held.
        """
        return self._take(name, pin, partial(gpiozero.InputDevice, pull_up=closes_low), closes_low)

    def output(self, name: str, pin: int, active_high: bool) -> Line:
        """A lamp or a buzzer, off at first."""
        return self._take(name, pin, partial(gpiozero.OutputDevice, active_high=active_high), not active_high)

    def row(self, name: str, pin: int) -> Line:
        """A row of a keypad. The caller lets go of it, or pulls it low."""
        return self._take(name, pin, gpiozero.GPIODevice, closes_low=True)

    def close(self) -> None:
        """Release all pins. Idempotent."""
        while self._lines:
            self._lines.pop().close()

    def _take(self, name: str, pin: int, make: Callable[..., Any], closes_low: bool) -> Line:
        make = partial(make, pin, pin_factory=self._factory)
        try:
            line = Line(f"{self._named}: {name} on pin {pin}", make, closes_low)
        except HalError:
            self.close()
            raise
        self._lines.append(line)
        return line
