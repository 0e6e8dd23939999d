"""Backend ``gpiozero``: every contract on lines as the kernel has them, and its panel, buzzer and buttons
besides."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from gpio_benches import (
    BUTTONS,
    COLUMNS,
    FEEDBACK_PINS,
    LAMP_PINS,
    ROWS,
    Bench,
    ButtonsBench,
    KeypadBench,
    PanelBench,
    SounderBench,
    SwitchesBench,
    TamperBench,
    open_bench,
)
from gpiod_lines import HandledFactory, Lines, MatrixLines
from gpiozero.pins.mock import MockPin
from keypad_wires import joined_columns

from contracts.keys import KeysContract
from contracts.panel import LAMPS, PanelContract
from contracts.sounder import SounderContract
from contracts.switches import SwitchesContract
from contracts.tamper import TamperContract
from hal.errors import HalError, UnknownLineError
from hal.events import KeyEvent

Patch = pytest.MonkeyPatch


class OnLines:
    """Puts a bench on lines, which are all released at its end."""

    lines: Lines

    def make_pins(self) -> HandledFactory:
        return HandledFactory(self.lines)


def on_lines(kind: type[Bench], patch: Patch, lines: Lines | None = None, **options: object) -> Iterator[Bench]:
    lines = lines or Lines(patch)
    made = type(kind.__name__, (OnLines, kind), {"lines": lines})
    with open_bench(partial(made, patch, **options)) as bench:
        yield bench
    assert not lines.requests, "the device gave all lines back"
    bench.factory.close()


class TestButtons(KeysContract):
    @pytest.fixture(params=[True, False], ids=["to ground", "to 3.3 V"])
    def bench(self, monkeypatch: Patch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        yield from on_lines(ButtonsBench, monkeypatch, pull_up=request.param, bounce_ms=1)


class Keypad(KeypadBench):
    """A keypad whose keys join lines. ``down`` holds those that are pressed, by row and column."""

    def __init__(self, monkeypatch: Patch, down: set[tuple[int, int]], **options: object) -> None:
        super().__init__(monkeypatch, **options)  # type: ignore[arg-type]
        self.factory.down = down


class TestKeypad(KeysContract):
    @pytest.fixture
    def bench(self, monkeypatch: Patch) -> Iterator[Bench]:
        down: set[tuple[int, int]] = set()

        def joined(column: int) -> Callable[[set[int]], bool]:
            return lambda low: any(column in joined_columns(down, ROWS.index(row)) for row in low)

        lines = MatrixLines(monkeypatch, {pin: joined(column) for column, pin in enumerate(COLUMNS)})
        yield from on_lines(Keypad, monkeypatch, lines, down=down, scan_ms=2)


class TestSwitches(SwitchesContract):
    @pytest.fixture(
        params=[{}, {"active": "high"}, {"active_high": ["shaker-done"]}],
        ids=["to ground", "to 3.3 V", "one to 3.3 V"],
    )
    def bench(self, monkeypatch: Patch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        yield from on_lines(SwitchesBench, monkeypatch, bounce_ms=1, **request.param)


class TestTamper(TamperContract):
    @pytest.fixture(
        params=[{}, {"active": "high", "latch_active": "high", "reset_active_high": False}],
        ids=["to ground", "to 3.3 V"],
    )
    def bench(self, monkeypatch: Patch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        with open_bench(partial(TamperBench, monkeypatch, bounce_ms=1, reset_ms=1, **request.param)) as bench:
            yield bench


class TestPanel(PanelContract):
    @pytest.fixture(params=[True, False], ids=["active high", "active low"])
    def bench(self, monkeypatch: Patch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        yield from on_lines(PanelBench, monkeypatch, tells=False, active_high=request.param)


class TestPanelThatTells(PanelContract):
    @pytest.fixture(params=[True, False], ids=["active high", "active low"])
    def bench(self, monkeypatch: Patch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        lines = Lines(monkeypatch)
        lines.wires = {pin: LAMP_PINS[area] for area, pin in FEEDBACK_PINS.items()}
        yield from on_lines(PanelBench, monkeypatch, lines, tells=True, active_high=request.param)


class HeardBuzzer(SounderBench):
    """A buzzer whose beeps are read from its line's history."""

    lines: Lines

    def sounds(self) -> int:
        return sum(self.lines.history.get(12, []))

    def sounding(self) -> bool:
        return self.lines.level(12)


