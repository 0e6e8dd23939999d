"""Other processes at the table's journal: they neither delay nor stop it; a start names one that has it open."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from controller import errors as exits
from controller.commands.cli import main
from controller.events.event import Press
from controller.events.record import Record
from controller.journal import journal_file
from controller.journal.errors import JournalInUseError
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.reading import copy_of
from controller.journal.record import to_json

OTHER = """
import fcntl, os, sqlite3, sys
file, what = sys.argv[1:]
if what == "reads":
    db = sqlite3.connect(file, timeout=0.1)
    try:
        db.execute("BEGIN")
        print(db.execute("SELECT count(*) FROM entries").fetchone(), flush=True)
    except sqlite3.Error as error:
        print(error, flush=True)
elif what == "locks":  # As of finding: a shared lock on every byte that SQLite uses, of every file.
    kept = []
    for name in sorted(os.listdir(os.path.dirname(file))):
        kept.append(os.open(os.path.join(os.path.dirname(file), name), os.O_RDONLY))
        for start, length in ((120, 9), (1 << 30, 600)):
            try:
                fcntl.lockf(kept[-1], fcntl.LOCK_SH | fcntl.LOCK_NB, length, start)
            except OSError:
                pass
    print("locked", flush=True)
elif what == "copies":
    with open(file, "rb") as stream:
        print(len(stream.read()), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table" / "table.journal"


@contextmanager
def other(file: Path, what: str) -> Iterator[str]:
    """Another process at work, and what it says."""
    command = [sys.executable, "-c", OTHER, str(file), what]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def write(journal: Journal, count: int) -> None:
    body = to_json(Record(Press(0, "done"), "accepted", "closed", ()))
    for _ in range(count):
        journal.append(1, 0, 0, "press", body, None)


@pytest.mark.parametrize("what", ["reads", "locks", "copies"])
def test_whatever_another_process_does_with_the_files_the_table_plays_on(file: Path, what: str) -> None:
    with closing(Journal(file)) as journal:
        write(journal, 10)
        for name in ("", "-wal", ".head"):  # As of a backup with cp -al.
            os.link(f"{file}{name}", f"{file.parent}.backup{name}")
        with other(file, what) as said:
            assert what != "reads" or said == "database is locked"
            write(journal, 1500)  # SQLite moves pages from the log into the file meanwhile.
            assert journal.answers()
            assert not Path(f"{file}-shm").exists()
    with closing(Journal(file)) as journal:
        assert (len(journal), journal.verify().problem) == (1510, "")


def test_a_start_names_the_process_that_has_it_open(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with closing(Journal(file)) as journal:
        write(journal, 10)
    monkeypatch.setattr(journal_file, "_PATIENCE_S", 0.1)
    with other(file, "reads") as said:
        assert said == "(10,)"
        with pytest.raises(JournalInUseError, match="has this journal open; stop it first") as raised:
            Journal(file)
        assert "process" in str(raised.value)
        assert "python" in str(raised.value)
        monkeypatch.setattr(journal_file, "LOCKS", tmp_path / "none")
        with pytest.raises(JournalInUseError, match="another process has this journal open"):
            Journal(file)


def cut(file: Path, folder: Path) -> Path:
    """What a power cut leaves of a journal of ten entries."""
    folder.mkdir()
    with closing(Journal(file)) as journal:
        write(journal, 10)
        shutil.copytree(file.parent, folder, dirs_exist_ok=True)
    return folder / file.name


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("command", ["show", "verify", "export", "inspections"])
def test_tools_read_a_folder_that_cannot_be_written_and_change_nothing(
    file: Path, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    left = cut(file, tmp_path / "left")
    before = contents(left.parent)
    left.parent.chmod(0o555)
    try:
        main(["journal", command, str(left)])
        assert contents(left.parent) == before
    finally:
        left.parent.chmod(0o755)
    assert "unable to open" not in capsys.readouterr().err
    with copy_of(left) as copy:
        assert (len(copy), copy.missing_at_end()) == (10, "")


def test_a_copy_without_its_log_is_named(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = cut(file, tmp_path / "left")
    Path(f"{left}-wal").unlink()
    assert main(["journal", "verify", str(left)]) == exits.FAILED
    assert "-wal" in capsys.readouterr().err
    with closing(Journal(file)) as journal:
        write(journal, 1)
        shutil.copy(file, left)
        shutil.copy(anchor_file(file), anchor_file(left))
    assert main(["journal", "verify", str(left)]) == exits.FAILED
    said = capsys.readouterr().err
    assert "entry 11 is missing at its end" in said
    assert "no -wal lies beside it, which may have them" in said
