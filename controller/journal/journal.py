"""The journal: every event and its decision, durable before any effect is seen.

One SQLite file in WAL mode with ``synchronous=FULL``, and the head anchor beside it: when :meth:`Journal.append`
returns, the entry is on disk, and so is its number as the journal's last one
(:mod:`controller.journal.head_anchor`). Entries are only ever appended (triggers refuse anything else). The hash of
each covers the hash of the one before, so a change of any entry is detected.

The format is described in docs/journal.md.
"""

import os
import sqlite3
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from controller.journal.chain import GENESIS, ChainVerdict, Entry, chain, utc_text, verify
from controller.journal.errors import JournalDamagedError, JournalError, JournalMovedError, JournalUnwritableError
from controller.journal.head_anchor import AnchoredHead, HeadAnchor, anchored_head
from controller.journal.journal_file import (
    CUT,
    REMEDY,
    UNREADABLE,
    close_unchanged,
    kind_of,
    log_file,
    open_database,
)

LAST = (1 << 63) - 1
"""The highest sequence number that SQLite can store."""
_BATCH = 2000
"""Entries that are copied in one statement: SQLite takes 32,766 values."""
_ROW = "(?, ?, ?, ?, ?, ?, ?, ?)"
_SELECT = "SELECT seq, round, at_ns, utc, kind, body, checkpoint, hash FROM entries"


class Entries(ABC):
    """The entries of a record, wherever they are read."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of the last entry."""

    @abstractmethod
    def entry(self, seq: int) -> Entry | None:
        """The entry of this number."""

    @abstractmethod
    def _after(self, seq: int) -> Iterator[Entry]:
        """All entries after a number, in order."""

    def entries(self, after: int = 0, round_: int | None = None) -> Iterator[Entry]:
        """Entries in order, after a sequence number: of all rounds, or of one."""
        if round_ is not None:
            after = max(after, self.before_round(round_))
        for entry in self._after(after):
            if round_ is not None and entry.round > round_:
                return
            yield entry

    def last_round(self) -> int:
        """The round of the last entry; -1 for an empty journal."""
        last = self.entry(len(self))
        return last.round if last is not None else -1

    def before_round(self, round_: int) -> int:
        """The last entry before a round: round numbers never decrease. The first entries may be missing."""

        def round_of(seq: int) -> int:
            entry = self.entry(seq)
            return entry.round if entry is not None else -1

        return bisect_left(range(1, len(self) + 1), round_, key=round_of)


