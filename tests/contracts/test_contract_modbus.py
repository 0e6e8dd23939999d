"""Lamps on Modbus modules keep the panel's contract, on a line with pymodbus's own server at its other end."""

import os
import termios
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from modbus_peer import Peer
from modbus_time import LineTime
from pydantic import ValidationError
from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU

from config.schema import PanelDevice
from contracts.devices import LAMPS, PanelContract
from hal.errors import HalError
from hal.interfaces import LampPanel
from hal.mock.clock import VirtualClock
from hal.modbus import ModbusSettings
from hal.registry import open_device

TWO = [{"unit": 7, "outputs": 8}, {"unit": 3, "outputs": 16, "first_coil": 16}]
"""Two modules; the second has its lamps from coil 16 on. Outputs 0 to 7 and 8 to 23."""


def open_panel(
    peer: Peer, units: list[dict[str, int]], lamps: dict[str, int] = LAMPS, **options: object
) -> LampPanel:
    """A panel as a table's file says it: every scalar is text."""
    section = PanelDevice.model_validate(
        {"backend": "modbus", "lamps": {area: str(n) for area, n in lamps.items()}}
    )
    texts = [{key: str(value) for key, value in unit.items()} for unit in units]
    settings = {"port": str(peer.port), "units": texts, **{key: str(value) for key, value in options.items()}}
    return open_device("panel", "modbus", section, settings, VirtualClock())


class ModbusBench:
    tells = True

    def __init__(self, peer: Peer, units: list[dict[str, int]], **options: object) -> None:
        self.peer = peer
        self.units = units
        self.device = open_panel(peer, units, **options)

    def run(self, action: Callable[[], object]) -> object:
        return action()

    def burning(self) -> set[int]:
        """The outputs whose coils are on. (A coil that belongs to no output has a test of its own.)"""
        on, first = set(), 0
        for unit in self.units:
            start = unit.get("first_coil", 0)
            coils = self.peer.coils(unit["unit"]) & set(range(start, start + unit["outputs"]))
            on |= {first + coil - start for coil in coils}
            first += unit["outputs"]
        return on

    def show(self, *areas: str) -> None:
        self.device.show(frozenset(areas))

    def burn(self, *areas: str) -> bool:
        """Whether these areas are lit, and only these, at the outputs and in the panel's read-back."""
        expected = frozenset(areas)
        return self.burning() == {LAMPS[area] for area in expected} and self.device.read_back() == expected


Make = Callable[..., ModbusBench]


@pytest.fixture(autouse=True)
def line_time(monkeypatch: pytest.MonkeyPatch) -> LineTime:
    return LineTime(monkeypatch)


@pytest.fixture
def peer(tmp_path: Path) -> Iterator[Peer]:
    peer = Peer(tmp_path, {1: 32, 3: 32, 5: 1100, 7: 16})
    yield peer
    peer.close()


@pytest.fixture
def make(peer: Peer) -> Iterator[Make]:
    """Makes panels of two modules, if no others are given, and closes them."""
    with ExitStack() as stack:

        def make(units: list[dict[str, int]] = TWO, **options: object) -> ModbusBench:
            made = ModbusBench(peer, units, **options)
            stack.callback(made.device.close)
            return made

        yield make


@pytest.fixture
def two(make: Make) -> ModbusBench:
    return make()


def frame(unit: int, message: bytes) -> bytes:
    """A frame as a module sends it, with its check."""
    return FramerRTU(DecodePDU(False)).encode(message, unit, 0)


class TestOneModule(PanelContract):
    bench = pytest.fixture(lambda self, make: make([{"unit": 1, "outputs": 16}]))


class TestTwoModules(PanelContract):
    bench = pytest.fixture(lambda self, two: two)


def test_only_modules_whose_coils_change_are_written(two: ModbusBench) -> None:
    two.show("1")
    two.show("2")
    two.show("2", "total-4")
    two.show("2", "total-4")
    assert two.peer.requests == [(7, 15), (3, 15), (7, 15), (3, 15)]


def test_one_module_may_be_listed_twice_with_different_coils(make: Make) -> None:
    """The answer to the one write is not taken for that to the other."""
    bench = make([{"unit": 1, "outputs": 8}, {"unit": 1, "outputs": 8, "first_coil": 16}], retries=0)
    bench.show("big", "total-4")
    assert bench.peer.coils(1) == {7, 16}
    assert bench.burn("big", "total-4")
    bench.peer.spoils += [lambda answer: answer, lambda answer: frame(1, b"\x0f\x00\x00\x00\x08")]
    with pytest.raises(HalError, match=r"coils 16 to 23\) cannot be understood"):
        bench.show("1", "total-17")


