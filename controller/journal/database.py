"""SQLite files that one process writes and others may read: the journal, and the publisher's cursor.

Both are written with WAL and ``synchronous=FULL``: a committed transaction is on disk.
"""

import fcntl
import os
import sqlite3
from pathlib import Path

PAGE = 1024
"""Bytes of a page of a new file. A commit writes whole pages, and an entry has some 400 bytes."""


def lock(file: Path) -> int:
    """Lock a file for writing, by ``FILE.lock``; the lock lasts until the returned descriptor is closed.

    Only its owner may open the lock's file: whoever can read it could take the lock.

    Raises:
        BlockingIOError: another process holds the lock.
        OSError: the lock file cannot be opened.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(lock_file(file), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def lock_file(file: Path) -> Path:
    """The file that carries the lock: of the file itself, also where the path is a symbolic link to it."""
    return Path(f"{os.path.realpath(file)}.lock")


def prepare(db: sqlite3.Connection, schema: str, version: int, read_only: bool) -> int:
    """Set up a connection; create the tables if the file is empty and may be written.

    Returns:
        the version of the file's schema; it differs from ``version`` for a file of another version or kind.
    """
    if not read_only:
        db.execute(f"PRAGMA page_size={PAGE}")  # A file that has pages keeps those that it has.
    db.execute("PRAGMA query_only=ON" if read_only else "PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    empty = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if found == 0 and empty and not read_only:
        db.executescript(f"BEGIN;{schema}PRAGMA user_version={version};COMMIT;")
        return version
    return found
