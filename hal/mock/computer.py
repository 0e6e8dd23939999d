"""A simulated computer that tells of its supply voltage and of its clock's battery."""

from hal.computer import LOW_V, BatteryReading, SupplyReading
from hal.wall_time import SetBy

FULL_V, EMPTY_V = 3.0, 2.1


class MockComputer:
    """A computer in order at first, which a bench changes."""

    def __init__(self) -> None:
        self._low = self._earlier = False
        self._battery_v = FULL_V
        self.set_by = SetBy.BATTERY
        """Who set the wall time since it was switched on."""

    def supply(self) -> SupplyReading:
        return SupplyReading(self._low, self._earlier)

    def battery(self) -> BatteryReading:
        return BatteryReading(self._battery_v < LOW_V, f"{self._battery_v:.2f} V")

    def weaken(self) -> None:
        """The supply voltage is too low from now on."""
        self._low = self._earlier = True

    def empty(self) -> None:
        """The clock's battery is nearly empty from now on."""
        self._battery_v = EMPTY_V

    def repair(self) -> None:
        """A new battery and a good supply; that it was too low stays known until the computer is switched off."""
        self._low = False
        self._battery_v = FULL_V

    def switched_on(self) -> None:
        """The computer was switched off and on: what it knew of earlier is gone."""
        self._earlier = self._low
        self.set_by = SetBy.NOBODY if self.battery().low else SetBy.BATTERY