# -- modules that fail -------------------------------------------------------------------------------------


def test_a_module_without_power_is_named_and_the_other_one_still_shows_what_it_should(two: ModbusBench) -> None:
    peer = two.peer
    two.show("1", "total-17")
    peer.cut_power(7)
    with pytest.raises(
        HalError, match=rf"{peer.port}: module 7 .*does not answer: check its power, its wires A and B"
    ):
        two.show("2")
    assert two.burning() == set(), "the other module's lamp went out"
    with pytest.raises(HalError, match=r"module 7 .*does not answer"):
        two.device.read_back()
    peer.restore_power(7)
    two.show("2")
    assert two.burn("2")


@pytest.mark.parametrize(
    ("babbles", "words"),
    [
        (False, "module 7 .*; module 3 "),
        (True, "module 7 .*cannot be understood: check that no two modules have its address"),
    ],
    ids=["silent", "never silent"],
)
def test_a_line_without_an_answer_is_reported_in_bounded_time(
    two: ModbusBench, line_time: LineTime, babbles: bool, words: str
) -> None:
    two.peer.unpowered |= {3, 7}
    if babbles:
        two.peer.babble()
    before_s = line_time.now_s
    with pytest.raises(HalError, match=words):
        two.show("1")
    assert line_time.now_s - before_s < 0.3 + 0.1, "100 ms each, one repetition in all, and the frames"
    assert two.peer.requests == [(7, 15), (7, 15), (3, 15)]


def test_a_module_that_refuses_is_named_with_the_reason(two: ModbusBench) -> None:
    two.peer.busy.add(3)
    with pytest.raises(HalError, match=r"module 3 \(coils 16 to 31\) refuses with Modbus exception 6: it is busy"):
        two.show("1", "total-4")
    two.peer.busy.clear()
    assert two.device.read_back() == {"1"}, "the module that does not refuse was written"
    two.show("1", "total-4")
    assert two.burn("1", "total-4")


def test_coils_that_a_module_does_not_have_are_named(make: Make) -> None:
    with pytest.raises(HalError, match=r"coils 500 to 515\) refuses .*check outputs and first_coil"):
        make([{"unit": 1, "outputs": 16, "first_coil": 500}]).show("1")


# -- a bad line --------------------------------------------------------------------------------------------


NOISE = (
    b"\x00",
    b"\xff\x80\x07",
    bytes(range(40)),
    b"\x07\x0f",
    b"\x07\x01\xff",
    frame(7, b"\x0f\x00\x00\x00\x08"),
)
"""The last is an answer to an earlier request."""


@pytest.mark.parametrize("noise", [None, *NOISE])
def test_noise_before_an_answer_and_its_loss_do_not_reach_the_lamps(two: ModbusBench, noise: bytes | None) -> None:
    def spoiled(answer: bytes) -> bytes:
        return b"" if noise is None else noise + answer

    two.peer.spoils.append(spoiled)
    two.show("1", "total-4")
    two.peer.spoils.append(spoiled)
    assert two.burn("1", "total-4")


@pytest.mark.parametrize("late_s", [0.125, 0.13, 0.15, 0.2, 0.3, 0.5])
def test_an_answer_that_comes_after_its_timeout_never_tells_of_another_request(make: Make, late_s: float) -> None:
    bench = make([{"unit": 1, "outputs": 16}])
    bench.show("1")
    bench.peer.late_s = late_s
    for on in (False, True) * 3:
        bench.peer.set_coil(1, LAMPS["1"], on)
        with suppress(HalError):
            assert bench.device.read_back() == ({"1"} if on else set())
    bench.peer.late_s = 0.0
    bench.device.read_back()
    assert bench.device.read_back() == {"1"}


