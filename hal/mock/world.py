"""One table's simulated hardware, the actions of dealer and technician on it, and what can break.

The devices of one table share one world, found by the table's clock. The bench, the scenarios and the tests act
only on the world; the table sees only what crosses the hardware boundary.

An open line is pulled high; the clapper's contact is normally closed, so that a broken wire reads as a bent
clapper and never as a section (fail-safe wiring). A beam's line is high while something is in it, so that a
broken wire reads as that.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Self, TypeVar

from hal.errors import UnknownLineError, check_known
from hal.interfaces import Clock, Device
from hal.mock.devices import MockComputer, MockDoors, MockKeys, MockPanel, MockReader, MockSounder, MockSwitches
from hal.mock.head import SimulatedHead
from hal.mock.rotor import MockRotorHead
from hal.mock.settings import RotorSettings, WheelSettings
from hal.mock.wheel import MockHead

_WORLD = "simulated_world"
Head = TypeVar("Head", bound=SimulatedHead)


class World:
    """The devices of a simulated table, and what people do to them. A table that restarts finds it as it was.

    Attributes:
        slice_ns: how often a turning wheel delivers its edges; None delivers them when someone asks, or at rest.
    """

    def __init__(self, clock: Clock, slice_ns: int | None = None) -> None:
        self.clock = clock
        self.slice_ns = slice_ns
        self.head: MockHead | MockRotorHead | None = None
        """The wheel's sensor head, with a clapper or with a ball, if there is one."""
        self.keys: list[MockKeys] = []
        self.switches = MockSwitches((), clock)
        self.doors = MockDoors((), (), clock)
        self.computer = MockComputer()
        self.panel = MockPanel(())
        self.sounder = MockSounder()
        self.reader = MockReader(clock)

    @classmethod
    def of(cls, clock: Clock) -> Self:
        # The clock keeps it: a table of worlds would keep every clock, for a world knows its own.
        world = vars(clock).get(_WORLD)
        if world is None:
            world = cls(clock)
            world.lend(clock)
        assert isinstance(world, cls)
        return world

    def lend(self, clock: Clock) -> None:
        """Devices that are opened on this clock are of this world, too."""
        vars(clock)[_WORLD] = self

    # -- devices -------------------------------------------------------------------------------------------

    def fit_wheel(self, settings: WheelSettings) -> MockHead:
        """The wheel with a clapper; the one that is there already after a restart."""
        self.head = self.head or MockHead(settings, self.clock, self.slice_ns)
        return self.wheel

    def fit_rotor(self, settings: RotorSettings, beams: int) -> MockRotorHead:
        """The same of a roulette wheel."""
        self.head = self.head or MockRotorHead(settings, beams, self.reader, self.clock, self.slice_ns)
        return self.rotor

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
            case "switches" if not self.switches.controls:
                self.switches = MockSwitches(wiring.pins, self.clock)
            case "tamper" if not self.doors.controls:
                latched = (name for name, contact in wiring.contacts.items() if contact.latch is not None)
                self.doors = MockDoors(wiring.contacts, latched, self.clock)
            case "panel" if not self.panel.areas:
                self.panel = MockPanel(wiring.lamps)
        device: Device = getattr(self, {"tamper": "doors"}.get(kind, kind))
        return device

    def _fitted(self, kind: type[Head], what: str) -> Head:
        if not isinstance(self.head, kind):
            raise UnknownLineError(f"this table has no {what}")
        return self.head

    @property
    def sensors(self) -> SimulatedHead:
        """The sensor head.

        Raises:
            UnknownLineError: this table has no wheel. So raise :attr:`wheel` and :attr:`rotor`.
        """
        return self._fitted(SimulatedHead, "wheel")  # type: ignore[type-abstract]

    @property
    def wheel(self) -> MockHead:
        return self._fitted(MockHead, "wheel with a clapper")

    @property
    def rotor(self) -> MockRotorHead:
        return self._fitted(MockRotorHead, "roulette wheel")

    # -- acting --------------------------------------------------------------------------------------------

    def press(self, control: str) -> None:
        """Press a key or button, or turn a key switch.

        Raises:
            UnknownLineError: the table has no such control.
        """
        if control in self.switches.controls:
            self.switches.press(control)
        else:
            self.keys_with("control", control, self.switches.controls).press(control)

    def keys_with(self, what: str, control: str, others: tuple[str, ...] = ()) -> MockKeys:
        """The device that has a key; ``others`` can be pressed, too, as an error says."""
        found = [keys for keys in self.keys if control in keys.controls]
        if not found:
            check_known(what, control, [*(name for keys in self.keys for name in keys.controls), *others])
        return found[0]

    def fault(self, name: str, target: str = "", amount: float = 0.0) -> None:
        """Break something (see :data:`FAULTS`).

        Raises:
            UnknownLineError: this table cannot have such a fault, or has no such line, key or lamp.
        """
        check_known("fault", name, [fault for fault, one in FAULTS.items() if one.offered(self)])
        FAULTS[name].act(self, target, amount)

    def repair(self) -> None:
        """Everything works again. An encoder that has slipped is mounted anew."""
        for keys in self.keys:
            keys.repair()
        self.doors.repair()
        self.computer.repair()
        self.panel.broken.clear()
        self.reader.break_()
        if self.head is not None:
            self.head.repair()


