"""Checkpoints: how long a record is, and the root of its tree, as a text that is signed (C2SP tlog-checkpoint)."""

import base64
import binascii
from dataclasses import dataclass

from controller.journal.chain import Entry
from controller.transparency.merkle import leaf_hash
from controller.transparency.note import NoteError

_ROOT_BYTES = 32


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A record up to an entry.

    Attributes:
        origin: names the record: the same in every checkpoint of it, and in no other's.
        size: how many entries it has.
        root: of the tree over them, 32 bytes.
    """

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """Read the text of a note; lines after the third are another's extensions.

        Raises:
            NoteError: it is no checkpoint.
        """
        lines = text.split("\n")
        if len(lines) < 4 or not lines[0]:
            raise NoteError("no checkpoint: origin, size and root are expected, each on a line")
        size = lines[1]
        if not (size.isascii() and size.isdecimal()) or size != str(int(size[:20])):
            raise NoteError(f"no checkpoint: '{size[:40]}' is no size")
        try:
            root = base64.b64decode(lines[2], validate=True)
        except binascii.Error:
            root = b""
        if len(root) != _ROOT_BYTES:
            raise NoteError(f"no checkpoint: '{lines[2][:80]}' is no root")
        return cls(lines[0], int(size), root)


def origin_of(table: str, record: str) -> str:
    """The origin of a table's record.

    Args:
        record: the hash of its first entry, hexadecimal.
    """
    return f"table-controller/{table}/{record}"


def leaf_of(entry: Entry) -> bytes:
    """The leaf of an entry: its hash covers all of it, and the entry before."""
    return leaf_hash(bytes.fromhex(entry.hash))
