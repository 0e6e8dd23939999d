"""Lamps on shift registers keep the panel's contract, over a simulated chain on gpiozero's mock pins."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gpiozero import Device, OutputDevice
from pydantic import ValidationError
from shift_chain import Chain, ChainFactory

from config.schema import PanelDevice
from contracts.panel import LAMPS, PanelContract
from hal.errors import HalError, LibraryMissingError, UnknownLineError
from hal.gpiozero.factories import MAKERS
from hal.hc595.chain import why_no_spi
from hal.hc595.settings import Hc595Settings
from hal.interfaces import LampPanel
from hal.mock.clock import VirtualClock
from hal.registry import open_device


@dataclass(frozen=True)
class Wiring:
    """Which pins the chain is wired to, and how the table's file says so."""

    clock: int
    data: int
    latch: int
    data_out: int
    options: dict[str, object]


SPI = Wiring(11, 10, 25, 9, {"latch_pin": 25})
CHIP_SELECT = Wiring(11, 10, 8, 9, {"latch_pin": "chip_select"})
CHIP_SELECT_1 = Wiring(11, 10, 7, 9, {"latch_pin": "chip_select", "device": 1})
ANY_PINS = Wiring(5, 6, 13, 19, {"latch_pin": 13, "clock_pin": 5, "data_pin": 6, "data_out_pin": 19})
WIRINGS = {"spi": SPI, "chip-select": CHIP_SELECT, "chip-select-1": CHIP_SELECT_1, "any-pins": ANY_PINS}


class ChainBench:
    """A chain, and the panel that drives it, opened as a table's file says it: every scalar is text."""

    def __init__(self, wiring: Wiring, registers: int, lamps: dict[str, int] = LAMPS, **options: object) -> None:
        self.factory = ChainFactory()
        self.chain = Chain(self.factory, registers, wiring.clock, wiring.data, wiring.latch, wiring.data_out)
        self.lamps = lamps
        self.active_high = bool(options.get("active_high", True))
        self.tells = bool(options.get("read_back", True))
        given = {"registers": registers, **wiring.options, **options}
        if not self.tells:
            given.pop("data_out_pin", None)
        self.options = {key: str(value).lower() for key, value in given.items()}
        self.opened: list[LampPanel] = []

    @property
    def device(self) -> LampPanel:
        if not self.opened:
            lamps = {area: str(number) for area, number in self.lamps.items()}
            section = PanelDevice.model_validate({"backend": "hc595", "lamps": lamps})
            with pytest.MonkeyPatch.context() as patch:
                patch.setitem(MAKERS, "gpiod", lambda chip: self.factory)
                panel = open_device("panel", "hc595", section, self.options, VirtualClock())
            self.opened.append(panel)  # type: ignore[arg-type]
        return self.opened[0]

    def run(self, action: Callable[[], object]) -> object:
        return action()

    def burning(self) -> set[int]:
        assert self.device
        return {number for number, level in enumerate(self.chain.outputs) if level == self.active_high}

    def show(self, *areas: str) -> None:
        self.device.show(frozenset(areas))

    def close(self) -> None:
        for panel in self.opened:
            panel.close()


Make = Callable[..., ChainBench]


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes benches, and closes them."""
    made: list[ChainBench] = []
    globally = Device.pin_factory

    def make(wiring: Wiring = SPI, registers: int = 2, **options: object) -> ChainBench:
        made.append(ChainBench(wiring, registers, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for bench in made:
        bench.close()
    assert Device.pin_factory is globally, "the global factory was used"


@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=WIRINGS)
@pytest.mark.parametrize("registers", [2, 7])
class TestReadBack(PanelContract):
    @pytest.fixture
    def bench(self, make: Make, wiring: Wiring, registers: int) -> ChainBench:
        return make(wiring, registers)


@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=WIRINGS)
class TestNoReadBack(PanelContract):
    @pytest.fixture
    def bench(self, make: Make, wiring: Wiring) -> ChainBench:
        return make(wiring, read_back=False)


class TestActiveLow(PanelContract):
    @pytest.fixture
    def bench(self, make: Make) -> ChainBench:
        return make(active_high=False)


# -- the order of the bits ---------------------------------------------------------------------------------


@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=WIRINGS)
@pytest.mark.parametrize("registers", [1, 2, 7])
def test_output_n_is_bit_n_from_the_register_nearest_to_the_pi(make: Make, wiring: Wiring, registers: int) -> None:
    outputs = range(registers * 8)
    bench = make(wiring, registers, lamps={f"area-{number}": number for number in outputs})
    for number in outputs:
        bench.show(f"area-{number}")
        assert [place for place, level in enumerate(bench.chain.outputs) if level] == [number]
        assert bench.device.read_back() == {f"area-{number}"}


def test_the_lowest_output_is_qa_of_the_first_register_and_the_highest_qh_of_the_last(make: Make) -> None:
    """Stages are numbered as the registers' pins are: 0 is QA next to the Pi, 15 the last QH."""
    bench = make(registers=2, lamps={"first": 0, "last": 15})
    bench.show()
    sent: list[bool] = []
    clock, data = bench.factory.pin(SPI.clock), bench.factory.pin(SPI.data)
    clock.on_edge.append(lambda rises: sent.append(bool(data.state)) if rises else None)
    bench.show("last")
    assert sent == [True] + [False] * 15, "the highest output goes first"
    assert bench.chain.outputs == [False] * 15 + [True]
    sent.clear()
    bench.show("first")
    assert sent == [False] * 15 + [True]
    assert bench.chain.outputs == [True] + [False] * 15


