"""The checkpoints of a folder of evidence, each with the signatures that are verified, the shortest first."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from controller.transparency.checkpoint import Checkpoint
from controller.transparency.evidence import EvidenceFolder
from controller.transparency.leaves import key_name
from controller.transparency.note import NoteError, SignedNote, VerifierKey

_SIGNATURE = "— "


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint whose signatures are verified.

    Attributes:
        witnessed: the witnesses that signed it, by name, with the latest time of each, in seconds since 1970.
        by_table: whether the table signed it; a witness's head carries the witness's signature alone.
    """

    checkpoint: Checkpoint
    note: SignedNote
    witnessed: dict[str, int]
    by_table: bool = True

    def signers(self) -> str:
        """Who signed it, in words."""
        names = [*(["the table"] if self.by_table else []), *self.witnessed]
        return " and ".join(names)


class EvidenceCheckpoints:
    """Iterates over the checkpoints that count: those of the record that the table signed, and its witnesses'
    heads.

    Args:
        origin: of the record.
        heads: checkpoints that auditors got from witnesses themselves.
    """

    def __init__(
        self,
        evidence: EvidenceFolder,
        origin: str,
        table: VerifierKey,
        witnesses: Sequence[VerifierKey],
        heads: Sequence[SignedCheckpoint] = (),
    ) -> None:
        self._evidence, self._origin, self._table, self._witnesses = evidence, origin, table, witnesses
        self._heads = sorted((one for one in heads if one.checkpoint.origin == origin), key=_size)

    def read(self, problem: Callable[[str], None] = lambda words: None) -> Iterator[SignedCheckpoint]:
        """The checkpoints, the shortest first.

        Args:
            problem: is told of each that does not count, and why.

        Raises:
            EvidenceError: the file cannot be read.
        """
        return heapq.merge(self._of_table(problem), self._heads, key=_size)

    def _of_table(self, problem: Callable[[str], None]) -> Iterator[SignedCheckpoint]:
        before = 0
        for number, written in enumerate(self._evidence.notes(), 1):
            try:
                one = self._verified(written)
                if one.checkpoint.size <= before:
                    raise NoteError(f"it is of entry {one.checkpoint.size}, and follows one of entry {before}")
            except NoteError as error:
                problem(f"checkpoint {number}: {error}")
                continue
            before = one.checkpoint.size
            yield one

    def _verified(self, written: str) -> SignedCheckpoint:
        note = SignedNote.parse(written)
        note.verify(self._table)
        checkpoint = Checkpoint.parse(note.text)
        if checkpoint.origin != self._origin:
            raise NoteError(f"it is of another record, {checkpoint.origin[:200]}")
        return SignedCheckpoint(checkpoint, note, witnessed_by(note, self._witnesses))


def witnessed_by(note: SignedNote, witnesses: Sequence[VerifierKey]) -> dict[str, int]:
    """The witnesses that signed a note, with the time of each.

    Raises:
        NoteError: a signature is not what it says.
    """
    return {key.name: note.verify(key) for key in witnesses if note.has(key)}


def read_heads(text: str, witnesses: Sequence[VerifierKey]) -> list[SignedCheckpoint]:
    """Checkpoints that a witness printed (``table-controller witness --heads``), one after the other.

    Raises:
        NoteError: one is none, or is signed by none of these witnesses.
    """
    heads: list[SignedCheckpoint] = []
    block: list[str] = []
    for line in (*text.split("\n"), ""):
        if block and block[-1].startswith(_SIGNATURE) and not line.startswith(_SIGNATURE):
            heads.append(_head("\n".join((*block, "")), witnesses))
            block = []
        if line or block:
            block.append(line)
    if any(block):
        raise NoteError(f"no head of a witness: '{block[0][:80]}'")
    return heads


def _head(written: str, witnesses: Sequence[VerifierKey]) -> SignedCheckpoint:
    note = SignedNote.parse(written)
    found = witnessed_by(note, witnesses)
    if not found:
        raise NoteError("a head is signed by none of the witnesses whose keys are given")
    return SignedCheckpoint(Checkpoint.parse(note.text), note, found, by_table=False)


def of_other_records(heads: Sequence[SignedCheckpoint], table: str, origin: str) -> list[SignedCheckpoint]:
    """Heads of other records of a table."""
    begin = f"{key_name(table)}/"
    others = (one for one in heads if one.checkpoint.origin != origin)
    return [one for one in others if one.checkpoint.origin.startswith(begin)]


def _size(one: SignedCheckpoint) -> int:
    return one.checkpoint.size
