"""What becomes of a journal that cannot be used: it is renamed, never deleted, and ``JOURNAL.note`` says why.

A damaged journal is quarantined, and the one that replaces it records that. The steps are ordered so that a power
cut between any two of them leaves either the damaged journal, about which the floorperson is asked again, or an
empty one whose first entry will name the journal that it replaces. Where a mirror is whole, a technician may make a
journal of it instead.

The note has what a table with a journal of this name has to record and could not, as codes with parameters. While
the journal cannot be used, wrong PINs are counted there, so that a power cut gives nobody new attempts. It is
deleted once all of it is on record.
"""

import json
import os
import shutil
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from config.problems import not_a_file
from controller.events.event import IdentityRefused
from controller.events.words import NOTHING, Text
from controller.journal.chain import GENESIS, ChainVerdict
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.head_anchor import HeadAnchor, anchor_file, anchored_head, sync_folder
from controller.journal.journal import Journal
from controller.journal.journal_file import holder, in_use
from controller.journal.reading import copy_of
from controller.journal.record import of_entry
from controller.journal.recovery import checkpoint_of_any

REPLACED, RECOVERED, WRONG_PINS = "journal-replaced", "journal-recovered", "wrong-pins"
"""Codes of the note."""
_PARTS = ("-wal", "-shm", "", ".head")
"""The order of renaming. Without its ``-wal`` a journal lacks its last entries, which its head anchor reveals; and
where a head anchor is left, no start takes the place for that of a new journal."""
_OF_IDENTITY = ("identified", "identity-refused")


# -- the note ------------------------------------------------------------------------------------------------------


class WrongPins(NamedTuple):
    """Those since the journal cannot be used; ``in_a_row`` also those before."""

    in_a_row: int = 0
    total: int = 0


def read_wrong_pins(journal: Path) -> WrongPins:
    """What is noted, or else those in a row at the journal's end, as far as it can be read."""
    kept = _read(journal).get(WRONG_PINS)
    if isinstance(kept, list) and [*map(type, kept)] == [int, int]:
        return WrongPins(*kept)
    with suppress(JournalError), closing(Journal(journal, read_only=True)) as opened:
        entry = opened.last_of(_OF_IDENTITY, len(opened))
        while entry is not None and entry.kind == "identity-refused":
            with suppress(JournalDamagedError):
                event = of_entry(entry).event
                if isinstance(event, IdentityRefused) and not event.log_on:
                    return WrongPins(event.failures)
            entry = opened.last_of(_OF_IDENTITY, entry.seq - 1)
    return WrongPins()


def noted(journal: Path, code: str) -> Text:
    """What is noted under a code; nothing if nothing is."""
    found = _read(journal).get(code)
    return Text(code, found) if isinstance(found, dict) else NOTHING


def note(journal: Path, code: str, what: object) -> None:
    """Note something; on disk when this returns, and the old note or the new one is there after a power cut.

    Raises:
        OSError: the disk cannot be written.
    """
    file, new = _note_file(journal), Path(f"{_note_file(journal)}.new")
    with new.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps({**_read(journal), code: what}))
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)
    sync_folder(file.parent)


def mark_recorded(journal: Path) -> None:
    """Delete the note: all of it is on record."""
    _note_file(journal).unlink(missing_ok=True)


