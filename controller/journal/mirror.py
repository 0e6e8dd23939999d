"""A journal whose every entry is also written to a second file, its mirror, on another medium.

The journal is written first, then the mirror, and only then is anything of the entry seen. So at any time the
mirror is the beginning of the journal. At a start what it lacks is copied to it. A mirror that is longer than the
journal, or has other entries, means that the journal is not what it was: the table stays closed until a person
makes one of the other (:func:`controller.journal.set_aside.recover_from`). A mirror that cannot be used is left
out until the next start, which is on record, and play goes on with the journal.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from controller.journal.chain import Entry
from controller.journal.errors import (
    JournalDamagedError,
    JournalError,
    JournalInUseError,
    JournalMirrorError,
)
from controller.journal.journal import Journal


class MirroredJournal(Journal):
    """An open journal and its mirror; :meth:`catch_up` is to be run to its end before the first entry.

    Args:
        distinct: the two must lie on different file systems.

    Attributes:
        mirror: open; None if it cannot be used.
        problem: why it cannot; empty if it can.
        copied: how many entries were copied to it.
        listeners: called when it cannot be used any longer.

    Raises:
        JournalMirrorError: the mirror has what the journal has not, or may have it.
        JournalError: the journal cannot be used.
    """

    def __init__(self, file: Path, mirror: Path, distinct: bool = True) -> None:
        self.mirror: Journal | None = None
        self.mirror_file = mirror
        self.problem = ""
        self.copied = 0
        self.listeners: list[Callable[[], None]] = []
        try:
            super().__init__(file)
            if problem := self.end_problem():
                self.close()
                raise JournalDamagedError(f"{file}: {problem}")
        except JournalDamagedError as error:
            raise JournalDamagedError(f"{error}; {_offer(file, mirror)}") from error
        try:
            self._open_mirror(file, distinct)
        except BaseException:
            self.close()
            raise

    def _open_mirror(self, file: Path, distinct: bool) -> None:
        """Open the mirror, and refuse a journal that is not all that its mirror is."""
        if distinct and same_medium(file, self.mirror_file):
            self.problem = "it would be on the same medium as the journal (is its own medium mounted?)"
        else:
            try:
                self.mirror = Journal(self.mirror_file)
                if problem := self.mirror.end_problem():
                    self.drop(problem)
            except JournalInUseError:
                raise
            except JournalError as error:
                self.drop(str(error))
        if self.mirror is None:
            if not len(self):
                raise JournalMirrorError(
                    f"{file} is empty, and its mirror may have the record: {self.mirror_file}: {self.problem}; "
                    "put its medium back, or take mirror: out of the table's file"
                )
            return
        last = len(self.mirror)
        entry = self.entry(last)
        if last and (entry is None or entry.hash != self.mirror.head):
            found = f"has {last} entries" if entry is None else f"has another entry {last}"
            raise JournalMirrorError(
                f"{file} has {len(self)} entries, and its mirror {self.mirror_file} {found}: "
                f"a technician decides which one counts: {_command(file, self.mirror_file)}, or "
                f"{_command(self.mirror_file, file)}; the other one is kept"
            )

    def catch_up(self) -> Iterator[int]:
        """Copy to the mirror what it lacks; yields how many entries it has after each part."""
        if self.mirror is None:
            return
        before = len(self.mirror)
        try:
            for length in self.mirror.fill(self):
                self.copied = length - before
                yield length
        except JournalError as error:
            self.drop(f"it cannot be filled: {error}")

    def _mirrored(self, do: Callable[[Journal], None]) -> None:
        """Do the same with the mirror, without which play goes on if that fails."""
        if self.mirror is not None:
            try:
                do(self.mirror)
            except JournalError as error:
                self.drop(str(error))

    def store(self, *entries: Entry) -> None:
        """Store entries in the journal, and then in the mirror."""
        super().store(*entries)
        self._mirrored(lambda mirror: mirror.store(*entries))

    def check_file(self) -> None:
        super().check_file()
        self._mirrored(lambda mirror: mirror.check_file())

    def answers(self) -> bool:
        if self.mirror is not None and not self.mirror.answers():
            self.drop("it does not answer")
        return super().answers()

    def drop(self, problem: str) -> None:
        """Leave the mirror out until the next start."""
        if self.problem:
            return
        self.problem = problem
        self._close_mirror()
        for listener in self.listeners:
            listener()

    def close(self) -> None:
        self._close_mirror()
        super().close()

    def _close_mirror(self) -> None:
        mirror, self.mirror = self.mirror, None
        if mirror is not None:
            with suppress(OSError, sqlite3.Error):  # A medium that is gone cannot be closed in order, either.
                mirror.close()


def open_mirrored(file: Path, mirror: Path, distinct: bool = True) -> MirroredJournal:
    """Open both, and copy to the mirror what it lacks."""
    journal = MirroredJournal(file, mirror, distinct)
    try:
        for _ in journal.catch_up():
            pass
    except BaseException:
        journal.close()
        raise
    return journal


def _offer(file: Path, mirror: Path) -> str:
    """What the mirror of a damaged journal has, and how a journal is made of it."""
    try:
        with closing(Journal(mirror, read_only=True)) as opened:  # None is made where it was renamed already.
            if not (problem := opened.end_problem()):
                return f"its mirror has {len(opened)} entries: {_command(file, mirror)} makes a journal of them"
    except JournalError as error:
        problem = str(error)
    return f"its mirror cannot be used either: {problem}"


def _command(file: Path, source: Path) -> str:
    return f"table-controller journal recover {file} --from {source}"


def same_medium(file: Path, mirror: Path) -> bool:
    """Whether both would lie on the same file system, as where a medium is not mounted."""
    return device_of(file) == device_of(mirror)


def device_of(path: Path) -> int:
    """The number of the file system on which a file is, or will be; -1 if that is unknown."""
    for folder in Path(os.path.realpath(path)).parents:
        with suppress(FileNotFoundError):
            return os.stat(folder).st_dev
    return -1