class TestSounder(SounderContract):
    @pytest.fixture
    def bench(self, monkeypatch: Patch) -> Iterator[Bench]:
        yield from on_lines(HeardBuzzer, monkeypatch, beep_ms=10)


def test_two_edges_that_come_late_and_together_are_a_press(monkeypatch: Patch) -> None:
    """The loop that reads them was held up: the kernel's stamps say that the key was down for 120 ms."""
    lines, pressed_ms = Lines(monkeypatch), 1000
    for bench in on_lines(ButtonsBench, monkeypatch, lines, virtual=True, bounce_ms=10):
        events: list[KeyEvent] = []
        bench.run(lambda bench=bench, events=events: bench.device.start(events.append))
        bench.pass_ms(500)
        for high, at_ms in ((False, pressed_ms), (True, pressed_ms + 120)):
            lines.requests[BUTTONS["1"]].saw(high, at_ms * 1_000_000)
        bench.until(lambda events=events: len(events) > 0)
        bench.pass_ms(10)
        assert events == [KeyEvent("1", True, 1_000_000_000), KeyEvent("1", False, 1_120_000_000)]


def test_a_cut_wire_reads_as_an_open_contact(monkeypatch: Patch) -> None:
    with open_bench(partial(TamperBench, monkeypatch, wired=False)) as bench:
        events: list[object] = []
        bench.run(lambda: bench.device.start(events.append))
        assert events == [], "none is closed"


def test_a_dark_lamp_and_a_falsely_lit_lamp_are_read_back(monkeypatch: Patch) -> None:
    with open_bench(partial(PanelBench, monkeypatch, tells=True)) as bench:
        bench.run(lambda: bench.device.show(frozenset({"1", "big"})))
        bench.pin(FEEDBACK_PINS["1"]).drive_low()
        bench.pin(FEEDBACK_PINS["small"]).drive_high()
        assert bench.run(bench.device.read_back) == {"big", "small"}


def test_a_closed_panel_is_dark_and_refuses_to_show_lamps(monkeypatch: Patch) -> None:
    with open_bench(partial(PanelBench, monkeypatch, tells=False)) as bench:
        bench.run(lambda: bench.device.show(frozenset(LAMPS)))
        bench.run(bench.device.close)
        for area, number in LAMP_PINS.items():
            pin = bench.pin(number)
            assert pin.function == "input", area
            assert number in (2, 3) or not pin.state, area  # The board pulls 2 and 3 up.
        with pytest.raises(HalError, match=r"panel: the lamp '2' on pin 3: the device is closed; start"):
            bench.device.show(frozenset({"1"}))
        with pytest.raises(UnknownLineError, match="no lamp 'total-18'"):
            bench.device.show(frozenset({"1", "total-18"}))


def test_a_beep_lasts_as_long_as_is_set_and_a_beep_during_a_beep_makes_it_longer(monkeypatch: Patch) -> None:
    with open_bench(partial(SounderBench, monkeypatch, virtual=True)) as bench:
        bench.run(bench.device.beep)
        bench.pass_ms(119)
        bench.run(bench.device.beep)
        bench.pass_ms(119)
        assert bench.sounding()
        bench.pass_ms(1)
        assert not bench.sounding()
        assert bench.sounds() == 1


def test_a_buzzer_that_fails_stops_nothing(monkeypatch: Patch, caplog: pytest.LogCaptureFixture) -> None:
    def fails(pin: MockPin, value: bool) -> None:
        raise OSError("input/output error")

    with open_bench(partial(SounderBench, monkeypatch, virtual=True)) as bench:
        monkeypatch.setattr(MockPin, "_set_state", fails)
        bench.run(bench.device.beep)
        assert "sounder: the buzzer on pin 12: input/output error" in caplog.text
