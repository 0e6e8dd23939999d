"""The simulated devices keep every contract."""

from collections.abc import Callable

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
    """Virtual time for a simulated device."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.clock.advance_to(1000)

    def run(self, action: Callable[[], object]) -> object:
        return action()

    def until(self, condition: Callable[[], bool]) -> None:
        self.clock.advance_to(self.clock.now_ns() + 1_000_000_000)
        assert condition()


class MockKeysBench(MockBench):
    def __init__(self) -> None:
        super().__init__()
        self.device = MockKeys(CONTROLS, self.clock)

    def press(self, control: str) -> None:
        self.device.set(control, True)

    def release(self, control: str) -> None:
        self.device.repair()


class MockSwitchesBench(MockBench):
    def __init__(self) -> None:
        super().__init__()
        self.device = MockSwitches(SWITCHES, self.clock)

    def turn(self, switch: str, closed: bool) -> None:
        self.device.set(switch, closed)


class MockTamperBench(MockBench):
    def __init__(self) -> None:
        super().__init__()
        self.device = MockDoors(("door", "cabinet"), ("cabinet",), self.clock)

    def turn(self, contact: str, closed: bool) -> None:
        self.device.set(contact, closed)


class MockPanelBench(MockBench):
    tells = True

    def __init__(self) -> None:
        super().__init__()
        self.device = MockPanel(LAMPS)

    def burning(self) -> set[int]:
        return {LAMPS[area] for area in self.device.lit()}


class MockReaderBench(MockBench):
    def __init__(self) -> None:
        super().__init__()
        self.device = MockReader(self.clock)

    def see(self, pocket: str) -> None:
        self.device.sees(pocket, POCKETS, 0.5)


class MockSounderBench(MockBench):
    """It counts its beeps, which take no time."""

    def __init__(self) -> None:
        super().__init__()
        self.device = MockSounder()

    def sounds(self) -> int:
        return self.device.beeps

    def sounding(self) -> bool:
        return False


class TestMockKeys(KeysContract):
    bench = pytest.fixture(lambda self: MockKeysBench())


class TestMockSwitches(SwitchesContract):
    bench = pytest.fixture(lambda self: MockSwitchesBench())


class TestMockTamper(TamperContract):
    bench = pytest.fixture(lambda self: MockTamperBench())


class TestMockPanel(PanelContract):
    bench = pytest.fixture(lambda self: MockPanelBench())


class TestMockReader(ReaderContract):
    bench = pytest.fixture(lambda self: MockReaderBench())


class TestMockSounder(SounderContract):
    bench = pytest.fixture(lambda self: MockSounderBench())
