"""Lamps on a pin each. Backend ``gpiozero``.

.. code-block:: yaml

    panel:
      backend: gpiozero
      options:
        active_high: true
        read_back_pins: # leave it out if there is no read-back
          small: 23
          big: 24
      lamps: # with this backend, output numbers are BCM numbers of pins, 2 to 27
        small: 17
        big: 27

A pin carries some milliamperes: lamps need drivers. Until the table opens its pins, and after it closes them, they
float: a driver needs a resistor of its own that keeps the lamp dark. A line for reading back is read at once when
the lamps have been set: it must follow its lamp within some microseconds, as an optocoupler does and a relay does
not.
"""

from collections.abc import Mapping

from pydantic import BaseModel

from hal.errors import HalError, UnknownLineError
from hal.gpiozero.pins import Pins
from hal.gpiozero.settings import FIRST_PIN, LAST_PIN, PanelSettings
from hal.interfaces import Clock, LampPanel


def open_device(wiring: BaseModel, settings: PanelSettings, clock: Clock) -> LampPanel:
    """A lamp for every area of the section, dark."""
    lamps: dict[str, int] = getattr(wiring, "lamps", {})
    return GpioPanel(lamps, settings)


class GpioPanel:
    """Lamps on a pin each, and optionally a pin each for read-back.

    Raises:
        HalError: a lamp is on no pin or on an unavailable one, or only some lamps can be read back.
    """

    def __init__(self, wiring: Mapping[str, int], settings: PanelSettings) -> None:
        _check(wiring, settings.read_back_pins)
        self._pins = Pins("panel", settings)
        self._lamps = {
            area: self._pins.output(f"the lamp '{area}'", pin, settings.active_high) for area, pin in wiring.items()
        }
        self._feedback = {
            area: self._pins.level(f"the read-back of '{area}'", pin, not settings.read_back_active_high)
            for area, pin in settings.read_back_pins.items()
        }

    def show(self, areas: frozenset[str]) -> None:
        if unknown := sorted(areas - self._lamps.keys()):
            raise UnknownLineError(f"panel: no lamp '{unknown[0]}'; add it to the panel's lamps")
        # First off, then on: never more lamps at once than before or after.
        for on in (False, True):
            for area, lamp in self._lamps.items():
                if (area in areas) is on:
                    lamp.write(on)

    def read_back(self) -> frozenset[str] | None:
        if not self._feedback:
            return None
        return frozenset(area for area, line in self._feedback.items() if line.read())

    def close(self) -> None:
        self._pins.close()


def _check(lamps: Mapping[str, int], feedback: Mapping[str, int]) -> None:
    for area, pin in lamps.items():
        if not FIRST_PIN <= pin <= LAST_PIN:
            raise HalError(
                f"panel: the lamp '{area}' is on output {pin}, which is no pin; with backend gpiozero the outputs "
                f"are BCM numbers of pins, {FIRST_PIN} to {LAST_PIN}"
            )
    if not feedback:
        return
    if unknown := sorted(feedback.keys() - lamps.keys()):
        raise UnknownLineError(f"panel: read_back_pins names '{unknown[0]}', which has no lamp; correct the name")
    if missing := sorted(lamps.keys() - feedback.keys()):
        raise HalError(
            f"panel: no pin to read back the lamp '{missing[0]}'; give every area one under read_back_pins, or none"
        )
