"""``floor --export``: CSV that is complete, or an error."""

import csv
from pathlib import Path

import pytest
from exported_floor import fill_awkwardly
from sqlalchemy import Engine
from stored_floor import empty

from controller.commands.cli import main

PERIOD = ("--from", "2026-11-20", "--to", "2026-11-23")


@pytest.fixture
def store(file: Path) -> Engine:
    """The store that the floor's file names, filled."""
    made = empty(file.parent)
    fill_awkwardly(made)
    made.dispose()
    return made


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
