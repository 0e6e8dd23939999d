"""The log of a disk's writes, as QEMU's ``blklogwrites`` keeps it, and the disk as a power cut may leave it.

The journal on it is played by tests/system/kernel/guest/appends.py, which marks in the log what was acknowledged.

Format: the kernel's Documentation/admin-guide/device-mapper/log-writes.rst. A write is on the disk for certain once
a flush came after it; of the later ones, any may be there, whole or in part.
"""

import random
import struct
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from on_record import recovered

from controller.configuration.shipped import load_table, table_path
from controller.journal.errors import JournalError
from controller.journal.journal import Journal

MARK = b"ACKNOWLEDGED "

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
    """The disk when the power went after so many of the writes.

    Of one that was in the disk's cache all, nothing or its first sectors are left.
    """
    disk = bytearray(base)
    flushed = max((k for k in range(cut) if writes[k].flush), default=-1)
    for k, write in enumerate(writes[:cut]):
        kept = write.data
        if k > flushed and not write.durable:
            sectors = len(kept) // SECTOR
            kept = kept[: SECTOR * rng.choice((0, 0, 0, sectors, sectors, sectors, rng.randint(0, sectors)))]
        disk[write.at : write.at + len(kept)] = kept
    return disk


def acknowledged(writes: Sequence[Write]) -> tuple[int, str]:
    """The last entry that the table relied upon: its number, 0 for none, and its hash."""
    marks = [write.data[len(MARK) :].split(b" ") for write in writes if write.data.startswith(MARK)]
    return (int(marks[-1][0]), marks[-1][1].decode()) if marks else (0, "")


def lost(journal: Path, seq: int, digest: str) -> str:
    """What is wrong with a journal after a cut, or nothing."""
    if not seq:
        return ""
    try:
        with closing(Journal(journal)) as opened:
            if problem := opened.verify().problem:
                return problem
            entry = opened.entry(seq)
            if entry is None or entry.hash != digest:
                return f"entry {seq} was acknowledged and is not there"
            recovered(load_table(table_path("sic-bo")).config, opened)
    except JournalError as error:
        return str(error)
    return ""
