"""The simulated devices beside the wheel: keys, switches, contacts, lamps, buzzer, wheel reader, computer."""

from collections.abc import Callable, Iterable, Sequence

from hal.computer import LOW_V, BatteryReading, SupplyReading
from hal.errors import check_known
from hal.events import FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.interfaces import Clock, DeliverKey, Timer
from hal.wall_time import SetBy

PRESS_NS = 80_000_000
"""How long a finger stays on a key."""
FULL_V, EMPTY_V = 3.0, 2.1


class MockKeys:
    """Buttons and keypad keys."""

    def __init__(self, controls: Iterable[str], clock: Clock) -> None:
        self.controls = tuple(controls)
        self._clock = clock
        self._stuck: set[str] = set()
        self._unplugged = False
        self._deliver: DeliverKey | None = None

    def start(self, deliver: DeliverKey) -> None:
        self._deliver = deliver
        for control in sorted(self._stuck):
            deliver(KeyEvent(control, True, self._clock.now_ns(), held=True))
        if self._unplugged:
            self._clock.call_at(self._clock.now_ns(), self._report_unplugged)

    def close(self) -> None:
        self._deliver = None

    def press(self, control: str) -> None:
        """Press a key and let go of it. A stuck key does nothing more."""
        check_known("key", control, self.controls)
        if control not in self._stuck:
            self._send(control, True)
            self._clock.call_at(self._clock.now_ns() + PRESS_NS, lambda: self._release(control))

    def stick(self, control: str) -> None:
        """Press a key that does not come up again."""
        check_known("key", control, self.controls)
        if control not in self._stuck:
            self._stuck.add(control)
            self._send(control, True)

    def unplug(self) -> None:
        """Pull the cable: no key is delivered any more, and the device reports a fault."""
        if not self._unplugged:
            self._unplugged = True
            self._report_unplugged()

    def repair(self) -> None:
        """Stuck keys come up, and the cable is plugged in."""
        unplugged, self._unplugged = self._unplugged, False
        stuck, self._stuck = sorted(self._stuck), set()
        for control in stuck:
            self._send(control, False)
        if unplugged:
            self._report_fault("")

    def _report_unplugged(self) -> None:
        if self._unplugged:
            self._report_fault("its cable is unplugged")

    def _report_fault(self, detail: str) -> None:
        if self._deliver is not None:
            self._deliver(FaultEvent(detail, self._clock.now_ns()))

    def _release(self, control: str) -> None:
        if control not in self._stuck:
            self._send(control, False)

    def _send(self, control: str, pressed: bool) -> None:
        if self._deliver is not None and not (pressed and self._unplugged):
            self._deliver(KeyEvent(control, pressed, self._clock.now_ns()))


class MockSwitches:
    """Key switches and contacts, each closed for a moment when it is turned."""

    def __init__(self, names: Iterable[str], clock: Clock) -> None:
        self.names = tuple(names)
        self._clock = clock
        self._closed: set[str] = set()
        self._deliver: Callable[[SwitchEvent | FaultEvent], None] | None = None

    def start(self, deliver: Callable[[SwitchEvent | FaultEvent], None]) -> None:
        self._deliver = deliver
        for name in sorted(self._closed):
            deliver(SwitchEvent(name, True, self._clock.now_ns(), held=True))

    def close(self) -> None:
        self._deliver = None

    def turn(self, name: str) -> None:
        """Close a switch and open it again."""
        self.set(name, True)
        self._clock.call_at(self._clock.now_ns() + PRESS_NS, lambda: self.set(name, False))

    def set(self, name: str, closed: bool) -> None:
        """Close a switch, or open it."""
        check_known("switch", name, self.names)
        (self._closed.add if closed else self._closed.discard)(name)
        if self._deliver is not None:
            self._deliver(SwitchEvent(name, closed, self._clock.now_ns()))


