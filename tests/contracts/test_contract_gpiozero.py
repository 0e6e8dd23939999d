"""Backend ``gpiozero`` keeps every contract, on lines as the kernel has them."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from gpio_benches import Bench, ButtonsBench, KeypadBench, PanelBench, SounderBench, SwitchesBench, TamperBench
from gpiod_lines import Lines

from contracts.devices import KeysContract, PanelContract, SounderContract, SwitchesContract, TamperContract


def bench_of(kind: type[Bench], *options: dict[str, object], **common: object) -> Any:
    """A fixture: a bench with each of these options."""

    @pytest.fixture(params=options or [{}], ids=str)
    def bench(self: object, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
        lines = Lines(monkeypatch)
        with closing(kind(lines, **common, **request.param)) as made:
            yield made
        lines.end()

    return bench


class TestButtons(KeysContract):
    bench = bench_of(ButtonsBench, {"pull_up": True}, {"pull_up": False}, bounce_ms=1)


class TestKeypad(KeysContract):
    bench = bench_of(KeypadBench, scan_ms=2)


class TestSwitches(SwitchesContract):
    bench = bench_of(SwitchesBench, {}, {"active": "high"}, {"active_high": ["shaker-done"]}, bounce_ms=1)


class TestTamper(TamperContract):
    other = {"active": "high", "latch_active": "high", "reset_active_high": False}
    bench = bench_of(TamperBench, {}, other, bounce_ms=1, reset_ms=1)


class TestPanel(PanelContract):
    both = [{"tells": tells, "active_high": high} for tells in (False, True) for high in (False, True)]
    bench = bench_of(PanelBench, *both)


class TestSounder(SounderContract):
    bench = bench_of(SounderBench, beep_ms=10)
