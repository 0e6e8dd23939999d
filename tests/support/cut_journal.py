"""A journal on a disk whose writes were logged: what it had acknowledged by a cut, and what is there after it.

The journal is played by tests/system/kernel/guest/appends.py, which writes the marks.
"""

from collections.abc import Sequence
from pathlib import Path

from disk_log import Write
from on_record import recovered

from controller.configuration.shipped import load_table, table_path
from controller.journal.errors import JournalError
from controller.journal.journal import Journal

MARK = b"ACKNOWLEDGED "


def acknowledged(writes: Sequence[Write]) -> dict[int, str]:
    """The last entry that the table relied upon, by its number, and its hash."""
    found: dict[int, str] = {}
    for write in writes:
        if write.data.startswith(MARK):
            seq, digest = write.data[len(MARK) :].split(b" ")[:2]
            found = {int(seq): digest.decode()}
    return found


def lost(journal: Path, relied: dict[int, str]) -> str:
    """What is wrong with a journal after a cut, or nothing."""
    if not relied:
        return ""
    (seq, digest), *_ = relied.items()
    try:
        opened = Journal(journal)
    except JournalError as error:
        return str(error)
    try:
        if problem := opened.verify().problem:
            return problem
        there = {entry.seq: entry.hash for entry in opened.entries(after=seq - 1)}
        if there.get(seq) != digest:
            return f"entry {seq} was acknowledged and is not there"
        recovered(load_table(table_path("sic-bo")).config, opened)
    except JournalError as error:
        return str(error)
    finally:
        opened.close()
    return ""
