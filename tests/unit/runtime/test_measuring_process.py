"""The process that measures a table's spins: it answers, it may die or hang, and the table never waits for it."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from campaigns.measured_wheel import MeasuredWheel
from contracts.loop import PATIENCE_S
from worn_table import PEG, bent, fleet_wheel, play_round, table_file, worn_rig

from config.schema import WheelSection
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table
from controller.events.event import SpinMeasured, WheelDegraded
from controller.journal.journal import Journal
from controller.journal.replay.trace import EdgeStretch
from controller.runtime import measuring_process
from controller.runtime.measuring_process import MeasuringProcess
from controller.runtime.spin_measurer import EndedSpin, SpinMeasurer

Answers = list[SpinMeasured | WheelDegraded]


@pytest.fixture
def new() -> MeasuredWheel:
    return fleet_wheel()


@pytest.fixture
def wheel(new: MeasuredWheel) -> MeasuredWheel:
    return bent(new)


@pytest.fixture
def section(tmp_path: Path, new: MeasuredWheel) -> WheelSection:
    Journal(tmp_path / "j").close()
    section = load_table(table_file(tmp_path, new)).config.wheel
    assert section is not None
    return section


def thrown(wheel: MeasuredWheel, number: int = 1) -> EndedSpin:
    spin, levels, edges, stamps = wheel.recorded()
    return EndedSpin(number, spin.said == "touched", EdgeStretch(levels, edges, stamps))


async def until(holds: Callable[[], object]) -> None:
    """Wait for something that a process does."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.001)


async def ended(measuring: MeasuringProcess) -> None:
    """Wait until nothing is left of a process."""
    running = measuring._running
    assert running is not None
    await until(running.done)
    for _ in range(5):
        await asyncio.sleep(0)


class Beside:
    """The process beside a loop, and what it answered."""

    def __init__(self, section: WheelSection, journal: Path) -> None:
        self.answers: Answers = []
        self.replies = 0
        self.measuring = MeasuringProcess(section, 54, journal)
        self.measuring.start(self._take)

    def _take(self, events: Iterable[SpinMeasured | WheelDegraded]) -> None:
        self.replies += 1
        self.answers += events

    @property
    def pid(self) -> int:
        process = self.measuring._process
        return process.pid if process is not None else 0

    async def ready(self, replies: int = 1) -> None:
        await until(lambda: self.replies >= replies)

    async def close(self) -> None:
        self.measuring.close()
        await ended(self.measuring)


def test_it_answers_what_measuring_at_once_does(
    section: WheelSection, tmp_path: Path, wheel: MeasuredWheel
) -> None:
    spin = thrown(wheel)

    async def measured() -> Answers:
        beside = Beside(section, tmp_path / "j")
        await beside.ready()
        beside.measuring.measure(spin)
        await until(lambda: beside.answers)
        await beside.close()
        return beside.answers

    answers = asyncio.run(measured())
    assert answers == list(SpinMeasurer(section, 54, Journal(None)).measured(spin))
    assert [one.peg for one in answers if isinstance(one, WheelDegraded)] == [PEG]


def test_a_process_that_hangs_is_not_waited_for_and_then_killed(
    section: WheelSection, tmp_path: Path, wheel: MeasuredWheel,
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(measuring_process, "RESTART_S", 0.0)
    spins = [thrown(wheel, number) for number in (1, 2, 3)]

    async def hangs() -> Answers:
        beside = Beside(section, tmp_path / "j")
        await beside.ready()
        os.kill(beside.pid, signal.SIGSTOP)
        beside.measuring.measure(spins[0])
        beside.measuring.measure(spins[1])
        assert "the spin of round 2 is not measured" in caplog.text
        assert beside.answers == []
        hung = beside.pid
        monkeypatch.setattr(measuring_process, "PATIENCE_S", -1.0)
        beside.measuring.measure(spins[1])
        await until(lambda: beside.pid not in (0, hung))
        await beside.ready(2)
        beside.measuring.measure(spins[2])
        await until(lambda: beside.answers)
        await beside.close()
        return beside.answers

    assert {answer.round for answer in asyncio.run(hangs())} == {3}
    assert "the process for it ended: exit code -9" in caplog.text


@pytest.fixture
def played(tmp_path: Path, new: MeasuredWheel, wheel: MeasuredWheel) -> Iterator[Callable[[], Rig]]:
    """A table whose spins are measured in a process of its own; to be made within a loop."""
    journal, made = tmp_path / "table.journal", list[Rig]()

    def beside(section: WheelSection, sections: int, _: Journal) -> MeasuringProcess:
        return MeasuringProcess(section, sections, journal)

    def make() -> Rig:
        made.append(worn_rig(table_file(tmp_path, new), wheel, journal, measuring=beside))
        return made[-1]

    yield make
    for rig in made:
        rig.journal.close()


def process_of(rig: Rig) -> MeasuringProcess:
    watch = rig.table._wheel_watch
    assert watch is not None
    assert isinstance(watch._measuring, MeasuringProcess)
    return watch._measuring


def test_a_table_plays_on_while_its_process_is_dead(played: Callable[[], Rig]) -> None:
    async def plays() -> list[str]:
        rig = played()
        os.kill(await started(rig), signal.SIGKILL)
        for number in range(2):
            play_round(rig, number)
        rig.table.stop()
        await ended(process_of(rig))
        return [record.event.kind for record in rig.records()]

    kinds = asyncio.run(plays())
    assert kinds.count("wheel-rested") >= 3
    assert "spin-measured" not in kinds


async def started(rig: Rig) -> int:
    """The process, once it has said that it is ready."""
    process = process_of(rig)
    await until(lambda: process._process is not None and process._busy_since is None)
    assert process._process is not None
    return process._process.pid


def test_keys_are_decided_while_a_spin_is_measured(played: Callable[[], Rig]) -> None:
    """The process is stopped while it has the spin; the loop is not even entered until the round is over."""

    async def plays() -> tuple[list[str], list[str]]:
        rig = played()
        pid = await started(rig)
        os.kill(pid, signal.SIGSTOP)
        play_round(rig, 1)
        before = [record.event.kind for record in rig.records()]
        os.kill(pid, signal.SIGCONT)
        await until(lambda: rig.records()[-1].event.kind == "wheel-degraded")
        rig.table.stop()
        await ended(process_of(rig))
        return before, [record.event.kind for record in rig.records()]

    before, after = asyncio.run(plays())
    assert before[-3:] == ["press"] * 3
    assert after == [*before, "spin-measured", "wheel-degraded"]
