"""Buttons on a pin each, and matrix keypads. Backend ``gpiozero``.

.. code-block:: yaml

    buttons:
      backend: gpiozero
      options:
        pull_up: true # a button closes to ground
        bounce_ms: 10
      pins:
        no-more-bets: 5
        done: 6

    keypad: # see hal/gpiozero/keypad.py
      backend: gpiozero
      options:
        scan_ms: 10
        debounce_scans: 2
      rows: [5, 6, 13, 19]
      columns: [16, 20, 21, 26]
      keys: ...

A button that is down when the table starts is delivered as held, which is no press.
"""

from collections.abc import Callable, Mapping

from pydantic import BaseModel

from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent
from hal.gpiozero.contacts import Contacts
from hal.gpiozero.keypad import MatrixKeypad
from hal.gpiozero.pins import Pins
from hal.gpiozero.settings import GpiozeroKeysSettings
from hal.interfaces import Clock, KeySource


def open_device(wiring: BaseModel, settings: GpiozeroKeysSettings, clock: Clock) -> KeySource:
    """Buttons or a keypad, as the section is wired.

    Raises:
        HalError: a pin cannot be opened, or the section is of another kind.
    """
    pins: dict[str, int] = getattr(wiring, "pins", {})
    rows: list[int] = getattr(wiring, "rows", [])
    if pins:
        return GpioButtons(pins, settings, clock)
    if rows:
        columns: list[int] = getattr(wiring, "columns", [])
        keys: list[list[str]] = getattr(wiring, "keys", [])
        return MatrixKeypad(rows, columns, keys, settings, settings.scan_ms, settings.debounce_scans, clock)
    raise HalError(
        "backend 'gpiozero' drives buttons and matrix keypads; a keypad that sends codes needs another backend"
    )


class GpioButtons:
    """Buttons on a pin each."""

    def __init__(self, wiring: Mapping[str, int], settings: GpiozeroKeysSettings, clock: Clock) -> None:
        self._clock = clock
        self._pins = Pins("buttons", settings)
        lines = {name: self._pins.contact(f"'{name}'", pin, settings.pull_up) for name, pin in wiring.items()}
        self._contacts = Contacts(lines, settings.bounce_ms, clock)

    def start(self, deliver: Callable[[KeyEvent | FaultEvent], None]) -> None:
        self._contacts.start(lambda change: deliver(KeyEvent(*change)), deliver)
        for control in self._contacts.closed():
            deliver(KeyEvent(control, True, self._clock.now_ns(), held=True))

    def close(self) -> None:
        self._contacts.stop()
        self._pins.close()
