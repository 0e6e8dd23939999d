"""``wheel-health``: what a table's kept edges say of its wheel, on journals that a simulated table wrote."""

import json
import re
import sqlite3
from pathlib import Path

import pytest
from campaigns.measured_wheel import MeasuredWheel
from replay_table import TracedRig, opened, settle, spin
from worn_table import PEG, bent, fleet_wheel, table_file

from controller.commands.cli import main
from controller.configuration.shipped import load_table
from controller.events.event import Direction
from controller.journal.journal import Journal
from controller.journal.replay.trace import trace_file
from controller.runtime import exit_codes as exits


@pytest.fixture(autouse=True)
def _in_its_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table's file may not hold a path that is as long as those of tests."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def wheel() -> MeasuredWheel:
    return fleet_wheel()


def play(file: Path, wheel: MeasuredWheel, spins: int) -> TracedRig:
    """Rounds with this wheel, thrown both ways."""
    options = wheel.settings.model_dump(exclude_none=True)
    rig = opened(load_table(file).config, file.with_name("table.journal"), options=options)
    for number in range(spins):
        spin(rig, revolutions=4.3, direction=(Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE)[number % 2])
        settle(rig)
    rig.finish()
    return rig


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = exits.OK) -> str:
    assert main(["wheel-health", *words]) == code
    return capsys.readouterr().out


def complained(capsys: pytest.CaptureFixture[str], *words: str, code: int = exits.FAILED) -> str:
    assert main(["wheel-health", *words]) == code
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_a_bent_peg_is_named(tmp_path: Path, wheel: MeasuredWheel, capsys: pytest.CaptureFixture[str]) -> None:
    file = table_file(tmp_path, wheel)
    play(file, bent(wheel), 1)
    output = said(capsys, str(file), code=exits.FAILED)
    assert "1. The peg between sections #11 and #12 stands 0.40 degrees too far counterclockwise" in output
    assert "(round 1, 2026-01-01)" in output
    data = json.loads(said(capsys, str(file), "--json", code=exits.FAILED))
    (finding,) = data["findings"]
    assert (finding["sign"], finding["peg"], finding["round"]) == ("bent-peg", PEG, 1)
    assert data["spins"][0]["odd_peg"] == PEG
    assert data["pegs_deg"][PEG] == pytest.approx(0.4, abs=0.03)


def test_spins_before_the_calibration_do_not_count(
    tmp_path: Path, wheel: MeasuredWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the day of the calibration those count that were made after the last start."""
    play(table_file(tmp_path, wheel), wheel, 2)
    file = table_file(tmp_path, wheel, "2026-01-02")
    assert "no spin could be measured (left out: 3 before the calibration)" in complained(capsys, str(file))
    file = table_file(tmp_path, wheel, "2026-01-01")
    assert "2 spins measured" in said(capsys, str(file))


def test_what_cannot_be_said_is_explained(
    tmp_path: Path, wheel: MeasuredWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    file = table_file(tmp_path, wheel)
    kept = trace_file(file.with_name("table.journal"))
    Journal(file.with_name("table.journal")).close()
    assert "no edges of spins are kept beside the journal" in complained(capsys, str(file))
    play(file, wheel, 1)
    assert "is not calibrated" in complained(capsys, "table.journal", "--file", "dreamcatcher")
    assert "a sic-bo table has no wheel" in complained(capsys, "table.journal", "--file", "sic-bo")
    assert "add --file" in complained(capsys, "table.journal", code=exits.USAGE)
    assert "leave --file out" in complained(capsys, str(file), "--file", str(file), code=exits.USAGE)
    kept.write_bytes(b"not a file of edges" * 100)
    assert "file is not a database" in complained(capsys, str(file))


def test_spins_whose_edges_are_gone_are_taken_from_the_record(
    tmp_path: Path, wheel: MeasuredWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    """Edges are kept for some rounds, entries for ever: with fewer and fewer edges the output is the same."""
    file = table_file(tmp_path, wheel)
    play(file, bent(wheel), 6)
    whole = said(capsys, str(file), code=exits.FAILED)
    assert "6 spins measured" in whole
    kept = sqlite3.connect(trace_file(tmp_path / "table.journal"))
    with kept:
        kept.execute("DELETE FROM traces WHERE round <= 2")
    kept.close()
    table = re.compile(r"(?s)since.*")
    some = said(capsys, str(file), code=exits.FAILED)
    assert "6 spins measured" in some
    assert table.findall(some) == table.findall(whole)
    trace_file(tmp_path / "table.journal").unlink()
    none = said(capsys, str(file), code=exits.FAILED)
    assert "6 spins measured" in none
    assert table.findall(none) == table.findall(whole)
