"""The checkpoints of a table's records, in a file that the signing process alone writes."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from controller.journal import database

_SCHEMA = """
CREATE TABLE checkpoints (
    origin TEXT, size INTEGER, note TEXT NOT NULL, leaves BLOB NOT NULL, PRIMARY KEY (origin, size)
) STRICT;
"""
_VERSION = 1


class KeptCheckpoint(NamedTuple):
    """A checkpoint as it is kept.

    Attributes:
        note: signed, as text.
        leaves: the leaves' hashes since the checkpoint before, 32 bytes each.
    """

    origin: str
    note: str
    leaves: bytes


class CheckpointsError(Exception):
    """The checkpoints cannot be read or written; the message gives the reason and what to do."""


class Checkpoints:
    """An open file of checkpoints, as signed notes.

    Args:
        read_only: the file must exist, and is not changed.

    Raises:
        CheckpointsError: it cannot be opened, is of another version, or another process writes it.
    """

    def __init__(self, file: Path, read_only: bool = False) -> None:
        self._file = file
        if read_only and not file.is_file():
            raise CheckpointsError(f"{file}: there are no checkpoints here: does `table-controller sign` run?")
        self._lock = -1 if read_only else self._locked()
        try:
            self._db = sqlite3.connect(file, isolation_level=None, timeout=5.0)
            version = database.prepare(self._db, _SCHEMA, _VERSION, read_only)
            if version != _VERSION:
                raise CheckpointsError(f"{file}: no checkpoints of this version ({version} instead of {_VERSION})")
        except (sqlite3.Error, CheckpointsError) as error:
            self.close()
            if isinstance(error, CheckpointsError):
                raise
            raise CheckpointsError(f"{file}: the checkpoints cannot be opened: {error}") from error

    def _locked(self) -> int:
        try:
            return database.lock(self._file)
        except BlockingIOError as error:
            raise CheckpointsError(f"{self._file}: another process signs here already; stop it first") from error
        except OSError as error:
            raise CheckpointsError(f"{self._file}: the checkpoints cannot be opened: {error.strerror}") from error

    def keep(self, origin: str, size: int, note: str, leaves: bytes) -> None:
        """Keep a checkpoint. Durable on return.

        Args:
            leaves: the leaves' hashes since the checkpoint before, so that an audit can name a single entry.

        Raises:
            CheckpointsError: the disk cannot be written.
        """
        self._write("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", (origin, size, note, leaves))

    def add_signatures(self, origin: str, size: int, note: str) -> None:
        """Replace a checkpoint's note by one with more signatures. Durable on return.

        Raises:
            CheckpointsError: the disk cannot be written.
        """
        self._write("UPDATE checkpoints SET note = ? WHERE origin = ? AND size = ?", (note, origin, size))

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            self._db.execute(statement, values)
        except sqlite3.Error as error:
            words = f"{self._file}: a checkpoint cannot be written: {error}; free space on the disk, or repair it"
            raise CheckpointsError(words) from error

    def last(self, origin: str) -> KeptCheckpoint | None:
        """A record's longest checkpoint."""
        order = "ORDER BY size DESC LIMIT 1"
        return next(
            self._rows(f"SELECT origin, note, leaves FROM checkpoints WHERE origin = ? {order}", origin), None
        )

    def of(self, origin: str) -> Iterator[KeptCheckpoint]:
        """The checkpoints of a record, the shortest first."""
        return self._rows("SELECT origin, note, leaves FROM checkpoints WHERE origin = ? ORDER BY size", origin)

    def all(self) -> Iterator[KeptCheckpoint]:
        """The checkpoints of all records, in the order in which they were kept."""
        return self._rows("SELECT origin, note, leaves FROM checkpoints ORDER BY rowid")

    def _rows(self, query: str, *values: object) -> Iterator[KeptCheckpoint]:
        try:
            for row in self._db.execute(query, values):
                yield KeptCheckpoint(*row)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise CheckpointsError(f"{self._file}: the checkpoints cannot be read: {error}") from error

    def close(self) -> None:
        """Close the file and release its lock."""
        with suppress(AttributeError):
            self._db.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
