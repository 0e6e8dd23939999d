"""Lamps and a buzzer, on a pin each."""

import logging
from collections.abc import Mapping

from hal.errors import HalError, UnknownLineError
from hal.gpiozero import PanelSettings, SounderSettings
from hal.gpiozero.pins import NS_PER_MS, Pins
from hal.interfaces import Clock, Timer

log = logging.getLogger(__name__)


class GpioPanel:
    """Lamps on a pin each, and optionally a pin each for read-back. Dark at first, and once it is closed."""

    def __init__(self, wiring: Mapping[str, int], settings: PanelSettings) -> None:
        self._pins = pins = Pins("panel", settings)
        self._lamps = {
            area: pins.output(f"the lamp '{area}'", pin, settings.active_high) for area, pin in wiring.items()
        }
        closes_low = not settings.read_back_active_high
        self._feedback = {
            area: pins.input(f"the read-back of '{area}'", pin, closes_low)
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


class GpioSounder:
    """A buzzer that is timed by the event loop. A beep during a beep makes it longer."""

    def __init__(self, pin: int, settings: SounderSettings, clock: Clock) -> None:
        self._beep_ns, self._clock = settings.beep_ms * NS_PER_MS, clock
        self._timer: Timer | None = None
        self._open = True
        self._pins = Pins("sounder", settings)
        self._buzzer = self._pins.output("the buzzer", pin, settings.active_high)

    def beep(self) -> None:
        if self._open:
            self._stop_timer()
            self._timer = self._clock.call_at(self._clock.now_ns() + self._beep_ns, lambda: self._switch(False))
            self._switch(True)

    def close(self) -> None:
        self._open = False
        self._stop_timer()
        self._pins.close()

    def _switch(self, on: bool) -> None:
        try:
            self._buzzer.write(on)
        except HalError as error:  # The screen shows the dealer the same.
            log.warning("%s", error)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
