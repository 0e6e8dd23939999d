"""Holds the evidence of a record against the checkpoints that were signed of it: which entry was changed, taken
out or put in. Nothing of the table is believed, and every file is read in passes, so that a long record needs
little memory.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain

from controller.journal.chain import GENESIS, Entry
from controller.transparency.evidence import EvidenceError, EvidenceFolder
from controller.transparency.evidence_checkpoints import EvidenceCheckpoints, SignedCheckpoint, of_other_records
from controller.transparency.leaves import key_name, leaf_of, origin_of
from controller.transparency.merkle import GrowingTree
from controller.transparency.note import NoteError, VerifierKey
from controller.transparency.timestamps import TimestampAuthority

_MOST_PROBLEMS = 20


@dataclass(slots=True)
class Verdict:
    """What an audit found.

    Attributes:
        entries: how many entries fit: one to the other, and to what was signed.
        signed: up to which entry the table's checkpoints cover them; 0 for none.
        witnessed: up to which entry each witness's do, and when it signed last, in seconds since 1970.
        stamped: up to which entry a timestamp does, and its time; None for none.
        problems: what is wrong, in the order in which it was found; at most some.
        best: the longest checkpoint that all witnesses signed, or without witnesses the table's.
    """

    entries: int = 0
    signed: int = 0
    witnessed: dict[str, tuple[int, int]] = field(default_factory=dict)
    stamped: tuple[int, datetime] | None = None
    problems: list[str] = field(default_factory=list)
    best: SignedCheckpoint | None = None

    def problem(self, words: str) -> None:
        """Note a problem."""
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(words)


class RecordAudit:
    """An audit of one folder.

    Args:
        table: the table's key.
        witnesses: the keys of those who must have signed every closed round.
        heads: what witnesses said themselves that they signed last.
        authority: that stamped checkpoints; None if timestamps are not looked at.
        also: other records of the table, by the hash of the first entry, whose evidence is audited as well.
    """

    def __init__(
        self,
        evidence: EvidenceFolder,
        table: VerifierKey,
        witnesses: Sequence[VerifierKey],
        heads: Sequence[SignedCheckpoint] = (),
        authority: TimestampAuthority | None = None,
        also: Sequence[str] = (),
    ) -> None:
        self._evidence, self._table, self._witnesses = evidence, table, witnesses
        self._heads, self._authority, self._also = heads, authority, also
        self.origin = origin_of(evidence.about.table, evidence.about.record)
        self._signed = EvidenceCheckpoints(evidence, self.origin, table, witnesses, heads)
        self._verdict = Verdict(witnessed={key.name: (0, 0) for key in witnesses})
        self._closed: tuple[int, int] = (0, 0)
        """The last entry with which a round had closed, and its round."""

    def run(self) -> Verdict:
        """Hold the evidence against what was signed. What cannot be read is a problem, too."""
        verdict = self._verdict
        if self._table.name != key_name(self._evidence.about.table):
            verdict.problem(
                f"the evidence is of table {self._evidence.about.table}, and the key of {self._table.name}"
            )
            return verdict
        try:
            known = self._known_leaves()
            self._stamped()
            self._compare(known)
            self._cover()
        except EvidenceError as error:
            verdict.problem(str(error))
        for head in of_other_records(self._heads, self._evidence.about.table, self.origin):
            record = head.checkpoint.origin.rpartition("/")[2]
            if record not in self._also:
                words = f"{head.signers()} signed another record of this table up to entry {head.checkpoint.size}"
                verdict.problem(f"{words}: audit its evidence as well, and name it with --also {record}")
        return verdict

    def _known_leaves(self) -> int:
        """Up to which entry the leaves' hashes are those that were signed: there each entry can be named."""
        tree, known = GrowingTree(), 0
        leaves = _until_wrong(self._evidence.leaves())
        for one in self._signed.read(self._verdict.problem):
            while tree.size < one.checkpoint.size and (leaf := next(leaves, None)) is not None:
                tree.append(leaf)
            if (tree.size, tree.root()) == (one.checkpoint.size, one.checkpoint.root):
                known = tree.size
        return known

    def _compare(self, known: int) -> None:
        """Go through the entries, up to the first that differs from what was signed."""
        verdict, tree, head = self._verdict, GrowingTree(), GENESIS
        signed, leaves = self._signed.read(), chain(_until_wrong(self._evidence.leaves()))
        due = next(signed, None)
        for entry in self._evidence.entries():
            if wrong := _wrong(entry, tree.size + 1, head) or self._wrong_first(entry):
                verdict.problem(wrong)
                return
            head = entry.hash
            leaf = leaf_of(entry)
            if tree.size < known and next(leaves, None) != leaf:
                verdict.problem(_differs(f"entry {entry.seq}", "the one", due))
                return
            tree.append(leaf)
            while due is not None and due.checkpoint.size <= tree.size:
                if due.checkpoint.root != tree.root():
                    verdict.problem(_differs(f"an entry from {verdict.entries + 1} to {tree.size}", "what", due))
                    return
                self._covers(due)
                due = next(signed, None)
            if entry.checkpoint is not None:
                self._closed = (entry.seq, entry.round)
            if due is None:
                verdict.entries = tree.size
        if due is not None:
            verdict.problem(self._cut(tree.size, due, signed))
        verdict.entries = tree.size

    def _wrong_first(self, entry: Entry) -> str:
        if entry.seq == 1 and entry.hash != self._evidence.about.record:
            return "entry 1 is not the one that names the record: it was changed, taken out or put in"
        return ""

    def _covers(self, one: SignedCheckpoint) -> None:
        verdict, size = self._verdict, one.checkpoint.size
        verdict.entries = size
        if one.by_table:
            verdict.signed = size
        for name, seconds in one.witnessed.items():
            verdict.witnessed[name] = (size, seconds)
        if len(one.witnessed) == len(self._witnesses) and (one.by_table or one.witnessed):
            verdict.best = one

    def _cut(self, size: int, due: SignedCheckpoint, more: Iterator[SignedCheckpoint]) -> str:
        longest = due
        for one in more:
            longest = one
        missing = f"entries {size + 1} to {longest.checkpoint.size} are missing at the end"
        return f"{missing}; {longest.signers()} signed them: the record was cut or rolled back"

    def _cover(self) -> None:
        """Every closed round must be signed by every witness: else it may have been rewritten before it was
        exported."""
        verdict = self._verdict
        if verdict.problems:
            return
        reached = {"the table": verdict.signed} | {name: size for name, (size, _) in verdict.witnessed.items()}
        seq, number = self._closed
        for name, size in reached.items():
            if size < seq:
                words = (
                    f"entries {size + 1} to {seq} (up to the opening of round {number}) are not signed by {name}"
                )
                verdict.problem(f"{words}: what they say is not proven")

    def _stamped(self) -> None:
        if self._authority is None:
            return
        signed = self._signed.read()
        one = next(signed, None)
        for stamp in self._evidence.timestamps():
            while one is not None and one.checkpoint.size < stamp.size:
                one = next(signed, None)
            if one is None or one.checkpoint.size != stamp.size:
                self._verdict.problem(f"the timestamp of entry {stamp.size} is of no checkpoint that is here")
                continue
            try:
                at = self._authority.verified(stamp.response, one.checkpoint.text())
            except NoteError as error:
                self._verdict.problem(f"the timestamp of entry {stamp.size}: {error}")
            else:
                self._verdict.stamped = (stamp.size, at)


def _until_wrong(leaves: Iterator[bytes]) -> Iterator[bytes]:
    """Hashes up to a line that is none: they only help to name an entry, and prove nothing by themselves."""
    try:
        yield from leaves
    except EvidenceError:
        return


def _wrong(entry: Entry, seq: int, head: str) -> str:
    if entry.seq != seq:
        return f"entry {seq} is missing: entry {entry.seq} stands in its place"
    try:
        fits = entry.expected_hash(head) == entry.hash
    except UnicodeEncodeError:
        fits = False
    if not fits:
        words = f"entry {seq} (round {entry.round}, {str(entry.kind)[:40]}) does not fit the one before"
        return f"{words}: it was changed, or one was taken out or put in before it"
    return ""


def _differs(which: str, what: str, due: SignedCheckpoint | None) -> str:
    by = f" that {due.signers()} signed" if due is not None else " that was signed"
    return f"{which} is not {what}{by}: it was changed, taken out or put in"
