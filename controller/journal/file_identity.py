"""Which files on disk an open journal writes to.

A file that was deleted or replaced while it is open goes on taking entries, and nobody finds them later. So the
names are compared with what was opened.
"""

import os
from pathlib import Path
from typing import NamedTuple

from controller.journal.database import lock_file


class _Inode(NamedTuple):
    device: int
    number: int


class FileIdentity:
    """The files of one open journal: the database, its write-ahead log, and its lock.

    Args:
        file: the journal's path, open for writing.

    Raises:
        OSError: one of them is not there.
    """

    def __init__(self, file: Path) -> None:
        self._names = str(file), f"{os.path.realpath(file)}-wal", str(lock_file(file))
        self._inodes = [_inode(os.stat(name)) for name in self._names]

    def gone(self) -> bool:
        """Whether the database itself is not there any more: the least that is asked before each entry."""
        try:
            status = os.stat(self._names[0])
        except OSError:
            return True
        return status.st_ino != self._inodes[0].number or status.st_nlink != 1

    def problem(self) -> str:
        """What is wrong with the names now; empty if they are those of the open files."""
        for name, opened in zip(self._names, self._inodes, strict=True):
            try:
                status = os.stat(name)
            except FileNotFoundError:
                return f"{name} was deleted or renamed while the table had it open"
            except OSError:  # A disk that does not answer says so when it is written.
                return ""
            if _inode(status) != opened:
                return f"{name} was replaced by another file while the table had it open"
            if status.st_nlink > 1:
                return f"{name} has a second name on the disk: remove it, for another table could write there"
        return ""


def _inode(status: os.stat_result) -> _Inode:
    return _Inode(status.st_dev, status.st_ino)
