"""A witness: signs a checkpoint only if it extends the last one that it signed (C2SP tlog-witness, add-checkpoint).

It keeps the last size and root of each record, and nothing of the record itself.
"""

import os
import sqlite3
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.journal import database
from controller.journal.journal_file import not_a_file
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.leaves import key_name
from controller.transparency.merkle import EMPTY, proves_consistency
from controller.transparency.note import NoteError, SignedNote, VerifierKey
from controller.transparency.signing_key import Signer
from controller.transparency.witness_request import WitnessRequest

_SCHEMA = "CREATE TABLE logs (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL) STRICT;"
_VERSION = 1
SIZE_TYPE, PLAIN_TYPE = "text/x.tlog.size", "text/plain; charset=utf-8"
MOST_RECORDS = 1000
"""Records of one table: a table begins a new one when its journal is damaged or its medium replaced."""


class WitnessError(Exception):
    """The witness's file cannot be used; the message gives the reason and what to do."""


@dataclass(frozen=True, slots=True)
class WitnessAnswer:
    """An answer to a request.

    Attributes:
        status: of HTTP.
        body: ends with a newline.
        type: its media type.
        table: whose record it is about, if the witness knows it; else empty.
        checkpoint: what was to be signed, if that could be read.
        alarm: how what was asked for contradicts what was signed before, in words; empty if it does not.
        before: how long the record was when it was signed last; 0 for one that is new here.
    """

    status: int
    body: str
    type: str = PLAIN_TYPE
    table: str = ""
    checkpoint: Checkpoint | None = None
    alarm: str = ""
    before: int = 0


class Witness:
    """A witness of some tables. Any thread may ask it.

    Args:
        file: what it has signed; made if there is none.
        signer: its key.
        tables: the keys of the tables, by their names.

    Raises:
        WitnessError: the file cannot be used.
    """

    def __init__(self, file: Path, signer: Signer, tables: Mapping[str, VerifierKey]) -> None:
        self._file, self._signer, self._tables = file, signer, dict(tables)
        self._turn = threading.Lock()
        if problem := not_a_file(file):
            raise WitnessError(f"{file}: {problem}")
        try:
            self._lock = database.lock(file)
        except OSError as error:
            words = f"{file}: it cannot be written, or another witness uses it: {error.strerror}"
            raise WitnessError(words) from error
        try:
            self._db = sqlite3.connect(file, isolation_level=None, timeout=5.0, check_same_thread=False)
            if database.prepare(self._db, _SCHEMA, _VERSION, read_only=False) != _VERSION:
                raise WitnessError(f"{file}: no witness's file of this version")
        except (sqlite3.Error, WitnessError) as error:
            self.close()
            if isinstance(error, WitnessError):
                raise
            raise WitnessError(f"{file}: it cannot be opened: {error}") from error

    @property
    def key(self) -> VerifierKey:
        """Its public key."""
        return self._signer.key

    def add_checkpoint(self, body: bytes, seconds: int) -> WitnessAnswer:
        """Answer a request to sign a checkpoint.

        Args:
            seconds: the witness's wall time, since 1970.
        """
        try:
            request = WitnessRequest.parse(body)
            checkpoint = Checkpoint.parse(request.note.text)
        except NoteError as error:
            return WitnessAnswer(400, f"{error}\n")
        table, key = self._of(checkpoint.origin)
        if key is None:
            return WitnessAnswer(404, "this is a record of no table that this witness knows\n")
        try:
            request.note.verify(key)
        except NoteError as error:
            words = f"somebody asks to sign a record in this table's name, without its key: {error}"
            return WitnessAnswer(403, f"{error}\n", table=table, alarm=words)
        if request.old > checkpoint.size:
            return WitnessAnswer(400, f"the old size {request.old} is above the new one, {checkpoint.size}\n")
        with self._turn:  # What is compared is what is replaced.
            try:
                return self._extended(request, table, checkpoint, seconds)
            except sqlite3.Error as error:
                return WitnessAnswer(500, f"{self._file} cannot be used: {error}\n")

    def table_of(self, note: SignedNote, origin: str) -> str:
        """The table that an origin belongs to, if its key has signed a note; else empty."""
        table, key = self._of(origin)
        try:
            if key is not None:
                note.verify(key)
        except NoteError:
            return ""
        return table

    def _of(self, origin: str) -> tuple[str, VerifierKey | None]:
        found = (name for name in self._tables if origin.startswith(f"{key_name(name)}/"))
        table = next(found, "")
        return table, self._tables.get(table)

    def _extended(self, request: WitnessRequest, table: str, new: Checkpoint, seconds: int) -> WitnessAnswer:
        size, root = self._last(new.origin)

        def refused(status: int, body: str, alarm: str = "") -> WitnessAnswer:
            kind = SIZE_TYPE if status == 409 else PLAIN_TYPE
            return WitnessAnswer(status, body, kind, table, new, alarm, size)

        if new.size < size:
            words = (
                f"the table asks to sign its record up to entry {new.size}, and it was signed up to {size} before"
            )
            return refused(409, f"{size}\n", f"{words}: it was cut or rolled back")
        if new.size == size and new.root != root:
            words = f"the table asks to sign another record up to entry {size} than was signed before"
            return refused(409, f"{size}\n", f"{words}: it was rewritten")
        if request.old != size:
            return refused(409, f"{size}\n")
        if not proves_consistency(size, new.size, request.proof, root, new.root):
            words = f"the record up to entry {new.size} is not an extension of the one up to {size}"
            alarm = f"the table asks to sign a record that is not an extension of the one signed before: {words}"
            return refused(422, f"{words}\n", alarm)
        if size == 0 and self._records_of(table) >= MOST_RECORDS:
            return refused(
                403, f"more than {MOST_RECORDS} records of one table\n", "the table begins too many records"
            )
        # Durable before anybody has the signature.
        self._db.execute("INSERT OR REPLACE INTO logs VALUES (?, ?, ?)", (new.origin, new.size, new.root))
        line = str(self._signer.sign(request.note.text, seconds))
        return WitnessAnswer(200, line, PLAIN_TYPE, table, new, before=size)

    def _records_of(self, table: str) -> int:
        begin = f"{key_name(table)}/"
        query = "SELECT count(*) FROM logs WHERE substr(origin, 1, ?) = ?"
        return int(self._db.execute(query, (len(begin), begin)).fetchone()[0])

    def _last(self, origin: str) -> tuple[int, bytes]:
        row = self._db.execute("SELECT size, root FROM logs WHERE origin = ?", (origin,)).fetchone()
        return (row[0], row[1]) if row is not None else (0, EMPTY)

    def origins(self, table: str) -> list[str]:
        """The records of a table that it has signed, in the order in which each was signed last."""
        with self._turn:
            rows = self._db.execute("SELECT origin FROM logs ORDER BY rowid").fetchall()
        return [origin for (origin,) in rows if self._of(origin)[0] == table]

    def close(self) -> None:
        """Close the file and release its lock."""
        with suppress(AttributeError):
            self._db.close()
        os.close(self._lock)
