"""Qualifies a folder: finds out on what it lies, tries it, and has what was measured judged."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from controller.commissioning.disk.block_device import BlockDevice, BlockDevices, number_of
from controller.commissioning.disk.endurance import TableLoad, WrittenBytes, judge_endurance, judge_space
from controller.commissioning.disk.errors import DiskTrialError
from controller.commissioning.disk.flush_times import FlushComparison, FlushTimes, flush_times
from controller.commissioning.disk.folder_trial import (
    ReadBack,
    Report,
    TrialClock,
    compare_flushes,
    forget,
    process_io,
    read_back,
    space_needed,
    write_journal,
)
from controller.commissioning.disk.judge_flush import judge_flush, judge_times
from controller.commissioning.disk.judge_place import judge_disk, judge_mount, refusal
from controller.commissioning.disk.mounts import MountedFileSystem, mount_of, mounted
from controller.commissioning.disk.trial_folder import existing_folder, trial_folder
from controller.commissioning.disk.verdict import DiskFinding, DiskGrade, DiskVerdict, verdict_of


@dataclass(frozen=True, slots=True)
class KernelFiles:
    """Where the kernel says what is mounted and which disks there are."""

    mounts: Path = Path("/proc/self/mountinfo")
    sys: Path = Path("/sys")
    swaps: Path = Path("/proc/swaps")


@dataclass(frozen=True, slots=True)
class TrialPlace:
    """A folder and what it lies on."""

    folder: Path
    mount: MountedFileSystem
    number: str
    disk: BlockDevice | None


@dataclass(frozen=True, slots=True)
class FolderMeasurements:
    """What a trial found of a folder."""

    place: TrialPlace
    times: FlushTimes
    comparison: FlushComparison
    read: ReadBack
    written: WrittenBytes
    free_bytes: int


def place_of(name: Path, kernel: KernelFiles) -> TrialPlace:
    """A folder that may be tried.

    Raises:
        DiskTrialError: it is no folder, or nothing that is written there outlasts the power.
    """
    folder = existing_folder(name)
    mount = mount_of(folder, mounted(kernel.mounts.read_text(encoding="utf-8", errors="surrogateescape")))
    if mount is None:
        raise DiskTrialError(f"{name}: the kernel names no file system for it")
    devices = BlockDevices(kernel.sys)
    number = mount.number
    if number.startswith("0:") and mount.source.startswith("/dev/") and Path(mount.source).is_block_device():
        number = number_of(os.stat(mount.source).st_rdev)  # btrfs: the number of the mount is of no device.
    disk = devices.disk_of(number)
    if why := refusal(mount, disk):
        raise DiskTrialError(f"{name}: {why}")
    if "ro" in mount.options:
        raise DiskTrialError(
            f"{name}: read-only file system; mount it so that it can be written (mount -o remount,rw)"
        )
    return TrialPlace(folder, mount, number, disk)


def measure(
    place: TrialPlace, seconds: float, clock: TrialClock, report: Report, kernel: KernelFiles
) -> FolderMeasurements:
    """Write to a folder for so long and read it back. Nothing is left there.

    Raises:
        DiskTrialError: the trial cannot be made.
        JournalError: the disk cannot be written.
    """
    devices = BlockDevices(kernel.sys)
    with trial_folder(place.folder, space_needed(seconds)) as made:
        file = made / "trial.journal"
        process, disk = process_io("write_bytes"), devices.written_bytes(place.number)
        written = write_journal(file, seconds, clock, report)
        if not written.durations_ns:
            raise DiskTrialError(
                f"{place.folder}: nothing could be measured in {seconds:g} s; measure longer (--seconds)"
            )
        forget(file)
        count = len(written.durations_ns)
        cost = WrittenBytes(
            _each(process, process_io("write_bytes"), count),
            _each(disk, devices.written_bytes(place.number), count),
            file.stat().st_size / count,
        )
        read = read_back(file, written)
        comparison = compare_flushes(made / "pages", clock)
        free = shutil.disk_usage(made).free
    return FolderMeasurements(place, flush_times(written.durations_ns), comparison, read, cost, free)


def _each(before: int | None, after: int | None, count: int) -> float | None:
    return None if before is None or after is None else max(0, after - before) / count


def judge_read(read: ReadBack) -> list[DiskFinding]:
    """Whether the disk gives back what it was given."""
    if read.problem:
        reason = f"what was written does not come back: {read.problem}"
        return [DiskFinding(DiskGrade.UNFIT, reason, "take another card, stick or disk; look into dmesg")]
    if read.from_memory:
        reason = "what was written was read from memory, not from the disk: the kernel did not drop it"
        return [
            DiskFinding(DiskGrade.RESERVATIONS, reason, "try a power cut (--until-cut), which forgets everything")
        ]
    return []


def judge_folder(found: FolderMeasurements, load: TableLoad, tbw: float | None) -> DiskVerdict:
    """May the journal be kept there?"""
    place = found.place
    return verdict_of(
        judge_read(found.read),
        judge_mount(place.mount),
        judge_disk(place.disk),
        judge_flush(found.comparison, place.disk),
        judge_times(found.times),
        judge_endurance(tbw, found.written, load),
        judge_space(found.free_bytes, found.written, load),
    )
