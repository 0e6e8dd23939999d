"""Lamps on shift registers keep the panel's contract, over a simulated chain."""

import errno
import os
import sys
from collections.abc import Callable
from functools import cached_property, partial
from types import SimpleNamespace

import pytest
from shift_chain import Chain

from config.schema import PanelDevice
from contracts.devices import LAMPS, PanelContract
from hal.errors import HalError
from hal.interfaces import LampPanel
from hal.mock.clock import VirtualClock
from hal.registry import open_device


class ChainBench:
    """A chain, and the panel that drives it, opened as a table's file says it: every scalar is text."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        registers: int = 2,
        lamps: dict[str, int] = LAMPS,
        chain: int = 0,
        **options: object,
    ) -> None:
        self.chain = Chain(chain or registers)
        monkeypatch.setitem(sys.modules, "spidev", SimpleNamespace(SpiDev=lambda: self.chain))
        self._lamps = {area: str(number) for area, number in lamps.items()}
        self.active_high = bool(options.get("active_high", True))
        self.tells = bool(options.get("read_back", True))
        self._options = {key: str(value).lower() for key, value in {"registers": registers, **options}.items()}

    @cached_property
    def device(self) -> LampPanel:
        section = PanelDevice.model_validate({"backend": "hc595", "lamps": self._lamps})
        return open_device("panel", "hc595", section, self._options, VirtualClock())

    def run(self, action: Callable[[], object]) -> object:
        return action()

    def burning(self) -> set[int]:
        assert self.device
        return {number for number, level in enumerate(self.chain.outputs) if level == self.active_high}

    def show(self, *areas: str) -> None:
        self.device.show(frozenset(areas))


Make = Callable[..., ChainBench]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Make:
    return partial(ChainBench, monkeypatch)


@pytest.mark.parametrize(
    "options", [{}, {"registers": 7}, {"device": 1}, {"read_back": False}, {"active_high": False}], ids=str
)
class TestChain(PanelContract):
    bench = pytest.fixture(lambda self, make, options: make(**options))


# -- faults ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", ["data", "clock", "data-out", 0])
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("areas", [(), ("1", "total-4"), tuple(LAMPS)])
def test_a_broken_wire_is_reported_whichever_lamps_are_lit(
    make: Make, wire: str | int, floating: bool, areas: tuple[str, ...]
) -> None:
    bench = make()
    bench.show(*areas)
    bench.chain.break_wire(wire, floating)
    bench.show(*areas)
    reads, remedy = ".*", "; check the wires data, clock and data-out"
    if wire == "data-out":
        assert bench.burning() == {LAMPS[area] for area in areas}, "the lamps are right all the same"
        reads, remedy = "all ones" if floating else "all zeros", "; .*write read_back: false"
    with pytest.raises(HalError, match=f"lamp chain: data-out reads {reads}{remedy}"):
        bench.device.read_back()
    bench.chain.broken.clear()
    bench.show(*areas)
    assert bench.burning() == {LAMPS[area] for area in areas}
    assert bench.device.read_back() == set(areas)


def test_bits_flipped_by_a_spike_are_reported_by_their_areas(make: Make) -> None:
    bench = make()
    bench.show("1")
    for stage in (LAMPS["big"], LAMPS["1"], 5):  # No lamp is on output 5.
        bench.chain.disturb(stage)
    assert bench.device.read_back() == {"big"}
    assert bench.device.read_back() == {"1"}, "the frame was shifted in anew"


@pytest.mark.parametrize("chain", [1, 3])
def test_a_chain_of_another_length_is_reported(make: Make, chain: int) -> None:
    bench = make(chain=chain)
    bench.show("1")
    with pytest.raises(HalError, match="there are as many as registers says"):
        bench.device.read_back()


def test_a_later_error_is_reported_and_the_next_lamps_are_shown(make: Make) -> None:
    bench = make()
    bench.show("1")
    bench.chain.fault = OSError(errno.EIO, os.strerror(errno.EIO))
    with pytest.raises(
        HalError, match=r"lamp chain: the SPI device /dev/spidev0\.0 cannot be used \(Input/output error\)"
    ):
        bench.show("2")
    bench.chain.fault = None
    bench.show("2")
    assert bench.burning() == {1}


# -- opening -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOENT, r"there is no SPI device /dev/spidev0\.0; enable SPI: .*raspi-config.*dtparam=spi=on"),
        (errno.EACCES, r"no permission for the SPI device /dev/spidev0\.0; run: sudo usermod -aG spi"),
    ],
)
def test_why_spi_cannot_be_used(make: Make, number: int, words: str) -> None:
    bench = make()
    bench.chain.fault = OSError(number, os.strerror(number))
    with pytest.raises(HalError, match=words):
        assert bench.device
