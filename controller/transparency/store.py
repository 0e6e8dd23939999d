"""The checkpoints of a table's records, in a file that the signing process alone writes.

With each checkpoint come the nodes of the tree that are complete since the one before: each leaf, and after it the
inner nodes that it completes. So any node's place is known from its level and index, and a proof needs a few rows,
however long the record is.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from controller.journal import database
from controller.journal.journal_file import not_a_file
from controller.transparency.merkle import HASH_BYTES, GrowingTree, peaks_of

_SCHEMA = """
CREATE TABLE checkpoints (
    origin TEXT, size INTEGER, note TEXT NOT NULL, nodes BLOB NOT NULL, PRIMARY KEY (origin, size)
) STRICT;
CREATE TABLE timestamps (
    origin TEXT, size INTEGER, utc TEXT NOT NULL, response BLOB NOT NULL, PRIMARY KEY (origin, size)
) STRICT;
"""
_VERSION = 1


class KeptCheckpoint(NamedTuple):
    """A checkpoint as it is kept.

    Attributes:
        size: how many entries the record has at it.
        note: signed, as text.
        nodes: the nodes that are complete since the checkpoint before, 32 bytes each.
    """

    origin: str
    size: int
    note: str
    nodes: bytes


class KeptTimestamp(NamedTuple):
    """A timestamp of a checkpoint: an authority's answer (RFC 3161), in DER."""

    origin: str
    size: int
    utc: str
    response: bytes


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
        if problem := not_a_file(file):
            raise CheckpointsError(f"{file}: {problem}")
        if read_only and not file.is_file():
            raise CheckpointsError(f"{file}: there are no checkpoints here: does `table-controller sign` run?")
        self._lock = -1 if read_only else self._locked()
        try:
            self._db = sqlite3.connect(file, isolation_level=None, timeout=5.0, check_same_thread=False)
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

    def keep(self, checkpoints: Sequence[KeptCheckpoint]) -> None:
        """Keep checkpoints that follow the last one, all or none. Durable on return.

        Raises:
            CheckpointsError: the disk cannot be written.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", checkpoints)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise self._unwritable(error) from error

    def add_signatures(self, origin: str, size: int, note: str) -> None:
        """Replace a checkpoint's note by one with more signatures. Durable on return.

        Raises:
            CheckpointsError: the disk cannot be written.
        """
        self._write("UPDATE checkpoints SET note = ? WHERE origin = ? AND size = ?", (note, origin, size))

    def keep_timestamp(self, kept: KeptTimestamp) -> None:
        """Keep a timestamp. Durable on return.

        Raises:
            CheckpointsError: the disk cannot be written.
        """
        self._write("INSERT OR REPLACE INTO timestamps VALUES (?, ?, ?, ?)", kept)

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: sqlite3.Error) -> CheckpointsError:
        words = f"{self._file}: a checkpoint cannot be written: {error}; free space on the disk, or repair it"
        return CheckpointsError(words)

    def last(self, origin: str) -> KeptCheckpoint | None:
        """A record's longest checkpoint."""
        return next(self._kept("WHERE origin = ? ORDER BY size DESC LIMIT 1", origin), None)

    def at(self, origin: str, size: int) -> KeptCheckpoint | None:
        """A record's checkpoint of this size."""
        return next(self._kept("WHERE origin = ? AND size = ?", origin, size), None)

    def of(self, origin: str) -> Iterator[KeptCheckpoint]:
        """The checkpoints of a record, the shortest first."""
        return self._kept("WHERE origin = ? ORDER BY size", origin)

    def origins(self) -> list[str]:
        """The records of which there are checkpoints, in the order in which they began."""
        query = "SELECT origin FROM checkpoints GROUP BY origin ORDER BY min(rowid)"
        return [str(row[0]) for row in self._rows(query)]

    def timestamps(self, origin: str) -> Iterator[KeptTimestamp]:
        """The timestamps of a record, the shortest checkpoint first."""
        query = "SELECT origin, size, utc, response FROM timestamps WHERE origin = ? ORDER BY size"
        return (KeptTimestamp(*row) for row in self._rows(query, origin))

    def last_timestamp(self, origin: str) -> KeptTimestamp | None:
        """The timestamp of a record's longest stamped checkpoint."""
        query = "SELECT origin, size, utc, response FROM timestamps WHERE origin = ? ORDER BY size DESC LIMIT 1"
        return next((KeptTimestamp(*row) for row in self._rows(query, origin)), None)

    def tree(self, origin: str, size: int) -> GrowingTree:
        """The tree of a record at one of its checkpoints.

        Raises:
            CheckpointsError: a node is missing.
        """
        return GrowingTree(size, [self.node(origin, level, index) for level, index in peaks_of(size)])

    def node(self, origin: str, level: int, index: int) -> bytes:
        """A node of a record's tree that is complete at its last checkpoint.

        Raises:
            CheckpointsError: it is missing.
        """
        size = index + 1 << level  # The leaf that completes it.
        after = next(self._kept("WHERE origin = ? AND size >= ? ORDER BY size LIMIT 1", origin, size), None)
        query = "SELECT max(size) FROM checkpoints WHERE origin = ? AND size < ?"
        before = int(next(self._rows(query, origin, size))[0] or 0)
        at = (_nodes(size - 1) + level - _nodes(before)) * HASH_BYTES
        found = after.nodes[at : at + HASH_BYTES] if after is not None else b""
        if len(found) != HASH_BYTES:
            raise CheckpointsError(f"{self._file}: node {index} of level {level} of {origin} is missing")
        return found

    def leaves(self, origin: str) -> Iterator[bytes]:
        """The leaves' hashes of a record, in order."""
        before = 0
        for kept in self.of(origin):
            for leaf in range(before, kept.size):
                at = (_nodes(leaf) - _nodes(before)) * HASH_BYTES
                yield kept.nodes[at : at + HASH_BYTES]
            before = kept.size

    def _kept(self, where: str, *values: object) -> Iterator[KeptCheckpoint]:
        rows = self._rows(f"SELECT origin, size, note, nodes FROM checkpoints {where}", *values)
        return (KeptCheckpoint(*row) for row in rows)

    def _rows(self, query: str, *values: object) -> "Iterator[tuple[str, int, str, bytes]]":
        try:
            yield from self._db.execute(query, values)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise CheckpointsError(f"{self._file}: the checkpoints cannot be read: {error}") from error

    def close(self) -> None:
        """Close the file and release its lock."""
        with suppress(AttributeError):
            self._db.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _nodes(size: int) -> int:
    """How many nodes the complete trees of a list of this size have."""
    return 2 * size - size.bit_count()
