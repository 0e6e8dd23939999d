"""Quarantine of a damaged journal: it is renamed, never deleted, and the journal that replaces it records that.

The steps are ordered so that a power cut between any two of them leaves either the damaged journal, about which
the floorperson is asked again, or an empty one whose first entry will name the journal that it replaces.
"""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from controller.journal.chain import GENESIS, ChainVerdict
from controller.journal.durable import sync_folder, write_durably
from controller.journal.errors import JournalError
from controller.journal.head_anchor import anchor_file, anchored_head
from controller.journal.journal import Journal
from controller.journal.wrong_pins import forget_wrong_pins, read_wrong_pins

_PARTS = ("-wal", "-shm", "")
"""The order of renaming. Without its ``-wal`` a journal lacks its last entries, which its head anchor reveals."""


def examine(journal: Path) -> ChainVerdict:
    """Verify a journal up to the first bad entry, and its end. It takes some seconds for a million entries."""
    try:
        opened = Journal(journal, read_only=True)
    except JournalError as error:
        return ChainVerdict(0, GENESIS, str(error))
    try:
        verdict = opened.verify()
        return verdict if verdict.problem else verdict._replace(problem=opened.missing_at_end())
    finally:
        opened.close()


def quarantine(journal: Path, problem: str, utc_ns: int, by: str = "", what: str = "damaged") -> Path:
    """Rename a damaged journal. The next journal of its name must record the text of :func:`replaced_journal`.

    Args:
        problem: what is wrong with it, as text.
        utc_ns: wall time, for the new name.
        by: credential number of the floorperson who decided it, if known.
        what: ``damaged`` or another word for the new name.

    Returns:
        the new path.

    Raises:
        OSError: the disk cannot be written.
    """
    quarantined = free_name(journal.with_name(f"{journal.stem}.{what}-{moment(utc_ns)}{journal.suffix}"))
    found, known = examine(journal), anchored_head(journal)
    words = f"{quarantined.name}: {found.entries} entries that fit, head {found.head}; {found.problem or problem}"
    if problem not in words and found.problem not in problem:
        words += f"; {problem}"
    if known is not None and known.seq > found.entries:
        words += f"; it once held entry {known.seq}, hash {known.hash}"
    refused = read_wrong_pins(journal)
    if refused.total:
        words += f"; {refused}"
    if by:
        words += f"; decided by floorperson {by}"
    write_durably(_note(journal), words)
    for part in _PARTS:
        with suppress(FileNotFoundError):
            os.rename(f"{journal}{part}", f"{quarantined}{part}")
    with suppress(FileNotFoundError):
        os.rename(anchor_file(journal), anchor_file(quarantined))
    sync_folder(journal.parent)
    return quarantined


def replaced_journal(journal: Path) -> str:
    """A text on the journal that this one replaces, until it is recorded; else empty."""
    with suppress(OSError):
        return _note(journal).read_text(encoding="utf-8")
    return ""


def mark_recorded(journal: Path) -> None:
    """Delete the note: the journal's first entry now names the journal that it replaces."""
    forget_wrong_pins(journal)
    with suppress(FileNotFoundError):
        _note(journal).unlink()


def _note(journal: Path) -> Path:
    return Path(f"{journal}.replaces")


def moment(utc_ns: int) -> str:
    """Wall time as names of files have it."""
    return datetime.fromtimestamp(utc_ns // 1_000_000_000, UTC).strftime("%Y%m%dT%H%M%SZ")


def free_name(preferred: Path) -> Path:
    """A path at which there is no file, by a number appended if necessary."""
    number = 1
    free = preferred
    while free.exists():
        number += 1
        free = preferred.with_name(f"{preferred.stem}-{number}{preferred.suffix}")
    return free
