"""A copy of a journal, for tools that read a file: the original never changes; its medium may be read-only."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.journal.errors import JournalError


@contextmanager
def copied(file: Path) -> Iterator[Path]:
    """A copy of a journal and of its ``-wal``, in a temporary folder that goes away afterwards.

    Raises:
        JournalError: there is no file, it cannot be copied, or the table writes it meanwhile.
    """
    wal = file.with_name(f"{file.name}-wal")
    with TemporaryDirectory(prefix="table-controller-") as folder:
        copy = Path(folder) / "copy.journal"
        try:
            if not file.is_file():
                raise JournalError(f"{file}: there is no file here")
            before = _written(file, wal)
            for original, name in ((file, copy.name), (wal, f"{copy.name}-wal")):
                if original.is_file():
                    shutil.copyfile(original, copy.with_name(name))
            if _written(file, wal) != before:
                raise JournalError(f"{file}: a table is writing this journal; stop the table first")
        except OSError as error:
            raise JournalError(f"{file}: it cannot be copied: {error.strerror}") from error
        yield copy


def _written(*files: Path) -> list[tuple[int, int]]:
    """Size and time of the last change of those files that are there."""
    return [(status.st_size, status.st_mtime_ns) for status in (file.stat() for file in files if file.exists())]
