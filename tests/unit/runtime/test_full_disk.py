"""A disk that is full or turns read-only while a table runs: real file systems, which only root can make."""

import contextlib
import logging
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which

import pytest
from running_session import Listening, Runs

from controller.journal.errors import JournalUnwritableError
from controller.journal.journal import Journal
from controller.runtime import session as running
from hal.wall_time import SetBy


def call(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


class SmallDisk:
    """An ext4 file system with small blocks, as docs/disk.md has it for a journal alone."""

    def __init__(self, folder: Path) -> None:
        self.image, self.place = folder / "image", folder / "card"
        self.place.mkdir()
        with self.image.open("wb") as image:
            image.truncate(8 << 20)
        call("mkfs.ext4", "-q", "-b", "1024", self.image)
        self.mount()

    def mount(self) -> None:
        call("mount", "-o", "loop", self.image, self.place)

    def fill(self) -> None:
        try:
            with (self.place / "fill").open("wb", buffering=0) as fill:
                while True:
                    fill.write(bytes(1024))
        except OSError:
            pass

    def turn_read_only(self) -> None:
        """As the kernel does after an error of the card."""
        call("mount", "-o", "remount,abort", self.place)
        with contextlib.suppress(OSError):
            (self.place / "error").touch()

    def repair(self) -> None:
        self.unmount()
        subprocess.run(["fsck.ext4", "-fy", str(self.image)], check=False, capture_output=True)
        self.mount()

    def unmount(self) -> None:
        subprocess.run(["umount", "-l", str(self.place)], check=False)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    if os.geteuid() or which("mkfs.ext4") is None:
        pytest.skip("only root mounts a disk, which e2fsprogs makes")
    try:
        made = SmallDisk(tmp_path)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no disk can be mounted here: {error.stderr.decode().strip()}")
    yield made
    made.unmount()


@pytest.fixture
def table(disk: SmallDisk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(running, "RETRY_S", 0.01)
    monkeypatch.setattr(Listening, "MOST", 1_000_000)
    made = Runs(disk.place / "table.journal", lambda: caplog.text, "dreamcatcher", SetBy.NETWORK)
    made.logs("table dreamcatcher is ready")
    made.press("floor-key")
    made.logs("the floorperson's key turned")
    yield made
    if not made.task.done():
        made.end()
    made.close()


def next_step(table: Runs) -> str:
    """What the dealer's screen says."""
    assert table.screens is not None
    return table.screens._dealer()["dealer"]["next"]


@pytest.mark.parametrize(
    ("breaks", "heals", "sentence"),
    [
        (
            SmallDisk.fill,
            lambda disk: (disk.place / "fill").unlink(),
            "the disk is full, 0 kB are left; free space",
        ),
        (SmallDisk.turn_read_only, SmallDisk.repair, "disk I/O error; free space on the disk, or repair it"),
    ],
    ids=["full", "read-only"],
)
def test_the_table_closes_with_a_sentence_and_goes_on_from_its_record(
    table: Runs,
    disk: SmallDisk,
    breaks: Callable[[SmallDisk], None],
    heals: Callable[[SmallDisk], None],
    sentence: str,
) -> None:
    breaks(disk)
    presses = 0
    while "the table halts" not in table._log():  # A full disk has blocks left in the log that SQLite has begun.
        presses += 1
        assert presses < 200
        table.press("done")
        table.run(lambda: None)
    table.logs(sentence)
    assert sentence in next_step(table)
    heals(disk)
    table.logs("power restored: the table goes on where its journal ends")
    table.until(lambda: not next_step(table).startswith("closed: "))
    assert table.end() == 0
    journal = Journal(table.file, read_only=True)
    assert journal.verify().problem == ""
    journal.close()


def test_a_full_disk_is_refused_before_a_journal_is_opened_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On small blocks SQLite would write to memory that has no block, and the process would end by SIGBUS."""
    full = os.statvfs_result((1024, 1024, 8192, 500, 100, 0, 0, 0, 0, 255))
    monkeypatch.setattr(os, "statvfs", lambda _: full)
    with pytest.raises(JournalUnwritableError, match="the disk is full, 100 kB are left; free space on the disk"):
        Journal(tmp_path / "table.journal")
