"""Simulated keys, switches, lamps and buzzer, with presses and faults by command."""

from collections.abc import Callable, Iterable, Sequence

from hal.errors import UnknownLineError
from hal.events import FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.interfaces import Clock, Timer

PRESS_NS = 80_000_000  # How long a finger stays on a key.


def check_known(what: str, name: str, known: Iterable[str]) -> None:
    """Refuse a name that the device does not have.

    Raises:
        UnknownLineError: naming those it has.
    """
    known = list(known)
    if name not in known:
        raise UnknownLineError(f"no {what} '{name}'; there are: {', '.join(known)}")


class MockKeys:
    """Buttons and keypad keys."""

    def __init__(self, controls: Iterable[str], clock: Clock) -> None:
        self.controls = tuple(controls)
        self._clock = clock
        self._stuck: set[str] = set()
        self._unplugged = False
        self._deliver: Callable[[KeyEvent | FaultEvent], None] | None = None

    def start(self, deliver: Callable[[KeyEvent | FaultEvent], None]) -> None:
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

    def _report_unplugged(self) -> None:
        if self._unplugged:
            self._report_fault("its cable is unplugged")

    def repair(self) -> None:
        """Stuck keys come up, and the cable is plugged in."""
        unplugged, self._unplugged = self._unplugged, False
        stuck, self._stuck = sorted(self._stuck), set()
        for control in stuck:
            self._send(control, False)
        if unplugged:
            self._report_fault("")

    def _report_fault(self, detail: str) -> None:
        if self._deliver is not None:
            self._deliver(FaultEvent(detail, self._clock.now_ns()))

    def _release(self, control: str) -> None:
        if control not in self._stuck:
            self._send(control, False)

    def _send(self, control: str, pressed: bool) -> None:
        if self._deliver is not None and not (pressed and self._unplugged):
            self._deliver(KeyEvent(control, pressed, self._clock.now_ns()))


def stick_key(sources: Sequence[MockKeys], control: str) -> None:
    """Stick a key of any of these devices.

    Raises:
        UnknownLineError: none has it.
    """
    for keys in sources:
        if control in keys.controls:
            keys.stick(control)
            return
    check_known("key", control, [control for keys in sources for control in keys.controls])


def unplug_keys(sources: Sequence[MockKeys], control: str) -> None:
    """Unplug the device that has this key; each of them if no key is named."""
    for keys in sources:
        if not control or control in keys.controls:
            keys.unplug()


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
        self._send(name, closed)

    def _send(self, name: str, closed: bool) -> None:
        if self._deliver is not None:
            self._deliver(SwitchEvent(name, closed, self._clock.now_ns()))


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
        if self.garbled:
            self._deliver(ReaderEvent("", self._clock.now_ns(), "a line that cannot be read"))
        else:
            self._deliver(ReaderEvent(pocket, self._clock.now_ns()))

    def repair(self) -> None:
        """It works again."""
        self.silent = self.garbled = False
        self.astray = 0
