"""The mark ``JOURNAL.mirrored`` beside a journal: another medium has every entry of this one, and may have more.

Of a table with two media each has the mark while entries go to both. If one fails, the other loses its mark and
goes on. So a journal without the mark has the whole record, whatever else there is; one with it may be behind, and
no table goes on from it alone before the floorperson has decided so. The mark is durable on both before the first
entry that goes to both; taking it off too late only asks a question that was not necessary.
"""

import os
from contextlib import suppress
from pathlib import Path

from controller.journal.durable import sync_folder


def mark_file(journal: Path) -> Path:
    """The path of a journal's mark."""
    return Path(f"{journal}.mirrored")


def is_marked(journal: Path) -> bool:
    """Whether another medium may have more than this journal."""
    return os.path.exists(mark_file(journal))


def mark(journal: Path, other: Path) -> None:
    """Say durably that the other medium may have more.

    Raises:
        OSError: the disk cannot be written, and the mark is not there.
    """
    if is_marked(journal):
        return
    file = os.open(mark_file(journal), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        os.pwrite(file, f"{other}\n".encode(), 0)  # That the file is there counts, and not its text.
        os.fsync(file)
    finally:
        os.close(file)
    sync_folder(journal.parent)


def unmark(journal: Path) -> None:
    """Say that no medium has more. If the disk does not take that, the floorperson is asked without need."""
    with suppress(OSError):
        mark_file(journal).unlink()
        sync_folder(journal.parent)


def journal_in_use(file: Path, mirror: Path | None) -> Path:
    """The one of a table's two files that has the whole record, for those who only read; the journal if both do."""
    if mirror is None or is_marked(mirror) or not os.path.exists(mirror):
        return file
    return mirror if is_marked(file) or not os.path.exists(file) else file
