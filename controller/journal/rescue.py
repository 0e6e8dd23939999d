"""Saves the record of a journal whose file was deleted or replaced while the table played, from the open file."""

import os
from pathlib import Path

from controller.journal.durable import sync_folder
from controller.journal.errors import JournalError
from controller.journal.head_anchor import keep_head
from controller.journal.journal import Journal
from controller.journal.quarantine import free_name, moment


def rescue(journal: Journal, file: Path, utc_ns: int) -> str:
    """Copy the record beside its old place, and keep every later start closed until the floorperson decides.

    Args:
        journal: still open.
        file: where it was opened.
        utc_ns: wall time, for the copy's name.

    Returns:
        what became of the record, as text.
    """
    kept = free_name(file.with_name(f"{file.stem}.rescued-{moment(utc_ns)}{file.suffix}"))
    try:
        journal.copy_to(kept)
        _sync(kept)
        keep_head(file, len(journal), journal.head)
    except (JournalError, OSError) as error:
        return f"its {len(journal)} entries could not be saved as {kept.name}: {error}"
    return f"all its {len(journal)} entries, head {journal.head}, are saved as {kept.name}"


def _sync(file: Path) -> None:
    """The copy and its name are on disk."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(file.parent)
