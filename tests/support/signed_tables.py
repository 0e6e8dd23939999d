"""Journals that are signed and witnessed, for tests of what shows a rewritten record."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from campaigns.signed_record import SignedRecord
from played import Played

from controller.journal.chain import GENESIS, Entry, chain
from controller.journal.head_anchor import keep_head
from controller.journal.journal import Journal

ROUNDS = 4

Rewrite = Callable[[list[Entry]], Sequence[Entry]]


def signed_table(folder: Path, game: str = "sic-bo", rounds: int = ROUNDS, witnessed: bool = True) -> SignedRecord:
    """A table that has played some rounds, all of them signed."""
    journal = folder / "table.journal"
    Played(game, journal, rounds, fault_rate=0.0).finish()
    record = SignedRecord(folder, journal, game)
    record.sign(witnessed)
    return record


def entries_of(journal: Path) -> list[Entry]:
    opened = Journal(journal, read_only=True)
    try:
        return list(opened.entries())
    finally:
        opened.close()


def chained(entries: Sequence[Entry]) -> list[Entry]:
    """Entries numbered and hashed anew, as somebody does who has rewritten one."""
    head, again = GENESIS, []
    for seq, entry in enumerate(entries, 1):
        head = chain(head, seq, *entry[1:7])
        again.append(entry._replace(seq=seq, hash=head))
    return again


def rewrite(journal: Path, change: Rewrite) -> None:
    """Rewrite a journal with all its hashes and its head anchor, as root can."""
    entries = chained(change(entries_of(journal)))
    with sqlite3.connect(journal) as db:
        db.execute("DROP TRIGGER IF EXISTS no_update")
        db.execute("DROP TRIGGER IF EXISTS no_delete")
        db.execute("DELETE FROM entries")
        db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", entries)
    db.close()
    keep_head(journal, entries[-1].seq, entries[-1].hash)


def changed_body(seq: int) -> Rewrite:
    """One entry says something else."""

    def change(entries: list[Entry]) -> list[Entry]:
        at = seq - 1
        body = entries[at].body.replace(":", ": ", 1)
        return [*entries[:at], entries[at]._replace(body=body), *entries[at + 1 :]]

    return change