# -- what can break ------------------------------------------------------------------------------------------------


Act = Callable[[World, str, float], None]
"""Called with the world, a target and an amount."""


class Breakage(NamedTuple):
    fault: str
    label: str
    act: Act
    target: str = ""
    """What has to be chosen: a ``line``, ``lamp``, ``key`` or ``contact``; empty for nothing."""
    amount: float = 0.0
    """The amount that the page uses; 0 if the fault has none."""
    most: float = 0.0
    of: type[SimulatedHead] | None = None
    """The head of which it is one; None for a fault of any table."""

    def offered(self, world: World) -> bool:
        return self.of is None or isinstance(world.head, self.of)

    def targets(self, world: World) -> tuple[str, ...]:
        """The lines, lamps, keys or contacts of this table that can have it; none if nothing has to be chosen."""
        return {
            "": (),
            "line": world.head.lines.names if world.head is not None else (),
            "lamp": world.panel.areas,
            "key": tuple(control for keys in world.keys for control in keys.controls),
            "contact": world.doors.controls,
        }[self.target]


def _of_lines(
    fault: str,
    label: str,
    faults: Callable[[str, float], dict[str, object]],
    target: str = "",
    amount: float = 0.0,
    most: float = 0.0,
    of: type[SimulatedHead] = SimulatedHead,
) -> Breakage:
    """A fault of a head: which of :class:`hal.mock.head.Faults`, by line and amount."""
    return Breakage(
        fault, label, lambda at, line, n: at.sensors.break_(**faults(line, n)), target, amount, most, of
    )


def _of_reader(
    fault: str, label: str, how: Callable[[float], dict[str, Any]], amount: float = 0.0, most: float = 0.0
) -> Breakage:
    return Breakage(fault, label, lambda at, _, n: at.reader.break_(**how(n)), "", amount, most, MockRotorHead)


def _unplug_keys(world: World, control: str, amount: float) -> None:
    """The device that has this key; each of them if no key is named."""
    for keys in world.keys:
        if not control or control in keys.controls:
            keys.unplug()


BREAKAGES = (
    _of_lines("stuck-high", "a line stuck high", lambda line, _: {"held": {line: True}}, "line"),
    _of_lines("stuck-low", "a line stuck low", lambda line, _: {"held": {line: False}}, "line"),
    _of_lines("open", "a line open (broken wire)", lambda line, _: {"held": {line: True}}, "line"),
    _of_lines("unplugged", "head unplugged", lambda _, __: {"held": {"*": True}}),
    _of_lines("lost-edges", "1 % of edges lost", lambda _, part: {"lost": part}, "", 0.01, 1),
    _of_lines("overflow", "40 edges overflow", lambda _, edges: {"overflow": int(edges)}, "", 40, 10_000),
    _of_lines("swapped", "A and B swapped", lambda _, __: {"swapped": True}),
    _of_lines("missing-index", "index pulse missing", lambda _, __: {"held": {"index": False}}),
    _of_lines("slip", "encoder slips by 2 %", lambda _, part: {"slip": part}, "", 0.02, 1, MockHead),
    _of_lines("dead-clapper", "clapper's contact dead", lambda _, __: {"held": {"clapper": False}}, of=MockHead),
    _of_lines("noise", "noise on a line, 50 a second", lambda line, hz: {"noise_hz": {line: hz}}, "line", 50, 1000),
    _of_reader("reader-silent", "reader silent", lambda _: {"silent": True}),
    _of_reader("reader-garbled", "reader's lines garbled", lambda _: {"garbled": True}),
    _of_reader("reader-astray", "reader a pocket astray", lambda places: {"astray": int(places)}, 1, 36),
    Breakage("dead-lamp", "a lamp dead", lambda at, area, _: at.panel.break_lamp(area, False), "lamp"),
    Breakage("burning-lamp", "a lamp burns for ever", lambda at, area, _: at.panel.break_lamp(area, True), "lamp"),
    Breakage("stuck-key", "a key stuck", lambda at, key, _: at.keys_with("key", key).set(key, True), "key"),
    Breakage("keys-unplugged", "keys unplugged", _unplug_keys),
    Breakage("opened", "a door or the cabinet opened", lambda at, name, _: at.doors.set(name, False), "contact"),
    Breakage("supply-low", "supply voltage too low", lambda at, _, __: at.computer.weaken()),
    Breakage("battery-low", "clock's battery low", lambda at, _, __: at.computer.empty()),
)
FAULTS = {one.fault: one for one in BREAKAGES}
