"""What is installed is compared while the table plays, beside its loop: a difference is on record and shown."""

import asyncio
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from sealed_installation import install, started

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import shipped_tables
from controller.events.effect import Alert, Note
from controller.events.event import Event, Health, SensorHealth
from controller.events.health import SOFTWARE
from controller.runtime import software_watch
from controller.runtime.software_watch import NAMED, SoftwareWatch, detail_of
from controller.viewmodel.health import DeviceList
from hal.clock import LoopClock

CHANGED = "lib/python3.11/site-packages/h11/_state.py: changed"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software_watch, "FIRST_S", 0.0)


def says(program: str) -> list[str]:
    return [sys.executable, "-c", program]


async def reported(command: list[str], count: int = 1) -> list[Event]:
    """The first events of a watch."""
    found: list[Event] = []
    there = asyncio.Event()

    def take(events: Iterable[Event]) -> None:
        found.extend(events)
        if len(found) >= count:
            there.set()

    watch = SoftwareWatch(LoopClock(), take, command)
    watch.start()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await there.wait()
    finally:
        watch.close()
    return found


@pytest.mark.parametrize(
    ("program", "detail"),
    [
        (f"print('\"{CHANGED}\"')", CHANGED),
        ("import sys; sys.exit('a: changed')", "it cannot be compared: a: changed"),
        ("import os; os._exit(3)", "it cannot be compared: the process for it ended with 3"),
        ("print('[1]')", "it cannot be compared: its answer makes no sense"),
        ("print('no json')", "it cannot be compared: Expecting value"),
        ("", "it cannot be compared: Expecting value"),
    ],
)
def test_what_differs_or_cannot_be_compared_is_reported(program: str, detail: str) -> None:
    (event,) = asyncio.run(reported(says(program)))
    assert isinstance(event, SensorHealth)
    assert (event.sensor, event.health) == (SOFTWARE, Health.DEGRADED)
    assert event.detail.startswith(detail)


def test_a_process_that_cannot_be_started_is_reported() -> None:
    (event,) = asyncio.run(reported(["/nonexistent/python"]))
    assert isinstance(event, SensorHealth)
    assert event.detail.startswith("it cannot be compared: ")


def test_one_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software_watch, "PATIENCE_S", 0.05)
    (event,) = asyncio.run(reported(says("import time; time.sleep(1000)")))
    assert isinstance(event, SensorHealth)
    assert event.detail == "it cannot be compared: that took too long"


def test_it_looks_again_and_says_when_all_is_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Said once, however often it is found; an installation that is in order says nothing."""
    monkeypatch.setattr(software_watch, "EVERY_S", 0.0)
    program = (
        f"import pathlib; file = pathlib.Path({str(tmp_path / 'looks')!r})\n"
        "looks = len(file.read_text()) if file.exists() else 0\n"
        "file.write_text('x' * (looks + 1))\n"
        f"print('\"{CHANGED}\"' if 2 <= looks < 4 else '\"\"')"
    )
    events = asyncio.run(reported(says(program), 2))
    assert [(event.health, event.detail) for event in events if isinstance(event, SensorHealth)] == [
        (Health.DEGRADED, CHANGED),
        (Health.OK, ""),
    ]
    assert len((tmp_path / "looks").read_text()) >= 5


def test_a_fault_names_some_files_and_counts_the_rest() -> None:
    assert detail_of([]) == ""
    assert detail_of([CHANGED]) == CHANGED
    many = detail_of([f"{'x' * 1000}{number}" for number in range(1000)])
    assert many.endswith(f"; and {1000 - NAMED} more")
    assert len(many) < 1200


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_the_dealer_sees_it_and_the_game_goes_on(shipped: Callable[[str], TableConfig], game: str) -> None:
    table = Rig(shipped(game))
    state = table.state
    table.table.take([SensorHealth(table.clock.now_ns(), SOFTWARE, Health.DEGRADED, CHANGED)])
    (alert,) = [effect for effect in table.records()[-1].effects if isinstance(effect, Alert)]
    assert alert.text == f"the software is not what was installed: {CHANGED}"
    assert "call the technician" in alert.remedy
    assert table.state is state
    devices = DeviceList(table.config)
    devices.take(table.records()[-1].event)
    assert devices.faults[SOFTWARE].state is Health.DEGRADED
    table.table.take([SensorHealth(table.clock.now_ns(), SOFTWARE, Health.OK)])
    assert Note("the software is as it was installed") in table.records()[-1].effects
    devices.take(table.records()[-1].event)
    assert SOFTWARE not in devices.faults


def test_the_process_of_an_installation_names_what_was_changed_since(tmp_path: Path) -> None:
    slot = tmp_path / "slot"
    site = install(slot)
    words = ("-m", "controller.runtime.software_watch")
    done = started(slot, *words)
    assert (done.returncode, done.stdout, done.stderr) == (0, '""\n', "")
    (site / "config/tables/roulette.yaml").write_text("")
    (site / "later.pth").write_text("")
    done = started(slot, *words)
    assert (done.returncode, "later.pth: additional" in done.stderr) == (78, True)  # Nor does it start itself.
    (site / "later.pth").unlink()
    done = started(slot, *words)
    assert "config/tables/roulette.yaml: changed" in done.stdout
