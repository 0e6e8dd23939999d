"""One table's simulated hardware, and the actions of dealer and technician on it.

The devices of one table share one world, found by the table's clock. The bench, the scenarios and the tests act
only on the world; the table sees only what crosses the hardware boundary. A wheel is loaded when it is fitted,
because numpy takes a while to load and a table without a wheel does not need it.
"""

from typing import TYPE_CHECKING, Any, Self

from hal.errors import UnknownLineError, check_known
from hal.interfaces import Clock, Device
from hal.mock.devices import MockComputer, MockDoors, MockKeys, MockPanel, MockReader, MockSounder, MockSwitches
from hal.mock.faults import FAULTS
from hal.mock.settings import RotorSettings, WheelSettings

if TYPE_CHECKING:
    from hal.mock.edges import MockHead
    from hal.mock.hands import Hands
    from hal.mock.head import SimulatedHead
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
        self.doors: MockDoors = MockDoors((), (), clock)
        self.computer: MockComputer = MockComputer()
        self.panel: MockPanel = MockPanel(())
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

    def open(self, kind: str, wiring: Any, settings: Any) -> Device:
        """The device of a section of the configuration; the same one after a restart."""
        match kind:
            case "edges":
                return self.fit_wheel(settings)
            case "rotor":
                return self.fit_rotor(settings, 1 if getattr(wiring.pins, "ball_2", None) is None else 2)
            case "keys":
                pins, rows = getattr(wiring, "pins", ()), getattr(wiring, "keys", ())
                controls = (*pins, *(control for row in rows for control in row), *getattr(wiring, "codes", ()))
                found = [keys for keys in self.keys if keys.controls == controls]
                if not found:
                    found.append(MockKeys(controls, self.clock))
                    self.keys += found
                return found[0]
            case "switches" if not self.switches.names:
                self.switches = MockSwitches(wiring.pins, self.clock)
            case "tamper" if not self.doors.names:
                latched = (name for name, contact in wiring.contacts.items() if contact.latch is not None)
                self.doors = MockDoors(wiring.contacts, latched, self.clock)
            case "panel" if not self.panel.areas:
                self.panel = MockPanel(wiring.lamps)
        devices: dict[str, Device] = {
            "switches": self.switches,
            "tamper": self.doors,
            "panel": self.panel,
            "sounder": self.sounder,
            "reader": self.reader,
        }
        return devices[kind]

    @property
    def has_wheel(self) -> bool:
        """Whether it is a wheel with a clapper."""
        return self._wheel is not None

    @property
    def has_rotor(self) -> bool:
        return self._rotor is not None

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
            self.keys_with("control", control, self.switches.names).press(control)

    def keys_with(self, what: str, control: str, others: tuple[str, ...] = ()) -> MockKeys:
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
        """Break something (see :mod:`hal.mock.faults`).

        Raises:
            UnknownLineError: no such fault, line, key or lamp.
        """
        check_known("fault", name, FAULTS)
        FAULTS[name].act(self, target, amount)

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