def test_outputs_without_a_lamp_are_off(make: Make) -> None:
    for active_high in (True, False):
        bench = make(registers=7, active_high=active_high)
        bench.show("1", "total-17")
        assert bench.burning() == {0, 15}
        assert bench.chain.outputs.count(active_high) == 2
        bench.close()


# -- faults ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=WIRINGS)
@pytest.mark.parametrize("wire", ["data", "clock", "data-out", 0])
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("areas", [(), ("1", "total-4"), tuple(LAMPS)])
def test_a_broken_wire_is_reported_whichever_lamps_are_lit(
    make: Make, wiring: Wiring, wire: str | int, floating: bool, areas: tuple[str, ...]
) -> None:
    bench = make(wiring)
    bench.show(*areas)
    bench.chain.break_wire(wire, floating)
    bench.show(*areas)
    with pytest.raises(HalError, match=r"lamp chain: data-out reads .*; check the wires data, clock and data-out"):
        bench.device.read_back()
    bench.chain.repair()
    bench.show(*areas)
    assert bench.burning() == {LAMPS[area] for area in areas}
    assert bench.device.read_back() == set(areas)


@pytest.mark.parametrize(("floating", "reads"), [(False, "all zeros"), (True, "all ones")])
def test_a_broken_data_out_wire_is_reported_with_what_it_reads(make: Make, floating: bool, reads: str) -> None:
    bench = make()
    bench.show("1")
    bench.chain.break_wire("data-out", floating)
    with pytest.raises(HalError, match=f"data-out reads {reads}; .*write read_back: false"):
        bench.device.read_back()
    assert bench.burning() == {0}, "the lamps are right all the same"


def test_a_bit_flipped_by_a_spike_is_reported_by_its_area(make: Make) -> None:
    bench = make()
    bench.show("1")
    bench.chain.disturb(LAMPS["big"])
    bench.chain.disturb(LAMPS["1"])
    assert bench.device.read_back() == {"big"}
    assert bench.device.read_back() == {"1"}, "the frame was shifted in anew"


def test_a_bit_without_a_lamp_is_no_area(make: Make) -> None:
    bench = make()
    bench.show("1")
    bench.chain.disturb(5)
    assert bench.device.read_back() == {"1"}


def test_read_back_cannot_see_a_broken_latch_wire(make: Make) -> None:
    """The chain holds what it should; the outputs do not follow, and nothing leads back from them."""
    bench = make()
    bench.show("1")
    bench.chain.break_wire("latch", floating=False)
    bench.show("2")
    assert bench.burning() == {0}
    assert bench.device.read_back() == {"2"}


@pytest.mark.parametrize("wiring", [SPI, ANY_PINS], ids=["spi", "any-pins"])
def test_read_back_does_not_move_the_lamps(make: Make, wiring: Wiring) -> None:
    bench = make(wiring)
    bench.show("1", "big")
    seen: list[list[bool]] = []
    bench.factory.pin(wiring.clock).on_edge.append(lambda _rises: seen.append(list(bench.chain.outputs)))
    assert bench.device.read_back() == {"1", "big"}
    assert all(outputs == bench.chain.outputs for outputs in seen)


def test_a_chain_of_another_length_is_reported(make: Make) -> None:
    for count in (1, 3):
        bench = make(registers=2, lamps={"1": 0, "2": 1})
        bench.options["registers"] = str(count)
        bench.show("1")
        with pytest.raises(HalError, match="there are as many as registers says"):
            bench.device.read_back()
        bench.close()


def test_lamps_stay_as_they_are_when_the_panel_is_closed(make: Make) -> None:
    for wiring in WIRINGS.values():
        bench = make(wiring)
        bench.show("1", "big")
        bench.close()
        assert bench.burning() == {0, 7}


# -- opening -----------------------------------------------------------------------------------------------


def test_a_lamp_beyond_the_chain_is_named(make: Make) -> None:
    bench = make(registers=1)
    message = "lamp 'total-4' is on output 8, but with registers: 1 there are outputs 0 to 7; correct its number"
    with pytest.raises(HalError, match=re.escape(message)):
        assert bench.device


def test_a_lamp_of_another_area_is_not_known(make: Make) -> None:
    with pytest.raises(UnknownLineError, match="no lamp for 40x"):
        make().show("1", "40x")


