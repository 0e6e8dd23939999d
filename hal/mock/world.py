"""One table's simulated hardware, and the actions of dealer and technician on it.

The devices of one table share one world, found by the table's clock. The bench, the scenarios and the tests act
only on the world; the table sees only what crosses the hardware boundary. A wheel is loaded when it is fitted,
because numpy takes a while to load and a table without a wheel does not need it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from hal.errors import UnknownLineError
from hal.interfaces import Clock
from hal.mock.devices import check_known, stick_key, unplug_keys
from hal.mock.fittings import Fittings

if TYPE_CHECKING:
    from hal.mock.edges import MockHead
    from hal.mock.hands import Hands
    from hal.mock.head import SimulatedHead
    from hal.mock.lines import Faults
    from hal.mock.rotor import MockRotorHead

_WORLD = "simulated_world"


class World(Fittings):
    """The devices of a simulated table, and what people do to them."""

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

    # -- acting --------------------------------------------------------------------------------------------

    @property
    def wheel(self) -> "MockHead":
        """The simulated wheel with a clapper.

        Raises:
            UnknownLineError: this table has none.
        """
        from hal.mock.edges import MockHead

        if not isinstance(self.head, MockHead):
            raise UnknownLineError("this table has no wheel with a clapper")
        return self.head

    @property
    def hands(self) -> "Hands":
        """Hands on the wheel with a clapper.

        Raises:
            UnknownLineError: this table has none.
        """
        from hal.mock.hands import Hands

        if self._hands is None:
            self._hands = Hands(self.wheel)
        return self._hands

    @property
    def rotor(self) -> "MockRotorHead":
        """The simulated roulette wheel.

        Raises:
            UnknownLineError: this table has none.
        """
        from hal.mock.rotor import MockRotorHead

        if not isinstance(self.head, MockRotorHead):
            raise UnknownLineError("this table has no roulette wheel")
        return self.head

    @property
    def sensors(self) -> "SimulatedHead":
        """The sensor head of whatever wheel there is.

        Raises:
            UnknownLineError: this table has no wheel.
        """
        if self.head is None:
            raise UnknownLineError("this table has no wheel")
        return self.head

    def press(self, control: str) -> None:
        """Press a key or button, or turn a key switch.

        Raises:
            UnknownLineError: the table has no such control.
        """
        for keys in self.keys:
            if control in keys.controls:
                keys.press(control)
                return
        controls = [control for keys in self.keys for control in keys.controls]
        check_known("control", control, [*controls, *self.switches.names])
        self.switches.turn(control)

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
        wheel, physics = self.wheel, self.wheel.physics
        bend = physics.held_bend(boundary, direction)
        offset = physics.leather.sides[direction].offset
        by_hand = (physics.leather.threshold + physics.leather.sides[direction].slip) / 2
        wheel.throw_past(boundary, revolutions, direction, direction * offset + (bend or by_hand))
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
            self._lines()
            self.sensors.lines.repair()
            self.sensors.settle_lines()
            self.sensors.repair()

    def ease(self, but_swapped: bool = False) -> None:
        """Faults of the sensor head pass by themselves; an encoder that has slipped stays where it slipped to.

        Args:
            but_swapped: wires that are crossed stay crossed.
        """
        faults = self._lines()
        self.sensors.lines.repair(swapped=faults.swapped and but_swapped)
        self.sensors.ease()
        self.sensors.settle_lines()

    def _lines(self) -> "Faults":
        self.sensors.poll()
        return self.sensors.lines.faults

    def _hold(self, line: str, level: bool) -> None:
        self._lines().held[self.sensors.lines.letter_of(line)] = level
        self.sensors.settle_lines()

    def _unplug(self) -> None:
        for line in self.sensors.lines.names:
            self._lines().held[self.sensors.lines.letter_of(line)] = True
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


FAULTS: dict[str, Callable[[World, str, float], None]] = {
    "stuck-high": lambda world, line, _: world._hold(line, True),
    "stuck-low": lambda world, line, _: world._hold(line, False),
    "open": lambda world, line, _: world._hold(line, True),
    "unplugged": lambda world, _line, _: world._unplug(),
    "noise": lambda world, line, hertz: world._disturb(line, hertz),
    "lost-edges": lambda world, _line, rate: world._lose(rate),
    "overflow": lambda world, _line, edges: world._overflow(edges),
    "swapped": lambda world, _line, _: world._swap(),
    "missing-index": lambda world, _line, _: world._hold("index", False),
    "dead-clapper": lambda world, _line, _: world._hold("clapper", False),
    "slip": lambda world, _line, rate: world._slip(rate),
    "reader-silent": lambda world, _target, _: world._break_reader(silent=True),
    "reader-garbled": lambda world, _target, _: world._break_reader(garbled=True),
    "reader-astray": lambda world, _target, places: world._break_reader(astray=int(places)),
    "dead-lamp": lambda world, area, _: world.panel.kill_lamp(area),
    "burning-lamp": lambda world, area, _: world.panel.burn_lamp(area),
    "stuck-key": lambda world, control, _: stick_key(world.keys, control),
    "opened": lambda world, contact, _: world.doors.open(contact),
    "supply-low": lambda world, _target, _: world.computer.weaken(),
    "battery-low": lambda world, _target, _: world.computer.empty(),
    "keys-unplugged": lambda world, control, _: unplug_keys(world.keys, control),
}
"""Faults by name, each called with the world, a target (a line, key, lamp or contact) and an amount.

An open line is pulled high; the clapper's contact is normally closed, so that a broken wire reads as a bent
clapper and never as a section (fail-safe wiring). A beam's line is high while something stands in it, so that a
broken wire reads as that.
"""
