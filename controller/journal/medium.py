"""One of the two media of a mirrored journal: what lies there, and whether it can be used."""

import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.events.event import MEDIA
from controller.journal.errors import (
    JournalDamagedError,
    JournalError,
    JournalInUseError,
    JournalUnwritableError,
)
from controller.journal.journal import Journal

JOURNAL, MIRROR = MEDIA


@dataclass(slots=True)
class Medium:
    """A medium, and its journal while that is in use.

    Attributes:
        name: ``journal`` or ``mirror``.
        journal: open; None if the medium cannot be used, or has no journal yet.
        error: why it cannot be used; None if it can.
        filled: how many entries were copied to it.
    """

    name: str
    file: Path
    journal: Journal | None = None
    error: JournalError | None = None
    filled: int = 0

    @property
    def absent(self) -> bool:
        """There is no journal yet, and one can be tried."""
        return self.journal is None and self.error is None

    @property
    def damaged(self) -> bool:
        return isinstance(self.error, JournalDamagedError)

    def open(self) -> None:
        """Open what is there; nothing is made.

        Raises:
            JournalInUseError: another process writes it.
        """
        try:
            there = self.file.is_file()
        except OSError as error:  # As of a medium that does not answer.
            self.error = JournalUnwritableError(f"{self.file}: {error.strerror}")
            return
        if there:
            self.make()

    def make(self) -> None:
        """Open the journal, or begin one; its last round is verified.

        Raises:
            JournalInUseError: another process writes it.
        """
        try:
            self.journal = Journal(self.file)
            last = self.journal.last_checkpoint()
            if problem := self.journal.verify(last.seq - 1 if last is not None else 0).problem:
                raise JournalDamagedError(f"{self.file}: {problem}")
        except JournalInUseError:
            raise
        except JournalError as error:
            self.fail(error)

    def fail(self, error: JournalError) -> None:
        """It is not written again before the next start."""
        if self.error is None:
            self.error = error
        self.close()

    def close(self) -> None:
        journal, self.journal = self.journal, None
        if journal is not None:
            with suppress(OSError, sqlite3.Error):  # A medium that is gone cannot be closed in order, either.
                journal.close()

    def readable(self) -> Journal | None:
        """What can be read of a medium that cannot be used; the caller closes it. None for nothing."""
        with suppress(JournalError, sqlite3.Error, OSError):
            return Journal(self.file, read_only=True)
        return None


def same_medium(file: Path, mirror: Path) -> bool:
    """Whether both would lie on the same file system, as where a medium is not mounted."""
    return _device(file) == _device(mirror)


def _device(path: Path) -> int:
    for folder in path.parents:
        with suppress(FileNotFoundError):
            return os.stat(folder).st_dev
    return -1
