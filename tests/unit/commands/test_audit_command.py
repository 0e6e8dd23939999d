"""``audit`` from the command line: files in, a sentence and an exit code out, and nothing is changed."""

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from signed_record import Keys, some_entries, write_lines
from tampering import chained, write_journal

from controller.commands.cli import main
from controller.signing.receipts import append

ENTRIES = some_entries(12)
FALSE = chained([*ENTRIES[:7], ENTRIES[7]._replace(body="{}"), *ENTRIES[8:]], 7)


class Desk:
    """An auditor's computer, with the files of a record."""

    def __init__(self, folder: Path, printed: pytest.CaptureFixture[str]) -> None:
        self.folder, self._printed = folder, printed
        self.keys = Keys(folder)
        self.journal = write_journal(folder / "table.journal", ENTRIES)
        self.receipts = folder / "receipts.jsonl"
        for seq in (6, 9):
            append(self.receipts, self.keys.receipt(ENTRIES, seq))

    def audit(self, *more: str | Path) -> tuple[int, str, str]:
        """The exit code and what was printed."""
        words = ["audit", self.journal, "--receipts", self.receipts]
        words += ["--floor-key", self.keys.floor_public, "--table-key", self.keys.table_public, *more]
        code = main([str(word) for word in words])
        printed = self._printed.readouterr()
        return code, printed.out, printed.err


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


def test_a_record_as_it_was_signed(desk: Desk) -> None:
    code, out, err = desk.audit()
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"table sic-bo-1, record {ENTRIES[0].hash}: 12 entries",
        "entries 1 to 9 are those that the floor has",
        "from entry 10 on, only the table vouches; it signed up to entry 9",
    ]
    desk.receipts.write_text("")  # As if the broker had not answered.
    assert f"{desk.receipts}: there is no receipt in it" in desk.audit()[1]


def test_a_rewritten_record(desk: Desk) -> None:
    write_journal(desk.journal, FALSE)
    code, _, err = desk.audit()
    assert (code, "the first wrong entry is one of 7 to 9: the floor signed another entry 9" in err) == (1, True)
    copy = write_lines(desk.folder / "entries.jsonl", ENTRIES)
    with desk.receipts.open("a") as stream:
        stream.write('{"table":"si')
    code, out, err = desk.audit("--floor-entries", copy, "--json")
    found = json.loads(out)
    assert (code, err) == (1, "")
    assert found["finding"] == {"first": 8, "last": 8, "reason": "the floor has another one"}
    assert (found["entries"], found["proven"], found["signed"]) == (12, 7, 7)


def _view(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("ALTER TABLE entries RENAME TO others")
        db.execute("CREATE VIEW entries AS SELECT * FROM others")
    db.close()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda file: file.write_bytes(b""), "the floor has no record of this table that begins with it"),
        (lambda file: file.write_bytes(file.read_bytes()[:3000]), "the file cannot be read"),
        (_view, "the file has no table of entries"),
        (os.unlink, "table.journal: there is no journal here"),
    ],
)
def test_a_journal_that_cannot_be_read_is_a_sentence(
    desk: Desk, damage: Callable[[Path], None], words: str
) -> None:
    damage(desk.journal)
    code, _, err = desk.audit()
    assert code == 1
    assert words in err
    assert "Traceback" not in err


def test_a_table_that_writes_meanwhile_is_named(desk: Desk, mocker) -> None:
    def while_it_plays(file: Path, to: Path) -> None:
        os.truncate(file, file.stat().st_size + 1024)

    mocker.patch("shutil.copyfile", while_it_plays)
    assert "a table is writing this journal; stop it first" in desk.audit()[2]


@pytest.mark.parametrize("written", [b"\0\n", b"table: sic-bo-1\n", b"[]"])
def test_a_file_of_another_kind_is_no_forgery(desk: Desk, written: bytes) -> None:
    other = desk.folder / "other"
    other.write_bytes(written)
    code, out, err = desk.audit("--floor-entries", other)
    assert (code, out) == (78, "")
    assert f"{other}: this is neither a journal nor entries" in err
    desk.journal.write_bytes(written)
    code, _, err = desk.audit()
    assert (code, "this is neither a journal nor entries" in err) == (78, True)


def test_a_bad_key_is_a_configuration_error_and_another_one_proves_nothing(desk: Desk) -> None:
    code, _, err = desk.audit("--table-key", desk.keys.table_file)
    assert code == 78
    assert "this is no public Ed25519 key in PEM" in err
    assert desk.audit("--table-key", desk.keys.floor_public)[2].count("is it the key of this table?") == 1
