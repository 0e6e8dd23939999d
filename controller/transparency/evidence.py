"""What is exported of a record for an audit elsewhere: a folder of text files, written and read one line at a time.

``about.json`` names table and record; ``entries.jsonl`` has every entry as the journal has it, ``leaves.txt`` the
leaf's hash of each as it was signed, ``checkpoints.jsonl`` every checkpoint as a signed note,
``timestamps.jsonl`` the answers of a timestamp authority; ``table-key.txt`` is the table's public key and
``head.txt`` the newest checkpoint, as tools of others read it. A folder comes from anybody: whoever reads it
believes nothing, and holds one line at a time.
"""

import base64
import binascii
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from controller.journal.chain import Entry

ABOUT, ENTRIES, LEAVES = "about.json", "entries.jsonl", "leaves.txt"
CHECKPOINTS, TIMESTAMPS, TABLE_KEY, HEAD = "checkpoints.jsonl", "timestamps.jsonl", "table-key.txt", "head.txt"
FORMAT = 1
MOST_LINE = 1 << 20
"""Bytes of a line; an entry with its checkpoint has some thousand."""


class EvidenceError(Exception):
    """The folder cannot be used for an audit; the message names the file, the line and the reason."""


class About(NamedTuple):
    """What the folder says that it is."""

    table: str
    record: str


class StampedCheckpoint(NamedTuple):
    """An authority's answer for the checkpoint of a size."""

    size: int
    response: bytes


class EvidenceFolder:
    """A folder of evidence.

    Args:
        folder: as :func:`controller.transparency.exporting.export_evidence` writes it.
        advance: is called with 1 for each entry that is read.

    Raises:
        EvidenceError: it is no such folder.
    """

    def __init__(self, folder: Path, advance: Callable[[int], None] = lambda done: None) -> None:
        self._folder, self._advance = folder, advance
        if not folder.is_dir():
            raise EvidenceError(f"{folder}: there is no folder of evidence here")
        about = self._object(ABOUT, next(self._lines(ABOUT), (1, "")))
        if about.get("format") != FORMAT:
            raise EvidenceError(f"{folder / ABOUT}: no evidence of this format ({FORMAT})")
        table, record = about.get("table"), about.get("record")
        if not isinstance(table, str) or not isinstance(record, str):
            raise EvidenceError(f"{folder / ABOUT}: it names no table and no record")
        self.about = About(table, record)

    def entries(self) -> Iterator[Entry]:
        """The entries, as they are written.

        Raises:
            EvidenceError: a line is no entry.
        """
        for number, line in self._lines(ENTRIES):
            fields = self._object(ENTRIES, (number, line))
            try:
                entry = Entry(**fields)  # type: ignore[arg-type]
                bytes.fromhex(entry.hash)
            except (TypeError, ValueError):
                raise self._wrong(ENTRIES, number, "no entry of a journal") from None
            yield entry
            self._advance(1)

    def leaves(self) -> Iterator[bytes]:
        """The leaves' hashes as they were signed, in order.

        Raises:
            EvidenceError: a line is no hash.
        """
        for number, line in self._lines(LEAVES):
            try:
                yield bytes.fromhex(line)
            except ValueError:
                raise self._wrong(LEAVES, number, "no hash") from None

    def notes(self) -> Iterator[str]:
        """The checkpoints, as they are written.

        Raises:
            EvidenceError: a line is none.
        """
        for number, line in self._lines(CHECKPOINTS):
            note = self._object(CHECKPOINTS, (number, line)).get("note")
            if not isinstance(note, str):
                raise self._wrong(CHECKPOINTS, number, "no checkpoint")
            yield note

    def timestamps(self) -> Iterator[StampedCheckpoint]:
        """The timestamps; none if there is no such file.

        Raises:
            EvidenceError: a line is none.
        """
        if not os.path.lexists(self._folder / TIMESTAMPS):
            return
        for number, line in self._lines(TIMESTAMPS):
            fields = self._object(TIMESTAMPS, (number, line))
            size, encoded = fields.get("size"), fields.get("response")
            if type(size) is not int or not isinstance(encoded, str):
                raise self._wrong(TIMESTAMPS, number, "no timestamp")
            try:
                yield StampedCheckpoint(size, base64.b64decode(encoded, validate=True))
            except (binascii.Error, ValueError):
                raise self._wrong(TIMESTAMPS, number, "no timestamp") from None

    def _lines(self, name: str) -> Iterator[tuple[int, str]]:
        """The lines of a file with their numbers, each of a bounded length."""
        file = self._folder / name
        try:
            descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with open(descriptor, "rb") as stream:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise EvidenceError(f"{file}: this is no file")
                number = 0
                while line := stream.readline(MOST_LINE + 1):
                    number += 1
                    yield number, self._text(name, number, line)
        except OSError as error:
            words = "this is a link, and evidence has none" if os.path.islink(file) else error.strerror
            raise EvidenceError(f"{file}: it cannot be read: {words}") from error

    def _text(self, name: str, number: int, line: bytes) -> str:
        if len(line) > MOST_LINE:
            raise self._wrong(name, number, f"longer than {MOST_LINE} bytes")
        if not line.endswith(b"\n"):
            raise self._wrong(name, number, "the file ends within it: it was cut")
        try:
            return line[:-1].decode()
        except UnicodeDecodeError:
            raise self._wrong(name, number, "not in UTF-8") from None

    def _object(self, name: str, line: tuple[int, str]) -> dict[str, object]:
        number, text = line
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise self._wrong(name, number, "not in JSON") from None
        if not isinstance(value, dict):
            raise self._wrong(name, number, "no object in JSON")
        return value

    def _wrong(self, name: str, number: int, what: str) -> EvidenceError:
        return EvidenceError(f"{self._folder / name}, line {number}: {what}")
