"""The log of records that a power cut interrupts: written before it, and read after it."""

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.commissioning.disk.cut_records import (
    RECORD_BYTES,
    RUN_BYTES,
    RecordState,
    records,
    run_of,
    state_of,
)
from controller.commissioning.disk.errors import DiskTrialError
from controller.commissioning.disk.folder_trial import TrialClock, forget
from controller.commissioning.disk.thresholds import LEAST_FREE_BYTES, RATE_PER_S
from controller.commissioning.disk.trial_folder import DISK_GONE, disk_error
from controller.journal.durable import sync_folder

CUT_FOLDER = ".qualify-disk-cut"
MOST_RECORDS = 30 * 60 * RATE_PER_S
"""For half an hour; nobody waits longer before pulling a plug."""
_NS = 1_000_000_000

Acknowledged = Callable[[int], None]
"""Called with the number of each record, once it is flushed."""


class DiskGoneError(DiskTrialError):
    """The disk went while this computer stays on; the message says which number it had acknowledged."""


@dataclass(frozen=True, slots=True)
class CutLog:
    """The log of a run.

    Attributes:
        run: in hexadecimal, 32 digits.
    """

    folder: Path
    run: str

    @property
    def file(self) -> Path:
        return self.folder / CUT_FOLDER / f"records-{self.run}"


def begin(folder: Path) -> CutLog:
    """Make an empty log in place of an earlier one. Its name is on the disk before the first record.

    Raises:
        DiskTrialError: it cannot be made.
    """
    log = CutLog(folder, secrets.token_hex(RUN_BYTES))
    try:
        remove(folder)
        log.file.parent.mkdir(mode=0o700)
        os.close(os.open(log.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        sync_folder(log.file.parent)
        sync_folder(folder)
    except OSError as error:
        raise disk_error(folder, error) from error
    return log


def remove(folder: Path) -> None:
    """Take away the log of a run, if there is one.

    Raises:
        DiskTrialError: it cannot be taken away.
    """
    made = folder / CUT_FOLDER
    if made.is_dir() and not made.is_symlink():
        try:
            shutil.rmtree(made)
        except OSError as error:
            raise disk_error(made, error) from error


def write_until_cut(log: CutLog, clock: TrialClock, acknowledged: Acknowledged) -> None:
    """Write and flush one record after the other, until the power goes.

    Raises:
        DiskGoneError: the disk went alone.
        DiskTrialError: it cannot be written, or no cut came while there was room.
    """
    free = shutil.disk_usage(log.folder).free - LEAST_FREE_BYTES
    most, number = min(MOST_RECORDS, free // RECORD_BYTES), 0
    descriptor = os.open(log.file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        made = records(bytes.fromhex(log.run))
        while number < most:
            due = clock.now_ns() + _NS // RATE_PER_S
            _write(descriptor, number, next(made))
            number += 1
            acknowledged(number)
            clock.pause(max(0, due - clock.now_ns()) / _NS)
    except _WriteError as failed:
        error = failed.error
        if error.errno in DISK_GONE:
            raise DiskGoneError(
                f"{log.folder}: the disk is gone ({error.strerror}); it had acknowledged {number}. "
                f"Once it is back: table-controller qualify-disk {log.folder} --after-cut --acknowledged {number}"
            ) from error
        raise disk_error(log.folder, error) from error
    finally:
        os.close(descriptor)
    raise DiskTrialError(f"{log.folder}: {number} records were written and no cut came; begin anew")


class _WriteError(Exception):
    """A record could not be written: apart from what else may fail between two of them."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def _write(descriptor: int, number: int, record: bytes) -> None:
    try:
        if os.pwrite(descriptor, record, number * RECORD_BYTES) != RECORD_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # What there was room for is written.
        os.fdatasync(descriptor)
    except OSError as error:
        raise _WriteError(error) from error


def find(folder: Path) -> CutLog:
    """The log that a cut left.

    Raises:
        DiskTrialError: there is none.
    """
    files = sorted((folder / CUT_FOLDER).glob("records-*"))
    if not files:
        raise DiskTrialError(
            f"{folder}: there is no log of a run; begin with --until-cut. "
            "If one was written here, the disk has lost all of it: it is unfit"
        )
    return CutLog(folder, files[0].name.removeprefix("records-"))


def states(log: CutLog) -> Iterator[RecordState]:
    """What is there of each record, as far as the file reaches, read from the disk.

    Raises:
        DiskTrialError: the file cannot be read.
    """
    try:
        forget(log.file)
        with log.file.open("rb") as stream:
            run, made = _run(log), None
            while found := stream.read(RECORD_BYTES):
                made = made or records(run)
                yield state_of(found, next(made))
    except OSError as error:
        raise disk_error(log.file, error) from error


def _run(log: CutLog) -> bytes:
    """By the name, if it is one; else by the first record that is whole."""
    try:
        run = bytes.fromhex(log.run)
    except ValueError:
        run = b""
    if len(run) == RUN_BYTES:
        return run
    with log.file.open("rb") as stream:
        while found := stream.read(RECORD_BYTES):
            if (named := run_of(found)) is not None:
                return named
    raise DiskTrialError(f"{log.file}: the name is not that of a log, and no record is whole: the disk is unfit")
