"""A buzzer on a pin. Backend ``gpiozero``.

.. code-block:: yaml

    sounder:
      backend: gpiozero
      options:
        beep_ms: 120
        active_high: true
      pin: 12

It must be a buzzer that sounds by itself when it is switched on.
"""

import logging

from pydantic import BaseModel

from hal.errors import HalError
from hal.gpiozero.pins import NS_PER_MS, Pins
from hal.gpiozero.settings import SounderSettings
from hal.interfaces import Clock, Sounder, Timer

log = logging.getLogger(__name__)


def open_device(wiring: BaseModel, settings: SounderSettings, clock: Clock) -> Sounder:
    """The table's buzzer, silent."""
    pin: int = getattr(wiring, "pin", 0)
    return GpioSounder(pin, settings, clock)


class GpioSounder:
    """A buzzer that is timed by the event loop. A beep during a beep makes it longer."""

    def __init__(self, pin: int, settings: SounderSettings, clock: Clock) -> None:
        self._beep_ns = settings.beep_ms * NS_PER_MS
        self._clock = clock
        self._timer: Timer | None = None
        self._open = True
        self._pins = Pins("sounder", settings)
        self._buzzer = self._pins.output("the buzzer", pin, settings.active_high)

    def beep(self) -> None:
        if not self._open:
            return
        self._stop_timer()
        self._timer = self._clock.call_at(self._clock.now_ns() + self._beep_ns, self._fall_silent)
        self._switch(True)

    def close(self) -> None:
        self._open = False
        self._stop_timer()
        self._pins.close()

    def _fall_silent(self) -> None:
        self._timer = None
        self._switch(False)

    def _switch(self, on: bool) -> None:
        try:
            self._buzzer.write(on)
        except HalError as error:  # The screen shows the dealer the same.
            log.warning("%s", error)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
