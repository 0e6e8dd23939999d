"""The power is cut under a real file system: a disk whose every write is logged, rebuilt as cuts may leave it."""

import random
import subprocess
from pathlib import Path

import pytest
from disk_log import MARK, Write, acknowledged, after_cut, lost, read_log
from machine import PYTHON, Machine

ENTRIES, CUTS = 150, 40
DISK_MB = 48


def record(folder: Path, mode: str) -> tuple[bytes, list[Write]]:
    """A table plays on a disk of its own until it has recorded so much; then the machine loses its power.

    Returns:
        the disk as it was at first, and its writes.
    """
    disk, log = folder / "disk.img", folder / "disk.log"
    for file, size in ((disk, DISK_MB), (log, 1024)):
        with file.open("wb") as empty:
            empty.truncate(size * 2**20)
    subprocess.run(["mkfs.ext4", "-q", "-E", "nodiscard", str(disk)], check=True)
    base = disk.read_bytes()
    drives = (
        "-blockdev",
        f"driver=file,filename={disk},node-name=disk",
        "-blockdev",
        f"driver=file,filename={log},node-name=log",
        "-blockdev",
        "driver=blklogwrites,file=disk,log=log,node-name=logged",
        "-device",
        "virtio-blk-pci,drive=logged,addr=0x10",
    )
    guest = Machine(drives=drives)
    try:
        guest.run("mkdir -p /data && mount /dev/vdb /data")
        plays = f"{PYTHON} /srv/project/tests/system/kernel/guest/appends.py /data {mode} {ENTRIES}"
        guest.run(plays, timeout_s=240)
    finally:
        guest.close()  # As a power cut does, without a shutdown.
    return base, read_log(log)


def after_power_returns(disk: bytes, folder: Path) -> Path:
    """Mount a disk and let the file system recover; returns where the journal's files are then."""
    image = folder / "cut.img"
    image.write_bytes(disk)
    checked = subprocess.run(["e2fsck", "-fy", str(image)], capture_output=True, check=False)
    assert checked.returncode in (0, 1), checked.stdout.decode()
    for name in ("table.journal", "table.journal-wal", "table.journal.head"):
        (folder / name).unlink(missing_ok=True)
        subprocess.run(
            ["debugfs", "-R", f"dump /{name} {folder / name}", str(image)], capture_output=True, check=True
        )
    return folder / "table.journal"


def losses(folder: Path, mode: str) -> list[str]:
    """Cut the power at random places of one table's writes, and return what was lost."""
    base, writes = record(folder, mode)
    marks = [k for k, write in enumerate(writes) if write.data.startswith(MARK)]
    assert len(marks) >= ENTRIES
    rng, found = random.Random(1), []
    for _ in range(CUTS):
        cut = rng.randint(marks[0] + 1, len(writes))
        journal = after_power_returns(bytes(after_cut(base, writes, cut, rng)), folder)
        loss = lost(journal, *acknowledged(writes[:cut]))
        if loss:
            found.append(f"cut after {cut} of {len(writes)} writes: {loss}")
    return found


def test_nothing_that_was_recorded_is_lost_when_the_power_is_cut(tmp_path: Path) -> None:
    assert losses(tmp_path, "full") == []


def test_a_journal_that_is_not_synced_loses_entries(tmp_path: Path) -> None:
    """The control: if this journal lost nothing, the experiment would show nothing."""
    assert len(losses(tmp_path, "off")) > CUTS // 4


@pytest.fixture(autouse=True)
def _tools() -> None:
    """The tools that look into a file system come with the virtual machine's parts."""
    for tool in ("mkfs.ext4", "e2fsck", "debugfs"):
        subprocess.run([tool, "-V"], capture_output=True, check=True)
