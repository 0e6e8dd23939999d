"""The simulated devices keep every contract."""

from collections.abc import Callable
from typing import Any

import pytest

from contracts.devices import (
    CONTROLS,
    LAMPS,
    POCKETS,
    SWITCHES,
    KeysContract,
    PanelContract,
    ReaderContract,
    SounderContract,
    SwitchesContract,
    TamperContract,
)
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockDoors, MockKeys, MockPanel, MockReader, MockSounder, MockSwitches


class MockBench:
    """A simulated device in virtual time, and what happens to it."""

    tells = True

    def __init__(self, made: Callable[[VirtualClock], Any]) -> None:
        self.clock = VirtualClock()
        self.clock.advance_to(1000)
        self.device = made(self.clock)

    def run(self, action: Callable[[], object]) -> object:
        return action()

    def until(self, condition: Callable[[], bool]) -> None:
        self.clock.advance_to(self.clock.now_ns() + 1_000_000_000)
        assert condition()

    def press(self, control: str) -> None:
        self.device.set(control, True)

    def release(self, control: str) -> None:
        self.device.repair()

    def turn(self, switch: str, closed: bool) -> None:
        self.device.set(switch, closed)

    def burning(self) -> set[int]:
        return {LAMPS[area] for area in self.device.lit()}

    def see(self, pocket: str) -> None:
        self.device.sees(pocket, POCKETS, 0.5)

    def sounds(self) -> int:
        return int(self.device.beeps)

    def sounding(self) -> bool:
        """A beep takes no time."""
        return False


class TestMockKeys(KeysContract):
    bench = pytest.fixture(lambda self: MockBench(lambda clock: MockKeys(CONTROLS, clock)))


class TestMockSwitches(SwitchesContract):
    bench = pytest.fixture(lambda self: MockBench(lambda clock: MockSwitches(SWITCHES, clock)))


class TestMockTamper(TamperContract):
    bench = pytest.fixture(
        lambda self: MockBench(lambda clock: MockDoors(("door", "cabinet"), ("cabinet",), clock))
    )


class TestMockPanel(PanelContract):
    bench = pytest.fixture(lambda self: MockBench(lambda clock: MockPanel(LAMPS)))
    test_a_lamp_that_it_does_not_have_is_refused = None


class TestMockReader(ReaderContract):
    bench = pytest.fixture(lambda self: MockBench(MockReader))


class TestMockSounder(SounderContract):
    bench = pytest.fixture(lambda self: MockBench(lambda clock: MockSounder()))
