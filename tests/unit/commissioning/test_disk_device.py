"""A whole device: one that keeps less than it says, or something else, is found; one in use is not touched."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from disk_places import CARD, TrialTime, disk, kernel, linked, mount_line, partition

from controller.commissioning.disk.device_blocks import BLOCK_BYTES, BlockPattern, BlocksRead, judge_blocks
from controller.commissioning.disk.device_place import RawDisk, device_of
from controller.commissioning.disk.device_trial import fill_and_read, flush_durations
from controller.commissioning.disk.errors import DiskTrialError
from controller.commissioning.disk.folder_qualification import KernelFiles
from controller.commissioning.disk.folder_trial import TrialProgress
from controller.commissioning.disk.verdict import DiskGrade

SAYS = 12 * BLOCK_BYTES


class MemoryDisk:
    """A device that keeps what it is given where a rule says; None for nowhere."""

    def __init__(self, where: Callable[[int], int | None] = lambda at: at, size_bytes: int = SAYS) -> None:
        self.size_bytes = size_bytes
        self.data = bytearray(size_bytes)
        self._where = where

    def write(self, at: int, data: memoryview | bytes) -> None:
        if (place := self._where(at)) is not None:
            self.data[place : place + len(data)] = data

    def read(self, at: int, size: int) -> bytes:
        place = self._where(at)
        return bytes(size) if place is None else bytes(self.data[place : place + size])

    def flush(self) -> None:
        pass


def filled(disk: MemoryDisk) -> BlocksRead:
    return fill_and_read(disk, TrialTime(), lambda progress: None)


def reasons(read: BlocksRead) -> str:
    return "; ".join(finding.reason for finding in judge_blocks(read))


@pytest.mark.parametrize("size", [SAYS, SAYS + 4096, BLOCK_BYTES, 512])
def test_a_device_that_keeps_all_is_not_accused(size: int) -> None:
    read = filled(MemoryDisk(size_bytes=size))
    assert (read.intact, read.overwritten, read.wrong) == (read.blocks, [], [])
    assert judge_blocks(read) == []


@pytest.mark.parametrize("keeps", [1, 3, 4, 5, 6, 8, 11])
def test_a_device_that_writes_over_its_beginning(keeps: int) -> None:
    """Whatever its true size is, also one that does not divide what it says."""
    read = filled(MemoryDisk(lambda at: at % (keeps * BLOCK_BYTES)))
    assert (read.intact, len(read.overwritten), read.wrong) == (keeps, 12 - keeps, [])
    assert f"its size is a lie: it says 0.01 GB and keeps {keeps * BLOCK_BYTES / 1e9:.2f} GB" in reasons(read)


@pytest.mark.parametrize("keeps", [1, 7, 10])
def test_a_device_that_drops_what_it_has_no_room_for(keeps: int) -> None:
    read = filled(MemoryDisk(lambda at: at if at < keeps * BLOCK_BYTES else None))
    assert (read.intact, read.wrong) == (keeps, list(range(keeps, 12)))
    assert f"and nothing comes back beyond {keeps * BLOCK_BYTES / 1e9:.2f} GB" in reasons(read)


@pytest.mark.parametrize("at", [0, 511, 5 * BLOCK_BYTES + 600_001, SAYS - 1])
def test_one_byte_that_comes_back_otherwise(at: int) -> None:
    class Worn(MemoryDisk):
        def read(self, start: int, size: int) -> bytes:
            found = bytearray(super().read(start, size))
            if start <= at < start + size:
                found[at - start] ^= 1
            return bytes(found)

    read = filled(Worn())
    assert read.intact == 11
    assert f"1 of 12 blocks of 1 MiB do not come back as they were, first block {at // BLOCK_BYTES}" in reasons(
        read
    )


def test_a_sector_in_the_place_of_another_is_found() -> None:
    """Each sector says which block it is of."""

    class Astray(MemoryDisk):
        def read(self, start: int, size: int) -> bytes:
            found = super().read(start, size)
            return found if start != 3 * BLOCK_BYTES else found[:512] + bytes(self.data[:512]) + found[1024:]

    assert filled(Astray()).intact == 11


def test_what_an_earlier_run_left_is_not_taken_for_this_one() -> None:
    before = MemoryDisk()
    filled(before)

    class Deaf(MemoryDisk):
        def write(self, at: int, data: memoryview | bytes) -> None:
            pass

    deaf = Deaf()
    deaf.data = before.data
    assert filled(deaf).intact == 0


@pytest.mark.parametrize("side", ["write", "read"])
def test_an_error_of_a_block_is_its_answer(side: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = MemoryDisk()
    works = getattr(broken, side)

    def fails(at: int, rest: object) -> object:
        if at == 4 * BLOCK_BYTES:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return works(at, rest)

    monkeypatch.setattr(broken, side, fails)
    read = filled(broken)
    assert (read.intact, read.wrong) == (11, [4])


def test_a_device_that_is_pulled_out_ends_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    pulled = MemoryDisk()

    def gone(at: int, data: object) -> None:
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    monkeypatch.setattr(pulled, "write", gone)
    with pytest.raises(DiskTrialError, match="the device is gone"):
        filled(pulled)


def test_the_time_left_is_that_of_both_stages() -> None:
    seen: list[TrialProgress] = []
    fill_and_read(MemoryDisk(), TrialTime(step_us=1_000_000), seen.append)
    assert [progress.what for progress in (seen[0], seen[-1])] == ["1 of 12 MiB written", "12 of 12 MiB read back"]
    assert (round(seen[0].left_s), seen[-1].left_s, seen[-1].done) == (23, 0.0, 1.0)


def test_flushes_are_measured_over_a_small_device_again_and_again() -> None:
    durations = flush_durations(MemoryDisk(size_bytes=8192), 2.0, TrialTime(), lambda progress: None)
    assert len(durations) > 200
    assert set(durations) == {1_000_000}


def test_a_device_is_read_and_written_where_it_was_said(tmp_path: Path) -> None:
    file = tmp_path / "device"
    file.write_bytes(bytes(3 * 4096))
    with RawDisk(os.open(file, os.O_RDWR), 3 * 4096, 4096) as raw:
        raw.write(4096, b"x" * 4096)
        raw.write(8192, b"y" * 512)
        raw.flush()
        assert raw.read(4096, 4096) == b"x" * 4096
        assert raw.read(8192, 4096) == b"y" * 512 + bytes(4096 - 512)
        assert raw.read(3 * 4096 - 512, 4096) == bytes(512)
    assert file.read_bytes()[:4096] == bytes(4096)


def test_blocks_differ_in_every_sector() -> None:
    pattern = BlockPattern(bytes(16))
    first, second = bytes(pattern.block(1)), bytes(pattern.block(2))
    assert all(first[at : at + 512] != second[at : at + 512] for at in range(0, BLOCK_BYTES, 512))
    assert (pattern.number_in(first), pattern.number_in(b""), pattern.number_in(bytes(4096))) == (1, None, None)
    assert pattern.number_in(BlockPattern(b"x" * 16).block(1)) is None


def test_two_kinds_of_damage_are_two_reasons() -> None:
    found = judge_blocks(BlocksRead(SAYS, 9, [(0, 6), (2, 2)], [5]))
    assert [finding.grade for finding in found] == [DiskGrade.UNFIT] * 2
    assert "2 of 12 blocks of 1 MiB do not come back as they were, first block 2" in found[1].reason


# -- which device may be written over ----------------------------------------------------------------------------


@pytest.fixture
def computer(tmp_path: Path) -> KernelFiles:
    """A card with the running system, mmcblk0 with mmcblk0p2, and a stick that nobody uses, sda with sda1."""
    found = kernel(tmp_path, Path("/"))
    stick = disk(found.sys, "sda", "8:0", {"size": "60000000", "device/model": "Ultra Fit"}, "usb1")
    partition(found.sys, stick, "sda1", "8:1")
    return found


def refused(computer: KernelFiles, number: str, path: str = "/dev/sda") -> str:
    with pytest.raises(DiskTrialError) as error:
        device_of(Path(path), computer, number)
    return str(error.value)


def test_a_stick_that_nobody_uses(computer: KernelFiles) -> None:
    assert device_of(Path("/dev/sda"), computer, "8:0").disk.title == "sda (USB stick or disk, Ultra Fit, 30.7 GB)"


def test_the_card_with_the_running_system(computer: KernelFiles) -> None:
    assert "holds the running system; nothing is written to it" in refused(computer, "179:0", "/dev/mmcblk0")


def test_a_mounted_stick(computer: KernelFiles) -> None:
    with computer.mounts.open("a") as mounts:
        mounts.write(mount_line("/media/stick", "vfat", number="8:1"))
    assert "is mounted at /media/stick; name that folder, or take it off first" in refused(computer, "8:0")


def test_a_partition(computer: KernelFiles) -> None:
    assert "/dev/sda1 is a partition; name the whole device, /dev/sda" in refused(computer, "8:1", "/dev/sda1")


def test_a_stick_that_is_a_part_of_something_else(computer: KernelFiles) -> None:
    mapped = disk(computer.sys, "dm-0", "254:0", {}, "virtual")
    part = computer.sys / "devices/usb1/block/sda/sda1"
    (part / "holders").mkdir()
    (part / "holders" / "dm-0").symlink_to(mapped)
    assert "is a part of dm-0; take it out of that first" in refused(computer, "8:0")
    with computer.mounts.open("a") as mounts:
        mounts.write(mount_line("/", number="254:0"))
    assert "holds the running system" in refused(computer, "8:0")


def test_an_empty_reader_a_protected_card_and_an_unknown_device(computer: KernelFiles) -> None:
    disk(computer.sys, "sdb", "8:16", {"size": "0"}, "usb2")
    assert "there is no card or stick in it" in refused(computer, "8:16", "/dev/sdb")
    disk(computer.sys, "mmcblk1", "179:8", {**CARD, "ro": "1"}, "mmc1")
    assert "is write-protected; see the switch" in refused(computer, "179:8", "/dev/mmcblk1")
    disk(computer.sys, "zram0", "253:0", {"size": "1000"}, "virtual")
    assert "is memory: what it holds is gone with the power" in refused(computer, "253:0", "/dev/zram0")
    assert "the kernel does not know this device" in refused(computer, "7:7", "/dev/loop7")


def test_a_disk_used_for_swap(computer: KernelFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    computer.swaps.write_text("Filename Type Size Used Priority\n/dev/sda1 partition 1024 0 -2\n")
    of_file = {"/dev/sda1": "8:1"}
    monkeypatch.setattr(
        "controller.commissioning.disk.device_place._number_of_file", lambda name: of_file.get(name, "")
    )
    assert "is used for swap" in refused(computer, "8:0")


def test_a_link_to_a_device_is_followed_by_the_kernels_number(computer: KernelFiles) -> None:
    linked(computer.sys, "8:32", computer.sys / "devices/usb1/block/sda")
    assert device_of(Path("/dev/disk/by-id/stick"), computer, "8:32").disk.name == "sda"
