"""What a witness is asked: the last size that it signed, a proof, a checkpoint (C2SP tlog-witness,
add-checkpoint)."""

import base64
import binascii
from dataclasses import dataclass

from controller.transparency.merkle import HASH_BYTES, MOST_PROOF
from controller.transparency.note import NoteError, SignedNote

_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class WitnessRequest:
    """A request to sign a checkpoint.

    Attributes:
        old: up to which size the witness has signed the record, as far as is known.
        proof: that the record of the old size is the beginning of the checkpoint's.
        note: the checkpoint, signed by the table.
    """

    old: int
    proof: tuple[bytes, ...]
    note: SignedNote

    def body(self) -> bytes:
        """As it is sent."""
        lines = "".join(f"{base64.b64encode(one).decode()}\n" for one in self.proof)
        return f"old {self.old}\n{lines}\n{self.note}".encode()

    @classmethod
    def parse(cls, body: bytes) -> "WitnessRequest":
        """Read a request; no signature and no proof is verified.

        Raises:
            NoteError: it is none.
        """
        try:
            head, separator, note = body.decode().partition("\n\n")
        except UnicodeDecodeError:
            raise NoteError("a request is text in UTF-8") from None
        first, *proof = head.split("\n")
        word, _, size = first.partition(" ")
        if not separator or word != "old" or not (size.isascii() and size.isdecimal()) or len(size) > _MOST_DIGITS:
            raise NoteError("a request begins with `old SIZE`, the proof's lines and an empty line")
        if str(int(size)) != size or len(proof) > MOST_PROOF:
            raise NoteError(f"the size has leading zeroes, or the proof more than {MOST_PROOF} lines")
        try:
            hashes = tuple(base64.b64decode(line, validate=True) for line in proof)
        except (binascii.Error, ValueError) as error:
            raise NoteError(f"the proof is not in base64: {error}") from error
        if any(len(one) != HASH_BYTES for one in hashes):
            raise NoteError(f"a line of the proof is no hash of {HASH_BYTES} bytes")
        return cls(int(size), hashes, SignedNote.parse(note))
