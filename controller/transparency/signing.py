"""Follows a journal and signs a checkpoint at each start and each round that opens, beside the table and off its
way."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from controller.journal.chain import GENESIS, Entry
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.leaves import leaf_of, origin_of
from controller.transparency.merkle import consistency_ranges, range_root
from controller.transparency.note import NoteError, SignedNote
from controller.transparency.signing_key import Signer
from controller.transparency.store import Checkpoints, CheckpointsError, KeptCheckpoint

AT_ONCE = 500
"""Entries that are read in one go: an open read transaction keeps SQLite from shortening the write-ahead log."""


class RewrittenError(Exception):
    """The record no longer contains what was signed; nothing more of it is signed.

    Args:
        origin: of the record that was signed.
    """

    def __init__(self, origin: str, words: str) -> None:
        super().__init__(words)
        self.origin = origin


class SignedJournal:
    """One record, as far as it is signed. Nothing that contradicts a checkpoint is ever signed.

    What is signed already is not read again: the last entry that was signed must be there with the hash that was
    signed, and that hash covers all before. What was changed without its hash, ``journal verify`` names.

    Attributes:
        file: the journal.
        origin: of the record.
        checkpoint: the last one; None before the first.
        note: the same, signed.
        signed_hash: the hash of the last entry that it covers.

    Args:
        file: the journal; it has at least one entry.

    Raises:
        JournalError: it cannot be read, or has no entry yet.
        RewrittenError: it does not contain what its last checkpoint says.
        CheckpointsError: the checkpoints contradict themselves.
    """

    def __init__(self, file: Path, table: str, signer: Signer, kept: Checkpoints) -> None:
        self.file = file
        self._journal = Journal(file, read_only=True)
        try:
            self._inode = _inode_of(file)
            first = self._journal.entry(1)
            if first is None:
                raise JournalDamagedError(f"{file}: the journal has no entry yet")
            self.origin = origin_of(table, first.hash)
            self._signer, self._kept = signer, kept
            self.checkpoint, self.note = self._last()
            size = self.checkpoint.size if self.checkpoint is not None else 0
            self._tree = kept.tree(self.origin, size)
            if self.checkpoint is not None and self._tree.root() != self.checkpoint.root:
                raise CheckpointsError(f"the tree that is kept of {self.origin} is not the one that was signed")
            self.head = self.signed_hash = self._signed_head(size)
            self._nodes = bytearray()
        except BaseException:
            self._journal.close()
            raise

    def _last(self) -> tuple[Checkpoint | None, SignedNote | None]:
        last = self._kept.last(self.origin)
        if last is None:
            return None, None
        try:
            note = SignedNote.parse(last.note)
            note.verify(self._signer.key)
            return Checkpoint.parse(note.text), note
        except NoteError as error:
            raise CheckpointsError(f"the last checkpoint of {self.origin} is not this key's: {error}") from error

    def _signed_head(self, size: int) -> str:
        """The hash of the last signed entry, if the journal still has what was signed."""
        if size == 0:
            return GENESIS
        entry = self._journal.entry(size)
        if entry is None:
            last = next(self._journal.backwards(), None)
            have = last.seq if last is not None else 0
            words = f"entries {have + 1} to {size} are missing; they were signed: it was cut or rolled back"
            raise RewrittenError(self.origin, f"{self.file}: {words}")
        if leaf_of(entry) != self._kept.node(self.origin, 0, size - 1):
            words = (
                f"entry {size} is not the one that was signed: the record was rewritten; `audit` names the entry"
            )
            raise RewrittenError(self.origin, f"{self.file}: {words}")
        return entry.hash

    def follow(self) -> bool:
        """Sign what is due in the next entries; returns whether there may be more.

        Raises:
            JournalError: an entry does not fit the one before; it is not signed.
            CheckpointsError: a checkpoint cannot be kept.
        """
        entries = list(islice(self._journal.entries(after=self._tree.size), AT_ONCE))
        due = list(self._take(entries))
        if due:
            self._kept.keep(due)
        return len(entries) == AT_ONCE

    def _take(self, entries: list[Entry]) -> Iterator[KeptCheckpoint]:
        for entry in entries:
            if entry.seq != self._tree.size + 1 or entry.expected_hash(self.head) != entry.hash:
                words = f"entry {self._tree.size + 1} does not fit the one before: it is not signed"
                raise JournalDamagedError(f"{self.file}: {words}")
            self.head = entry.hash
            self._nodes += b"".join(self._tree.append(leaf_of(entry)))
            if entry.checkpoint is not None:  # The table has started, or a round is over and the next one open.
                yield self._sign()

    def _sign(self) -> KeptCheckpoint:
        self.checkpoint = Checkpoint(self.origin, self._tree.size, self._tree.root())
        self.signed_hash = self.head
        text = self.checkpoint.text()
        self.note = SignedNote(text, (self._signer.sign(text),))
        nodes = bytes(self._nodes)
        self._nodes.clear()
        return KeptCheckpoint(self.origin, self.checkpoint.size, str(self.note), nodes)

    def check(self) -> None:
        """Whether the journal still has what was signed; its entries may have been exchanged while it is followed.

        Raises:
            RewrittenError: it has not.
            JournalError: it cannot be read.
        """
        self._signed_head(self.checkpoint.size if self.checkpoint is not None else 0)

    def replaced(self) -> bool:
        """Whether the journal's path names another file, or none."""
        try:
            return _inode_of(self.file) != self._inode
        except JournalError:
            return True

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()


def _inode_of(file: Path) -> int:
    try:
        return os.stat(file).st_ino
    except OSError as error:
        raise JournalError(f"{file}: the journal cannot be read: {error.strerror}") from error


def extension_proof(kept: Checkpoints, checkpoint: Checkpoint, old: int) -> list[bytes]:
    """That a checkpoint extends the record of its first ``old`` entries; empty if it has not so many."""
    ranges = consistency_ranges(old, checkpoint.size) if old <= checkpoint.size else []
    return [range_root(part, lambda *at: kept.node(checkpoint.origin, *at)) for part in ranges]
