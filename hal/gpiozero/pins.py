"""What the devices of backend ``gpiozero`` share: pins that name themselves when something fails.

.. code-block:: yaml

    options: # see hal/gpiozero/factories.py
      pin_factory: gpiod
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Protocol, TypeVar

import gpiozero

from hal.errors import HalError
from hal.gpiozero.error_messages import explained
from hal.gpiozero.factories import pin_factory
from hal.gpiozero.settings import PinSettings

NS_PER_MS = 1_000_000


class _Pin(Protocol):
    def output_with_state(self, state: bool) -> None: ...

    def input_with_pull(self, pull: str) -> None: ...


class _Device(Protocol):
    """The part of gpiozero's devices that is used; the library has no types."""

    when_activated: Callable[[], None] | None
    when_deactivated: Callable[[], None] | None

    @property
    def is_active(self) -> bool: ...

    @property
    def pin(self) -> _Pin: ...

    def on(self) -> None: ...

    def off(self) -> None: ...

    def close(self) -> None: ...


class PinLine:
    """A pin in use. Errors of the library become HalErrors that name device, control and pin."""

    def __init__(self, what: str, make: Callable[[], _Device]) -> None:
        self._what = what
        with self._named():
            self._device = make()

    def close(self) -> None:
        """Release the pin; errors are ignored."""
        with suppress(HalError), self._named():
            self._device.close()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # Each of the libraries has errors of its own.
            raise explained(self._what, error) from error


class PinInput(PinLine):
    """A pin that is read."""

    def read(self) -> bool:
        """Whether it is active: closed, or lit."""
        with self._named():
            return bool(self._device.is_active)

    def watch(self, changed: Callable[[bool], None]) -> None:
        """Call back on every edge, in gpiozero's thread, with whether the pin is active after it."""
        with self._named():
            self._device.when_activated = partial(changed, True)
            self._device.when_deactivated = partial(changed, False)


class PinOutput(PinLine):
    """A pin that is switched."""

    def write(self, on: bool) -> None:
        with self._named():
            if on:
                self._device.on()
            else:
                self._device.off()

    def close(self) -> None:
        """Switch off and release the pin: a released pin floats, and a driver may keep its last level."""
        with suppress(HalError):
            self.write(False)
        super().close()


class PinRow(PinLine):
    """A row of a keypad: pulled low or floating, never driven high, as two keys of a column would short two
    rows."""

    def __init__(self, what: str, make: Callable[[], _Device]) -> None:
        super().__init__(what, make)
        try:
            self.let_go()  # An unusable pin fails here, and not in a scan.
        except HalError:
            self.close()
            raise

    def pull_low(self) -> None:
        with self._named():
            self._device.pin.output_with_state(False)

    def let_go(self) -> None:
        with self._named():
            self._device.pin.input_with_pull("up")


L = TypeVar("L", bound=PinLine)


class Pins:
    """The pins of one device. If one cannot be opened, those already opened are released.

    Args:
        device: its name in errors, as in the table's file.

    Raises:
        HalError: the pins cannot be reached at all; so do the methods, for one pin.
    """

    def __init__(self, device: str, settings: PinSettings) -> None:
        self.device = device
        self._factory = pin_factory(device, settings)
        self._taken = ExitStack()

    def contact(self, name: str, pin: int, closes_low: bool) -> PinInput:
        """A switch or button, pulled to the level that it does not close to. Its edges can be watched.

        gpiozero's own ``Button`` keeps a thread that wakes ten times a second, to tell how long it is held.
        """
        return self._take(PinInput, name, pin, partial(gpiozero.DigitalInputDevice, pull_up=closes_low))

    def level(self, name: str, pin: int, active_low: bool) -> PinInput:
        """A pin that is only read."""
        return self._take(PinInput, name, pin, partial(gpiozero.InputDevice, pull_up=active_low))

    def output(self, name: str, pin: int, active_high: bool) -> PinOutput:
        """A lamp or a buzzer, off at first."""
        return self._take(PinOutput, name, pin, partial(gpiozero.OutputDevice, active_high=active_high))

    def row(self, name: str, pin: int) -> PinRow:
        """A row of a keypad, floating at first."""
        return self._take(PinRow, name, pin, gpiozero.GPIODevice)

    def close(self) -> None:
        """Release all pins. Idempotent."""
        self._taken.close()

    def _take(self, kind: type[L], name: str, pin: int, make: Callable[..., _Device]) -> L:
        try:
            line = kind(f"{self.device}: {name} on pin {pin}", partial(make, pin, pin_factory=self._factory))
        except HalError:
            self.close()
            raise
        self._taken.callback(line.close)
        return line
