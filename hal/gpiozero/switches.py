"""Key switches and dry contacts, each between a pin and ground, or between a pin and 3.3 V. Backend ``gpiozero``.

.. code-block:: yaml

    switches:
      backend: gpiozero
      options:
        active: low # closes to ground; the pin is pulled up
        active_high: [shaker-fault] # but this one closes to 3.3 V; the pin is pulled down
        bounce_ms: 10
      pins:
        floor-key: 17
        shaker-done: 27
        shaker-fault: 22

A contact that is closed when the table starts is delivered as held: nobody turned it now.
"""

from collections.abc import Callable, Mapping

from pydantic import BaseModel

from hal.errors import UnknownLineError
from hal.events import FaultEvent, SwitchEvent
from hal.gpiozero.contacts import Contacts
from hal.gpiozero.pins import Pins
from hal.gpiozero.settings import SwitchesSettings
from hal.interfaces import Clock, SwitchInput


def open_device(wiring: BaseModel, settings: SwitchesSettings, clock: Clock) -> SwitchInput:
    """A switch for every pin of the section."""
    pins: dict[str, int] = getattr(wiring, "pins", {})
    return GpioSwitches(pins, settings, clock)


class GpioSwitches:
    """Switches on a pin each."""

    def __init__(self, wiring: Mapping[str, int], settings: SwitchesSettings, clock: Clock) -> None:
        for name in settings.active_high:
            if name not in wiring:
                known = ", ".join(wiring)
                raise UnknownLineError(
                    f"switches: active_high names '{name}', which is no switch; there are: {known}"
                )
        high = set(wiring) if settings.active == "high" else set(settings.active_high)
        self._pins = Pins("switches", settings)
        lines = {name: self._pins.contact(f"'{name}'", pin, name not in high) for name, pin in wiring.items()}
        self._contacts = Contacts(lines, settings.bounce_ms, clock)
        self._clock = clock

    def start(self, deliver: Callable[[SwitchEvent | FaultEvent], None]) -> None:
        self._contacts.start(lambda change: deliver(SwitchEvent(*change)), deliver)
        for name in self._contacts.closed():
            deliver(SwitchEvent(name, True, self._clock.now_ns(), held=True))

    def close(self) -> None:
        self._contacts.stop()
        self._pins.close()
