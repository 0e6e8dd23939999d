"""A reader of a journal without write permission: the publisher, as a user of its own, beside the running table.

SQLite's readers share memory with the writer. One that cannot write there reads all the same, and can hold no lock
that the writer waits for; a stopped one holds up nothing.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from project import ROOT

from controller.journal.journal import Journal

NOBODY = 65_534
READER = """
import os, sqlite3, sys
from pathlib import Path
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
if os.getuid() == 0:
    os.setgroups([]), os.setgid(int(sys.argv[2])), os.setuid(int(sys.argv[2]))
journal = None
for line in sys.stdin:
    try:
        journal = journal or Journal(Path(sys.argv[1]), read_only=True)
        verdict = journal.verify()
        print(verdict.entries, verdict.problem or "fits", flush=True)
    except JournalError as error:
        print(error, flush=True)
"""


class Reader:
    """A process that reads the journal, and may write neither it nor its folder."""

    def __init__(self, file: Path) -> None:
        command = [sys.executable, "-c", READER, str(file), str(NOBODY)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def reads(self) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


@contextmanager
def reading(file: Path) -> Iterator[Reader]:
    reader = Reader(file)
    try:
        yield reader
    finally:
        reader.process.kill()
        reader.process.communicate()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may enter: pytest's own are for their owner alone."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def file(folder: Path) -> Iterator[Path]:
    (folder / "state").mkdir()
    yield folder / "state/table.journal"
    (folder / "state").chmod(0o755)


def shut(file: Path) -> None:
    """Take away write permission; open files can still be written."""
    for path in file.parent.iterdir():
        path.chmod(0o444)
    file.parent.chmod(0o555)


def write(journal: Journal, count: int) -> None:
    for _ in range(count):
        journal.append(1, 0, 0, "press", "{}" * 50, None)


def test_a_read_only_reader_follows_the_journal(file: Path) -> None:
    journal = Journal(file)
    write(journal, 10)
    shut(file)
    with reading(file) as held:
        assert held.reads() == "10 fits"
        write(journal, 3000)  # SQLite moves pages from the log into the file meanwhile, several times.
        assert held.reads() == "3010 fits"
        with reading(file) as another:
            assert another.reads() == "3010 fits"
        write(journal, 1)
        assert held.reads() == "3011 fits"
    journal.close()


def test_it_reads_the_journal_after_a_power_cut(file: Path, folder: Path) -> None:
    journal = Journal(file)
    write(journal, 10)
    left = folder / "left"
    left.mkdir()
    for path in file.parent.iterdir():
        (left / path.name).write_bytes(path.read_bytes())
    journal.close()
    copy = left / file.name
    shut(copy)
    with reading(copy) as reader:
        assert reader.reads() == "10 fits"
    left.chmod(0o755)


def test_a_stopped_reader_delays_neither_the_table_nor_its_next_start(file: Path) -> None:
    journal = Journal(file)
    write(journal, 10)
    shut(file)
    with reading(file) as reader:
        assert reader.reads() == "10 fits"
        reader.process.send_signal(signal.SIGSTOP)
        write(journal, 3000)
        journal.close()
        for path in (file.parent, *file.parent.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        again = Journal(file)  # Had it a lock, this would fail after five seconds.
        write(again, 1)
        assert len(again) == 3011
        again.close()
