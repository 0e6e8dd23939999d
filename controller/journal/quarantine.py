"""What becomes of a journal that cannot be used: it is renamed, never deleted.

A damaged journal is quarantined, and the one that replaces it records that. The steps are ordered so that a power
cut between any two of them leaves either the damaged journal, about which the floorperson is asked again, or an
empty one whose first entry will name the journal that it replaces. Where a mirror is whole, a technician may make a
journal of it instead.
"""

import os
import shutil
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from controller.journal.chain import GENESIS, ChainVerdict
from controller.journal.durable import sync_file, sync_folder
from controller.journal.errors import JournalError
from controller.journal.head_anchor import anchor_file, anchored_head, keep_head
from controller.journal.journal import Journal
from controller.journal.journal_file import holder, in_use
from controller.journal.notes import RECOVERED, REPLACED, note, read_wrong_pins
from controller.journal.reading import copy_of

_PARTS = ("-wal", "-shm", "")
"""The order of renaming. Without its ``-wal`` a journal lacks its last entries, which its head anchor reveals."""


def examine(journal: Path) -> ChainVerdict:
    """Verify a journal up to the first bad entry, and its end. It takes some seconds for a million entries."""
    try:
        with closing(Journal(journal, read_only=True)) as opened:
            return whole_verdict(opened)
    except JournalError as error:
        return ChainVerdict(0, GENESIS, str(error))


def whole_verdict(journal: Journal) -> ChainVerdict:
    """The verdict on all entries of a journal, and on its end."""
    verdict = journal.verify()
    return verdict if verdict.problem else verdict._replace(problem=journal.missing_at_end())


def quarantine(journal: Path, problem: str, utc_ns: int, by: str = "", what: str = "damaged") -> Path:
    """Rename a damaged journal. The next journal of its name must record what is noted of it.

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
    lost = known is not None and known.seq > found.entries
    replaced = {
        "file": quarantined.name,
        "entries": found.entries,
        "head": found.head,
        "problem": problem if found.problem in problem else found.problem,
        "also": problem if problem not in found.problem and found.problem not in problem else "",
        "anchored": known.seq if known is not None and lost else 0,
        "anchored_hash": known.hash if known is not None and lost else "",
        "wrong_pins": read_wrong_pins(journal).total,
        "by": by,
    }
    note(journal, REPLACED, replaced)
    _rename(journal, quarantined)
    return quarantined


def _rename(journal: Path, name: Path) -> None:
    """Give a journal another name, with all that belongs to it."""
    for part in _PARTS:
        with suppress(FileNotFoundError):
            os.rename(f"{journal}{part}", f"{name}{part}")
    with suppress(FileNotFoundError):
        os.rename(anchor_file(journal), anchor_file(name))
    sync_folder(journal.parent)


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


# -- without a new record ------------------------------------------------------------------------------------------


def rescue(journal: Journal, file: Path, utc_ns: int) -> str:
    """Copy the record of a file that was deleted or replaced while the table played, from the open file.

    The copy lies beside the old place. The head anchor there keeps every later start closed until the floorperson
    decides.

    Args:
        journal: still open.
        file: where it was opened.

    Returns:
        what became of the record, as text.
    """
    kept = free_name(file.with_name(f"{file.stem}.rescued-{moment(utc_ns)}{file.suffix}"))
    try:
        journal.copy_to(kept)
        sync_file(kept)
        keep_head(file, len(journal), journal.head)
    except (JournalError, OSError) as error:
        return f"its {len(journal)} entries could not be saved as {kept.name}: {error}"
    return f"all its {len(journal)} entries, head {journal.head}, are saved as {kept.name}"


class RecoveredJournal(NamedTuple):
    """A journal that was made of another file."""

    entries: int
    head: str
    kept: Path | None
    """What was at its path before; None for nothing."""
    only_there: int
    """How many entries that fit only that one has."""


def recover_from(file: Path, source: Path, utc_ns: int) -> RecoveredJournal:
    """Make a journal of a whole one, as of its mirror, because a person says so. What is there is kept.

    Raises:
        JournalError: a table has one of them open, the source is not whole, or the disk cannot be written.
    """
    if holder(file):
        raise in_use(file)
    new = free_name(file.with_name(f"{file.name}.recovered"))
    try:
        with copy_of(source) as copy:
            found = whole_verdict(copy)
            if found.problem or not found.entries:
                raise JournalError(f"{source}: no journal is made of it: {found.problem or 'it is empty'}")
            with closing(Journal(new)) as journal:
                for _ in journal.fill(copy):
                    pass
        for made in (new, anchor_file(new)):
            shutil.chown(made, *_owner(file.parent))
        kept, only_there = None, 0
        if file.exists():
            only_there = max(0, examine(file).entries - found.entries)
            kept = free_name(file.with_name(f"{file.stem}.replaced-{moment(utc_ns)}{file.suffix}"))
            _rename(file, kept)
        _rename(new, file)
        about = {"file": str(file), "source": str(source), "entries": found.entries, "head": found.head}
        note(file, RECOVERED, about | {"kept": kept.name if kept is not None else ""})
    except OSError as error:
        raise JournalError(f"{file}: the journal cannot be made: {error.strerror}") from error
    return RecoveredJournal(found.entries, found.head, kept, only_there)


def _owner(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_uid, status.st_gid
