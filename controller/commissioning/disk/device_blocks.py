"""Blocks that fill a device, each of whose sectors says which block it is of; and what came back of them. Pure."""

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.commissioning.disk.verdict import DiskFinding, DiskGrade

BLOCK_BYTES = 2**20
_SECTOR = 512
_MAGIC = b"TCBLOCK1"
_RUN_BYTES = 16
_STAMP = struct.Struct(f">8s{_RUN_BYTES}sQ")
_NUMBER = struct.Struct(">Q")
_NUMBER_AT = _STAMP.size - _NUMBER.size
_OTHER_DISK = "take another one, and send this one back"


class BlockPattern:
    """The blocks of a run.

    Args:
        run: 16 bytes of chance, so that what an earlier run left is not taken for this one's.
    """

    def __init__(self, run: bytes) -> None:
        self._run = run
        self._block = bytearray(hashlib.shake_256(run).digest(BLOCK_BYTES))
        for at in range(0, BLOCK_BYTES, _SECTOR):
            _STAMP.pack_into(self._block, at, _MAGIC, run, 0)

    def block(self, number: int, size: int = BLOCK_BYTES) -> memoryview:
        """A block, until the next one is made.

        Args:
            size: of the last one, if it is shorter.
        """
        pack, block = _NUMBER.pack_into, self._block
        for at in range(_NUMBER_AT, BLOCK_BYTES, _SECTOR):
            pack(block, at, number)
        return memoryview(block)[:size]

    def number_in(self, found: bytes | bytearray | memoryview) -> int | None:
        """The block of this run that lies in some place, by its first sector that says so; None if none does."""
        for at in range(0, len(found) - _STAMP.size + 1, _SECTOR):
            magic, run, number = _STAMP.unpack_from(found, at)
            if (magic, run) == (_MAGIC, self._run):
                return int(number)
        return None


@dataclass(slots=True)
class BlocksRead:
    """What came back of a device's blocks.

    Attributes:
        size_bytes: as the device says.
        intact: how many came back as they were.
        overwritten: blocks in whose place another one lies, with that one.
        wrong: blocks that came back otherwise, or not at all.
    """

    size_bytes: int
    intact: int = 0
    overwritten: list[tuple[int, int]] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)

    @property
    def blocks(self) -> int:
        """How many there are."""
        return -(-self.size_bytes // BLOCK_BYTES)


def judge_blocks(read: BlocksRead) -> list[DiskFinding]:
    """Whether a device is as large as it says, and keeps what it is given."""
    found = []
    says = f"it says {read.size_bytes / 1e9:.2f} GB"
    others = [pair for pair in read.overwritten if pair[0] != pair[1]]
    if others:
        first, by = others[0]
        reason = (
            f"its size is a lie: {says} and keeps {_gb(read.intact)}. Where block {first} was written "
            f"lies block {by}, and so for {len(others)} of {read.blocks} blocks of 1 MiB"
        )
        found.append(DiskFinding(DiskGrade.UNFIT, reason, _OTHER_DISK))
    wrong = sorted([*read.wrong, *(number for number, by in read.overwritten if number == by)])
    if wrong:
        part = f"{len(wrong)} of {read.blocks} blocks of 1 MiB"
        reason = f"{part} do not come back as they were, first block {wrong[0]}"
        if _are_the_last(wrong, read.blocks):
            reason = f"its size is a lie: {says}, and nothing comes back beyond {_gb(wrong[0])}"
        found.append(DiskFinding(DiskGrade.UNFIT, reason, _OTHER_DISK))
    return found


def _gb(blocks: int) -> str:
    return f"{blocks * BLOCK_BYTES / 1e9:.2f} GB"


def _are_the_last(numbers: Iterable[int], blocks: int) -> bool:
    """Whether these are all the blocks from one on, and more than one."""
    those = list(numbers)
    return len(those) > 1 and those == list(range(blocks - len(those), blocks))
