"""A damaged journal is set aside, never thrown away, and the one that takes its place records it.

The order of the steps is such that a power cut between any two of them leaves either the damaged journal, of which
the floorperson is asked again, or an empty one whose first entry will say what it replaces.
"""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from controller.journal.chain import GENESIS, ChainVerdict
from controller.journal.errors import JournalError
from controller.journal.head_anchor import anchor_file, anchored_head
from controller.journal.journal import Journal

_PARTS = ("-wal", "-shm", "")
"""A journal without its ``-wal`` has lost its last entries, and its witness tells; so this goes first."""


def examine(journal: Path) -> ChainVerdict:
    """Read a journal from its first entry to the first bad one. It takes some seconds for a million entries."""
    try:
        opened = Journal(journal, read_only=True)
    except JournalError as error:
        return ChainVerdict(0, GENESIS, str(error))
    try:
        return opened.verify()
    finally:
        opened.close()


def quarantine(journal: Path, problem: str, utc_ns: int, by: str = "", what: str = "damaged") -> Path:
    """Move a damaged journal away. The next journal of its name is to record what :func:`replaced` says.

    Args:
        problem: why, in words.
        utc_ns: wall time, for the name.
        by: credential number of the floorperson who decided it, if known.
        what: is wrong with it, for the name.

    Returns:
        the file's new name.

    Raises:
        OSError: the disk does not take it.
    """
    moment = datetime.fromtimestamp(utc_ns // 1_000_000_000, UTC).strftime("%Y%m%dT%H%M%SZ")
    aside = _free(journal.with_name(f"{journal.stem}.{what}-{moment}{journal.suffix}"))
    found, known = examine(journal), anchored_head(journal)
    words = f"{aside.name}: {found.entries} entries that fit, head {found.head}; {found.problem or problem}"
    if known is not None and known.seq > found.entries:
        words += f"; it once held entry {known.seq}, hash {known.hash}"
    if by:
        words += f"; decided by floorperson {by}"
    _write_durably(_note(journal), words)
    for part in _PARTS:
        with suppress(FileNotFoundError):
            os.rename(f"{journal}{part}", f"{aside}{part}")
    with suppress(FileNotFoundError):
        os.rename(anchor_file(journal), anchor_file(aside))
    _sync_folder(journal.parent)
    return aside


def replaced_journal(journal: Path) -> str:
    """What a journal takes the place of, in words, until it has recorded that; else empty."""
    with suppress(OSError):
        return _note(journal).read_text(encoding="utf-8")
    return ""


def mark_recorded(journal: Path) -> None:
    """The journal's first entry says what it replaces: the note has done its work."""
    with suppress(FileNotFoundError):
        _note(journal).unlink()


def _note(journal: Path) -> Path:
    return Path(f"{journal}.replaces")


def _free(wanted: Path) -> Path:
    """A name that nothing has."""
    number = 1
    free = wanted
    while free.exists():
        number += 1
        free = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    return free


def _write_durably(file: Path, text: str) -> None:
    new = file.with_name(file.name + ".new")
    with new.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)
    _sync_folder(file.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
