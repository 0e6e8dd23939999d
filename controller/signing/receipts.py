"""``receipts.jsonl``: what table and floor signed, one line for each batch that the floor acknowledged.

The publisher appends; an audit reads, and counts lines that are none. A line has table, record, seq and hash, the
table's signature (``head``), and the floor's (``receipt``); so has a message that the broker retains at
``floor/T/have``.
"""

import errno
import json
import logging
import os
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from config.schema import SigningSection
from controller.journal.head_anchor import sync_folder
from controller.signing.keys import Domain, Signer, SigningError, Verifier

log = logging.getLogger("signing")

RECEIPTS = "receipts.jsonl"
"""The name of the file, beside the table's key."""


class Receipt(NamedTuple):
    """What was signed of one entry.

    Attributes:
        table: empty if the line does not say it.
        record: the hash of the record's first entry.
        head: the table's signature, base64; None for none.
        receipt: the floor's, likewise.
    """

    table: str
    record: str
    seq: int
    hash: str
    head: str | None = None
    receipt: str | None = None


class SignedRecord:
    """Signs a table's record for its publisher, and keeps what the floor has signed of it.

    Raises:
        SigningError: a key or the file of receipts cannot be used.
    """

    def __init__(self, table: str, signing: SigningSection) -> None:
        key = Path(signing.key)
        self._table, self._file = table, key.with_name(RECEIPTS)
        self._signer, self._floor = Signer(key, Domain.HEAD), Verifier(Path(signing.floor_key), Domain.RECEIPT)
        try:
            os.close(os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o640))
            sync_folder(self._file.parent)
        except OSError as error:
            raise SigningError(f"{self._file}: receipts cannot be kept: {error.strerror}") from error
        self._signed = "", ""
        """The last entry that was signed, by its hash, and the signature."""
        self._kept = ""
        """The hash of the last entry whose receipt is kept."""

    def sign(self, record: str, seq: int, hash_: str) -> str:
        """The table's signature of an entry."""
        self._signed = hash_, self._signer.sign(self._table, record, seq, hash_)
        return self._signed[1]

    def receive(self, record: str, seq: int, hash_: str, receipt: str | None) -> None:
        """Keep the floor's signature of an entry, with the table's own if it is the last one signed."""
        if hash_ == self._kept:
            return
        if not self._floor.verify(self._table, record, seq, hash_, receipt):
            log.warning("entry %d: the floor's receipt is not signed with its key", seq)
            return
        head = self._signed[1] if self._signed[0] == hash_ else None
        try:
            append(self._file, Receipt(self._table, record, seq, hash_, head, receipt))
            self._kept = hash_
        except OSError as error:
            log.error("%s: receipts cannot be kept: %s", self._file, error.strerror)


def append(file: Path, receipt: Receipt) -> None:
    """Append a line. It is on disk when this returns.

    Raises:
        OSError: the disk cannot be written. What it took of the line is none, like one that a power cut tore.
    """
    kept = {name: value for name, value in receipt._asdict().items() if value is not None}
    line = json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    with file.open("ab+", buffering=0) as stream:
        if stream.seek(0, os.SEEK_END):
            stream.seek(-1, os.SEEK_END)
            line = line if stream.read(1) == b"\n" else b"\n" + line  # The last one was torn.
        if stream.write(line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(stream.fileno())


def read_receipts(file: Path) -> tuple[list[Receipt], int]:
    """The lines of a file, and how many are none; a torn last line is one of these. No signature is verified.

    Raises:
        SigningError: the file cannot be read.
    """
    try:
        if not file.is_file():
            raise SigningError(f"{file}: there is no file of receipts here")
        with file.open("rb") as stream:
            read = [_receipt(line) for line in stream]
    except OSError as error:
        raise SigningError(f"{file}: the receipts cannot be read: {error.strerror}") from error
    receipts = [one for one in read if one is not None]
    return receipts, len(read) - len(receipts)


def _receipt(line: bytes) -> Receipt | None:
    """The receipt in a line; None if there is none."""
    try:
        of: Any = json.loads(line)
        signed = of.get("head"), of.get("receipt", of.get("signature"))
        # All lines have the same table and almost all the same record: each text is kept once.
        read = Receipt(intern(of.get("table", "")), intern(of["record"]), of["seq"], of["hash"], *signed)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    texts = (read.hash, read.head or "", read.receipt or "")
    right = type(read.seq) is int and read.seq > 0 and all(isinstance(text, str) for text in texts)
    return read if right else None
