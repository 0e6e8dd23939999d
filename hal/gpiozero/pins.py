"""Pins that name themselves when something fails, on one of gpiozero's pin factories."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any

import gpiozero

from hal.errors import HalError
from hal.gpiozero import PinSettings

NS_PER_MS = 1_000_000
_FACTORIES = {
    "gpiod": ("hal.gpiozero.gpiod_factory", "GpiodFactory"),
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
}

_DENIED = (
    "this user may not use the pins; add it to the group gpio with: sudo usermod -aG gpio $USER, then log in again"
)
_REMEDIES: tuple[tuple[type[Exception], str, str], ...] = (
    (gpiozero.GPIOPinInUse, "", "another device of this table has the pin; give each device a pin of its own"),
    (
        gpiozero.PinFixedPull,
        "",
        "the board itself pulls this pin up; wire the contact to ground, or use another pin than 2 and 3",
    ),
    (
        gpiozero.PinUnknownPi,
        "",
        "this computer is no Raspberry Pi that gpiozero knows; run the table on one, "
        "or try it without hardware: table-controller bench",
    ),
    (gpiozero.DeviceClosed, "", "the device is closed; start the table again"),
    (PermissionError, "", _DENIED),
    # Some libraries raise the same error for everything and give the cause only in the text.
    (Exception, "busy", "another program or a device-tree overlay has the pin; gpioinfo shows which, stop it"),
    (Exception, "not allocated", "another program took the pin away; gpioinfo shows which, stop it"),
    (Exception, "/dev/gpiomem", _DENIED),
    (Exception, "/dev/mem", _DENIED),
)
"""The remedy of each error, by its class and a part of its text."""


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
    except HalError as error:
        raise HalError(f"{what}: {error}") from error
    except Exception as error:  # Each of the libraries has errors of its own.
        text = str(error)
        remedies = (words for kind, part, words in _REMEDIES if isinstance(error, kind) and part in text)
        other = f"{text or type(error).__name__}; check wiring and options, and see dmesg for the cause"
        raise HalError(f"{what}: {next(remedies, other)}") from error


@cache
def pin_factory(name: str) -> Any:
    """One factory for the whole process: it detects a pin that is used twice."""
    module, factory = _FACTORIES[name]
    return getattr(import_module(module), factory)()


class Line:
    """A pin in use. Errors name device, control and pin.

    It is no gpiozero ``Button``, which keeps a thread that wakes ten times a second to tell how long it is held.
    """

    def __init__(self, what: str, pin: int, factory: Any, active_low: bool) -> None:
        self._what, self._active_low, self._is_output = what, active_low, False
        with named(what):
            self._device = gpiozero.GPIODevice(pin, pin_factory=factory)

    @property
    def _pin(self) -> Any:
        if self._device.closed:
            raise gpiozero.DeviceClosed
        return self._device.pin

    def read(self) -> bool:
        """Whether it is active: closed, or lit."""
        with named(self._what):
            return bool(self._pin.state) != self._active_low

    def watch(self, changed: Callable[[bool, float], None]) -> None:
        """Call back on every edge, in gpiozero's thread: whether the pin is active after it, and the driver's
        stamp."""
        self._changed = changed
        with named(self._what):
            self._pin.when_changed = self._edge

    def _edge(self, stamp_s: float, high: bool) -> None:
        self._changed(bool(high) != self._active_low, stamp_s)

    def let_go(self) -> None:
        """Pull it to its inactive level only."""
        with named(self._what):
            self._pin.input_with_pull("up" if self._active_low else "down")

    def drive(self, active: bool) -> None:
        """Drive it, from the beginning with this level."""
        with named(self._what):
            self._pin.output_with_state(active != self._active_low)

    def drive_off(self) -> None:
        """Make it an output that is off now and when it is closed, as a driver may keep its last level."""
        self.drive(False)
        self._is_output = True

    def write(self, active: bool) -> None:
        """Set the level of an output."""
        with named(self._what):
            self._pin.state = active != self._active_low

    def close(self) -> None:
        """Release the pin. Errors are ignored."""
        with suppress(HalError):
            if self._is_output:
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
        with named(f"{device}: pin factory {settings.pin_factory}"):
            self._factory = pin_factory(settings.pin_factory)
        self._lines: list[Line] = []

    def input(self, name: str, pin: int, closes_low: bool) -> Line:
        """A contact or a keypad's row, pulled to the level that it does not close to."""
        return self._take(name, pin, closes_low, Line.let_go)

    def output(self, name: str, pin: int, active_high: bool) -> Line:
        """A lamp or a buzzer, off at first."""
        return self._take(name, pin, not active_high, Line.drive_off)

    def close(self) -> None:
        """Release all pins. Idempotent."""
        while self._lines:
            self._lines.pop().close()

    def _take(self, name: str, pin: int, active_low: bool, configure: Callable[[Line], None]) -> Line:
        try:
            line = Line(f"{self._named}: {name} on pin {pin}", pin, self._factory, active_low)
            self._lines.append(line)
            configure(line)
        except HalError:
            self.close()
            raise
        return line