def _read(journal: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = json.loads(_note_file(journal).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def _note_file(journal: Path) -> Path:
    return Path(f"{journal}.note")


# -- a damaged journal ---------------------------------------------------------------------------------------------


def examine(journal: Path) -> ChainVerdict:
    """Verify a journal up to the first bad entry, and its end. It takes some seconds for a million entries."""
    try:
        with closing(Journal(journal, read_only=True)) as opened:
            return opened.verify()
    except JournalError as error:
        return ChainVerdict(0, GENESIS, str(error))


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
    quarantined = _free_name(journal, what, utc_ns)
    found, known = examine(journal), anchored_head(journal)
    lost = known if known is not None and known.seq > found.entries else None
    replaced = {
        "file": quarantined.name,
        "entries": found.entries,
        "head": found.head,
        "problem": problem if found.problem in problem else found.problem,
        "also": problem if problem not in found.problem and found.problem not in problem else "",
        "anchored": lost.seq if lost is not None else 0,
        "anchored_hash": lost.hash if lost is not None else "",
        "wrong_pins": read_wrong_pins(journal).total,
        "by": by,
    }
    note(journal, REPLACED, replaced)
    _rename(journal, quarantined)
    return quarantined


def _rename(*names: Path) -> None:
    """Give a journal another name, with all that belongs to it; before that, the one that has it the next name."""
    for part in _PARTS:
        for new, old in pairwise(reversed(names)):
            with suppress(FileNotFoundError):
                os.rename(f"{old}{part}", f"{new}{part}")
    sync_folder(names[0].parent)


def _free_name(journal: Path, what: str, utc_ns: int) -> Path:
    """A name beside the journal that no file has, with the wall time, and a number if necessary."""
    moment = datetime.fromtimestamp(utc_ns // 1_000_000_000, UTC).strftime("%Y%m%dT%H%M%SZ")
    free, number = journal.with_name(f"{journal.stem}.{what}-{moment}{journal.suffix}"), 1
    while free.exists():
        number += 1
        free = journal.with_name(f"{journal.stem}.{what}-{moment}-{number}{journal.suffix}")
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
    kept = _free_name(file, "rescued", utc_ns)
    try:
        journal.copy_to(kept)
        for named in (kept, file):
            HeadAnchor(named, len(journal), journal.head).close()
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


def _table_of(journal: Journal) -> tuple[str, str]:
    """The game and the name of the table whose journal this is; empty where it does not tell."""
    with suppress(JournalDamagedError):
        if (start := journal.last_checkpoint()) is not None:
            game, kept = checkpoint_of_any(start)
            return game, kept.table_state.table
    return "", ""


def recover_from(file: Path, source: Path, utc_ns: int) -> RecoveredJournal:
    """Make a journal of a whole one, as of its mirror, because a person says so. What is there is kept.

    Raises:
        JournalError: a table has one of them open, the source is not whole or not of the same table as what is at
            that path, no journal can lie there, or the disk cannot be written.
    """
    if kind := not_a_file(file) or ("" if file.parent.is_dir() else "in a folder that is not there"):
        raise JournalError(f"{file} is {kind}; name the file that the journal is to be")
    if holder(file):
        raise in_use(file)
    new, there = _free_name(file, "recovered", utc_ns), ("", "")
    with suppress(JournalError), copy_of(file) as present:
        there = _table_of(present)
    try:
        with copy_of(source) as copy:
            found = copy.verify()
            if found.problem or not found.entries:
                raise JournalError(f"{source}: no journal is made of it: {found.problem or 'it is empty'}")
            for own, others in zip(there, _table_of(copy), strict=True):
                if own and others and own != others:
                    raise JournalError(
                        f"{file} is a journal of '{own}', and {source} of '{others}'; name the journal of the same "
                        "table, or rename the one that is there first"
                    )
            try:
                with closing(Journal(new)) as journal:
                    for _ in journal.fill(copy):
                        pass
            except (JournalError, OSError):
                for part in _PARTS:  # A part of a journal takes the place that a whole one needs.
                    Path(f"{new}{part}").unlink(missing_ok=True)
                raise
        for made in (new, anchor_file(new)):
            shutil.chown(made, (owner := file.parent.stat()).st_uid, owner.st_gid)
        other = _free_name(file, "replaced", utc_ns)
        kept = other if file.exists() else None
        only_there = max(0, examine(file).entries - found.entries)
        about = {"file": str(file), "source": str(source), "entries": found.entries, "head": found.head}
        note(file, RECOVERED, about | {"kept": kept.name if kept is not None else ""})
        _rename(new, file, other)
    except OSError as error:
        raise JournalError(f"{file}: the journal cannot be made: {error.strerror}") from error
    return RecoveredJournal(found.entries, found.head, kept, only_there)
