"""Which device may be written over: a whole one that nothing uses, and whose name somebody has keyed."""

import errno
import mmap
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from controller.commissioning.disk.block_device import BlockDevice, BlockDevices, DiskKind, number_of
from controller.commissioning.disk.errors import DiskTrialError
from controller.commissioning.disk.folder_qualification import KernelFiles
from controller.commissioning.disk.mounts import MountedFileSystem, mounted
from controller.commissioning.disk.trial_folder import disk_error

_OF_THE_SYSTEM = ("/", "/usr", "/boot", "/boot/firmware", "/boot/efi", "/var")


@dataclass(frozen=True, slots=True)
class DevicePlace:
    """A device that may be written over."""

    path: Path
    disk: BlockDevice


def is_device(place: Path) -> bool:
    """Whether a name is that of a block device."""
    try:
        return stat.S_ISBLK(place.stat().st_mode)
    except OSError:
        return False


def device_of(path: Path, kernel: KernelFiles, number: str | None = None) -> DevicePlace:
    """A device that nothing uses.

    Args:
        number: its number, if the device is not to be asked for it.

    Raises:
        DiskTrialError: it is a partition, is used, cannot be written or is not there.
    """
    number = number or number_of(path.stat().st_rdev)
    devices = BlockDevices(kernel.sys)
    if whole := devices.partition_of(number):
        raise DiskTrialError(f"{path} is a partition; name the whole device, /dev/{whole}, or a folder on it")
    disk = devices.disk_of(number)
    if disk is None:
        raise DiskTrialError(f"{path}: the kernel does not know this device")
    if why := _used(devices, number, kernel):
        raise DiskTrialError(f"{path} {why}")
    if disk.kind is DiskKind.MEMORY:
        raise DiskTrialError(f"{path} is memory: what it holds is gone with the power")
    if not disk.size_bytes:
        raise DiskTrialError(f"{path}: there is no card or stick in it")
    if devices.read_only(number):
        raise DiskTrialError(f"{path} is write-protected; see the switch at its side")
    return DevicePlace(path, disk)


def _used(devices: BlockDevices, number: str, kernel: KernelFiles) -> str:
    """What a device or a part of it is used for; empty if for nothing."""
    numbers = set(devices.numbers_on(number))
    points = [
        mount.point
        for mount in mounted(kernel.mounts.read_text(encoding="utf-8", errors="surrogateescape"))
        if numbers & _numbers_of(mount)
    ]
    if any(str(point) in _OF_THE_SYSTEM for point in points):
        return "holds the running system; nothing is written to it. Name a folder on it instead"
    if points:
        named = " ".join(map(str, points))
        return f"is mounted at {named}; name that folder, or take it off first (umount {named})"
    swaps = [line.split()[0] for line in kernel.swaps.read_text().splitlines()[1:]]
    if numbers & {found for swap in swaps if (found := _number_of_file(swap))}:
        return "is used for swap; take it off first (swapoff)"
    if devices.holders(number):
        return f"is a part of {', '.join(devices.holders(number))}; take it out of that first"
    return ""


def _numbers_of(mount: MountedFileSystem) -> set[str]:
    """By which a mount may be known: that of its device, and for btrfs that of its source."""
    return {mount.number, _number_of_file(mount.source)} - {""}


def _number_of_file(name: str) -> str:
    """The number of a device by its name; empty for what is no device."""
    path = Path(name)
    return number_of(path.stat().st_rdev) if path.is_absolute() and is_device(path) else ""


class RawDisk:
    """A device, read and written past the computer's memory where the kernel can (``O_DIRECT``).

    Args:
        size_bytes: as it says.
    """

    def __init__(self, descriptor: int, size_bytes: int, longest: int) -> None:
        self.size_bytes = size_bytes
        self._descriptor = descriptor
        self._buffer = mmap.mmap(-1, longest)  # Aligned, as O_DIRECT asks for.

    def write(self, at: int, data: memoryview | bytes) -> None:
        """Write; what is written may be in the device's cache.

        Raises:
            OSError: it cannot be written.
        """
        self._buffer[: len(data)] = bytes(data)
        with memoryview(self._buffer) as whole, whole[: len(data)] as part:
            if os.pwritev(self._descriptor, [part], at) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def read(self, at: int, size: int) -> bytes:
        """Read; shorter where the device ends.

        Raises:
            OSError: it cannot be read.
        """
        with memoryview(self._buffer) as whole, whole[:size] as part:
            return bytes(part[: os.preadv(self._descriptor, [part], at)])

    def flush(self) -> None:
        """Have the device keep what it was given.

        Raises:
            OSError: it cannot.
        """
        os.fdatasync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)
        self._buffer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def open_device(place: DevicePlace, longest: int) -> RawDisk:
    """Open a device so that nobody else can mount it meanwhile.

    Raises:
        DiskTrialError: somebody uses it, or it may not be written.
    """
    try:
        descriptor = os.open(place.path, os.O_RDWR | os.O_EXCL | os.O_DIRECT | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise DiskTrialError(f"{place.path} is in use; see lsblk and fuser -v {place.path}") from error
        raise disk_error(place.path, error) from error
    return RawDisk(descriptor, place.disk.size_bytes, longest)
