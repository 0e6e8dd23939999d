"""The simulated devices keep every contract."""

from collections.abc import Callable
from functools import partial
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
    """A simulated device in virtual time, with hands that move it and eyes on it."""

    tells = True

    def __init__(self, make: Callable[[VirtualClock], Any], **hands: Callable[..., object]) -> None:
        self.clock = VirtualClock()
        self.clock.advance_to(1000)
        self.device = make(self.clock)
        for name, hand in hands.items():
            setattr(self, name, partial(hand, self.device))

    def run(self, action: Callable[[], object]) -> object:
        return action()

    def until(self, condition: Callable[[], bool]) -> None:
        self.clock.advance_to(self.clock.now_ns() + 1_000_000_000)
        assert condition()


def bench_of(make: Callable[[VirtualClock], Any], **hands: Callable[..., object]) -> Any:
    return pytest.fixture(lambda self: MockBench(make, **hands))


class TestMockKeys(KeysContract):
    bench = bench_of(
        lambda clock: MockKeys(CONTROLS, clock),
        press=lambda keys, control: keys.set(control, True),
        release=lambda keys, control: keys.repair(),
    )


class TestMockSwitches(SwitchesContract):
    bench = bench_of(lambda clock: MockSwitches(SWITCHES, clock), turn=MockSwitches.set)


class TestMockTamper(TamperContract):
    bench = bench_of(lambda clock: MockDoors(("door", "cabinet"), ("cabinet",), clock), turn=MockDoors.set)


class TestMockPanel(PanelContract):
    bench = bench_of(lambda clock: MockPanel(LAMPS), burning=lambda panel: {LAMPS[area] for area in panel.lit()})


class TestMockReader(ReaderContract):
    bench = bench_of(MockReader, see=lambda reader, pocket: reader.sees(pocket, POCKETS, 0.5))


class TestMockSounder(SounderContract):
    """It counts its beeps, which take no time."""

    bench = bench_of(lambda clock: MockSounder(), sounds=lambda buzzer: buzzer.beeps, sounding=lambda buzzer: False)
