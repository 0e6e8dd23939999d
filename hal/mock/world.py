"""One table's simulated hardware, and the actions of dealer and technician on it.

The devices of one table share one world, found by the table's clock. The bench, the scenarios and the tests act
only on the world; the table sees only what crosses the hardware boundary. A wheel is loaded when it is fitted,
because numpy takes a while to load and a table without a wheel does not need it.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Self

from hal.errors import UnknownLineError, check_known
from hal.interfaces import Clock
from hal.mock.computer import MockComputer
from hal.mock.keys import MockKeys
from hal.mock.panel import MockPanel
from hal.mock.reader import MockReader
from hal.mock.settings import RotorSettings, WheelSettings
from hal.mock.sounder import MockSounder
from hal.mock.switches import MockSwitches
from hal.mock.tamper import MockDoors

if TYPE_CHECKING:
    from hal.mock.edges import MockHead
    from hal.mock.hands import Hands
    from hal.mock.head import SimulatedHead
    from hal.mock.lines import Faults
    from hal.mock.rotor import MockRotorHead

_WORLD = "simulated_world"


class World:
    """The devices of a simulated table, and what people do to them. A table that restarts finds it as it was.

    Attributes:
        slice_ns: how often a turning wheel delivers its edges; None delivers them when someone asks, or at rest.
    """

    def __init__(self, clock: Clock, slice_ns: int | None = None) -> None:
        self.clock = clock
        self.slice_ns = slice_ns
        self._wheel: MockHead | None = None
        self._rotor: MockRotorHead | None = None
        self.keys: list[MockKeys] = []
        self.switches = MockSwitches((), clock)
        self.doors = MockDoors((), (), clock)
        self.computer = MockComputer()
        self.panel = MockPanel(())
        self.sounder = MockSounder()
        self.reader = MockReader(clock)

    @classmethod
    def of(cls, clock: Clock) -> Self:
        """The world in which this clock runs."""
        # The clock keeps it: a table of worlds would keep every clock, for a world knows its own.
        world = vars(clock).get(_WORLD)
        if world is None:
            world = vars(clock)[_WORLD] = cls(clock)
        assert isinstance(world, cls)
        return world

    def lend(self, clock: Clock) -> None:
        """Devices that are opened on this clock are of this world, too."""
        vars(clock)[_WORLD] = self

    # -- devices -------------------------------------------------------------------------------------------

    def fit_wheel(self, settings: WheelSettings) -> "MockHead":
        from hal.mock.edges import MockHead

        if self._wheel is None:
            self._wheel = MockHead(settings, self.clock, self.slice_ns)
        return self._wheel

    def fit_rotor(self, settings: RotorSettings, beams: int) -> "MockRotorHead":
        from hal.mock.rotor import MockRotorHead

        if self._rotor is None:
            self._rotor = MockRotorHead(settings, beams, self.reader, self.clock, self.slice_ns)
        return self._rotor

    def fit_keys(self, controls: tuple[str, ...]) -> MockKeys:
        for keys in self.keys:
            if keys.controls == controls:
                return keys
        self.keys.append(MockKeys(controls, self.clock))
        return self.keys[-1]

    def fit_switches(self, names: Iterable[str]) -> MockSwitches:
        if not self.switches.names:
            self.switches = MockSwitches(names, self.clock)
        return self.switches

    def fit_doors(self, names: Iterable[str], latched: Iterable[str]) -> MockDoors:
        if not self.doors.names:
            self.doors = MockDoors(names, latched, self.clock)
        return self.doors

    def fit_panel(self, areas: Iterable[str]) -> MockPanel:
        if not self.panel.areas:
            self.panel = MockPanel(areas)
        return self.panel

    @property
    def head(self) -> "SimulatedHead | None":
        """The wheel's sensor head, with a clapper or with a ball, if there is one."""
        return self._wheel or self._rotor

    @property
    def sensors(self) -> "SimulatedHead":
        """The same of a table that has a wheel.

        Raises:
            UnknownLineError: this table has none. So raise :attr:`wheel`, :attr:`hands` and :attr:`rotor`.
        """
        if self.head is None:
            raise UnknownLineError("this table has no wheel")
        return self.head

    @property
    def wheel(self) -> "MockHead":
        """The simulated wheel with a clapper."""
        if self._wheel is None:
            raise UnknownLineError("this table has no wheel with a clapper")
        return self._wheel

    @property
    def hands(self) -> "Hands":
        """Hands on the wheel with a clapper."""
        return self.wheel.hands

    @property
    def rotor(self) -> "MockRotorHead":
        """The simulated roulette wheel."""
        if self._rotor is None:
            raise UnknownLineError("this table has no roulette wheel")
        return self._rotor

    # -- acting --------------------------------------------------------------------------------------------

    def press(self, control: str) -> None:
        """Press a key or button, or turn a key switch.

        Raises:
            UnknownLineError: the table has no such control.
        """
        if control in self.switches.names:
            self.switches.turn(control)
        else:
            self._keys_with("control", control, self.switches.names).press(control)

    def _keys_with(self, what: str, control: str, others: tuple[str, ...] = ()) -> MockKeys:
        """The device that has a key; ``others`` can be pressed, too, as an error says."""
        device = {name: keys for keys in reversed(self.keys) for name in keys.controls}
        check_known(what, control, [name for keys in self.keys for name in keys.controls] + [*others])
        return device[control]

    def throw(self, revolutions: float, direction: int) -> None:
        """Throw the wheel hard enough for about so many revolutions; it stops where its pegs let it."""
        self.wheel.throw_about(direction * revolutions * self.wheel.sections)

    def throw_into(self, section: int, revolutions: float, direction: int, part: float = 0.75) -> None:
        """Throw the wheel so that it stops in a section, after at least so many revolutions.

        Args:
            part: how far into the section, from the peg that is passed last (0) to the next one (1).
        """
        peg = section if direction > 0 else section + 1
        self.wheel.throw_past(peg, revolutions, direction, part)

    def throw_onto(self, boundary: int, revolutions: float, direction: int) -> None:
        """Throw the wheel so that it stops on the peg before this section, the clapper lying bent upon it.

        Where the leather would push it off again, a hand catches it.

        Raises:
            HalError: that peg is missing.
        """
        wheel, leather = self.wheel, self.wheel.physics.leather
        bend = wheel.physics.held_bend(boundary, direction)
        side = leather.sides[direction]
        by_hand = (leather.threshold + side.slip) / 2
        wheel.throw_past(boundary, revolutions, direction, direction * side.offset + (bend or by_hand))
        if bend is None:
            wheel.catch_at_turn()

    # -- faults --------------------------------------------------------------------------------------------

    def fault(self, name: str, target: str = "", amount: float = 0.0) -> None:
        """Break something. ``FAULTS`` lists the names, what each acts on, and what the amount means.

        Raises:
            UnknownLineError: no such fault, line, key or lamp.
        """
        check_known("fault", name, FAULTS)
        FAULTS[name](self, target, amount)

    def repair(self) -> None:
        """Everything works again. An encoder that has slipped is mounted anew."""
        for keys in self.keys:
            keys.repair()
        self.doors.repair()
        self.computer.repair()
        self.panel.repair()
        self.reader.repair()
        if self.head is not None:
            self.head.poll()
            self.head.lines.repair()
            self.head.settle_lines()
        if self._wheel is not None:
            self._wheel.remount()

    def ease(self, but_swapped: bool = False) -> None:
        """Faults of the sensor head pass by themselves; an encoder that has slipped stays where it slipped to.

        Args:
            but_swapped: wires that are crossed stay crossed.
        """
        swapped = self._lines().swapped and but_swapped
        self.sensors.lines.repair(swapped)
        if self._wheel is not None:
            self._wheel.slip = 0.0
        self.sensors.settle_lines()

    def _lines(self) -> "Faults":
        self.sensors.poll()
        return self.sensors.lines.faults

    def _hold(self, level: bool, *lines: str) -> None:
        letters = [self.sensors.lines.letter_of(line) for line in lines]
        self._lines().held.update(dict.fromkeys(letters, level))
        self.sensors.settle_lines()

    def _swap(self) -> None:
        self._lines().swapped = True
        self.sensors.settle_lines()

    def _lose(self, rate: float) -> None:
        self._lines().lost = min(1.0, max(0.0, rate))

    def _overflow(self, edges: float) -> None:
        self._lines().overflow += int(edges)

    def _disturb(self, line: str, hertz: float) -> None:
        self._lines().noise_hz[self.sensors.lines.letter_of(line)] = hertz

    def _slip(self, rate: float) -> None:
        self.wheel.poll()
        self.wheel.slip = min(1.0, max(0.0, rate))

    def _break_reader(self, silent: bool = False, garbled: bool = False, astray: int = 0) -> None:
        self.rotor.poll()  # Only a roulette wheel has a reader.
        self.reader.silent, self.reader.garbled, self.reader.astray = silent, garbled, astray

    def _unplug_keys(self, control: str) -> None:
        """The device that has this key; each of them if no key is named."""
        for keys in self.keys:
            if not control or control in keys.controls:
                keys.unplug()