class MockDoors(MockSwitches):
    """Contacts, all closed at first.

    Args:
        latched: those with a latch, which remembers an opening while nobody listens, too.
    """

    def __init__(self, names: Iterable[str], latched: Iterable[str], clock: Clock) -> None:
        super().__init__(names, clock)
        self._closed.update(self.names)
        self._latched = frozenset(latched)
        self._remembered: set[str] = set()

    def remembered(self) -> frozenset[str]:
        return frozenset(self._remembered)

    def forget(self) -> None:
        self._remembered = set(self._latched - self._closed)

    def open(self, name: str) -> None:
        """Open a door; what is open stays so."""
        check_known("contact", name, self.names)
        self._remembered |= {name} & self._latched
        if name in self._closed:
            self.set(name, False)

    def shut(self, name: str) -> None:
        """Close a door again."""
        if name not in self._closed:
            self.set(name, True)

    def repair(self) -> None:
        """Every door is closed. What a latch remembers, it remembers."""
        for name in self.names:
            self.shut(name)


class MockPanel:
    """Lamps that can fail dark or lit, with read-back."""

    def __init__(self, areas: Iterable[str]) -> None:
        self.areas = tuple(areas)
        self._requested: frozenset[str] = frozenset()
        self._dead: set[str] = set()
        self._burning: set[str] = set()

    def show(self, areas: frozenset[str]) -> None:
        self._requested = areas

    def read_back(self) -> frozenset[str]:
        return self.lit()

    def close(self) -> None:
        self._requested = frozenset()

    def lit(self) -> frozenset[str]:
        """The areas whose lamps burn, as the players see them."""
        if not self._dead and not self._burning:
            return self._requested
        return (self._requested - self._dead) | self._burning

    def kill_lamp(self, area: str) -> None:
        """A lamp that no longer burns."""
        check_known("lamp", area, self.areas)
        self._dead.add(area)

    def burn_lamp(self, area: str) -> None:
        """A lamp that no longer goes out."""
        check_known("lamp", area, self.areas)
        self._burning.add(area)

    def repair(self) -> None:
        """All lamps work."""
        self._dead.clear()
        self._burning.clear()


class MockSounder:
    """A buzzer that counts."""

    def __init__(self) -> None:
        self.beeps = 0

    def beep(self) -> None:
        self.beeps += 1

    def close(self) -> None:
        """Nothing to release."""


class MockReader:
    """A wheel reader: reports where the ball lies once it is certain, and any pocket on command.

    Attributes:
        silent: it sends nothing.
        garbled: its reports cannot be read.
        astray: it names the pocket so many places further around the wheel.
    """

    def __init__(self, clock: Clock) -> None:
        self.silent = self.garbled = False
        self.astray = 0
        self._clock = clock
        self._due: Timer | None = None
        self._deliver: Callable[[ReaderEvent], None] | None = None

    def start(self, deliver: Callable[[ReaderEvent], None]) -> None:
        self._deliver = deliver

    def close(self) -> None:
        self._deliver = None

    def sees(self, pocket: str, pockets: Sequence[str], after_s: float) -> None:
        """The ball lies in a pocket; the reader reports it after a delay."""
        place = pockets.index(pocket)
        due_ns = self._clock.now_ns() + int(after_s * 1e9)
        self._due = self._clock.call_at(due_ns, lambda: self.say(pockets[(place + self.astray) % len(pockets)]))

    def forget(self) -> None:
        """The ball was taken out before the reader was certain."""
        if self._due is not None:
            self._due.cancel()

    def say(self, pocket: str) -> None:
        """Send a pocket's name, if the reader works."""
        if self._deliver is None or self.silent:
            return
        fault = "a line that cannot be read" if self.garbled else ""
        self._deliver(ReaderEvent("" if fault else pocket, self._clock.now_ns(), fault))

    def repair(self) -> None:
        """It works again."""
        self.silent = self.garbled = False
        self.astray = 0


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
