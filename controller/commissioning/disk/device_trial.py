"""Fills a device with blocks, reads all of them back, and measures its flushes before. Nothing on it is left."""

import errno
import secrets
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from controller.commissioning.disk.cut_records import RUN_BYTES
from controller.commissioning.disk.device_blocks import BLOCK_BYTES, BlockPattern, BlocksRead
from controller.commissioning.disk.errors import DiskTrialError
from controller.commissioning.disk.folder_trial import Report, TrialClock, TrialProgress
from controller.commissioning.disk.thresholds import RATE_PER_S

_PAGE = 4096
_NS = 1_000_000_000
_GONE = (errno.ENODEV, errno.ENXIO)


class WritableDisk(Protocol):
    """What a trial needs of a device."""

    size_bytes: int

    def write(self, at: int, data: memoryview | bytes) -> None: ...
    def read(self, at: int, size: int) -> bytes: ...
    def flush(self) -> None: ...


def flush_durations(disk: WritableDisk, seconds: float, clock: TrialClock, report: Report) -> list[int]:
    """Write a page and flush it, for so long, at the rate of a trial; how long each took, in nanoseconds.

    Raises:
        OSError: the device cannot be written.
    """
    page, pages = secrets.token_bytes(_PAGE), max(1, disk.size_bytes // _PAGE)
    durations: list[int] = []
    begun = reported = clock.now_ns()
    end = begun + int(seconds * _NS)
    while (before := clock.now_ns()) < end:
        disk.write(len(durations) % pages * _PAGE, page)
        disk.flush()
        after = clock.now_ns()
        durations.append(after - before)
        if after - reported >= _NS:
            reported = after
            report(TrialProgress(f"{len(durations)} flushes", (after - begun) / (end - begun), (end - after) / _NS))
        clock.pause(max(0, before + _NS // RATE_PER_S - after) / _NS)
    return durations


def fill_and_read(disk: WritableDisk, clock: TrialClock, report: Report) -> BlocksRead:
    """Write every block of a device, then read every block.

    Raises:
        DiskTrialError: the device is gone.
    """
    pattern, read = BlockPattern(secrets.token_bytes(RUN_BYTES)), BlocksRead(disk.size_bytes)
    each = _Stages(read.blocks, clock, report)
    refused: set[int] = set()
    for number in each("written"):
        at = number * BLOCK_BYTES
        block = pattern.block(number, _size(disk, at))
        if not _works(partial(disk.write, at, block)):
            refused.add(number)
    _works(disk.flush)
    for number in each("read back"):
        _compare(disk, pattern, number, read, number in refused)
    return read


def _compare(disk: WritableDisk, pattern: BlockPattern, number: int, read: BlocksRead, refused: bool) -> None:
    at, found = number * BLOCK_BYTES, bytearray()
    came = not refused and _works(lambda: found.extend(disk.read(at, _size(disk, at))))
    if came and found == pattern.block(number, _size(disk, at)):
        read.intact += 1
    elif (other := pattern.number_in(found)) is not None:
        read.overwritten.append((number, other))
    else:
        read.wrong.append(number)


def _size(disk: WritableDisk, at: int) -> int:
    return min(BLOCK_BYTES, disk.size_bytes - at)


def _works(act: Callable[[], object]) -> bool:
    """Whether a device does something; an error is its answer, unless it is gone."""
    try:
        act()
    except OSError as error:
        if error.errno in _GONE:
            raise DiskTrialError("the device is gone; put it in again and begin anew") from error
        return False
    return True


class _Stages:
    """The numbers of all blocks, once for each of two stages, with reports of how far both together are."""

    def __init__(self, blocks: int, clock: TrialClock, report: Report) -> None:
        self._blocks, self._clock, self._report = blocks, clock, report
        self._begun = self._reported = clock.now_ns()
        self._done = 0

    def __call__(self, what: str) -> Iterator[int]:
        for number in range(self._blocks):
            yield number
            self._done += 1
            now = self._clock.now_ns()
            if now - self._reported >= _NS:
                self._reported, part = now, self._done / (2 * self._blocks)
                left_s = (now - self._begun) / _NS * (1 - part) / part
                self._report(TrialProgress(f"{number + 1} of {self._blocks} MiB {what}", part, left_s))
