"""Reads a journal's file for tools.

It is always a copy that is read: no byte of the original changes, and its medium may be read-only.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from controller.journal.copied import copied
from controller.journal.errors import JournalError
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.journal_file import holder, not_a_file


@contextmanager
def copy_of(file: Path) -> Iterator[Journal]:
    """A copy of a journal, with its head anchor. Errors name the original.

    Raises:
        JournalError: it is no journal, cannot be read, or a table has it open.
    """
    if problem := not_a_file(file):
        raise JournalError(f"{file}: {problem}")
    if not file.is_file():
        raise JournalError(f"{file}: there is no journal here")
    if found := holder(file):
        raise JournalError(
            f"{file}: {found} has this journal open; stop it first, or read the record at its screens"
        )
    with copied(file) as copy:
        try:
            with suppress(FileNotFoundError):
                shutil.copyfile(anchor_file(file), anchor_file(copy))
            with closing(Journal(copy, read_only=True)) as journal:
                yield journal
        except JournalError as error:
            raise type(error)(str(error).replace(str(copy), str(file))) from error
