"""``wheel-report`` on journals that simulated tables wrote, and on recordings; what it refuses."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from fleet import draw_wheel
from recorded_wheel import RecordedWheel
from replay_table import opened, settle, spin
from running_session import Runs

from controller import errors as exits
from controller.commands.cli import main
from controller.configuration.shipped import load_table
from controller.events.event import Direction
from controller.journal.replay.trace import LevelReading, Traces, trace_file
from controller.runtime.socket import TableSocket, place_of
from hal.mock.settings import WheelSettings
from hal.wall_time import SetBy


@pytest.fixture
def wheel() -> RecordedWheel:
    return RecordedWheel(draw_wheel(3).model_copy(update={"imbalance_nm": 0.0}))


@pytest.fixture
def file(wheel: RecordedWheel, table_file: Callable[..., Path]) -> Path:
    """A Dreamcatcher table whose wheel was calibrated before it played."""
    return table_file("dreamcatcher", wheel=wheel.calibrated().wheel.model_dump(mode="json", exclude_none=True))


def play(file: Path, built: WheelSettings) -> None:
    rig = opened(load_table(file).config, Path("table.journal"), options=built.model_dump(exclude_none=True))
    for number in range(4):
        spin(rig, revolutions=4.3, direction=(Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE)[number % 2])
        settle(rig)
    rig.close()


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = exits.OK) -> str:
    assert main(["wheel-report", *words]) == code
    return capsys.readouterr().out


def complained(capsys: pytest.CaptureFixture[str], *words: str, code: int = exits.FAILED) -> str:
    assert main(["wheel-report", *words]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def test_a_healthy_wheel_is_in_order_for_people_and_programs(
    file: Path, wheel: RecordedWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    play(file, wheel.settings)
    shown = said(capsys, str(file), "--svg", "wheel.svg")
    assert shown.startswith("the wheel of dreamcatcher, calibrated 2025-12-01: 4 spins measured\n")
    assert all(line.endswith("  in order") for line in shown.splitlines()[3:])
    assert "pegs: degrees from the calibrated place" in Path("wheel.svg").read_text(encoding="utf-8")
    data = json.loads(said(capsys, str(file), "--journal", "table.journal", "--json"))
    assert not data["drifted"]
    assert {"name", "unit", "before", "now", "remedy", "drifted"} == set(data["figures"][0])


def test_a_recording_is_compared_as_a_journal_is(
    file: Path, wheel: RecordedWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    bent = wheel.settings.model_copy(update={"bent_pegs": {11: 0.6}})
    RecordedWheel(bent).record().save(Path("bent.vcd"))
    found = said(capsys, str(file), "--capture", "bent.vcd", code=exits.FAILED)
    assert "2 spins measured" in found
    (line,) = (line for line in found.splitlines()[3:] if "in order" not in line)
    assert line.startswith("the peg between sections #11 and #12")
    assert line.endswith("It is bent or loose. Straighten it or screw it in, then calibrate the wheel anew.")


def test_spins_from_before_the_calibration_do_not_count_and_without_any_the_reason_is_said(
    file: Path, wheel: RecordedWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    play(file, wheel.settings)
    file.write_text(file.read_text().replace("2025-12-01", "2026-01-01"))  # The day on which the table began.
    assert "3 spins measured" in said(capsys, str(file))  # Without the round of that start.
    rig = opened(
        load_table(file).config, Path("table.journal"), options=wheel.settings.model_dump(exclude_none=True)
    )
    rig.close()
    assert "do not count, and there are no others" in complained(capsys, str(file))
    trace_file(Path("table.journal")).unlink()
    assert "table.journal.traces: no edges are kept beside the journal" in complained(capsys, str(file))


def test_a_movement_of_which_edges_were_lost_or_not_seen_does_not_count(
    file: Path, wheel: RecordedWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    play(file, wheel.settings)
    with closing(Traces(trace_file(Path("table.journal")), 100)) as traces:
        number = traces.rounds()[-1]
        spun = max(traces.of(number), key=lambda one: len(one.edges))
        traces.add(number, replace(spun, lost=1))
        traces.add(number, replace(spun, reading=LevelReading(spun.stamps_ns[0], 0, {"A": True})))
        assert "4 spins measured" in said(capsys, str(file))
        traces.add(number, spun)
    assert "5 spins measured" in said(capsys, str(file))


def test_a_table_that_runs_is_measured_too(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("INFO")
    file = tmp_path / "table.journal"
    table = Runs(file, lambda: caplog.text, "roulette", SetBy.NETWORK, serve=False)
    table.start(TableSocket(place_of("", file), file, table.views))
    table.logs("is ready")
    with ThreadPoolExecutor(1) as beside:
        command = beside.submit(main, ["wheel-report", "roulette", "--journal", str(file)])
        table.until(command.done)
    assert "0 of 20 spins" in capsys.readouterr().err
    assert table.end() == exits.OK
    table.close()
