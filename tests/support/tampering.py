"""Journals that somebody changed, or wrote anew."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from controller.journal.chain import GENESIS, Entry, chain
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal


def change(file: Path, statement: str) -> None:
    """Change a journal as with a database tool."""
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("DROP TRIGGER IF EXISTS no_update")
        db.execute("DROP TRIGGER IF EXISTS no_delete")
        db.execute(statement)


def chained(entries: Sequence[Entry], fitting: int = 0) -> list[Entry]:
    """Entries numbered and hashed anew.

    Args:
        fitting: so many at the beginning are left as they are.
    """
    again = list(entries[:fitting])
    head = again[-1].hash if again else GENESIS
    for seq, entry in enumerate(entries[fitting:], fitting + 1):
        head = chain(head, seq, *entry[1:7])
        again.append(entry._replace(seq=seq, hash=head))
    return again


def write_journal(file: Path, entries: Iterable[Entry]) -> Path:
    """A journal with these entries, which follow one another, and its head, in the place of what is there."""
    for old in (file, anchor_file(file)):
        old.unlink(missing_ok=True)
    with closing(Journal(file)) as journal:
        journal.take_over(list(entries))
    return file
