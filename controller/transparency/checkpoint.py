"""Checkpoints: how long a record is, and the root of its tree, as a text that is signed (C2SP tlog-checkpoint)."""

import base64
import binascii
from dataclasses import dataclass

from controller.transparency.merkle import HASH_BYTES
from controller.transparency.note import NoteError

_MOST_SIZE = (1 << 63) - 1
_MOST_ORIGIN = 300


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
        """Read the text of a note; lines after the third are extensions, which say nothing here.

        Raises:
            NoteError: it is no checkpoint.
        """
        lines = text.split("\n")
        if len(lines) < 4 or lines.pop() or not all(lines) or len(lines[0]) > _MOST_ORIGIN:
            raise NoteError("no checkpoint: origin, size and root are expected, each on a line")
        size = lines[1]
        if not (size.isascii() and size.isdecimal()) or size != str(int(size[:20])) or int(size) > _MOST_SIZE:
            raise NoteError(f"no checkpoint: '{size[:40]}' is no size")
        try:
            root = base64.b64decode(lines[2], validate=True)
        except (binascii.Error, ValueError):
            root = b""
        if len(root) != HASH_BYTES:
            raise NoteError(f"no checkpoint: '{lines[2][:80]}' is no root")
        return cls(lines[0], int(size), root)
