"""Contacts of door and cabinet, and the latches that remember their openings. Backend ``gpiozero``.

.. code-block:: yaml

    tamper:
      backend: gpiozero
      options:
        active: low # a closed contact pulls the pin to ground; the board pulls it up, so a cut wire reads as open
        latch_active: low
      contacts:
        door: {pin: 4, opens: alert}
        cabinet: {pin: 24, latch: 25}
      latch_reset: 8

A latch is a circuit with a battery or a capacitor of its own, as in docs/wiring.md: it is only read at the start.
"""

from collections.abc import Callable

from hal.events import FaultEvent, SwitchEvent
from hal.gpiozero.contacts import Contacts
from hal.gpiozero.pins import NS_PER_MS, Pins
from hal.gpiozero.settings import TamperSettings
from hal.interfaces import Clock, TamperInput, TamperWiring, Timer


def open_device(wiring: TamperWiring, settings: TamperSettings, clock: Clock) -> TamperInput:
    """A contact for every one of the section, and its latch if it has one."""
    return GpioTamper(wiring, settings, clock)


class GpioTamper:
    """Contacts on a pin each, with latches that are read and reset."""

    def __init__(self, wiring: TamperWiring, settings: TamperSettings, clock: Clock) -> None:
        self._clock = clock
        self._reset_ns = settings.reset_ms * NS_PER_MS
        self._timer: Timer | None = None
        self._pins = pins = Pins("tamper", settings)
        low, latch_low = settings.active == "low", settings.latch_active == "low"
        lines = {name: pins.contact(f"'{name}'", one.pin, low) for name, one in wiring.contacts.items()}
        self._latches = {
            name: pins.level(f"the latch of '{name}'", one.latch, latch_low)
            for name, one in wiring.contacts.items()
            if one.latch is not None
        }
        reset = wiring.latch_reset
        active_high = settings.reset_active_high
        self._reset = pins.output("the latches' reset", reset, active_high) if reset is not None else None
        self._contacts = Contacts(lines, settings.bounce_ms, clock)

    def start(self, deliver: Callable[[SwitchEvent | FaultEvent], None]) -> None:
        self._contacts.start(lambda change: deliver(SwitchEvent(*change)), deliver)
        for name in self._contacts.closed():
            deliver(SwitchEvent(name, True, self._clock.now_ns(), held=True))

    def remembered(self) -> frozenset[str]:
        return frozenset(name for name, latch in self._latches.items() if latch.read())

    def forget(self) -> None:
        if self._reset is None or self._timer is not None:
            return
        self._reset.write(True)
        self._timer = self._clock.call_at(self._clock.now_ns() + self._reset_ns, self._let_go)

    def close(self) -> None:
        self._contacts.stop()
        if self._timer is not None:
            self._timer.cancel()
        self._pins.close()  # An output is switched off first.

    def _let_go(self) -> None:
        self._timer = None
        if self._reset is not None:
            self._reset.write(False)
