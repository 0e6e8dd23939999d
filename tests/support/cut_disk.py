"""A disk that is cut off its power: what may be there of a file, if it keeps to its flushes, and if it lies."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from controller.commissioning.disk.cut_records import RECORD_BYTES, SECTOR_BYTES

Written = tuple[int, bytes]
"""A write: at which byte, and what."""


def image(writes: Sequence[Written]) -> bytes:
    """A file after these writes, in this order; what was never written is zero."""
    data = bytearray()
    for at, content in writes:
        data.extend(bytes(max(0, at + len(content) - len(data))))
        data[at : at + len(content)] = content
    return bytes(data)


def sectors(write: Written) -> list[Written]:
    at, content = write
    return [(at + k, content[k : k + SECTOR_BYTES]) for k in range(0, len(content), SECTOR_BYTES)]


def parts(write: Written) -> Iterator[list[Written]]:
    """What may be there of a write that was not flushed: sectors from either end, or every other one."""
    cut = sectors(write)
    yield []
    yield [write]
    for k in range(1, len(cut)):
        yield cut[:k]
        yield cut[k:]
    yield cut[::2]


def honest(records: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """Every cut of a disk that keeps what it acknowledged: the number acknowledged, and the file."""
    writes = [(k * RECORD_BYTES, record) for k, record in enumerate(records)]
    for count, write in enumerate(writes):
        for part in parts(write):
            yield count, image([*writes[:count], *part])
    yield len(writes), image(writes)


def lying(records: Sequence[bytes]) -> Iterator[tuple[set[int], bytes]]:
    """Every cut of a disk that acknowledged all and kept some: the numbers that it kept, and the file."""
    writes = [(k * RECORD_BYTES, record) for k, record in enumerate(records)]
    numbers = range(len(writes))
    for kept in chain.from_iterable(combinations(numbers, size) for size in range(len(writes))):
        yield {number + 1 for number in kept}, image([writes[number] for number in kept])