FAULTS: dict[str, Callable[[World, str, float], None]] = {
    "stuck-high": lambda world, line, _: world._hold(True, line),
    "stuck-low": lambda world, line, _: world._hold(False, line),
    "open": lambda world, line, _: world._hold(True, line),
    "unplugged": lambda world, _line, _: world._hold(True, *world.sensors.lines.names),
    "noise": lambda world, line, hertz: world._disturb(line, hertz),
    "lost-edges": lambda world, _line, rate: world._lose(rate),
    "overflow": lambda world, _line, edges: world._overflow(edges),
    "swapped": lambda world, _line, _: world._swap(),
    "missing-index": lambda world, _line, _: world._hold(False, "index"),
    "dead-clapper": lambda world, _line, _: world._hold(False, "clapper"),
    "slip": lambda world, _line, rate: world._slip(rate),
    "reader-silent": lambda world, _target, _: world._break_reader(silent=True),
    "reader-garbled": lambda world, _target, _: world._break_reader(garbled=True),
    "reader-astray": lambda world, _target, places: world._break_reader(astray=int(places)),
    "dead-lamp": lambda world, area, _: world.panel.kill_lamp(area),
    "burning-lamp": lambda world, area, _: world.panel.burn_lamp(area),
    "stuck-key": lambda world, control, _: world._keys_with("key", control).stick(control),
    "opened": lambda world, contact, _: world.doors.open(contact),
    "supply-low": lambda world, _target, _: world.computer.weaken(),
    "battery-low": lambda world, _target, _: world.computer.empty(),
    "keys-unplugged": lambda world, control, _: world._unplug_keys(control),
}
"""Faults by name, each called with the world, a target (a line, key, lamp or contact) and an amount.

An open line is pulled high; the clapper's contact is normally closed, so that a broken wire reads as a bent
clapper and never as a section (fail-safe wiring). A beam's line is high while something is in it, so that a
broken wire reads as that.
"""
