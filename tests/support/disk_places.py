"""Disks and mounts as the kernel describes them, and time for a trial that passes without waiting."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from controller.commands.cli import main
from controller.commissioning.disk.folder_qualification import KernelFiles

CARD = {
    "size": "62333952",
    "removable": "0",
    "queue/rotational": "0",
    "queue/write_cache": "write through",
    "queue/fua": "0",
    "device/type": "SD",
    "device/name": "SC32G",
    "dev": "179:0",
    "stat": "1 0 8 1 2 0 16 2 0 0 0",
}


def disk(sys: Path, name: str, number: str, files: Mapping[str, str], bus: str = "platform") -> Path:
    """A disk in a tree like /sys."""
    folder = sys / "devices" / bus / "block" / name
    for file, text in {**files, "dev": number}.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(f"{text}\n")
    return linked(sys, number, folder)


def partition(sys: Path, of: Path, name: str, number: str) -> Path:
    """A partition of a disk."""
    folder = of / name
    folder.mkdir()
    (folder / "partition").write_text("1\n")
    (folder / "dev").write_text(f"{number}\n")
    (folder / "stat").write_text("1 0 8 1 2 0 32 2 0 0 0\n")
    return linked(sys, number, folder)


def linked(sys: Path, number: str, folder: Path) -> Path:
    link = sys / "dev" / "block" / number
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(folder)
    return folder


def mount_line(point: Path | str, system: str = "ext4", options: str = "rw,relatime", number: str = "179:2") -> str:
    """A line of /proc/self/mountinfo."""
    escaped = str(point).replace(" ", "\\040")
    return f"22 1 {number} / {escaped} {options} shared:1 - {system} /dev/mmcblk0p2 {options.split(',')[0]}\n"


def kernel(folder: Path, point: Path, system: str = "ext4", options: str = "rw,relatime") -> KernelFiles:
    """A kernel on whose SD card a folder lies."""
    sys = folder / "sys"
    card = disk(sys, "mmcblk0", "179:0", CARD)
    partition(sys, card, "mmcblk0p2", "179:2")
    mounts = folder / "mountinfo"
    mounts.write_text(mount_line("/", "overlay", number="0:20") + mount_line(point, system, options))
    swaps = folder / "swaps"
    swaps.write_text("Filename Type Size Used Priority\n")
    return KernelFiles(mounts, sys, swaps)


class TrialTime:
    """Time that passes with each look at it.

    Args:
        step_us: by so much.
        stalls: looks after which more time passes, with the time in milliseconds.
        interrupted_after: the look at which Ctrl-C is pressed.
    """

    def __init__(
        self, step_us: int = 1000, stalls: Mapping[int, int] | None = None, interrupted_after: int | None = None
    ) -> None:
        self._now_ns, self._step_ns, self._looks = 0, step_us * 1000, 0
        self._stalls = {} if stalls is None else stalls
        self._interrupted_after = interrupted_after

    def now_ns(self) -> int:
        self._looks += 1
        if self._looks == self._interrupted_after:
            raise KeyboardInterrupt
        self._now_ns += self._step_ns + self._stalls.get(self._looks, 0) * 1_000_000
        return self._now_ns

    def pause(self, seconds: float) -> None:
        self._now_ns += round(seconds * 1e9)


class Said(NamedTuple):
    """How ``qualify-disk`` ended, and what it printed."""

    code: int
    out: str
    err: str


def qualify(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Said:
    """Run ``qualify-disk``."""
    code = main(["qualify-disk", *map(str, words)])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return Said(code, out, err)
