"""A witness: signs a checkpoint only if it extends the last one that it signed (C2SP tlog-witness, add-checkpoint).

It keeps the last size and root of each record, and nothing of the record itself.
"""

import base64
import binascii
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from controller.journal import database
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.merkle import EMPTY, MOST_PROOF, proves_consistency
from controller.transparency.note import NoteError, SignedNote, Signer, VerifierKey

_SCHEMA = "CREATE TABLE logs (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL) STRICT;"
_VERSION = 1
SIZE_TYPE = "text/x.tlog.size"


class WitnessError(Exception):
    """The witness's file cannot be used; the message gives the reason and what to do."""


class WitnessAnswer(NamedTuple):
    """An answer to a request.

    Attributes:
        status: of HTTP.
        body: ends with a newline.
        type: its media type.
    """

    status: int
    body: str
    type: str = "text/plain; charset=utf-8"


class Witness:
    """A witness of some tables.

    Args:
        file: what it has signed; made if there is none.
        signer: its key.
        tables: the tables' keys, by the beginning that the origins of each have: its key's name and a slash.

    Raises:
        WitnessError: the file cannot be used.
    """

    def __init__(self, file: Path, signer: Signer, tables: Mapping[str, VerifierKey]) -> None:
        self._file, self._signer, self._tables = file, signer, tables
        try:
            self._lock = database.lock(file)
        except OSError as error:
            raise WitnessError(
                f"{file}: it cannot be written, or another witness uses it: {error.strerror}"
            ) from error
        try:
            self._db = sqlite3.connect(file, isolation_level=None, timeout=5.0)
            if database.prepare(self._db, _SCHEMA, _VERSION, read_only=False) != _VERSION:
                raise WitnessError(f"{file}: no witness's file of this version")
        except (sqlite3.Error, WitnessError) as error:
            self.close()
            if isinstance(error, WitnessError):
                raise
            raise WitnessError(f"{file}: it cannot be opened: {error}") from error

    def add_checkpoint(self, body: bytes, seconds: int) -> WitnessAnswer:
        """Answer a request to sign a checkpoint.

        Args:
            seconds: the witness's wall time, since 1970.
        """
        try:
            old, proof, note = _request(body)
            checkpoint = Checkpoint.parse(note.text)
        except (NoteError, UnicodeDecodeError) as error:
            return WitnessAnswer(400, f"{error}\n")
        key = next((key for name, key in self._tables.items() if checkpoint.origin.startswith(f"{name}/")), None)
        if key is None:
            return WitnessAnswer(404, f"'{checkpoint.origin}' is of no table that this witness knows\n")
        try:
            note.verify(key)
        except NoteError as error:
            return WitnessAnswer(403, f"{error}\n")
        if old > checkpoint.size:
            return WitnessAnswer(400, f"the old size {old} is above the new one, {checkpoint.size}\n")
        return self._extended(old, proof, checkpoint, note.text, seconds)

    def _extended(
        self, old: int, proof: Sequence[bytes], new: Checkpoint, text: str, seconds: int
    ) -> WitnessAnswer:
        size, root = self._last(new.origin)
        if old != size:
            return WitnessAnswer(409, f"{size}\n", SIZE_TYPE)
        if old == new.size and root != new.root:
            return WitnessAnswer(409, f"{size}\n", SIZE_TYPE)
        if not proves_consistency(old, new.size, proof, root, new.root):
            return WitnessAnswer(422, f"the record up to entry {new.size} does not contain the one up to {old}\n")
        try:  # Before anybody has the signature.
            self._db.execute("INSERT OR REPLACE INTO logs VALUES (?, ?, ?)", (new.origin, new.size, new.root))
        except sqlite3.Error as error:
            return WitnessAnswer(500, f"{self._file} cannot be written: {error}\n")
        return WitnessAnswer(200, str(self._signer.sign(text, seconds)))

    def _last(self, origin: str) -> tuple[int, bytes]:
        row = self._db.execute("SELECT size, root FROM logs WHERE origin = ?", (origin,)).fetchone()
        return (row[0], row[1]) if row is not None else (0, EMPTY)

    def close(self) -> None:
        """Close the file and release its lock."""
        with suppress(AttributeError):
            self._db.close()
        os.close(self._lock)


def request(old: int, proof: Sequence[bytes], note: SignedNote) -> bytes:
    """The body of a request."""
    lines = "".join(f"{base64.b64encode(one).decode()}\n" for one in proof)
    return f"old {old}\n{lines}\n{note}".encode()


def _request(body: bytes) -> tuple[int, list[bytes], SignedNote]:
    """The old size, the proof and the checkpoint.

    Raises:
        NoteError: the request is not as it should be.
    """
    head, separator, note = body.decode().partition("\n\n")
    first, *proof = head.split("\n")
    word, _, size = first.partition(" ")
    if not separator or word != "old" or not (size.isascii() and size.isdecimal()) or len(size) > 18:
        raise NoteError("a request begins with `old SIZE`, the proof's lines and an empty line")
    if str(int(size)) != size or len(proof) > MOST_PROOF:
        raise NoteError(f"the size has leading zeroes, or the proof more than {MOST_PROOF} lines")
    try:
        hashes = [base64.b64decode(line, validate=True) for line in proof]
    except binascii.Error as error:
        raise NoteError(f"the proof is not in base64: {error}") from error
    if any(len(one) != len(EMPTY) for one in hashes):
        raise NoteError("a line of the proof is no hash of 32 bytes")
    return int(size), hashes, SignedNote.parse(note)
