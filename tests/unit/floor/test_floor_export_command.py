"""``floor --export``: CSV that is complete, or an error."""

import csv
from pathlib import Path

import pytest
from exported_floor import fill_awkwardly
from sqlalchemy import Engine, delete
from stored_floor import empty

from config.loader import load_floor
from controller.commands.cli import main
from controller.commands.floor_export import WHAT
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


def test_rows_are_printed(file: Path, store: Engine, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["floor", str(file), "--export", "rounds", "--table", "awkward", *PERIOD]) == 0
    printed = capsysbinary.readouterr().out.decode()
    assert [row["table"] for row in csv.DictReader(printed.splitlines())] == ["awkward"] * 11


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--table", "x"), 2, "--table goes with --export"),
        (("--export", "rounds", "--from", "yesterday"), 1, "'from' is no time"),
        (("--export", "alerts", "--wheel", "7"), 1, "unknown parameter 'wheel'"),
    ],
)
def test_what_cannot_be_exported_is_said(
    file: Path, store: Engine, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, sentence: str
) -> None:
    assert main(["floor", str(file), *words]) == code
    printed = capsys.readouterr()
    assert (printed.out, sentence in printed.err) == ("", True)


def test_an_export_makes_no_store(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["floor", str(file), "--export", "rounds"]) == 78
    assert "which is no file" in capsys.readouterr().err
    assert not Path(load_floor(file.read_bytes(), str(file)).store.url.removeprefix("sqlite:///")).exists()


def test_sums_wait_until_they_are_complete(file: Path, store: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    with store.begin() as db:
        db.execute(delete(schema.about).where(schema.about.c.key == "unsummed"))
    store.dispose()
    assert main(["floor", str(file), "--export", "sums", *PERIOD]) == 1
    printed = capsys.readouterr()
    assert (printed.out, "not complete yet" in printed.err) == ("", True)
