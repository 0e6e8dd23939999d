"""Backend ``gpiozero``, on gpiozero's mock pins: every contract, and what its panel and its buzzer do besides."""

from collections.abc import Iterator
from functools import partial

import pytest
from gpio_benches import (
    FEEDBACK_PINS,
    LAMP_PINS,
    Bench,
    ButtonsBench,
    KeypadBench,
    PanelBench,
    SounderBench,
    SwitchesBench,
    TamperBench,
    open_bench,
)
from gpiozero.pins.mock import MockPin

from contracts.keys import KeysContract
from contracts.panel import LAMPS, PanelContract
from contracts.sounder import SounderContract
from contracts.switches import SwitchesContract
from contracts.tamper import TamperContract
from hal.errors import HalError, UnknownLineError


class TestButtons(KeysContract):
    @pytest.fixture(params=[True, False], ids=["to ground", "to 3.3 V"])
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        with open_bench(partial(ButtonsBench, monkeypatch, pull_up=request.param, bounce_ms=1)) as bench:
            yield bench


class TestKeypad(KeysContract):
    @pytest.fixture
    def bench(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
        with open_bench(partial(KeypadBench, monkeypatch, scan_ms=2)) as bench:
            yield bench


class TestSwitches(SwitchesContract):
    @pytest.fixture(
        params=[{}, {"active": "high"}, {"active_high": ["shaker-done"]}],
        ids=["to ground", "to 3.3 V", "one to 3.3 V"],
    )
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        with open_bench(partial(SwitchesBench, monkeypatch, bounce_ms=1, **request.param)) as bench:
            yield bench


class TestTamper(TamperContract):
    @pytest.fixture(
        params=[{}, {"active": "high", "latch_active": "high", "reset_active_high": False}],
        ids=["to ground", "to 3.3 V"],
    )
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        with open_bench(partial(TamperBench, monkeypatch, bounce_ms=1, reset_ms=1, **request.param)) as bench:
            yield bench


def test_a_cut_wire_reads_as_an_open_contact(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_bench(partial(TamperBench, monkeypatch, wired=False)) as bench:
        events: list[object] = []
        bench.run(lambda: bench.device.start(events.append))
        assert events == [], "none is closed"


class TestPanel(PanelContract):
    @pytest.fixture(params=[True, False], ids=["active high", "active low"])
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        with open_bench(partial(PanelBench, monkeypatch, False, request.param)) as bench:
            yield bench


class TestPanelThatTells(PanelContract):
    @pytest.fixture(params=[True, False], ids=["active high", "active low"])
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        with open_bench(partial(PanelBench, monkeypatch, True, request.param)) as bench:
            yield bench


class TestSounder(SounderContract):
    @pytest.fixture
    def bench(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
        with open_bench(partial(SounderBench, monkeypatch, beep_ms=10)) as bench:
            yield bench


def test_a_dark_lamp_and_a_falsely_lit_lamp_are_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_bench(partial(PanelBench, monkeypatch, tells=True)) as bench:
        bench.run(lambda: bench.device.show(frozenset({"1", "big"})))
        bench.pin(FEEDBACK_PINS["1"]).drive_low()
        bench.pin(FEEDBACK_PINS["small"]).drive_high()
        assert bench.run(bench.device.read_back) == {"big", "small"}


def test_a_closed_panel_is_dark_and_refuses_to_show_lamps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_bench(partial(PanelBench, monkeypatch, tells=False)) as bench:
        bench.run(lambda: bench.device.show(frozenset(LAMPS)))
        bench.run(bench.device.close)
        for area, number in LAMP_PINS.items():
            pin = bench.pin(number)
            assert pin.function == "input", area
            assert number in (2, 3) or not pin.state, area  # The board pulls 2 and 3 up.
        with pytest.raises(HalError, match=r"panel: the lamp '2' on pin 3: the device is closed; start"):
            bench.device.show(frozenset({"1"}))


def test_an_area_without_a_lamp_cannot_be_lit(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        open_bench(partial(PanelBench, monkeypatch, tells=False)) as bench,
        pytest.raises(UnknownLineError, match="no lamp 'total-18'"),
    ):
        bench.device.show(frozenset({"1", "total-18"}))


def test_a_beep_lasts_as_long_as_is_set_and_a_beep_during_a_beep_makes_it_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_bench(partial(SounderBench, monkeypatch, virtual=True)) as bench:
        bench.run(bench.device.beep)
        bench.pass_ms(119)
        assert bench.sounding()
        bench.run(bench.device.beep)
        bench.pass_ms(119)
        assert bench.sounding()
        bench.pass_ms(1)
        assert not bench.sounding()
        assert bench.sounds() == 1


def test_a_buzzer_that_fails_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(pin: MockPin, value: bool) -> None:
        raise OSError("input/output error")

    with open_bench(partial(SounderBench, monkeypatch, virtual=True)) as bench:
        monkeypatch.setattr(MockPin, "_set_state", fails)
        bench.run(bench.device.beep)
        assert "sounder: the buzzer on pin 12: input/output error" in caplog.text
