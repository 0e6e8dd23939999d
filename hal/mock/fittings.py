"""What stands at a simulated table, as its backends fit it: a table that restarts finds it as it was."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hal.interfaces import Clock
from hal.mock.computer import MockComputer
from hal.mock.devices import MockKeys, MockPanel, MockReader, MockSounder, MockSwitches
from hal.mock.doors import MockDoors
from hal.mock.settings import RotorSettings, WheelSettings

if TYPE_CHECKING:
    from hal.mock.edges import MockHead
    from hal.mock.hands import Hands
    from hal.mock.head import SimulatedHead
    from hal.mock.rotor import MockRotorHead


class Fittings:
    """The devices of one simulated table.

    Attributes:
        slice_ns: how often a turning wheel delivers its edges; None delivers them when someone asks, or at rest.
    """

    def __init__(self, clock: Clock, slice_ns: int | None = None) -> None:
        self.clock = clock
        self.slice_ns = slice_ns
        self.head: SimulatedHead | None = None
        """The wheel's sensor head, with a clapper or with a ball, if there is one."""
        self._hands: Hands | None = None
        self.keys: list[MockKeys] = []
        self.switches = MockSwitches((), clock)
        self.doors = MockDoors((), (), clock)
        self.computer = MockComputer()
        self.panel = MockPanel(())
        self.sounder = MockSounder()
        self.reader = MockReader(clock)

    def fit_wheel(self, settings: WheelSettings) -> "MockHead":
        from hal.mock.edges import MockHead

        if self.head is None:
            self.head = MockHead(settings, self.clock, self.slice_ns)
        assert isinstance(self.head, MockHead)
        return self.head

    def replace_wheel(self, settings: WheelSettings) -> "MockHead":
        """Another wheel with another sensor head; a table that is built from now on finds this one."""
        self.head = self._hands = None
        return self.fit_wheel(settings)

    def fit_rotor(self, settings: RotorSettings, beams: int) -> "MockRotorHead":
        from hal.mock.rotor import MockRotorHead

        if self.head is None:
            self.head = MockRotorHead(settings, beams, self.reader, self.clock, self.slice_ns)
        assert isinstance(self.head, MockRotorHead)
        return self.head

    def fit_keys(self, controls: Iterable[str]) -> MockKeys:
        names = tuple(controls)
        for keys in self.keys:
            if keys.controls == names:
                return keys
        self.keys.append(MockKeys(names, self.clock))
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
