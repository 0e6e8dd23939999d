"""A table's record that is signed and witnessed as in a casino, without a network: for tests and the campaign."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.transparency.checkpoint import Checkpoint
from controller.transparency.exporting import export_evidence
from controller.transparency.last_signed import LastSigned, keep_last_signed, last_signed_file
from controller.transparency.leaves import key_name
from controller.transparency.note import SignedNote, parse_signatures
from controller.transparency.signing import SignedJournal, extension_proof
from controller.transparency.signing_key import Signer
from controller.transparency.store import Checkpoints
from controller.transparency.witness import Witness, WitnessAnswer
from controller.transparency.witness_heads import witness_heads
from controller.transparency.witness_request import WitnessRequest

AT_S = 1_790_000_000
"""The witness's wall time."""


class SoftwareKey:
    """A key that is kept nowhere, always the same for a number.

    Args:
        number: of the key, 0 to 255.
    """

    def __init__(self, number: int) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(bytes((number,)) * 32)

    @property
    def public(self) -> bytes:
        return self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


class SignedRecord:
    """A journal, its checkpoints and one witness, all in a folder.

    Args:
        journal: at least one entry long when :meth:`sign` is called.
    """

    def __init__(self, folder: Path, journal: Path, table: str) -> None:
        self.folder, self.journal, self.table = folder, journal, table
        self.file = folder / "table.checkpoints"
        self.signer = Signer(key_name(table), SoftwareKey(1))
        self.kept = Checkpoints(self.file)
        witness = Signer("witness.example", SoftwareKey(2), cosigns=True)
        self._witness_signer, self.witness_key = witness, witness.key
        self.witness = Witness(folder / "witness.db", witness, {table: self.signer.key})

    def sign(self, witnessed: bool = True) -> str:
        """Sign up to the journal's end, and have each checkpoint witnessed; returns the record's origin.

        Raises:
            RewrittenError: the journal contradicts what was signed.
        """
        with closing(SignedJournal(self.journal, self.table, self.signer, self.kept)) as followed:
            before = followed.checkpoint.size if followed.checkpoint is not None else 0
            while followed.follow():
                pass
            if followed.checkpoint is not None:
                last = LastSigned(followed.origin, followed.checkpoint.size, followed.signed_hash)
                keep_last_signed(last_signed_file(self.file), [last])
            origin = followed.origin
        if witnessed:
            for one in list(self.kept.of(origin)):
                if one.size > before:
                    self.have_witnessed(origin, one.size)
        return origin

    def have_witnessed(self, origin: str, size: int) -> WitnessAnswer:
        """Ask the witness to sign a checkpoint, and keep its signature."""
        kept = self.kept.at(origin, size)
        assert kept is not None
        note = SignedNote.parse(kept.note)
        old = self._known(origin)
        request = WitnessRequest(old, tuple(extension_proof(self.kept, Checkpoint.parse(note.text), old)), note)
        answer = self.witness.add_checkpoint(request.body(), AT_S)
        if answer.status == 200:
            added = SignedNote(note.text, (*note.signatures, *parse_signatures(answer.body)))
            self.kept.add_signatures(origin, size, str(added))
        return answer

    def _known(self, origin: str) -> int:
        heads = [Checkpoint.parse(note.text) for note in self._heads()]
        return next((head.size for head in heads if head.origin == origin), 0)

    def heads(self) -> str:
        """What the witness prints for auditors."""
        return "\n".join(map(str, self._heads()))

    def _heads(self) -> list[SignedNote]:
        return witness_heads(self.folder / "witness.db", self._witness_signer, AT_S)

    def export(self, folder: Path) -> Path:
        """Export the evidence."""
        export_evidence(self.journal, self.table, self.file, self.signer.key, folder)
        return folder

    def audit_words(self, folder: Path, more: Sequence[str] = ()) -> list[str]:
        """The words of the command that audits a folder."""
        keys = ["--table-key", str(self.signer.key), "--witness-key", str(self.witness_key)]
        return ["audit", str(folder), *keys, *more]

    def close(self) -> None:
        """Close the files."""
        self.kept.close()
        self.witness.close()
