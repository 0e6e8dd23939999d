"""Reads a journal's file for tools.

It is always a copy that is read: no byte of the original changes, and its medium may be read-only.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from config.problems import not_a_file
from controller.journal.errors import JournalError, JournalInUseError
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.journal_file import holder, in_use, log_file


@contextmanager
def copied(file: Path) -> Iterator[Path]:
    """A copy of a journal or of its edges, with its ``-wal`` and its head, in a folder that goes away afterwards.

    Raises:
        JournalInUseError: a table has it open, and a copy would not be one state of it.
        JournalError: there is no file, or it cannot be copied.
    """
    if kind := not_a_file(file):
        raise JournalError(f"{file}: a journal is not {kind}; name a file")
    if not file.is_file():
        raise JournalError(f"{file}: there is no journal here")
    if holder(file):
        raise in_use(file)
    wal = log_file(file)
    with TemporaryDirectory(prefix="table-controller-") as folder:
        copy = Path(folder) / "copy.journal"
        names = ((file, copy.name), (wal, f"{copy.name}-wal"), (anchor_file(file), anchor_file(copy).name))
        try:
            before = _written(file, wal)
            for original, name in names:
                if original.is_file():
                    shutil.copyfile(original, copy.with_name(name))
            if _written(file, wal) != before:
                raise JournalInUseError(f"{file}: a table is writing this journal; stop it first")
        except OSError as error:
            raise JournalError(f"{file}: it cannot be copied: {error.strerror}") from error
        yield copy


def _written(*files: Path) -> list[tuple[int, int]]:
    """Size and time of the last change of those files that are there."""
    return [(status.st_size, status.st_mtime_ns) for status in (file.stat() for file in files if file.exists())]


@contextmanager
def copy_of(file: Path) -> Iterator[Journal]:
    """A copy of a journal, open. Errors name the original.

    Raises:
        JournalError: it is no journal, or as :func:`copied`.
    """
    with copied(file) as copy:
        try:
            with closing(Journal(copy, read_only=True)) as journal:
                yield journal
        except JournalError as error:
            raise type(error)(str(error).replace(str(copy), str(file))) from error
