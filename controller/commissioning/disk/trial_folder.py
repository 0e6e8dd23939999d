"""The folder within a folder in which a trial writes, and which it takes away again."""

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.commissioning.disk.errors import DiskTrialError
from controller.commissioning.disk.thresholds import LEAST_FREE_BYTES

TRIAL_FOLDER = ".qualify-disk-trial"
DISK_GONE = (errno.EIO, errno.ENODEV, errno.ENXIO, errno.EROFS)
"""Errors of a disk that was pulled out, or of a file system that has stopped for it."""
_REMEDIES = {
    errno.EACCES: "call it with sudo, or name a folder that you may write",
    errno.EPERM: "call it with sudo, or name a folder that you may write",
    errno.EROFS: "mount it so that it can be written (mount -o remount,rw)",
    errno.ENOSPC: "free space on it",
    errno.EDQUOT: "free space on it",
    errno.EIO: "the disk is broken or gone; take another one",
    errno.ENODEV: "the disk is gone; put it in again",
    errno.ENXIO: "the disk is gone; put it in again",
}


def disk_error(place: Path | str, error: OSError) -> DiskTrialError:
    """The sentence for an error of the system at a place."""
    remedy = _REMEDIES.get(error.errno or 0, "see dmesg")
    return DiskTrialError(f"{place}: {(error.strerror or str(error)).lower()}; {remedy}")


def existing_folder(place: Path) -> Path:
    """The folder that was named.

    Raises:
        DiskTrialError: it is not there, or is no folder.
    """
    try:
        folder = place.resolve(strict=True)
    except FileNotFoundError as error:
        raise DiskTrialError(f"{place}: there is no such folder or device") from error
    except (OSError, RuntimeError) as error:
        raise DiskTrialError(f"{place}: cannot be reached: {error}") from error
    if not folder.is_dir():
        raise DiskTrialError(
            f"{place}: neither a folder nor a device; name a folder on the disk, or the disk: /dev/sda"
        )
    return folder


@contextmanager
def trial_folder(folder: Path, needed_bytes: int) -> Iterator[Path]:
    """A folder to write in, which is taken away at the end, also after Ctrl-C or an error.

    One that a killed trial left is taken away first.

    Args:
        needed_bytes: what the trial will write at the most.

    Raises:
        DiskTrialError: it cannot be made, another trial is running here, or there is too little space.
    """
    free = shutil.disk_usage(folder).free
    needed = needed_bytes + LEAST_FREE_BYTES
    if free < needed:
        raise DiskTrialError(
            f"{folder}: {free // 2**20} MB are free, and the trial needs {needed // 2**20} MB; "
            "free space on it, or measure for a shorter time (--seconds)"
        )
    made = folder / TRIAL_FOLDER
    try:
        made.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(made, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise disk_error(folder, error) from error
    try:
        _take(lock, made)
        yield made
        _empty(made)
        made.rmdir()
    except OSError as error:
        _clear(made)
        raise disk_error(folder, error) from error
    except DiskBusyTrialError:
        raise
    except BaseException:
        _clear(made)
        raise
    finally:
        os.close(lock)


class DiskBusyTrialError(DiskTrialError):
    """Another trial has the folder; it stays as it is."""


def _take(lock: int, made: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise DiskBusyTrialError(
            f"{made.parent}: another qualify-disk is at work here; wait for its end"
        ) from error
    if os.fstat(lock).st_uid != os.geteuid():
        raise DiskBusyTrialError(
            f"{made} belongs to another user, whose trial was killed; take it away (sudo rm -r)"
        )
    _empty(made)


def _empty(made: Path) -> None:
    """Take away the files of a trial; it makes no folders."""
    for file in made.iterdir():
        file.unlink()


def _clear(made: Path) -> None:
    """The same as far as it goes, after an error that counts more."""
    shutil.rmtree(made, ignore_errors=True)
