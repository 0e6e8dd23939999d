"""``publish`` from the command line, where no broker is needed: what it says, and with which exit code."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from played import Played

from controller.commands.cli import main
from controller.configuration.shipped import shipped_tables
from controller.publishing.cursor import Cursor, Published
from controller.publishing.formatter import JournalPlace

BROKER = {"host": "broker", "ca": "ca.pem", "certificate": "table.pem", "key": "table.key"}


@pytest.fixture
def played(tmp_path: Path) -> Played:
    played = Played("sic-bo", tmp_path / "table.journal", rounds=3, fault_rate=0.0)
    played.finish()
    return played


def table_file(folder: Path, **changed: Any) -> Path:
    document = yaml.safe_load(shipped_tables()["sic-bo"].read_text(encoding="utf-8"))
    document |= {"journal": {"file": str(folder / "table.journal")}, **changed}
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


def test_a_table_without_a_broker_is_shown_what_to_add(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = table_file(tmp_path)
    assert main(["publish", str(file)]) == 78
    assert f"{file}:1:1: broker: the table has no broker" in capsys.readouterr().err
    assert main(["publish", "--configured", str(file)]) == 1
    assert main(["publish", "--configured", str(table_file(tmp_path, broker=BROKER))]) == 0
    assert capsys.readouterr() == ("", "")


def test_the_status_shows_progress_and_the_last_error(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = table_file(tmp_path, broker=BROKER)
    assert main(["publish", "--status", str(file)]) == 1
    assert "never published" in capsys.readouterr().err
    with closing(Cursor(tmp_path / "table.journal.published")) as cursor:
        cursor.trouble("broker:8883: refused", "2026-01-01T00:00:00.000Z")
        assert main(["publish", "--status", str(file)]) == 0  # While it runs.
        output = capsys.readouterr().out
        assert "up to entry 0" in output
        assert "broker:8883: refused (once)" in output
        record = Published(first_hash(tmp_path), JournalPlace(9, 1), 9)
        cursor.keep(record)
        cursor.trouble("broker:8883: refused", "2026-01-01T00:01:00.000Z")
    assert main(["publish", "--status", "--json", str(file)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["told"]["closed"] == 9
    assert document["troubles"][0]["count"] == 2


def first_hash(folder: Path) -> str:
    from controller.journal.journal import Journal

    with closing(Journal(folder / "table.journal", read_only=True)) as journal:
        first = journal.entry(1)
        assert first is not None
        return first.hash


def test_a_second_publisher_is_refused(played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(Cursor(tmp_path / "table.journal.published")):
        assert main(["publish", str(table_file(tmp_path, broker=BROKER))]) == 1
    assert "another publisher already publishes this table; stop it first" in capsys.readouterr().err
