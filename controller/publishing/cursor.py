"""How far a record has been published, on disk; and what prevented the table from publishing.

One file beside the journal, written only by the publisher. A place is durable before the next message is sent, so
a restarted process repeats one message at most.
"""

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from controller.journal import database
from controller.publishing.formatter import JournalPlace

_SCHEMA = """
CREATE TABLE cursor (only INTEGER PRIMARY KEY CHECK (only = 1), record TEXT, seq INTEGER, part INTEGER,
                     closed INTEGER) STRICT;
CREATE TABLE troubles (what TEXT PRIMARY KEY, count INTEGER, first TEXT, last TEXT) STRICT;
"""
_VERSION = 1
_MOST_FAILURES = 100
"""Kinds of trouble that are stored; beyond that, the oldest are deleted."""


class CursorError(Exception):
    """The cursor cannot be used; the message gives the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class Published:
    """How far a record has been published."""

    record: str
    """The hash of its first entry."""
    place: JournalPlace
    closed: int
    """The last entry that a round's message covers; 0 for none."""


@dataclass(frozen=True, slots=True)
class PublishingTrouble:
    """What prevented the table from publishing."""

    what: str
    count: int
    first: str
    """Wall time, ISO 8601."""
    last: str


class Cursor:
    """The publisher's persistent state.

    Args:
        file: its path; created if it does not exist.
        read_only: read only; the file must exist.

    Raises:
        CursorError: it cannot be opened, is of another version, or another publisher uses it.
    """

    def __init__(self, file: Path, read_only: bool = False) -> None:
        self._file = file
        self._lock = -1 if read_only else _lock(file)
        try:
            if read_only and not file.is_file():
                raise CursorError(f"{file}: there is no cursor here; this table never published")
            self._db = _open(file, read_only)
        except (sqlite3.Error, CursorError) as error:
            self.close()
            if isinstance(error, CursorError):
                raise
            remedy = "check the disk, or delete the file: then every round is published again, which does no harm"
            raise CursorError(f"{file}: the cursor cannot be used: {error}; {remedy}") from error

    def published(self) -> Published | None:
        """How far the record is published; None if nothing was."""
        row = self._db.execute("SELECT record, seq, part, closed FROM cursor").fetchone()
        return Published(row[0], JournalPlace(row[1], row[2]), row[3]) if row is not None else None

    def keep(self, published: Published) -> None:
        """Store how far the record is published; durable when this returns.

        Raises:
            CursorError: the disk cannot be written.
        """
        self._write(
            "INSERT OR REPLACE INTO cursor VALUES (1, ?, ?, ?, ?)",
            (published.record, published.place.seq, published.place.part, published.closed),
        )

    def failures(self) -> list[PublishingTrouble]:
        """What prevented publishing, the latest first."""
        query = "SELECT what, count, first, last FROM troubles ORDER BY last DESC, what"
        return [PublishingTrouble(*row) for row in self._db.execute(query)]

    def trouble(self, what: str, utc: str) -> None:
        """Record what prevents publishing."""
        self._write(
            "INSERT INTO troubles VALUES (?, 1, ?, ?) "
            "ON CONFLICT (what) DO UPDATE SET count = count + 1, last = excluded.last",
            (what, utc, utc),
        )
        self._write(
            "DELETE FROM troubles WHERE what NOT IN (SELECT what FROM troubles ORDER BY last DESC LIMIT ?)",
            (_MOST_FAILURES,),
        )

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise CursorError(
                f"{self._file}: the cursor cannot be written: {error}; free space on the disk, or repair it"
            ) from error

    def close(self) -> None:
        """Close the file and release its lock."""
        if hasattr(self, "_db"):
            self._db.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _open(file: Path, read_only: bool) -> sqlite3.Connection:
    db = sqlite3.connect(file, isolation_level=None, timeout=5.0)
    try:
        version = database.prepare(db, _SCHEMA, _VERSION, read_only)
        if version != _VERSION:
            raise CursorError(f"{file}: not a cursor of this version ({version} instead of {_VERSION})")
    except BaseException:
        db.close()
        raise
    return db


def _lock(file: Path) -> int:
    """Keep a second publisher from publishing the same table."""
    try:
        return database.lock(file)
    except BlockingIOError as error:
        raise CursorError(f"{file}: another publisher already publishes this table; stop it first") from error
    except OSError as error:
        raise CursorError(f"{file}: the cursor cannot be opened: {error.strerror}") from error
