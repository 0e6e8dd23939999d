"""Holds a record against the checkpoints that were signed of it: which entry was changed, taken out or put in.

Needs the record, the checkpoints, and the public keys of table and witnesses; nothing of the table is believed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controller.journal.chain import GENESIS, Entry
from controller.transparency.checkpoint import Checkpoint, leaf_of
from controller.transparency.merkle import GrowingTree
from controller.transparency.note import NoteError, SignedNote, VerifierKey
from controller.transparency.store import KeptCheckpoint

_HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint whose signatures are verified."""

    checkpoint: Checkpoint
    witnessed: tuple[tuple[str, int], ...]
    """The witnesses that signed it, with the time of each, in seconds since 1970."""
    leaves: bytes
    """The hashes since the checkpoint before, not verified."""


@dataclass(slots=True)
class Verdict:
    """What an audit found.

    Attributes:
        entries: how many entries the record has, as far as its chain fits.
        checkpoints: how many of the record's are signed by the table.
        signed: up to which entry they cover it; 0 for none.
        witnessed: up to which entry by each witness.
        problems: what is wrong, in the order in which it was found.
    """

    entries: int = 0
    checkpoints: int = 0
    signed: int = 0
    witnessed: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def audit(
    entries: Iterable[Entry],
    origin: str,
    kept: Iterable[KeptCheckpoint],
    table: VerifierKey,
    witnesses: Sequence[VerifierKey],
) -> Verdict:
    """Hold a record against its checkpoints.

    Args:
        origin: of the record, as its checkpoints must name it.
        table: the table's key.
        witnesses: the keys of those whose signatures count.
    """
    verdict = Verdict()
    signed = _read(kept, origin, table, witnesses, verdict)
    verdict.checkpoints = len(signed)
    tree, head, due, differing = GrowingTree(), GENESIS, 0, -1
    leaves: list[bytes] = []
    for entry in entries:
        if wrong := _wrong(entry, tree.size + 1, head):
            verdict.problems.append(wrong)
            break
        head = entry.hash
        leaves.append(leaf_of(entry))
        tree.append(leaves[-1])
        while due < len(signed) and signed[due].checkpoint.size == tree.size:
            if signed[due].checkpoint.root == tree.root() and differing < 0:
                _covered(verdict, signed[due])
            elif differing < 0:
                differing = due
            due += 1
    verdict.entries = tree.size
    if due < len(signed) and differing < 0:
        differing = due
    if differing >= 0:
        verdict.problems.append(_differs(verdict.signed, leaves, signed, differing))
    return verdict


def _read(
    kept: Iterable[KeptCheckpoint],
    origin: str,
    table: VerifierKey,
    witnesses: Sequence[VerifierKey],
    verdict: Verdict,
) -> list[SignedCheckpoint]:
    """The record's checkpoints, the shortest first. One that is not what it should be is a problem."""
    read = []
    for number, one in enumerate(kept, 1):
        try:
            note = SignedNote.parse(one.note)
            note.verify(table)
            checkpoint = Checkpoint.parse(note.text)
            if checkpoint.origin != origin:
                raise NoteError(f"it is of another record, {checkpoint.origin}")
            witnessed = tuple((key.name, note.verify(key)) for key in witnesses if _has_signed(note, key))
        except NoteError as error:
            verdict.problems.append(f"checkpoint {number}: {error}")
            continue
        read.append(SignedCheckpoint(checkpoint, witnessed, one.leaves))
    return sorted(read, key=lambda one: one.checkpoint.size)


def _has_signed(note: SignedNote, key: VerifierKey) -> bool:
    return any((one.name, one.id) == (key.name, key.id) for one in note.signatures)


def _wrong(entry: Entry, seq: int, head: str) -> str:
    if entry.seq != seq:
        return f"entry {seq} is missing: entry {entry.seq} stands in its place"
    if entry.expected_hash(head) != entry.hash:
        return f"entry {seq} (round {entry.round}, {entry.kind}) does not fit: it was changed, or one before it"
    return ""


def _covered(verdict: Verdict, signed: SignedCheckpoint) -> None:
    size = signed.checkpoint.size
    verdict.signed = max(verdict.signed, size)
    for name, _ in signed.witnessed:
        verdict.witnessed[name] = max(verdict.witnessed.get(name, 0), size)


def _differs(sound: int, leaves: Sequence[bytes], signed: Sequence[SignedCheckpoint], differing: int) -> str:
    """Where the record differs from what was signed: the entry, if the hashes that were kept are those signed."""
    checkpoint = signed[differing].checkpoint
    by = " and ".join(["the table", *(name for name, _ in signed[differing].witnessed)])
    known = _known_leaves(signed, differing)
    for at, leaf in enumerate(known):
        if at >= len(leaves):
            return f"entries {at + 1} to {signed[-1].checkpoint.size} are missing at the end: {by} signed them"
        if leaf != leaves[at]:
            return f"entry {at + 1} is not the one that {by} signed: it was changed, taken out or put in"
    if len(leaves) < checkpoint.size:
        return f"entries {len(leaves) + 1} to {signed[-1].checkpoint.size} are missing at the end: {by} signed them"
    return (
        f"an entry from {sound + 1} to {checkpoint.size} is not the one that {by} signed: it was changed, "
        "taken out or put in"
    )


def _known_leaves(signed: Sequence[SignedCheckpoint], until: int) -> list[bytes]:
    """The leaves' hashes up to a checkpoint; none if they are not those that it signs."""
    kept = b"".join(one.leaves for one in signed[: until + 1])
    leaves = [kept[at : at + _HASH_BYTES] for at in range(0, len(kept), _HASH_BYTES)]
    tree = GrowingTree()
    for leaf in leaves:
        tree.append(leaf)
    checkpoint = signed[until].checkpoint
    return leaves if (tree.size, tree.root()) == (checkpoint.size, checkpoint.root) else []