class Journal(Entries):
    """An open journal. The table alone has it open; tools read a copy (:mod:`controller.journal.reading`).

    Args:
        file: its path; None for a journal in memory, which lasts as long as the object.
        read_only: the file must exist and be nobody else's, and no entry of it is changed.

    Attributes:
        known_head: what the head anchor named as it was opened; None if there was none.

    Raises:
        JournalUnwritableError: the disk cannot be written.
        JournalInUseError: another process has it open.
        JournalDamagedError: the file is damaged; or, unless it is only read, it ends before its head anchor or has
            another entry there.
        JournalError: the file cannot be opened, or is no journal of this format.
    """

    def __init__(self, file: Path | None, read_only: bool = False) -> None:
        self.file = file
        self._anchor: HeadAnchor | None = None
        self._files: dict[str, tuple[int, int]] = {}
        """The names of the open files, with the device and the inode that each had."""
        self.known_head: AnchoredHead | None = anchored_head(file) if file is not None else None
        self._unchanged = file
        """The file, until it is closed, if it is only read or is damaged."""
        self._no_log = file is not None and not log_file(file).exists()
        self._db = open_database(file, read_only)
        try:
            first = self._first("SELECT seq FROM entries ORDER BY seq LIMIT 1")
            row = self._first("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1")
            for seq, *_ in filter(None, (first, row)):
                if type(seq) is not int or seq < 1:
                    raise JournalDamagedError(f"{file}: an entry has the number {seq!r}, and the first one is 1")
            self._seq: int = row[0] if row else 0
            self._head: str = row[1] if row else GENESIS
            if file is not None and not read_only:
                if problem := self.missing_at_end():
                    raise JournalDamagedError(f"{file}: {problem}")
                try:
                    self._anchor = HeadAnchor(file, self._seq, self._head)
                except OSError as error:
                    raise _unwritable(f"{file}: its head anchor: {error.strerror}") from error
                self._unchanged = None
                self._files = {name: _inode(name) for name in (str(file), str(log_file(file)))}
        except BaseException:
            self.close()
            raise

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self._head

    def __len__(self) -> int:
        return self._seq

    def last_of(self, kinds: Sequence[str], until: int) -> Entry | None:
        """The last entry of one of these kinds, up to a sequence number. It scans all entries after it."""
        any_of = ", ".join("?" * len(kinds))
        return next(self._read(f"WHERE kind IN ({any_of}) AND seq <= ? ORDER BY seq DESC", *kinds, until), None)

    def append(self, round_: int, at_ns: int, utc_ns: int, kind: str, body: str, checkpoint: str | None) -> Entry:
        """Append an entry. It is durable when this returns.

        Raises:
            JournalError: as :meth:`store`.
        """
        seq = len(self) + 1
        utc = utc_text(utc_ns)
        digest = chain(self.head, seq, round_, at_ns, utc, kind, body, checkpoint)
        entry = Entry(seq, round_, at_ns, utc, kind, body, checkpoint, digest)
        self.store(entry)
        return entry

    def store(self, *entries: Entry) -> None:
        """Store entries that follow the last one, as they are, all or none; durable on return, and so is the head.

        Raises:
            JournalUnwritableError: that is not possible, or they are on disk and the head anchor is not: then their
                effects must not be performed either.
            JournalDamagedError: the file is damaged where they are to be.
            JournalMovedError: the file is not where it was opened; the journal is unchanged.
        """
        self.check_file()
        rows, values = ", ".join([_ROW] * len(entries)), [field for entry in entries for field in entry]
        try:
            self._db.execute(f"INSERT INTO entries VALUES {rows}", values)  # A statement alone is a transaction.
        except sqlite3.Error as error:
            raise _unwritable(error) from error
        self._seq, self._head = entries[-1].seq, entries[-1].hash
        self._note_head()

    def take_over(self, entries: Sequence[Entry]) -> None:
        """Store entries of another journal that follow the last one.

        Raises:
            JournalDamagedError: the hash of one does not match.
            JournalError: as :meth:`store`.
        """
        if problem := verify(iter(entries), self._seq, self._head).problem:
            raise JournalDamagedError(problem)
        self.store(*entries)

    def fill(self, source: "Journal") -> Iterator[int]:
        """Copy from another journal what this one lacks; yields how many entries it has after each part."""
        while some := list(islice(source.entries(after=len(self)), _BATCH)):
            self.take_over(some)
            yield len(self)

    def copy_to(self, file: Path) -> None:
        """Copy the file as it is, also where it is damaged or has no name any more. Durable on return.

        Raises:
            JournalUnwritableError: that could not be written.
        """
        try:
            with closing(sqlite3.connect(file)) as copy:
                self._db.backup(copy)
        except sqlite3.Error as error:
            raise _unwritable(error) from error

    def check_file(self) -> None:
        """Check that what is written can be found later: the files still have the names that they were opened by.

        Raises:
            JournalMovedError: they have not.
        """
        for name, opened in self._files.items():
            try:
                found = _inode(name)
            except FileNotFoundError:
                raise JournalMovedError(f"{name} was deleted or renamed while the table had it open") from None
            except OSError:  # A disk that does not answer says so when it is written.
                return
            if found != opened:
                raise JournalMovedError(f"{name} was replaced by another file while the table had it open")

    def _note_head(self) -> None:
        if self._anchor is not None:
            try:
                self._anchor.note(self._seq, self._head)
            except OSError as error:
                raise _unwritable(f"its head anchor: {error.strerror}") from error

    def _after(self, seq: int) -> Iterator[Entry]:
        return self._read("WHERE seq > ? ORDER BY seq", seq)

    def backwards(self) -> Generator[Entry, None, None]:
        """Entries backwards from the last one. Close it once enough were read."""
        yield from self._read("ORDER BY seq DESC")

    def entry(self, seq: int) -> Entry | None:
        """The entry of this number."""
        return next(self._read("WHERE seq = ?", seq), None)

    def last_checkpoint(self, until: int = LAST) -> Entry | None:
        """The last entry that holds a checkpoint, up to a sequence number."""
        return next(self._read("WHERE checkpoint IS NOT NULL AND seq <= ? ORDER BY seq DESC", until), None)

    def verify(self, after: int = 0, seen: Callable[[Iterator[Entry]], Iterator[Entry]] = iter) -> ChainVerdict:
        """Verify the hash chain, and the end against the head anchor.

        Args:
            after: start after this entry, which is trusted.
            seen: what the entries go through, to show how far it is.
        """
        row = self._first("SELECT hash FROM entries WHERE seq = ?", (after,)) if after else (GENESIS,)
        if row is None:
            return ChainVerdict(0, GENESIS, f"entry {after} is missing")
        verdict = verify(seen(self.entries(after)), after, row[0])
        # The file is named where the verdict is shown, and may be a copy here.
        problem = verdict.problem.replace(f"{self.file}: ", "")
        return verdict._replace(problem=problem or self.missing_at_end())

    def page_problem(self) -> str:
        """What is wrong with a part of the file that has no entry, in SQLite's words; empty for nothing."""
        (found,) = self._first("PRAGMA quick_check(1)")
        return "" if found == "ok" else " ".join(found.split())

    def end_problem(self) -> str:
        """What is wrong with the entries since the last checkpoint; empty for nothing."""
        last = self.last_checkpoint()
        return self.verify(last.seq - 1 if last is not None else 0).problem

    def missing_at_end(self) -> str:
        """Whether the journal still has the entry that its head anchor named, in words; empty if it has."""
        known, first = self.known_head, len(self) + 1
        if known is None or known.seq == 0:
            return ""
        entry = self.entry(known.seq)
        if entry is not None and entry.hash == known.hash:
            return ""
        whose = "its"
        if known.seq < first:
            problem = f"entry {known.seq} is not the one that was saved"
        elif known.seq == first:
            problem = f"entry {first} is missing at its end"
        else:
            problem, whose = f"entries {first} to {known.seq} are missing at its end", "their"
        log = "; no -wal lies beside it, which may have them" if self._no_log else ""
        return f"{problem}; {whose} outcome may already have been shown, so settle the round by hand{log}"

    def _read(self, which: str, *values: object) -> Generator[Entry, None, None]:
        """Entries of the file.

        Raises:
            JournalDamagedError: SQLite cannot read it, or a field is of a type that it never has.
        """
        for row in self._rows(f"{_SELECT} {which}", values):
            entry = Entry(*row)
            if not entry.is_typed:
                raise JournalDamagedError(f"{self.file}: entry {entry.seq} is damaged: a field is of another type")
            yield entry

    def _first(self, query: str, values: Sequence[object] = ()) -> Any:
        return next(self._rows(query, values), None)

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        """Rows of the file.

        Raises:
            JournalDamagedError: SQLite cannot read it.
        """
        try:
            yield from iter(self._db.execute(query, values).fetchone, None)
        except UNREADABLE as error:
            kind = kind_of(error)
            if kind is JournalUnwritableError:
                raise kind(f"{self.file}: the file cannot be read: {error}") from error
            words = str(error).partition(" with text ")[0]  # SQLite quotes the damaged bytes.
            raise JournalDamagedError(f"{self.file}: the file cannot be read: {words}; {CUT}") from error

    def answers(self) -> bool:
        """Whether the file can be read, and ends with the entry that was written last."""
        try:
            row = self._db.execute("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        except sqlite3.Error:
            return False
        return (row or (0, GENESIS)) == (self._seq, self._head)

    def close(self) -> None:
        if self._anchor is not None:
            self._anchor.close()
            self._anchor = None
        if self._unchanged is not None:
            close_unchanged(self._db, self._unchanged)
            self._unchanged = None
        self._db.close()


def _inode(name: str) -> tuple[int, int]:
    status = os.stat(name)
    return status.st_dev, status.st_ino


def _unwritable(error: sqlite3.Error | str) -> JournalError:
    if isinstance(error, sqlite3.Error) and kind_of(error) is JournalDamagedError:
        return JournalDamagedError(f"the journal cannot be written: {error}; {CUT}")
    return JournalUnwritableError(f"the journal cannot be written: {error}; {REMEDY}")
