"""The journal: every fact and what was decided on it, durable before anything of it is seen.

One SQLite file in WAL mode with ``synchronous=FULL``: when :meth:`Journal.append` returns, the entry is on disk.
Entries are only ever appended (triggers refuse anything else) and each carries the SHA-256 of the one before, so a
change anywhere shows from there on.
"""

import fcntl
import hashlib
import os
import sqlite3
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    at_ns INTEGER NOT NULL,
    utc TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    checkpoint TEXT,
    hash TEXT NOT NULL
) STRICT;
CREATE INDEX checkpoints ON entries (seq) WHERE checkpoint IS NOT NULL;
CREATE TRIGGER no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
GENESIS = "0" * 64
_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_COLUMNS = "seq, round, at_ns, utc, kind, body, checkpoint, hash"


class JournalError(Exception):
    """The journal cannot be opened or written; the message says where and what to do."""


class Entry(NamedTuple):
    """One entry.

    Attributes:
        seq: from 1, without gaps.
        round: the round it belongs to; 0 before the first.
        at_ns: monotonic time of the fact.
        utc: wall time of the entry, ISO 8601 in UTC.
        kind: the fact's name.
        body: the fact and the decision, JSON.
        checkpoint: the machine's state and data after the entry, JSON, where a round opens; else None.
        hash: SHA-256 over the entry before and this one, hexadecimal.
    """

    seq: int
    round: int
    at_ns: int
    utc: str
    kind: str
    body: str
    checkpoint: str | None
    hash: str

    def expected_hash(self, previous: str) -> str:
        """The hash that this entry must have after the one with the hash ``previous``."""
        return _chain(previous, self.seq, self.round, self.at_ns, self.utc, self.kind, self.body, self.checkpoint)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verification found.

    Attributes:
        entries: how many entries fit.
        head: the hash of the last entry that fits; publish it elsewhere to prove the journal's end, too.
        problem: what is wrong with the first entry that does not fit, or empty.
    """

    entries: int
    head: str
    problem: str = ""


def _chain(
    previous: str, seq: int, round_: int, at_ns: int, utc: str, kind: str, body: str, checkpoint: str | None
) -> str:
    # The unit separator occurs in no field: JSON escapes it, and the others are numbers, times and names.
    text = f"{previous}\x1f{seq}\x1f{round_}\x1f{at_ns}\x1f{utc}\x1f{kind}\x1f{body}\x1f{checkpoint or ''}"
    return hashlib.sha256(text.encode()).hexdigest()


def utc_text(utc_ns: int) -> str:
    """Wall time as the journal writes it: ISO 8601, UTC, to the millisecond."""
    moment = datetime.fromtimestamp(utc_ns // 1_000_000 / 1000, UTC)
    return moment.isoformat(timespec="milliseconds")[:-6] + "Z"


class Journal:
    """An open journal. One process writes it; any number may read.

    Args:
        file: its path, or None for one in memory that lasts as long as the object.
        read_only: the file must exist, and nothing is changed.

    Raises:
        JournalError: the file cannot be opened, is no journal, or another process writes it.
    """

    def __init__(self, file: Path | None, read_only: bool = False) -> None:
        # A journal that is forgotten without being closed gives its lock up, too.
        self._unlock = weakref.finalize(self, os.close, _lock(file)) if file is not None and not read_only else None
        try:
            self._db = _open(file, read_only)
        except BaseException:
            if self._unlock is not None:
                self._unlock()
            raise
        self._hour, self._hour_text = -1, ""
        row = self._db.execute("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        self._seq: int = row[0] if row else 0
        self._head: str = row[1] if row else GENESIS

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self._head

    def __len__(self) -> int:
        return self._seq

    def last_of(self, kinds: Sequence[str], until: int) -> Entry | None:
        """The last entry of one of these kinds, up to a sequence number."""
        any_of = ", ".join("?" * len(kinds))
        query = f"SELECT {_COLUMNS} FROM entries WHERE kind IN ({any_of}) AND seq <= ? ORDER BY seq DESC LIMIT 1"
        row = self._db.execute(query, (*kinds, until)).fetchone()
        return Entry(*row) if row else None

    def append(self, round_: int, at_ns: int, utc_ns: int, kind: str, body: str, checkpoint: str | None) -> Entry:
        """Append an entry. It is durable when this returns.

        Raises:
            JournalError: the entry could not be written; nothing of it was.
        """
        seq = self._seq + 1
        utc = self._utc_text(utc_ns)
        digest = _chain(self._head, seq, round_, at_ns, utc, kind, body, checkpoint)
        try:
            self._db.execute(_INSERT, (seq, round_, at_ns, utc, kind, body, checkpoint, digest))
        except sqlite3.Error as error:
            raise JournalError(f"the journal cannot be written: {error}; free or mend the disk") from error
        self._seq, self._head = seq, digest
        return Entry(seq, round_, at_ns, utc, kind, body, checkpoint, digest)

    def _utc_text(self, utc_ns: int) -> str:
        """As :func:`utc_text`; many entries fall into one hour, whose words are kept."""
        seconds, rest_ns = divmod(utc_ns, 1_000_000_000)
        hour, seconds = divmod(seconds, 3600)
        if hour != self._hour:
            self._hour, self._hour_text = hour, utc_text(hour * 3600 * 1_000_000_000)[: -len("00:00.000Z")]
        return f"{self._hour_text}{seconds // 60:02d}:{seconds % 60:02d}.{rest_ns // 1_000_000:03d}Z"

    def entries(self, after: int = 0, round_: int | None = None) -> Iterator[Entry]:
        """Entries in order, after a sequence number, of all rounds or of one."""
        query = f"SELECT {_COLUMNS} FROM entries WHERE seq > ? ORDER BY seq"
        if round_ is not None:
            after = max(after, self._before_round(round_))
        for row in self._db.execute(query, (after,)):
            if round_ is not None and row[1] != round_:
                return
            yield Entry(*row)

    def before_last_rounds(self, count: int) -> int:
        """The sequence number after which the last ``count`` rounds stand."""
        row = self._db.execute("SELECT round FROM entries WHERE seq = ?", (self._seq,)).fetchone()
        return self._before_round(row[0] - count + 1) if row else 0

    def _before_round(self, round_: int) -> int:
        """The last entry before a round. Rounds only ever grow, so the sequence numbers are searched by halves."""
        low, high = 0, self._seq
        while low < high:
            middle = (low + high + 1) // 2
            row = self._db.execute("SELECT round FROM entries WHERE seq = ?", (middle,)).fetchone()
            if row is not None and row[0] < round_:
                low = middle
            else:
                high = middle - 1
        return low

    def last_checkpoint(self) -> Entry | None:
        """The last entry that holds a checkpoint."""
        row = self._db.execute(
            f"SELECT {_COLUMNS} FROM entries WHERE checkpoint IS NOT NULL ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        return Entry(*row) if row else None

    def verify(self) -> Verdict:
        """Check every entry against the one before."""
        return verify(self.entries())

    def close(self) -> None:
        self._db.close()
        if self._unlock is not None:
            self._unlock()  # Once; calling it again does nothing.


def verify(entries: Iterator[Entry]) -> Verdict:
    """Check a chain of entries from the first one on."""
    head, seq = GENESIS, 0
    for entry in entries:
        if entry.seq != seq + 1:
            return Verdict(seq, head, f"entry {seq + 1} is missing: entry {entry.seq} follows entry {seq}")
        if entry.expected_hash(head) != entry.hash:
            return Verdict(seq, head, f"entry {entry.seq} (round {entry.round}, {entry.kind}) does not fit")
        head, seq = entry.hash, entry.seq
    return Verdict(seq, head)


def _lock(file: Path) -> int:
    """Keep a second table from writing the same journal, as long as the descriptor is open."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{file}.lock", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise JournalError(f"{file}: another table is writing this journal; stop it first") from error
    except OSError as error:
        raise JournalError(f"{file}: the journal cannot be opened: {error.strerror}") from error
    return lock


def _open(file: Path | None, read_only: bool) -> sqlite3.Connection:
    if read_only and (file is None or not file.is_file()):
        raise JournalError(f"{file}: there is no journal here")
    try:
        db = sqlite3.connect(file or ":memory:", isolation_level=None, timeout=5.0)
        db.execute("PRAGMA query_only=ON" if read_only else "PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        empty = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == 0 and empty and not read_only:
            db.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version={SCHEMA_VERSION};COMMIT;")
            version = SCHEMA_VERSION
    except sqlite3.Error as error:
        raise JournalError(f"{file}: the journal cannot be opened: {error}") from error
    if version != SCHEMA_VERSION:
        db.close()
        raise JournalError(f"{file}: not a journal of this version ({version} instead of {SCHEMA_VERSION})")
    return db
