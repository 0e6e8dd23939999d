"""Writes to a folder as a table's journal does, measures each commit, and reads all of it back from the disk."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from controller.commissioning.disk.entries import ENTRY_BYTES, trial_entries
from controller.commissioning.disk.flush_times import FlushComparison, percentile_ns
from controller.commissioning.disk.thresholds import COMPARED_S, COMPARED_WRITES, RATE_PER_S
from controller.journal.errors import JournalError
from controller.journal.journal import Journal

_PAGE = 4096
_NS = 1_000_000_000


class TrialClock(Protocol):
    """Time for a trial: durations, and the pauses between commits."""

    def now_ns(self) -> int: ...
    def pause(self, seconds: float) -> None: ...


class SystemTrialClock:
    """The computer's own."""

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)


@dataclass(frozen=True, slots=True)
class TrialProgress:
    """How far a trial is.

    Attributes:
        done: the part that is done, 0 to 1.
        left_s: the time that it will still take.
    """

    what: str
    done: float
    left_s: float


Report = Callable[[TrialProgress], None]


def space_needed(seconds: float) -> int:
    """Bytes that a trial of this length writes at the most: its journal, and as much again beside it."""
    return 2 * int(seconds * RATE_PER_S + 1) * ENTRY_BYTES + 2 * COMPARED_WRITES * _PAGE


@dataclass(frozen=True, slots=True)
class WrittenJournal:
    """A journal that a trial wrote.

    Attributes:
        durations_ns: of each commit.
        head: the hash of its last entry.
    """

    durations_ns: list[int]
    head: str


def write_journal(file: Path, seconds: float, clock: TrialClock, report: Report) -> WrittenJournal:
    """Append to a journal for so long, and measure each commit.

    Raises:
        JournalError: the disk cannot be written.
    """
    journal = Journal(file)
    durations: list[int] = []
    try:
        begun, entries = clock.now_ns(), trial_entries()
        end, each, due, reported = begun + int(seconds * _NS), _NS // RATE_PER_S, begun, begun
        while (now := clock.now_ns()) < end:
            if now < due:
                clock.pause((due - now) / _NS)
                continue
            entry = next(entries)
            before = clock.now_ns()
            journal.append(entry.round, before, before, entry.kind, entry.body, entry.checkpoint)
            after = clock.now_ns()
            durations.append(after - before)
            due = max(due + each, after - each)  # A disk that is behind is not made to catch up.
            if after - reported >= _NS:
                reported = after
                report(
                    TrialProgress(f"{len(durations)} commits", (after - begun) / (end - begun), (end - after) / _NS)
                )
        return WrittenJournal(durations, journal.head)
    finally:
        journal.close()


def compare_flushes(file: Path, clock: TrialClock) -> FlushComparison:
    """Write pages to a file with and without a flush.

    Raises:
        OSError: the disk cannot be written.
    """
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        page = os.urandom(_PAGE)

        def write(number: int) -> None:
            os.pwrite(descriptor, page, number * _PAGE)

        def flush(number: int) -> None:
            write(number)
            os.fdatasync(descriptor)

        flushed = _median_us(flush, clock)
        return FlushComparison(flushed, _median_us(write, clock))
    finally:
        os.close(descriptor)


def _median_us(act: Callable[[int], None], clock: TrialClock) -> float:
    taken: list[int] = []
    until = clock.now_ns() + int(COMPARED_S * _NS)
    while len(taken) < COMPARED_WRITES and (before := clock.now_ns()) < until:
        act(len(taken))
        taken.append(clock.now_ns() - before)
    return percentile_ns(sorted(taken), 50) / 1000


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What was read again.

    Attributes:
        entries: how many were as they had been written.
        written: how many had been.
        from_disk_bytes: what the disk was asked for, and not memory; None if the kernel does not count.
        problem: the first thing that is not as it was; empty if all is.
    """

    entries: int
    written: int
    from_disk_bytes: int | None
    file_bytes: int
    problem: str = ""

    @property
    def from_memory(self) -> bool:
        """Whether memory answered for most of the file, though it was to forget it."""
        return self.from_disk_bytes is not None and 2 * self.from_disk_bytes < self.file_bytes


def read_back(file: Path, written: WrittenJournal) -> ReadBack:
    """Verify a journal by its hashes, read from the disk: what memory keeps of its files is dropped first."""
    count = len(written.durations_ns)
    for part in (file, Path(f"{file}-wal")):
        forget(part)
    before, size = _bytes_read(), file.stat().st_size
    try:
        journal = Journal(file, read_only=True)
        try:
            verdict = journal.verify()
            problem = verdict.problem
            if not problem and (verdict.entries, verdict.head) != (count, written.head):
                problem = f"{verdict.entries} of {count} entries are there"
        finally:
            journal.close()
    except JournalError as error:
        return ReadBack(0, count, _since(before), size, str(error))
    return ReadBack(verdict.entries, count, _since(before), size, problem)


def forget(file: Path) -> None:
    """Have the kernel drop what it keeps of a file in memory, so that it is read from the disk."""
    with suppress(FileNotFoundError):
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)  # What is not written yet is not dropped.
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)


def _bytes_read() -> int | None:
    return process_io("read_bytes")


def _since(before: int | None) -> int | None:
    now = _bytes_read()
    return None if before is None or now is None else now - before


def process_io(field: str) -> int | None:
    """A count of ``/proc/self/io`` (proc_pid_io(5)); None where the kernel keeps none."""
    try:
        lines = Path("/proc/self/io").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.partition(":")[2]) for line in lines if line.startswith(f"{field}:")), None)
