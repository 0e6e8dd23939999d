"""The simulated devices beside the wheel: keys, switches, contacts, lamps, buzzer, wheel reader, computer."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hal.computer import LOW_V, BatteryReading, SupplyReading
from hal.errors import check_known
from hal.events import FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.interfaces import Clock, Timer
from hal.wall_time import SetBy

PRESS_NS = 80_000_000
"""How long a finger stays on a key."""
FULL_V, EMPTY_V = 3.0, 2.1


class _Contacts:
    """Contacts that close and open. Those that are closed for longer are told at the start, as held."""

    what: str
    event: type[KeyEvent | SwitchEvent]

    def __init__(self, controls: Iterable[str], clock: Clock) -> None:
        self.controls = tuple(controls)
        self._clock = clock
        self._closed: set[str] = set()
        self._deliver: Callable[[Any], None] | None = None

    def start(self, deliver: Callable[[Any], None]) -> None:
        self._deliver = deliver
        for control in sorted(self._closed):
            deliver(self.event(control, True, self._clock.now_ns(), held=True))

    def close(self) -> None:
        self._deliver = None

    def press(self, control: str) -> None:
        """Close a contact for a moment, as a finger or a key does. One that is stuck does nothing more."""
        check_known(self.what, control, self.controls)
        if control not in self._closed:
            self._tell(control, True)
            self._clock.call_at(self._clock.now_ns() + PRESS_NS, lambda: self._release(control))

    def set(self, control: str, closed: bool) -> None:
        """Close a contact for good, or open it; nothing if it is so already."""
        check_known(self.what, control, self.controls)
        if closed != (control in self._closed):
            (self._closed.add if closed else self._closed.discard)(control)
            self._tell(control, closed)

    def _release(self, control: str) -> None:
        if control not in self._closed:
            self._tell(control, False)

    def _tell(self, control: str, closed: bool) -> None:
        if self._deliver is not None:
            self._deliver(self.event(control, closed, self._clock.now_ns()))


class MockSwitches(_Contacts):
    what, event = "switch", SwitchEvent


class MockKeys(_Contacts):
    what, event = "key", KeyEvent
    _unplugged = False

    def start(self, deliver: Callable[[Any], None]) -> None:
        super().start(deliver)
        self._clock.call_at(self._clock.now_ns(), self._report)

    def unplug(self) -> None:
        """Pull the cable: no press is delivered any more, and the device reports a fault."""
        if not self._unplugged:
            self._unplugged = True
            self._report()

    def repair(self) -> None:
        unplugged, self._unplugged = self._unplugged, False
        for control in sorted(self._closed):
            self.set(control, False)
        if unplugged and self._deliver is not None:
            self._deliver(FaultEvent("", self._clock.now_ns()))

    def _report(self) -> None:
        if self._unplugged and self._deliver is not None:
            self._deliver(FaultEvent("its cable is unplugged", self._clock.now_ns()))

    def _tell(self, control: str, closed: bool) -> None:
        if not (closed and self._unplugged):
            super()._tell(control, closed)


class MockDoors(_Contacts):
    """Contacts of doors, all closed at first.

    Args:
        latched: those with a latch, which remembers an opening while nobody listens, too.
    """

    what, event = "contact", SwitchEvent

    def __init__(self, controls: Iterable[str], latched: Iterable[str], clock: Clock) -> None:
        super().__init__(controls, clock)
        self._closed.update(self.controls)
        self._latched = frozenset(latched)
        self._remembered: frozenset[str] = frozenset()

    def remembered(self) -> frozenset[str]:
        return self._remembered

    def forget(self) -> None:
        self._remembered = self._latched - self._closed

    def set(self, control: str, closed: bool) -> None:
        if not closed:
            self._remembered |= {control} & self._latched
        super().set(control, closed)

    def repair(self) -> None:
        """Every door is closed. What a latch remembers, it remembers."""
        for control in self.controls:
            self.set(control, True)


class MockPanel:
    """Lamps that can fail dark or lit, with read-back."""

    def __init__(self, areas: Iterable[str]) -> None:
        self.areas = tuple(areas)
        self._requested: frozenset[str] = frozenset()
        self.broken: dict[str, bool] = {}
        """Lamps that no longer go out, or no longer burn."""

    def show(self, areas: frozenset[str]) -> None:
        self._requested = areas

    def read_back(self) -> frozenset[str]:
        return self.lit()

    def close(self) -> None:
        self._requested = frozenset()

    def lit(self) -> frozenset[str]:
        """The areas whose lamps burn, as the players see them."""
        burning = {area for area, burns in self.broken.items() if burns}
        return (self._requested - self.broken.keys()) | burning if self.broken else self._requested

    def break_lamp(self, area: str, burns: bool) -> None:
        check_known("lamp", area, self.areas)
        self.broken[area] = burns


class MockSounder:
    def __init__(self) -> None:
        self.beeps = 0

    def beep(self) -> None:
        self.beeps += 1

    def close(self) -> None:
        """Nothing to release."""


class MockReader:
    """A wheel reader: reports where the ball lies once it is certain, and any pocket on command."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._due: Timer | None = None
        self._deliver: Callable[[ReaderEvent], None] | None = None
        self.break_()

    def start(self, deliver: Callable[[ReaderEvent], None]) -> None:
        self._deliver = deliver

    def close(self) -> None:
        self._deliver = None

    def sees(self, pocket: str, pockets: Sequence[str], after_s: float) -> None:
        place = pockets.index(pocket)
        due_ns = self._clock.now_ns() + int(after_s * 1e9)
        self._due = self._clock.call_at(due_ns, lambda: self.say(pockets[(place + self._astray) % len(pockets)]))

    def forget(self) -> None:
        if self._due is not None:
            self._due.cancel()

    def say(self, pocket: str) -> None:
        if self._deliver is not None and not self._silent:
            fault = "a line that cannot be read" if self._garbled else ""
            self._deliver(ReaderEvent("" if fault else pocket, self._clock.now_ns(), fault))

    def break_(self, silent: bool = False, garbled: bool = False, astray: int = 0) -> None:
        """It sends nothing, or what cannot be read, or names a pocket so many places further around the wheel."""
        self._silent, self._garbled, self._astray = silent, garbled, astray


class MockComputer:
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
        self._low = self._earlier = True

    def empty(self) -> None:
        self._battery_v = EMPTY_V

    def repair(self) -> None:
        """A new battery and a good supply; that it was too low stays known until the computer is switched off."""
        self._low = False
        self._battery_v = FULL_V

    def switched_on(self) -> None:
        """The computer was switched off and on: what it knew of earlier is gone."""
        self._earlier = self._low
        self.set_by = SetBy.NOBODY if self.battery().low else SetBy.BATTERY
