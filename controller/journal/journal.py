"""The journal: every event and its decision, durable before any effect is seen.

One SQLite file in WAL mode with ``synchronous=FULL``, and the head anchor beside it: when :meth:`Journal.append`
returns, the entry is on disk, and so is its number as the journal's last one
(:mod:`controller.journal.head_anchor`). Entries are only ever appended (triggers refuse anything else). The hash of
each covers the hash of the one before, so a change of any entry is detected.
"""

import os
import sqlite3
import warnings
import weakref
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from controller.journal.chain import GENESIS, ChainVerdict, Entry, chain, utc_text, verify
from controller.journal.errors import JournalDamagedError, JournalError, JournalMovedError, JournalUnwritableError
from controller.journal.file_identity import FileIdentity
from controller.journal.head_anchor import AnchoredHead, HeadAnchor, anchored_head, missing_at_end
from controller.journal.journal_file import UNREADABLE, kind_of, lock_for_writing, open_database

_LAST = (1 << 63) - 1
"""The highest sequence number that SQLite can store."""
_SIXTY = tuple(f"{n:02d}" for n in range(60))
_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_COLUMNS = "seq, round, at_ns, utc, kind, body, checkpoint, hash"


class Journal:
    """An open journal. One process writes it; any number may read.

    Args:
        file: its path; None for a journal in memory, which lasts as long as the object.
        read_only: the file must exist, and is not changed.
        any_thread: several threads use it, one at a time; else only the one that opened it may.

    Raises:
        JournalUnwritableError: the disk cannot be written.
        JournalDamagedError: the file is damaged; or, unless it is only read, it ends before its head anchor or has
            another entry there.
        JournalError: the file cannot be opened, is no journal of this version, or another process writes it.
    """

    _known_head: AnchoredHead | None = None

    def __init__(self, file: Path | None, read_only: bool = False, any_thread: bool = False) -> None:
        self._name = str(file)
        self._anchor: HeadAnchor | None = None
        self._identity: FileIdentity | None = None
        self._lock = lock_for_writing(file) if file is not None and not read_only else None
        self._known_head = anchored_head(file) if file is not None else None
        try:
            self._db = open_database(file, read_only, any_thread)
        except BaseException:
            if self._lock is not None:
                os.close(self._lock)
            raise
        self._finalizer = weakref.finalize(self, _release, self._db, self._lock, file)
        self._hour, self._hour_text = -1, ""
        try:
            row = self._first("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1")
            self._seq: int = row[0] if row else 0
            self._head: str = row[1] if row else GENESIS
            if file is not None and not read_only:
                if problem := self.missing_at_end():
                    raise JournalDamagedError(f"{file}: {problem}")
                self._anchor = _anchor_of(file, self._seq, self._head)
                self._identity = _identity_of(file)
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
        return self._entry(f"kind IN ({any_of}) AND seq <= ? ORDER BY seq DESC LIMIT 1", (*kinds, until))

    def append(self, round_: int, at_ns: int, utc_ns: int, kind: str, body: str, checkpoint: str | None) -> Entry:
        """Append an entry. It is durable when this returns.

        Raises:
            JournalError: as :meth:`store`.
        """
        seq = len(self) + 1
        utc = self._utc_text(utc_ns)
        digest = chain(self.head, seq, round_, at_ns, utc, kind, body, checkpoint)
        entry = Entry(seq, round_, at_ns, utc, kind, body, checkpoint, digest)
        self.store(entry)
        return entry

    def store(self, entry: Entry) -> None:
        """Store the entry that follows the last one, as it is. It and the head anchor are durable on return.

        Raises:
            JournalUnwritableError: it could not be written, or it is on disk and the head anchor is not: then its
                effects must not be performed either.
            JournalMovedError: the file is not where it was opened; the journal is unchanged.
        """
        if self._identity is not None and (entry.checkpoint is not None or self._identity.gone()):
            self.check_file()
        try:
            self._db.execute(_INSERT, entry)
        except sqlite3.Error as error:
            raise _unwritable(error) from error
        self._seq, self._head = entry.seq, entry.hash
        self._note_head()

    def take_over(self, entries: Sequence[Entry]) -> None:
        """Store entries of another journal that follow the last one, all of them or none.

        Raises:
            JournalDamagedError: the hash of one does not match.
            JournalUnwritableError: as :meth:`store`.
        """
        verdict = verify(iter(entries), self._seq, self._head)
        if verdict.problem:
            raise JournalDamagedError(verdict.problem)
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(_INSERT, entries)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise _unwritable(error) from error
        self._seq, self._head = verdict.entries, verdict.head
        self._note_head()

    def check_file(self) -> None:
        """Check that what is written can be found later: the file still has the name under which it was opened.

        Raises:
            JournalMovedError: it has not.
        """
        if self._identity is not None and (problem := self._identity.problem()):
            raise JournalMovedError(problem)

    def copy_to(self, file: Path) -> None:
        """Copy all entries to a new journal, also of a file that has no name any more. Durable on return.

        Raises:
            JournalUnwritableError: that could not be written.
        """
        try:
            with closing(sqlite3.connect(file)) as copy:
                self._db.backup(copy)
        except sqlite3.Error as error:
            raise _unwritable(error) from error

    def _note_head(self) -> None:
        if self._anchor is not None:
            try:
                self._anchor.note(self._seq, self._head)
            except OSError as error:
                raise _unwritable(f"its head anchor: {error.strerror}") from error

    def _utc_text(self, utc_ns: int) -> str:
        """As :func:`utc_text`, but faster: the text of the present hour is cached."""
        seconds, rest_ns = divmod(utc_ns, 1_000_000_000)
        hour, seconds = divmod(seconds, 3600)
        if hour != self._hour:
            self._hour, self._hour_text = hour, utc_text(hour * 3600 * 1_000_000_000)[: -len("00:00.000Z")]
        return f"{self._hour_text}{_SIXTY[seconds // 60]}:{_SIXTY[seconds % 60]}.{rest_ns // 1_000_000:03d}Z"

    def entries(self, after: int = 0, round_: int | None = None, until_round: int | None = None) -> Iterator[Entry]:
        """Entries in order, after a sequence number: of all rounds, of one, or from one to another."""
        query = f"SELECT {_COLUMNS} FROM entries WHERE seq > ? ORDER BY seq"
        if round_ is not None:
            after = max(after, self._before_round(round_))
        last = round_ if until_round is None else until_round
        for row in self._rows(query, (after,)):
            if last is not None and row[1] > last:
                return
            yield Entry(*row)

    def backwards(self) -> Generator[Entry, None, None]:
        """Entries backwards from the last one. Close it once enough were read."""
        for row in self._rows(f"SELECT {_COLUMNS} FROM entries ORDER BY seq DESC", ()):
            yield Entry(*row)

    def entry(self, seq: int) -> Entry | None:
        """The entry of this number."""
        return self._entry("seq = ?", (seq,))

    def last_round(self) -> int:
        """The round of the last entry; -1 for an empty journal."""
        last = self.entry(len(self))
        return last.round if last is not None else -1

    def before_last_rounds(self, count: int) -> int:
        """The sequence number before the last ``count`` rounds."""
        row = self._first("SELECT round FROM entries WHERE seq = ?", (len(self),))
        return self._before_round(row[0] - count + 1) if row else 0

    def _before_round(self, round_: int) -> int:
        """The last entry before a round, by binary search: round numbers never decrease."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high + 1) // 2
            row = self._first("SELECT round FROM entries WHERE seq = ?", (middle,))
            if row is not None and row[0] < round_:
                low = middle
            else:
                high = middle - 1
        return low

    def last_checkpoint(self, until: int = _LAST) -> Entry | None:
        """The last entry that holds a checkpoint, up to a sequence number."""
        return self._entry("checkpoint IS NOT NULL AND seq <= ? ORDER BY seq DESC LIMIT 1", (until,))

    def verify(self, after: int = 0) -> ChainVerdict:
        """Verify the hash chain.

        Args:
            after: start after this entry, which is trusted.
        """
        row = self._first("SELECT hash FROM entries WHERE seq = ?", (after,)) if after else (GENESIS,)
        if row is None:
            return ChainVerdict(0, GENESIS, f"entry {after} is missing")
        return verify(self.entries(after), after, row[0])

    @property
    def head_is_known(self) -> bool:
        """Whether a head anchor was found beside the journal, so that entries missing at its end are noticed."""
        return self._known_head is not None

    def missing_at_end(self) -> str:
        """What is missing at the end of this journal, or another than it was, in words; empty for nothing."""
        return missing_at_end(self, self._known_head)

    def _entry(self, where: str, values: Sequence[object]) -> Entry | None:
        row = self._first(f"SELECT {_COLUMNS} FROM entries WHERE {where}", values)
        return Entry(*row) if row else None

    def _first(self, query: str, values: Sequence[object] = ()) -> Any:
        return next(self._rows(query, values), None)

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        """Rows of the file.

        Raises:
            JournalDamagedError: SQLite cannot read it.
        """
        try:
            yield from self._db.execute(query, values)
        except UNREADABLE as error:
            kind = kind_of(error)
            damaged = kind if kind is JournalUnwritableError else JournalDamagedError
            raise damaged(f"{self._name}: the file cannot be read: {error}") from error

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
        if self._finalizer.detach() is not None:
            _release(self._db, self._lock)


def _anchor_of(file: Path, seq: int, digest: str) -> HeadAnchor:
    try:
        return HeadAnchor(file, seq, digest)
    except OSError as error:
        words = f"{file}: its head anchor cannot be written: {error.strerror}; free space on the disk, or repair it"
        raise JournalUnwritableError(words) from error


def _identity_of(file: Path) -> FileIdentity:
    try:
        identity = FileIdentity(file)
    except OSError as error:
        raise JournalError(f"{file}: the journal cannot be opened: {error.strerror}") from error
    if problem := identity.problem():
        raise JournalError(problem)
    return identity


def _unwritable(error: sqlite3.Error | str) -> JournalUnwritableError:
    return JournalUnwritableError(f"the journal cannot be written: {error}; free space on the disk, or repair it")


def _release(db: sqlite3.Connection, lock: int | None, unclosed: Path | None = None) -> None:
    """Close the database and release the lock; warn if a journal on disk was garbage-collected without closing."""
    with suppress(sqlite3.ProgrammingError):  # Collected in another thread: the connection closes itself.
        db.close()
    if lock is not None:
        os.close(lock)
    if unclosed is not None:
        warnings.warn(f"{unclosed}: the journal was not closed", ResourceWarning, stacklevel=2)
