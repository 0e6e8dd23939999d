"""What a signer tells a witness beside checkpoints: that it found its record rewritten, signed with the table's
key.

The text cannot be taken for a checkpoint: its second line is no size.
"""

from dataclasses import dataclass

from controller.transparency.note import NoteError, SignedNote
from controller.transparency.signing_key import Signer

_HEAD = "table-controller-notice/v1"
_MOST_WORDS = 500


@dataclass(frozen=True, slots=True)
class SignerNotice:
    """A notice.

    Attributes:
        origin: of the record.
        words: what is wrong with it.
        note: the whole, signed.
    """

    origin: str
    words: str
    note: SignedNote

    @classmethod
    def make(cls, origin: str, words: str, signer: Signer) -> "SignerNotice":
        """A notice, signed."""
        line = "".join(character if character.isprintable() else " " for character in words)[:_MOST_WORDS]
        text = f"{_HEAD}\n{origin}\n{line}\n"
        return cls(origin, line, SignedNote(text, (signer.sign(text),)))

    @classmethod
    def parse(cls, body: bytes) -> "SignerNotice":
        """Read a notice; its signature is not verified.

        Raises:
            NoteError: it is none.
        """
        try:
            note = SignedNote.parse(body.decode())
        except UnicodeDecodeError:
            raise NoteError("a notice is text in UTF-8") from None
        lines = note.text.split("\n")
        if len(lines) != 4 or lines[0] != _HEAD or not lines[1] or len(note.text) > 4 * _MOST_WORDS:
            raise NoteError("no notice: a head, an origin and a sentence are expected, each on a line")
        return cls(lines[1], lines[2][:_MOST_WORDS], note)
