"""``floor --export``: a file that is complete, or none."""

import csv
import json
import stat
from pathlib import Path

import pytest
from exported_floor import fill_awkwardly
from sqlalchemy import Engine, delete
from stored_floor import empty

from config.loader import load_floor
from controller.commands.cli import main
from controller.commands.floor_export import WHAT
from controller.floor.exports import export_file
from controller.floor.exports.export_tables import EXPORTS
from controller.floor.store import schema

PERIOD = ("--from", "2026-11-20", "--to", "2026-11-23")


@pytest.fixture
def store(file: Path) -> Engine:
    """The store that the floor's file names, filled."""
    made = empty(file.parent)
    fill_awkwardly(made)
    made.dispose()
    return made


def test_the_command_exports_what_the_floor_has() -> None:
    assert tuple(EXPORTS) == WHAT


def test_a_file_is_written_for_its_owner_alone(
    file: Path, store: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rounds.csv"
    assert main(["floor", str(file), "--export", "rounds", "--out", str(out), "--table", "awkward", *PERIOD]) == 0
    assert capsys.readouterr().out == f"{out}: 11 rounds\n"
    assert [row["table"] for row in csv.DictReader(out.read_text().splitlines())] == ["awkward"] * 11
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir() if ".part" in one.name] == []


def test_a_file_is_replaced_only_if_that_is_said(
    file: Path, store: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "alerts.json"
    out.write_text("precious")
    command = ["floor", str(file), "--export", "alerts", "--out", str(out), *PERIOD]
    assert main(command) == 1
    assert "exists already; name another file, or add --overwrite" in capsys.readouterr().err
    assert out.read_text() == "precious"
    assert main([*command, "--overwrite"]) == 0
    assert len(json.loads(out.read_text())) >= 12


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--export", "rounds"), 2, "--export needs --out FILE"),
        (("--out", "x.csv"), 2, "--out goes with --export"),
        (("--table", "x"), 2, "--table goes with --export"),
        (("--export", "rounds", "--out", "x.xlsx"), 1, "let the name end in .csv, .json or .parquet"),
        (("--export", "rounds", "--out", "x.csv", "--from", "yesterday"), 1, "'from' is no time"),
        (("--export", "alerts", "--out", "x.csv", "--wheel", "7"), 1, "unknown parameter 'wheel'"),
        (("--export", "rounds", "--out", "none/x.csv"), 1, "cannot be written: No such file or directory"),
        (("--export", "rounds", "--out", "."), 1, "let the name end"),
    ],
)
def test_what_cannot_be_exported_is_said(
    file: Path,
    store: Engine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    code: int,
    sentence: str,
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert main(["floor", str(file), *words]) == code
    assert sentence in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_an_export_makes_no_store(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rounds.csv"
    assert main(["floor", str(file), "--export", "rounds", "--out", str(out)]) == 78
    assert "which is no file" in capsys.readouterr().err
    assert not Path(load_floor(file.read_bytes(), str(file)).store.url.removeprefix("sqlite:///")).exists()


def test_nothing_is_left_of_an_export_that_fails(
    file: Path, store: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export_file.os, "fsync", full)
    folder = tmp_path / "disk"
    folder.mkdir()
    assert main(["floor", str(file), "--export", "rounds", "--out", str(folder / "rounds.parquet"), *PERIOD]) == 1
    assert "No space left on device; check the folder and the disk" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_sums_wait_until_they_are_complete(
    file: Path, store: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with store.begin() as db:
        db.execute(delete(schema.about).where(schema.about.c.key == "unsummed"))
    store.dispose()
    out = tmp_path / "sums.parquet"
    assert main(["floor", str(file), "--export", "sums", "--out", str(out), *PERIOD]) == 1
    assert "not complete yet" in capsys.readouterr().err
    assert not out.exists()
