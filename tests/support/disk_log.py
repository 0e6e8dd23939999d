"""The log of a disk's writes, as QEMU's ``blklogwrites`` keeps it, and the disk as a power cut may leave it.

Format: the kernel's Documentation/admin-guide/device-mapper/log-writes.rst. A write is on the disk for certain once
a flush came after it; of the later ones, any may be there, whole or in part.
"""

import random
import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = 0x6A736677736872
_SUPER = struct.Struct("<QQQI")
_ENTRY = struct.Struct("<QQQQ")
_FLUSH, _FUA, _DISCARD = 1, 2, 4
SECTOR = 512


@dataclass(frozen=True)
class Write:
    """A write, or a flush."""

    at: int
    """Where on the disk, in bytes."""
    data: bytes
    flush: bool
    durable: bool
    """It went past the disk's cache."""


def read_log(file: Path) -> list[Write]:
    """Every write and flush, in order."""
    with file.open("rb") as log:
        magic, _, _, size = _SUPER.unpack(log.read(_SUPER.size))
        assert magic == MAGIC, "this is no log of a disk"
        writes, place = [], size
        while True:
            log.seek(place)
            head = log.read(_ENTRY.size)
            if len(head) < _ENTRY.size:
                return writes
            sector, sectors, flags, _ = _ENTRY.unpack(head)
            if not (sectors or flags):
                return writes  # What was never written is zero.
            place += size
            data = b""
            if sectors and not flags & _DISCARD:
                log.seek(place)
                data = log.read(sectors * size)
                place += sectors * size
            writes.append(Write(sector * size, data, bool(flags & _FLUSH), bool(flags & _FUA)))


def after_cut(base: bytes, writes: list[Write], cut: int, rng: random.Random) -> bytearray:
    """The disk when the power went after so many of the writes."""
    disk = bytearray(base)
    flushed = max((k for k in range(cut) if writes[k].flush), default=-1)
    for k, write in enumerate(writes[:cut]):
        kept = write.data
        if k > flushed and not write.durable:
            kept = survives(write.data, rng)
        disk[write.at : write.at + len(kept)] = kept
    return disk


def survives(data: bytes, rng: random.Random) -> bytes:
    """What is left of a write that was in the disk's cache: all, nothing, or its first sectors."""
    fate = rng.random()
    if fate < 0.45:
        return data
    if fate < 0.9:
        return b""
    return data[: SECTOR * rng.randint(0, len(data) // SECTOR)]
