"""Follows a journal and signs a checkpoint at each start and closed round, beside the table and off its way."""

from collections.abc import Callable
from pathlib import Path

from controller.journal.chain import GENESIS, Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.transparency.checkpoint import Checkpoint, leaf_of, origin_of
from controller.transparency.merkle import GrowingTree
from controller.transparency.note import SignedNote, Signer
from controller.transparency.store import Checkpoints


class RewrittenError(Exception):
    """The record no longer contains what was signed; nothing more of it is signed. The message says from where."""


class SignedJournal:
    """One record, as far as it is signed. Nothing that contradicts a checkpoint is ever signed.

    Args:
        file: the journal; it has at least one entry.

    Raises:
        JournalError: it cannot be read.
        RewrittenError: it does not contain what its last checkpoint says.
    """

    def __init__(self, file: Path, table: str, signer: Signer, kept: Checkpoints) -> None:
        self._journal = Journal(file, read_only=True)
        try:
            first = self._journal.entry(1)
            if first is None:
                raise JournalDamagedError(f"{file}: the journal has no entry yet")
            self.origin = origin_of(table, first.hash)
            self._signer, self._kept = signer, kept
            self._tree, self._head = GrowingTree(), GENESIS
            self._leaves = bytearray()
            self._catch_up(file)
        except BaseException:
            self._journal.close()
            raise

    def _catch_up(self, file: Path) -> None:
        """Read what is signed already, and hold it against the last checkpoint."""
        last = self._kept.last(self.origin)
        if last is None:
            return
        note = SignedNote.parse(last.note)
        note.verify(self._signer.key)
        signed = Checkpoint.parse(note.text)
        for entry in self._journal.entries():
            if self._tree.size == signed.size:
                break
            self._take(entry)
        if self._tree.size < signed.size:
            raise RewrittenError(
                f"{file}: entries {self._tree.size + 1} to {signed.size} are missing; they were signed"
            )
        if self._tree.root() != signed.root:
            raise RewrittenError(
                f"{file}: entries up to {signed.size} are not those that were signed; `audit` names them"
            )
        self._leaves.clear()

    @property
    def size(self) -> int:
        """How many entries were read."""
        return self._tree.size

    def follow(self, signed: Callable[[Checkpoint, SignedNote], None]) -> None:
        """Sign what is due, up to the record's end.

        Args:
            signed: called with each new checkpoint, after it is kept.

        Raises:
            JournalError: an entry does not fit the one before; it is not signed.
            CheckpointsError: a checkpoint cannot be kept.
        """
        for entry in self._journal.entries(after=self._tree.size):
            self._take(entry)
            if (
                entry.checkpoint is not None
            ):  # A round has closed, and the next one opened; or the table has started.
                self._sign(signed)

    def _take(self, entry: Entry) -> None:
        if entry.seq != self._tree.size + 1 or entry.expected_hash(self._head) != entry.hash:
            raise JournalDamagedError(f"entry {self._tree.size + 1} does not fit the one before: it is not signed")
        self._head = entry.hash
        leaf = leaf_of(entry)
        self._tree.append(leaf)
        self._leaves += leaf

    def _sign(self, signed: Callable[[Checkpoint, SignedNote], None]) -> None:
        checkpoint = Checkpoint(self.origin, self._tree.size, self._tree.root())
        text = checkpoint.text()
        note = SignedNote(text, (self._signer.sign(text),))
        self._kept.keep(self.origin, checkpoint.size, str(note), bytes(self._leaves))
        self._leaves.clear()
        signed(checkpoint, note)

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()