@pytest.mark.parametrize("first_coil", [0, 0x2F0, 0x300, 0x310, 0x400])
@pytest.mark.parametrize("outputs", [8, 17, 24, 25])
def test_the_echo_of_an_adapter_is_not_an_answer(peer: Peer, first_coil: int, outputs: int) -> None:
    """Coils from 0x300 on: the request to read 24 of them is a valid answer of three bytes, with its check."""
    lamps = {"a": 0, "b": outputs - 1}
    panel = open_panel(peer, [{"unit": 5, "outputs": outputs, "first_coil": first_coil}], lamps)
    panel.show(frozenset("a"))
    peer.pull()
    with pytest.raises(HalError):
        panel.read_back()
    peer.plug()
    peer.echoes = True  # Another adapter.
    assert panel.read_back() == {"a"}
    for areas in ({"a"}, {"b"}, set(), {"a", "b"}):
        panel.show(frozenset(areas))
        assert panel.read_back() == areas
    peer.unpowered.add(5)
    with pytest.raises(HalError, match="does not answer: check its power"):
        panel.read_back()
    panel.close()


def test_after_a_lost_answer_all_modules_are_written_anew(make: Make) -> None:
    bench = make(retries=0)
    bench.show("total-4")
    bench.peer.spoils += [lambda answer: b""] * 2
    with pytest.raises(HalError, match="module 7"):
        bench.show("1", "total-4")
    bench.peer.spoils.clear()
    bench.peer.set_coil(3, 16, False)
    bench.show("1", "total-4")
    assert bench.burn("1", "total-4")


def test_the_line_is_silent_between_frames(make: Make) -> None:
    bench = make(baud_rate=9600)
    for areas in (("1", "total-4"), ("2", "total-17"), ()):
        bench.show(*areas)
        bench.device.read_back()
    assert len(bench.peer.pauses_s) == 11
    assert min(bench.peer.pauses_s) >= 3.5 * 11 / 9600, "3.5 characters of 11 bits"


# -- other writers -----------------------------------------------------------------------------------------


def test_a_coil_without_a_lamp_is_no_area_and_is_put_out(two: ModbusBench) -> None:
    for coil in (3, 4):
        two.peer.set_coil(7, coil, True)
    two.show("1")
    assert two.burn("1")
    two.peer.set_coil(3, 20, True)
    assert two.device.read_back() == {"1"}, "it is no area"
    two.show("1")
    assert two.burn("1")


def test_lamps_of_a_module_that_lost_power_are_found_dark_and_lit_again(two: ModbusBench) -> None:
    two.show("1", "total-4")
    two.peer.cut_power(7)
    two.peer.restore_power(7)
    assert two.device.read_back() == {"total-4"}
    two.show("1", "total-4")
    assert two.burn("1", "total-4")


# -- the port ----------------------------------------------------------------------------------------------


def test_the_panel_works_again_when_a_pulled_cable_is_plugged_in(two: ModbusBench) -> None:
    two.show("1", "total-4")
    two.peer.pull()
    with pytest.raises(HalError, match=rf"module 7 .*the port {two.peer.port} is gone; check the adapter"):
        two.show("2")
    for call in (lambda: two.show("2"), two.device.read_back):
        with pytest.raises(HalError, match=rf"module 7 .*there is no port {two.peer.port}; plug"):
            call()
    two.peer.set_coil(3, 17, True)
    two.peer.plug()
    two.show("2")
    assert two.burn("2"), "also the module is written whose coils were right before"


def test_a_port_that_is_missing_or_none_is_named(peer: Peer) -> None:
    peer.pull()
    with pytest.raises(HalError, match=rf"^lamp panel: there is no port {peer.port}; plug in the RS-485 adapter"):
        ModbusBench(peer, TWO)
    peer.port.write_text("no port")
    with pytest.raises(HalError, match=rf"the port {peer.port} cannot be used"):
        ModbusBench(peer, TWO)


def test_the_port_is_set_as_the_file_says(make: Make) -> None:
    bench = make(baud_rate=9600, parity="none")
    descriptor = os.open(bench.peer.port, os.O_RDWR | os.O_NOCTTY)
    _, _, flags, _, speed, _, _ = termios.tcgetattr(descriptor)
    os.close(descriptor)
    assert speed == termios.B9600
    assert flags & termios.CSTOPB, "two stop bits where there is no parity"


# -- what the table's file says ------------------------------------------------------------------------------


def test_a_coil_is_no_two_outputs() -> None:
    units = [{"unit": 1, "outputs": 8}, {"unit": 1, "outputs": 8, "first_coil": 7}]
    with pytest.raises(ValidationError, match="coils of unit 1 are listed twice; give each module an address"):
        ModbusSettings.model_validate({"port": "/dev/ttyUSB0", "units": units})
