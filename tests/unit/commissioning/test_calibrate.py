"""``calibrate``: a wheel is measured from a recording of it, and the figures are written without a comment lost."""

import json
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import date
from pathlib import Path

import pytest
from recorded_wheel import Recorded, RecordedWheel

from controller import errors as exits
from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables
from controller.games.big_six.game import ORDER
from hal.mock.settings import WheelSettings

SECTIONS = len(ORDER)


@pytest.fixture
def wheel() -> RecordedWheel:
    """The index lies on a peg, where a table that was not calibrated may not have it."""
    return RecordedWheel(WheelSettings(sections=SECTIONS, index_offset_counts=80, threshold_deg=0.4, seed=3))


@pytest.fixture
def recorded(wheel: RecordedWheel) -> Recorded:
    return wheel.record()


@pytest.fixture
def capture(recorded: Recorded, tmp_path: Path) -> Path:
    return recorded.save(tmp_path / "wheel.vcd")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    copy = tmp_path / "table.yaml"
    copy.write_bytes(shipped_tables()["big-six"].read_bytes())
    return copy


def words(file: Path, capture: Path, section: int) -> list[str]:
    return ["calibrate", str(file), "--capture", str(capture), "--section", str(section + 1)]


def test_the_file_gets_the_figures_and_nothing_else_changes(
    file: Path, capture: Path, wheel: RecordedWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_text().splitlines()
    file.chmod(0o640)
    assert main(words(file, capture, wheel.section)) == exits.OK
    after = file.read_text().splitlines()
    found = load_table(file).config.wheel
    assert found is not None
    assert found.clapper is not None
    assert abs(found.index_offset_counts - 80) <= 1
    new = [line for line in after if line not in before]
    assert new[0] == f"  index_offset_counts: {found.index_offset_counts}"
    assert new[1].startswith("  clapper: # measured by calibrate")
    assert all(line.startswith("    ") for line in new[2:])
    assert max(map(len, new)) <= 116
    kept = [line for line in before if line != "  index_offset_counts: 7"]
    assert [line for line in after if line and line not in new] == [line for line in kept if line]
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in file.parent.iterdir()) == ["table.yaml", "wheel.vcd"]
    said = capsys.readouterr().out
    assert f"index_offset_counts: {found.index_offset_counts}, before 7\n" in said
    assert f"measured {date.today()} " in said


def test_a_second_time_the_old_figures_are_replaced(file: Path, capture: Path, wheel: RecordedWheel) -> None:
    texts = []
    for section in (wheel.section, wheel.section + 9, wheel.section):
        assert main(words(file, capture, section)) == exits.OK
        texts.append(file.read_text())
    assert texts[0] == texts[2] != texts[1]
    assert texts[1].count("clapper: #") == 1


def test_what_was_recorded_then_lies_in_the_section_that_was_named(
    file: Path, capture: Path, wheel: RecordedWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(file, capture, wheel.section)) == exits.OK
    capsys.readouterr()
    assert main(["bench", str(file), "--capture", str(capture)]) == exits.OK
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    rests = [line["event"] for line in lines if line["kind"] == "wheel-rested"]
    assert rests[-1]["section"] == wheel.section
    assert not any(line["fault"] for line in rests)


# -- what cannot be done ---------------------------------------------------------------------------------------


@pytest.fixture
def refused(file: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command that must change nothing, and says so in one sentence."""

    def run(*said: str | Path, code: int) -> str:
        before = file.read_bytes()
        with suppress(SystemExit) if code == exits.USAGE else nullcontext():
            assert main(["calibrate", *map(str, said)]) == code
        assert file.read_bytes() == before
        err = capsys.readouterr().err
        assert "Traceback" not in err
        return err

    return run


Refused = Callable[..., str]


@pytest.mark.parametrize("section", ["55", "1000"])
def test_a_section_that_the_wheel_does_not_have(refused: Refused, file: Path, capture: Path, section: str) -> None:
    said = refused(file, "--capture", capture, "--section", section, code=exits.USAGE)
    assert said == (
        f"table-controller calibrate: there is no section {section}: the wheel's order has 1 to {SECTIONS}\n"
    )


def test_a_file_that_is_read_only(refused: Refused, file: Path, capture: Path) -> None:
    file.chmod(0o444)
    said = refused(file, "--capture", capture, "--section", "5", code=exits.FAILED)
    assert said == f"table-controller calibrate: {file} cannot be written: it is read-only; nothing was changed\n"


def test_a_recording_that_does_not_fit(refused: Refused, file: Path, capture: Path) -> None:
    file.write_text(file.read_text().replace("counts_per_turn: 1440", "counts_per_turn: 2000"))
    said = refused(file, "--capture", capture, "--section", "5", code=exits.FAILED)
    assert said.startswith("table-controller calibrate: the encoder gave 1440 counts in a turn, and ")
    assert said.endswith("; nothing was changed\n")


def test_a_table_without_a_wheel_has_nothing_to_calibrate(refused: Refused) -> None:
    said = refused(shipped_tables()["sic-bo"], code=exits.FAILED)
    assert "a sic-bo table has no wheel with a clapper: nothing to calibrate" in said
