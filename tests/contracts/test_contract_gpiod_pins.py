"""Backend ``gpiozero`` on pin factory ``gpiod``: every contract, on lines as the kernel has them."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from gpio_benches import (
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
    open_bench,
)
from gpiod_lines import HandledFactory, Lines, MatrixLines
from keypad_wires import joined_columns

from contracts.keys import KeysContract
from contracts.panel import PanelContract
from contracts.sounder import SounderContract
from contracts.switches import SwitchesContract


class OnLines:
    """Puts a bench on lines, which are all released at its end."""

    lines: Lines

    def make_pins(self) -> HandledFactory:
        return HandledFactory(self.lines)


def on_lines(kind: type[Bench], monkeypatch: pytest.MonkeyPatch, **options: object) -> Iterator[Bench]:
    """A bench of a kind on lines."""
    yield from opened(kind, Lines(monkeypatch), monkeypatch, **options)


def opened(kind: type[Bench], lines: Lines, monkeypatch: pytest.MonkeyPatch, **options: object) -> Iterator[Bench]:
    made = type(kind.__name__, (OnLines, kind), {"lines": lines})
    with open_bench(partial(made, monkeypatch, **options)) as bench:
        yield bench
    assert not lines.requests, "the device gave all lines back"
    bench.factory.close()


class TestButtons(KeysContract):
    @pytest.fixture(params=[True, False], ids=["to ground", "to 3.3 V"])
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        yield from on_lines(ButtonsBench, monkeypatch, pull_up=request.param, bounce_ms=1)


class Keypad(KeypadBench):
    """A keypad whose keys join lines. ``down`` holds those that are pressed, by row and column."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, down: set[tuple[int, int]], **options: object) -> None:
        super().__init__(monkeypatch, **options)  # type: ignore[arg-type]
        self.factory.down = down


class TestKeypad(KeysContract):
    @pytest.fixture
    def bench(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
        down: set[tuple[int, int]] = set()

        def joined(column: int) -> Callable[[set[int]], bool]:
            return lambda low: any(column in joined_columns(down, ROWS.index(row)) for row in low)

        lines = MatrixLines(monkeypatch, {pin: joined(column) for column, pin in enumerate(COLUMNS)})
        yield from opened(Keypad, lines, monkeypatch, down=down, scan_ms=2)


class TestSwitches(SwitchesContract):
    @pytest.fixture(
        params=[{}, {"active": "high"}, {"active_high": ["shaker-done"]}],
        ids=["to ground", "to 3.3 V", "one to 3.3 V"],
    )
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        yield from on_lines(SwitchesBench, monkeypatch, bounce_ms=1, **request.param)


class TestPanel(PanelContract):
    @pytest.fixture(params=[True, False], ids=["active high", "active low"])
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        yield from on_lines(PanelBench, monkeypatch, tells=False, active_high=request.param)


class TestPanelThatTells(PanelContract):
    @pytest.fixture(params=[True, False], ids=["active high", "active low"])
    def bench(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        lines = Lines(monkeypatch)
        lines.wires = {pin: LAMP_PINS[area] for area, pin in FEEDBACK_PINS.items()}
        yield from opened(PanelBench, lines, monkeypatch, tells=True, active_high=request.param)


class HeardBuzzer(SounderBench):
    """A buzzer whose beeps are read from its line's history."""

    lines: Lines

    def sounds(self) -> int:
        return sum(self.lines.history.get(12, []))

    def sounding(self) -> bool:
        return self.lines.level(12)


class TestSounder(SounderContract):
    @pytest.fixture
    def bench(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
        yield from on_lines(HeardBuzzer, monkeypatch, beep_ms=10)
