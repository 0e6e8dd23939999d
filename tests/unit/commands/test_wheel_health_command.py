"""``wheel-health``: what a table's kept edges say of its wheel, on journals that a simulated table wrote."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from replay_table import TracedRig, opened, settle, spin

from benchmarks.measured_wheel import MeasuredWheel
from config.schema import TableConfig
from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables
from controller.events.event import Direction
from controller.journal.replay.trace import trace_file
from controller.runtime import exit_codes as exits

Shipped = Callable[[str], TableConfig]
PEG = 11


@pytest.fixture(autouse=True)
def _in_its_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table's file may not hold a path that is as long as those of tests."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def wheel() -> MeasuredWheel:
    """A wheel of the fleet, of 54 sections and a coarse encoder."""
    settings = MeasuredWheel(3).settings
    return MeasuredWheel(3, settings.model_copy(update={"imbalance_nm": 0.0}))


def numbers(value: Any) -> Any:
    """A section as a file has it."""
    if isinstance(value, dict):
        return {key: numbers(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [numbers(one) for one in value]
    return float(value) if isinstance(value, Decimal) else value


def table_file(folder: Path, wheel: MeasuredWheel, measured: str = "2025-12-01") -> Path:
    """The file of a Dreamcatcher table with this wheel, calibrated on a day; its journal lies beside it."""
    document = yaml.safe_load(shipped_tables()["dreamcatcher"].read_text(encoding="utf-8"))
    assert wheel.calibration is not None
    document["journal"] = {"file": "table.journal"}
    document["wheel"] = numbers(wheel.calibration.model_dump())
    document["wheel"]["clapper"]["measured"] = measured
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


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


def test_a_healthy_wheel_is_as_calibrated(
    tmp_path: Path, wheel: MeasuredWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    file = table_file(tmp_path, wheel)
    play(file, wheel, 6)
    output = said(capsys, str(file))
    assert "calibrated 2025-12-01: 6 spins measured" in output
    assert re.search(r"2026-01-01 +6 +0\.99\d +0\.99\d .* \+0\.00 .* 3\.24 +2\.91 +0\.0%  #", output)
    assert output.endswith("\nnothing found: the wheel is as calibrated\n")
    assert said(capsys, "table.journal", "--file", str(file)) == output
    assert said(capsys, str(file), "--spins", "4").count("2026-01-01 0") == 2


def test_a_bent_peg_is_named(tmp_path: Path, wheel: MeasuredWheel, capsys: pytest.CaptureFixture[str]) -> None:
    file = table_file(tmp_path, wheel)
    bent = {**wheel.settings.bent_pegs, PEG: wheel.settings.bent_pegs.get(PEG, 0.0) + 0.4}
    play(file, wheel.worn(bent_pegs=bent), 1)
    output = said(capsys, str(file), code=exits.FAILED)
    assert "1. The peg between sections #11 and #12 stands 0.40 degrees too far counterclockwise" in output
    assert "(round 1, 2026-01-01)" in output
    data = json.loads(said(capsys, str(file), "--json", code=exits.FAILED))
    (finding,) = data["findings"]
    assert (finding["sign"], finding["peg"], finding["round"]) == ("bent-peg", PEG, 1)
    assert data["spins"][0]["odd_peg"] == PEG
    assert data["pegs_deg"][PEG] == pytest.approx(0.4, abs=0.03)


def test_the_measures_are_drawn_over_time(
    tmp_path: Path, wheel: MeasuredWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = table_file(tmp_path, wheel), tmp_path / "health.svg"
    play(file, wheel, 4)
    said(capsys, str(file), "--svg", str(out))
    drawn = ElementTree.parse(out).getroot()
    words = {element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"hours", "found", "dreamcatcher: strikes", "dreamcatcher: losses"} <= words
    assert "seconds" not in words
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))) == 9
    unwritable = tmp_path / "no" / "health.svg"
    said(capsys, str(file), "--svg", str(unwritable), code=exits.FAILED)


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
    assert "no edges of spins are kept beside the journal" in complained(capsys, str(file))
    play(file, wheel, 1)
    assert "is not calibrated" in complained(capsys, "table.journal", "--file", "dreamcatcher")
    assert "a sic-bo table has no wheel" in complained(capsys, "table.journal", "--file", "sic-bo")
    assert "add --file" in complained(capsys, "table.journal", code=exits.USAGE)
    assert "leave --file out" in complained(capsys, str(file), "--file", str(file), code=exits.USAGE)
    kept.write_bytes(b"not a file of edges" * 100)
    assert "file is not a database" in complained(capsys, str(file))


@pytest.mark.parametrize("words", [[], ["table.yaml", "--spins", "0"], ["table.yaml", "--spins", "many"]])
def test_words_that_do_not_fit_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["wheel-health", *words])
    assert refused.value.code == exits.USAGE
    assert "usage: table-controller wheel-health" in capsys.readouterr().err