@pytest.mark.parametrize("pin", [25, 11, 9])
def test_a_pin_in_use_is_named(make: Make, pin: int) -> None:
    bench = make()
    with (
        OutputDevice(pin, pin_factory=bench.factory),
        pytest.raises(HalError, match=f"lamp chain: pin GPIO{pin} is already in use by .*; give each device pins"),
    ):
        assert bench.device
    assert bench.burning() == set(), "once the pin is free, the others are free too"


def test_a_pin_in_use_frees_the_pins_that_were_taken_before_it(make: Make) -> None:
    bench = make(ANY_PINS)
    with OutputDevice(13, pin_factory=bench.factory), pytest.raises(HalError, match="GPIO13 is already in use"):
        assert bench.device
    bench.show("1")
    assert bench.burning() == {0}


def test_software_is_not_taken_where_spi_cannot_be_had(make: Make) -> None:
    bench = make()
    bench.factory.spi_fault = FileNotFoundError("no such device")
    with pytest.raises(HalError, match=r"lamp chain: .*/dev/spidev0\.0"):
        assert bench.device


def test_spi_that_is_not_enabled_says_how(tmp_path: Path) -> None:
    message = str(why_no_spi(tmp_path / "spidev0.0", FileNotFoundError()))
    assert re.search(r"spidev0\.0: SPI is not enabled; .*raspi-config.*dtparam=spi=on", message)


def test_spi_without_permission_names_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "spidev0.0"
    node.touch()
    monkeypatch.setattr("os.access", lambda *_arguments: False)  # As root no file is forbidden.
    assert f"no permission for {node}; run: sudo usermod -aG spi" in str(why_no_spi(node, PermissionError()))


def test_spi_that_cannot_be_opened_says_what_the_system_says(tmp_path: Path) -> None:
    node = tmp_path / "spidev0.0"
    node.touch()
    assert f"{node} cannot be opened (busy)" in str(why_no_spi(node, OSError("busy")))


def test_spi_without_its_library_says_what_to_install(make: Make) -> None:
    bench = make()
    bench.factory.spi_fault = ImportError("failed to import spidev")
    with pytest.raises(
        LibraryMissingError, match=r"^lamp chain: SPI needs spidev: pip install 'table-controller\[pi\]'$"
    ):
        assert bench.device


def test_a_missing_pin_library_says_what_to_install(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_chip: int | None) -> None:
        raise ModuleNotFoundError("No module named 'RPi'", name="RPi")

    monkeypatch.setitem(MAKERS, "rpigpio", missing)
    with pytest.raises(LibraryMissingError, match=r"lamp chain: pin factory rpigpio needs RPi: pip install"):
        assert make(pin_factory="rpigpio").device


def test_pins_that_cannot_be_reached_say_why(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(_chip: int | None) -> None:
        raise OSError("can not open gpiochip")

    monkeypatch.setitem(MAKERS, "rpigpio", unreachable)
    with pytest.raises(HalError, match="lamp chain: pin factory rpigpio: can not open gpiochip; check"):
        assert make(pin_factory="rpigpio").device


def test_a_later_error_of_the_pins_is_reported_and_the_next_lamps_are_shown(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = make()
    bench.show("1")

    def fail(_state: bool) -> None:
        raise OSError("SPI transfer error -1")

    edges = bench.factory.pin(11).on_edge
    edges.append(fail)
    with pytest.raises(HalError, match="lamp chain: SPI transfer error -1; check"):
        bench.show("2")
    edges.remove(fail)
    bench.show("2")
    assert bench.burning() == {1}


# -- what the table's file says ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({}, "latch_pin"),
        ({"latch_pin": 28}, "'28' is neither a pin nor chip_select; write 2 to 27 or chip_select"),
        ({"latch_pin": "ce0"}, "'ce0' is neither a pin nor chip_select"),
        ({"latch_pin": 8}, "latch_pin 8 is SPI0's chip select 0; use another pin, or write chip_select"),
        ({"latch_pin": 25, "port": 1}, "port"),
        ({"latch_pin": 25, "registers": 0}, "registers"),
        ({"latch_pin": 25, "pin_factory": "mocked"}, "pin_factory"),
        ({"latch_pin": 25, "data_pin": 5}, "clock_pin is missing"),
        ({"latch_pin": 25, "clock_pin": 5}, "data_pin is missing"),
        ({"latch_pin": 25, "clock_pin": 5, "data_pin": 6}, "read_back and data_out_pin do not agree"),
        ({**ANY_PINS.options, "read_back": False}, "read_back and data_out_pin do not agree"),
        ({**ANY_PINS.options, "device": 0}, "both SPI0 and clock_pin are given"),
        ({**ANY_PINS.options, "latch_pin": "chip_select"}, "chip_select requires SPI0"),
        ({**ANY_PINS.options, "latch_pin": 5}, "a pin is used twice"),
    ],
)
def test_invalid_settings_are_refused(options: dict[str, object], wrong: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(wrong)):
        Hc595Settings.model_validate({"registers": 2, **options})
