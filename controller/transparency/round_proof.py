"""The proof that a round is in a record that was signed: what a third party verifies without the rest of the
record."""

import base64
from collections.abc import Iterator
from typing import TypedDict

from controller.journal.chain import Entry
from controller.transparency.evidence import EvidenceFolder
from controller.transparency.evidence_checkpoints import SignedCheckpoint
from controller.transparency.leaves import leaf_of
from controller.transparency.merkle import inclusion_ranges, proves_inclusion, roots_in_one_pass

_MOST_ENTRIES = 10_000


class RoundProof(TypedDict):
    """A proof, as JSON.

    The hash of the last entry covers all entries of the round, one after the other; ``proof`` leads from its leaf
    to the root in ``checkpoint`` (RFC 6962, 2.1.1).
    """

    round: int
    previous: str
    entries: list[dict[str, object]]
    index: int
    leaf: str
    proof: list[str]
    checkpoint: str


def round_proof(evidence: EvidenceFolder, number: int, signed: SignedCheckpoint) -> RoundProof | None:
    """The proof of a round; None if the checkpoint does not cover all of it, or there is no such round.

    Args:
        signed: a checkpoint that an audit found to cover the evidence.

    Raises:
        EvidenceError: the evidence cannot be read.
    """
    previous, entries = _of_round(evidence.entries(), number)
    size = signed.checkpoint.size
    if not entries or entries[-1].seq > size:
        return None
    index, leaf = entries[-1].seq - 1, leaf_of(entries[-1])
    proof = roots_in_one_pass(inclusion_ranges(index, size), map(leaf_of, evidence.entries()))
    if not proves_inclusion(leaf, index, size, proof, signed.checkpoint.root):
        return None
    return {
        "round": number,
        "previous": previous,
        "entries": [entry._asdict() for entry in entries],
        "index": index,
        "leaf": leaf.hex(),
        "proof": [base64.b64encode(hashed).decode() for hashed in proof],
        "checkpoint": str(signed.note),
    }


def _of_round(entries: Iterator[Entry], number: int) -> tuple[str, list[Entry]]:
    """The entries of a round, and the hash of the entry before."""
    previous = ""
    found: list[Entry] = []
    for entry in entries:
        if entry.round == number and len(found) < _MOST_ENTRIES:
            found.append(entry)
        elif found:
            break
        else:
            previous = entry.hash
    return previous, found
