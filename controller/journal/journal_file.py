"""Opens the file of a journal: the table's own, which nobody else can open meanwhile, or one that is only read.

The table's connection is exclusive from its start to its end: SQLite holds one lock on the file, and keeps the
index of its log in memory, without a ``-shm`` beside it. So no reader can delay the table. It is a POSIX lock: a
process that opens and closes the file otherwise than through SQLite loses it.
"""

import errno
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from config.problems import not_a_file
from controller.journal.errors import (
    JournalDamagedError,
    JournalError,
    JournalInUseError,
    JournalUnwritableError,
)

FORMAT = 1
"""Of the file, as its ``user_version`` (docs/journal.md)."""
PAGE = 1024
"""Bytes of a page of a new file. A commit writes whole pages, and an entry has some 400 bytes."""
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
CREATE TRIGGER no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""SQLite quotes the unreadable part in its message, and that may not be text."""
CUT = "it is damaged or cut short: its mirror, a copy or the floor may have what is missing"
REMEDY = "free space on the disk, or repair it; a worn card turns read-only for good"
ROOM = 128 * 1024
"""Bytes that must be free on the disk for a journal to be opened."""
LOCKS = Path("/proc/locks")
"""Lists the locks on files: proc_locks(5)."""
_DISK_ERRORS = (errno.ENOSPC, errno.EROFS, errno.EIO, errno.EDQUOT)
_PATIENCE_S = 1.0
"""How long a start waits for a lock."""


def log_file(file: Path) -> Path:
    """The write-ahead log of a journal. It lies beside the file itself, also where the path is a symbolic link."""
    return Path(f"{os.path.realpath(file)}-wal")


def open_database(file: Path | None, read_only: bool) -> sqlite3.Connection:
    """Connect to a journal's file, or to one in memory.

    Raises:
        JournalInUseError: another process has it open; the message names it.
        JournalError: as :class:`controller.journal.journal.Journal`.
    """
    if file is not None and (what := not_a_file(file)):  # To open a pipe would wait for ever.
        raise JournalError(f"{file}: a journal cannot be kept in {what}; name a file")
    if read_only and (file is None or not file.is_file()):
        raise JournalError(f"{file}: there is no journal here")
    if file is not None and not read_only:
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            kind = JournalUnwritableError if error.errno in _DISK_ERRORS else JournalError
            raise kind(f"{file}: the journal cannot be opened: {error.strerror}") from error
        check_room(file)  # Before anything is written.
    try:
        db = sqlite3.connect(file or ":memory:", isolation_level=None, timeout=_PATIENCE_S, check_same_thread=False)
        try:
            found = _prepared(db, read_only)
        except BaseException:
            db.close()
            raise
    except UNREADABLE as error:
        if file is not None and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise in_use(file) from error
        kind = kind_of(error)
        remedy = {JournalUnwritableError: f"; {REMEDY}", JournalDamagedError: f"; {CUT}"}.get(kind, "")
        raise kind(f"{file}: the journal cannot be opened: {error}{remedy}") from error
    if found != FORMAT:
        db.close()
        raise JournalError(
            f"{file}: a journal of format {found}, and this version reads format {FORMAT}"
            if found
            else f"{file}: not a journal, or its first entries are only in its -wal"
        )
    return db


def _prepared(db: sqlite3.Connection, read_only: bool) -> int:
    """Set up a connection; make the tables if the file is empty and may be written.

    Returns:
        the file's format; 0 for none.
    """
    if read_only:
        db.execute("PRAGMA query_only=ON")
        return _format(db)
    db.execute("PRAGMA locking_mode=EXCLUSIVE")  # Before the log is used, or its index would be shared.
    found = _format(db)
    empty = found == 0 and not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if found != FORMAT and not empty:
        return found  # Another program's file stays as it is.
    db.execute(f"PRAGMA page_size={PAGE}")  # A file that has pages keeps those that it has.
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("BEGIN IMMEDIATE")  # From here to the end nobody else has a lock.
    db.execute("COMMIT")
    if empty:
        db.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version={FORMAT};COMMIT;")
    return FORMAT


def _format(db: sqlite3.Connection) -> int:
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def close_unchanged(db: sqlite3.Connection, file: Path) -> None:
    """Close a journal that is only read, or is damaged. While it is open, no table can open it.

    SQLite deletes the log as it closes, and with it the entries after a part that it could not read. So the log has
    another name meanwhile.
    """
    log = log_file(file)
    kept, moved = Path(f"{log}.kept"), False
    with closing(db), suppress(OSError):  # There may be none.
        os.rename(log, kept)
        moved = True
    if moved and not log.exists():  # A table may have started since.
        os.rename(kept, log)


def in_use(file: Path) -> JournalInUseError:
    """The error for a journal that another process has open."""
    return JournalInUseError(f"{file}: {holder(file) or 'another process'} has this journal open; stop it first")


def holder(file: Path) -> str:
    """The process that holds a lock on a file, as far as the system tells; empty for none."""
    with suppress(OSError):
        status = os.stat(file)
        inode = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
        for line in LOCKS.read_text(encoding="ascii", errors="replace").splitlines():
            fields = line.split()
            if inode in fields and "->" not in fields:
                pid = fields[fields.index(inode) - 1]
                return f"process {pid}{_command(pid)}"
    return ""


def _command(pid: str) -> str:
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        return f" ({words[:80]})" if words else ""
    return ""


def check_room(file: Path) -> None:
    """Refuse a disk that is full or read-only.

    Where SQLite shares memory between processes, as for the file of edges, and blocks are smaller than a page of
    memory, a write to a part of the mapping that has no block yet would end the process by SIGBUS.

    Raises:
        JournalUnwritableError: there is not enough room, or the disk does not answer.
    """
    try:
        disk = os.statvfs(log_file(file).parent)
    except OSError as error:
        raise JournalUnwritableError(f"{file}: the disk does not answer: {error.strerror}") from error
    if disk.f_flag & os.ST_RDONLY:
        raise JournalUnwritableError(f"{file}: the disk is read-only; {REMEDY}")
    free = disk.f_bavail * disk.f_frsize
    if disk.f_blocks and free < ROOM:
        raise JournalUnwritableError(
            f"{file}: the disk is full, {free // 1024} kB are left; free space on the disk"
        )


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
