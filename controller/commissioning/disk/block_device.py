"""What the kernel knows of a block device. See Documentation/ABI/stable/sysfs-block of Linux."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

_SECTOR = 512
"""Bytes of a sector in the kernel's counts, whatever the device's own sectors are."""
_WRITTEN = 6
"""The field of ``stat`` with the sectors written."""
_FAMILIES = (
    ("nvme", "NVME"),
    ("vd", "VIRTUAL"),
    ("xvd", "VIRTUAL"),
    ("loop", "VIRTUAL"),
    ("nbd", "VIRTUAL"),
    ("zram", "MEMORY"),
    ("ram", "MEMORY"),
)


class DiskKind(Enum):
    """The kinds of disks that differ in what they do with a flush."""

    SD_CARD = "SD card"
    EMMC = "eMMC"
    USB = "USB stick or disk"
    NVME = "NVMe SSD"
    SSD = "SSD"
    HARD_DISK = "hard disk"
    VIRTUAL = "virtual disk"
    MEMORY = "memory"
    OTHER = "disk of an unknown kind"


@dataclass(frozen=True, slots=True)
class BlockDevice:
    """A whole disk.

    Attributes:
        name: the kernel's: ``mmcblk0``.
        model: as the device says; empty if it says nothing.
        write_cache: ``write back`` or ``write through`` as the kernel takes it to be; empty if it does not say.
        fua: whether the device takes writes that bypass its cache; None if the kernel does not say.
    """

    name: str
    kind: DiskKind
    model: str = ""
    size_bytes: int = 0
    removable: bool = False
    rotational: bool = False
    write_cache: str = ""
    fua: bool | None = None

    @property
    def title(self) -> str:
        """``mmcblk0 (SD card, SC32G, 31.9 GB)``."""
        parts = (self.kind.value, self.model, f"{self.size_bytes / 1e9:.1f} GB" if self.size_bytes else "")
        return f"{self.name} ({', '.join(part for part in parts if part)})"


class BlockDevices:
    """The block devices of this computer.

    Args:
        sys: where the kernel shows them.
    """

    def __init__(self, sys: Path = Path("/sys")) -> None:
        self._sys = sys

    def folder_of(self, number: str) -> Path | None:
        """The folder of a device or partition by its number, ``179:2``; None if there is none."""
        link = self._sys / "dev" / "block" / number
        return link.resolve() if link.exists() else None

    def disk_of(self, number: str) -> BlockDevice | None:
        """The whole disk on which a device or partition lies, below mapped devices the first one."""
        folder = self.folder_of(number)
        return self._read(_bottom(folder)) if folder is not None else None

    def partition_of(self, number: str) -> str:
        """The name of the whole disk if this is a partition, else nothing."""
        folder = self.folder_of(number)
        return folder.parent.name if folder is not None and (folder / "partition").exists() else ""

    def numbers_on(self, number: str) -> Iterator[str]:
        """The numbers of a disk, its partitions, and what is made of them (mapped devices, RAID)."""
        folder = self.folder_of(number)
        if folder is not None:
            yield from _numbers(folder)

    def holders(self, number: str) -> list[str]:
        """What is made of a disk or its partitions: mapped devices, RAID."""
        folder = self.folder_of(number)
        parts = [folder, *(part for part in folder.iterdir() if (part / "partition").exists())] if folder else []
        return sorted(holder.name for part in parts for holder in _within(part / "holders"))

    def read_only(self, number: str) -> bool:
        """Whether the kernel writes nothing to a device, as its switch says."""
        folder = self.folder_of(number)
        return folder is not None and _word(folder / "ro") == "1"

    def written_bytes(self, number: str) -> int | None:
        """Bytes written to a device or partition since it is there, by anybody; None if nobody counts."""
        folder = self.folder_of(number)
        try:
            fields = (folder / "stat").read_text().split() if folder is not None else []
            return int(fields[_WRITTEN]) * _SECTOR if len(fields) > _WRITTEN else None
        except OSError:
            return None

    def _read(self, folder: Path) -> BlockDevice:
        rotational = _word(folder / "queue" / "rotational") == "1"
        fua = _word(folder / "queue" / "fua")
        return BlockDevice(
            folder.name,
            _kind(folder, rotational),
            _word(folder / "device" / "model") or _word(folder / "device" / "name"),
            int(_word(folder / "size") or 0) * _SECTOR,
            _word(folder / "removable") == "1",
            rotational,
            _word(folder / "queue" / "write_cache"),
            fua == "1" if fua else None,
        )


def _kind(folder: Path, rotational: bool) -> DiskKind:
    name = folder.name
    if name.startswith("mmcblk"):
        return DiskKind.SD_CARD if _word(folder / "device" / "type") == "SD" else DiskKind.EMMC
    for start, kind in _FAMILIES:
        if name.startswith(start):
            return DiskKind[kind]
    if not name.startswith("sd"):
        return DiskKind.OTHER
    if any(part.startswith("usb") for part in folder.parts):
        return DiskKind.USB
    return DiskKind.HARD_DISK if rotational else DiskKind.SSD


def _bottom(folder: Path) -> Path:
    """The whole disk of a partition or mapped device."""
    while True:
        if (folder / "partition").exists():
            folder = folder.parent
        below = _within(folder / "slaves")
        if not below:
            return folder
        folder = below[0].resolve()


def _numbers(folder: Path) -> Iterator[str]:
    yield _word(folder / "dev")
    for holder in _within(folder / "holders"):
        yield from _numbers(holder.resolve())
    for part in sorted(folder.iterdir()):
        if (part / "partition").exists():
            yield from _numbers(part)


def _within(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _word(file: Path) -> str:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""


def number_of(device: int) -> str:
    """The number of a device as the kernel writes it: ``179:2``."""
    return f"{os.major(device)}:{os.minor(device)}"
