"""Watches a table's computer: a supply voltage that is too low, and the battery of its clock, where it tells."""

from config.schema import ComputerSection
from controller.events.event import SUPPLY, ClockBattery, Event, SupplyVoltage
from controller.runtime.recorder import Recorder
from hal.computer import ComputerHealth, SupplyReading
from hal.interfaces import Clock, Timer

LOOKS_NS = 5_000_000_000
"""How often the supply is looked at. The kernel asks the firmware every two seconds."""
BATTERY_EVERY = 720
"""Looks from one at the battery to the next: an hour."""


class ComputerWatch:
    """The computer of one table.

    Args:
        computer: None not to look.
        section: what is done about it.
    """

    def __init__(
        self, recorder: Recorder, computer: ComputerHealth | None, section: ComputerSection, clock: Clock
    ) -> None:
        self._recorder = recorder
        self._computer = computer
        self._section = section
        self._clock = clock
        self._timer: Timer | None = None
        self._looks = 0
        self._low = self._battery_low = False
        """What is on record since this start."""

    def start(self) -> None:
        """Put on record what is wrong, and what was since the computer was switched on; look from now on."""
        reading = self._supply()
        if reading is not None and (reading.low or reading.earlier):
            self._record(reading)
        elif SUPPLY in self._recorder.machine.locked_by:  # It is in order again, or no longer watched.
            self._record(SupplyReading(False))
        self._look_at_battery()
        if self._computer is not None and (self._section.supply != "off" or self._section.clock_battery != "off"):
            self._wait()

    def close(self) -> None:
        """Stop looking."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self._timer = self._clock.call_at(self._clock.now_ns() + LOOKS_NS, self._look)

    def _look(self) -> None:
        self._looks += 1
        reading = self._supply()
        if reading is not None and reading.low != self._low:
            self._record(SupplyReading(reading.low))
        if self._looks % BATTERY_EVERY == 0:
            self._look_at_battery()
        if not self._recorder.halted:
            self._wait()

    def _supply(self) -> SupplyReading | None:
        if self._computer is None or self._section.supply == "off":
            return None
        return self._computer.supply()

    def _record(self, reading: SupplyReading) -> None:
        self._low = reading.low
        now_ns, utc_ns, locks = self._clock.now_ns(), self._clock.utc_ns(), self._section.supply == "lock"
        self._take(SupplyVoltage(now_ns, utc_ns, reading.low, locks, reading.earlier and not reading.low))

    def _look_at_battery(self) -> None:
        if self._computer is None or self._section.clock_battery == "off":
            return
        reading = self._computer.battery()
        if reading is not None and reading.low != self._battery_low:
            self._battery_low = reading.low
            self._take(ClockBattery(self._clock.now_ns(), self._clock.utc_ns(), reading.low, reading.detail))

    def _take(self, event: Event) -> None:
        self._recorder.take([event])
