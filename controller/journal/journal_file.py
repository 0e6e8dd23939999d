"""Opens the file of a journal: its lock, its tables, and the kinds of errors of SQLite and the disk."""

import errno
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

from controller.journal import database
from controller.journal.errors import (
    JournalDamagedError,
    JournalError,
    JournalInUseError,
    JournalUnwritableError,
)

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
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""SQLite quotes the unreadable part in its message, and that may not be text."""
ROOM = 128 * 1024
"""Bytes that must be free on the disk for a journal to be opened."""
_FREE, _REPAIR = "free space on the disk", "repair or replace the disk; a worn card turns read-only for good"
_REMEDY = {errno.ENOSPC: _FREE, errno.EDQUOT: _FREE}
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
_DISK_ERRORS = (errno.ENOSPC, errno.EROFS, errno.EIO, errno.EDQUOT)


def not_a_file(path: Path) -> str:
    """What stands where a journal is to be, if that is no file, and what to do; empty for a file, or for nothing.

    To open a pipe would wait for ever.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        return ""
    if stat.S_ISREG(mode):
        return ""
    kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), "no file")
    return f"a journal cannot be kept here, for this is {kind}: name a file"


def lock_for_writing(file: Path) -> int:
    """Keep a second table from writing the same journal, as long as the descriptor is open."""
    if problem := not_a_file(file):
        raise JournalError(f"{file}: {problem}")
    try:
        return database.lock(file)
    except BlockingIOError as error:
        raise JournalInUseError(f"{file}: another table is writing this journal; stop it first") from error
    except OSError as error:
        words = f"{file}: the journal cannot be opened: {error.strerror}"
        if error.errno not in _DISK_ERRORS:
            raise JournalError(words) from error
        raise JournalUnwritableError(f"{words}; {_REMEDY.get(error.errno, _REPAIR)}") from error


def open_database(file: Path | None, read_only: bool, any_thread: bool = False) -> sqlite3.Connection:
    if file is not None and read_only and (problem := not_a_file(file)):
        raise JournalError(f"{file}: {problem}")
    if read_only and (file is None or not file.is_file()):
        raise JournalError(f"{file}: there is no journal here")
    if file is not None and not read_only:
        check_room(file)
    one_thread = file is not None and not any_thread  # One in memory may be garbage-collected in any thread.
    try:
        db = sqlite3.connect(file or ":memory:", isolation_level=None, timeout=5.0, check_same_thread=one_thread)
        try:
            version = database.prepare(db, _SCHEMA, SCHEMA_VERSION, read_only)
        except BaseException:
            db.close()
            raise
    except UNREADABLE as error:
        raise kind_of(error)(f"{file}: the journal cannot be opened: {error}") from error
    if version != SCHEMA_VERSION:
        db.close()
        raise JournalError(f"{file}: not a journal of this version ({version} instead of {SCHEMA_VERSION})")
    return db


def check_room(file: Path) -> None:
    """Refuse a full disk before SQLite opens a file in WAL mode on it, which maps
    the file that processes share (``-shm``).

    On a file system whose blocks are smaller than a page of memory, a write to a part of the mapping that has no
    block yet ends the process by SIGBUS if none is left.

    Raises:
        JournalUnwritableError: there is not enough room, or the disk does not answer.
    """
    try:
        disk = os.statvfs(file.parent)
    except OSError as error:
        raise JournalUnwritableError(f"{file}: the disk does not answer: {error.strerror}") from error
    free = disk.f_bavail * disk.f_frsize
    if disk.f_blocks and free < ROOM:
        raise JournalUnwritableError(f"{file}: the disk is full, {free // 1024} kB are left; {_FREE}")


def kind_of(error: Exception) -> type[JournalError]:
    """The kind of journal error for an error of SQLite."""
    if isinstance(error, UnicodeDecodeError):
        return JournalDamagedError
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return JournalDamagedError
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY):
        return JournalUnwritableError
    return JournalError
