"""Compares what tables had signed with the entries that they published: the tree over these must have the same
root.

How far each record was compared is kept in a file of its own beside the witness's: each entry is read once.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, select

from controller.floor.store import schema
from controller.journal import database
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.leaves import record_of
from controller.transparency.merkle import HASH_BYTES, GrowingTree, leaf_hash

_SCHEMA = """
CREATE TABLE compared (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, peaks BLOB NOT NULL) STRICT;
CREATE TABLE due (origin TEXT, size INTEGER, root BLOB NOT NULL, PRIMARY KEY (origin, size)) STRICT;
"""
_VERSION = 1
_MOST_DUE = 16
"""Checkpoints of a record that wait for its entries; a later one covers all that an earlier one does."""
AT_ONCE = 500
"""Rounds that are read in one go."""

_rounds = schema.rounds.c


class SignedDifference(NamedTuple):
    """A record that was published otherwise than it was signed."""

    origin: str
    size: int


class SignedEntries:
    """Which checkpoints wait to be compared, and how far each record's entries were read. Use it in one thread.

    Raises:
        sqlite3.Error, OSError: the file cannot be used.
    """

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(file, isolation_level=None, timeout=5.0, check_same_thread=False)
        if database.prepare(self._db, _SCHEMA, _VERSION, read_only=False) != _VERSION:
            raise sqlite3.DatabaseError(f"{file}: no file of this version")

    def add(self, checkpoint: Checkpoint) -> None:
        """Have a checkpoint compared once its entries are here."""
        origin = checkpoint.origin
        self._db.execute("INSERT OR REPLACE INTO due VALUES (?, ?, ?)", (origin, checkpoint.size, checkpoint.root))
        kept = "SELECT size FROM due WHERE origin = ? ORDER BY size DESC LIMIT ?"
        self._db.execute(f"DELETE FROM due WHERE origin = ? AND size NOT IN ({kept})", (origin, origin, _MOST_DUE))

    def compare(self, db: Connection, table: str, origin: str) -> SignedDifference | None:
        """Read the rounds that have arrived since, and compare each checkpoint that they reach.

        Returns:
            the first that differs.
        """
        rows = self._db.execute("SELECT size, root FROM due WHERE origin = ? ORDER BY size", (origin,)).fetchall()
        due: dict[int, bytes] = dict(rows)
        tree = self._tree(origin)
        for size in [size for size in due if size < tree.size]:
            del due[size]  # Its entries were read before it came; a later one covers them.
        difference = self._at(origin, tree, due)
        for hashes in _rounds_after(db, table, record_of(origin), tree.size):
            for digest in hashes:
                tree.append(leaf_hash(bytes.fromhex(digest)))
                difference = difference or self._at(origin, tree, due)
        self._keep(origin, tree)
        return difference

    @staticmethod
    def _at(origin: str, tree: GrowingTree, due: dict[int, bytes]) -> SignedDifference | None:
        """Compare the checkpoint of the tree's size, if one is due."""
        root = due.pop(tree.size, None)
        return None if root in (None, tree.root()) else SignedDifference(origin, tree.size)

    def _tree(self, origin: str) -> GrowingTree:
        row = self._db.execute("SELECT size, peaks FROM compared WHERE origin = ?", (origin,)).fetchone()
        if row is None:
            return GrowingTree()
        return GrowingTree(row[0], [row[1][at : at + HASH_BYTES] for at in range(0, len(row[1]), HASH_BYTES)])

    def _keep(self, origin: str, tree: GrowingTree) -> None:
        row = (origin, tree.size, b"".join(tree.peaks))
        self._db.execute("INSERT OR REPLACE INTO compared VALUES (?, ?, ?)", row)
        self._db.execute("DELETE FROM due WHERE origin = ? AND size <= ?", (origin, tree.size))

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._db.close()


def _rounds_after(db: Connection, table: str, record: str, size: int) -> Iterator[list[str]]:
    """The hashes of the entries of each round after an entry, up to the first that is missing or has no entries."""
    query = select(_rounds.first, _rounds.seq, _rounds.entries).where(
        _rounds.table == table, _rounds.record == record, _rounds.seq > size
    )
    with closing(db.execute(query.order_by(_rounds.seq).limit(AT_ONCE))) as rows:
        for first, seq, packed in rows:
            if first != size + 1 or packed is None:
                return
            yield [entry["hash"] for entry in json.loads(zlib.decompress(packed))]
            size = seq
