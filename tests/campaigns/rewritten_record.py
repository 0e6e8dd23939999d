"""A record as it was signed and witnessed, and what somebody makes of it who has the table's key: for the
campaign."""

import json
import random
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from campaigns.signed_record import AT_S, SignedRecord

from controller.bench.injected_faults import DealerAmongFaults, FaultSettings
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.transparency import evidence as files
from controller.transparency.auditing import RecordAudit
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.evidence import EvidenceFolder
from controller.transparency.evidence_checkpoints import read_heads
from controller.transparency.exporting import entry_line
from controller.transparency.last_signed import contradiction, last_signed_file, read_last_signed
from controller.transparency.leaves import leaf_of, origin_of
from controller.transparency.merkle import GrowingTree, consistency_ranges, roots_in_one_pass
from controller.transparency.note import SignedNote
from controller.transparency.witness import WitnessAnswer
from controller.transparency.witness_request import WitnessRequest

ROUNDS = 12
"""Rounds of the record, of which the witness has not signed the last two."""


class Victim:
    """One record, as it was signed, and what an attacker makes of it.

    Args:
        folder: in memory.
    """

    def __init__(self, game: str, folder: Path) -> None:
        self.game, self._folder = game, folder
        journal = folder / "table.journal"
        config = load_table(table_path(game)).config
        self.table = config.table
        oracle = Oracle()
        rig = Rig(config, journal, {"seed": 1}, listeners=(oracle,))
        DealerAmongFaults(rig, random.Random(1), oracle, FaultSettings(rate=0.2)).play(ROUNDS)
        rig.table.stop()
        rig.journal.close()
        with closing(Journal(journal, read_only=True)) as opened:
            self.entries = list(opened.entries())
        self._record = SignedRecord(folder, journal, self.table)
        self._record.sign(witnessed=False)
        self.origin = self._record.kept.origins()[0]
        sizes = [one.size for one in self._record.kept.of(self.origin)]
        self.witnessed = sizes[-3]
        """The attacker came before the last two rounds were witnessed."""
        for size in sizes[:-2]:
            self._record.have_witnessed(self.origin, size)
        self._true = {one.size: one.note for one in self._record.kept.of(self.origin)}
        self._heads = read_heads(self._record.heads(), [self._record.witness_key])
        self._signed = read_last_signed(last_signed_file(self._record.file))

    def close(self) -> None:
        """Close the files."""
        self._record.close()

    def hand_out(self, entries: Sequence[Entry], fitting: int) -> Path:
        """The evidence of a record that was rewritten from an entry on: checkpoints after that are signed anew."""
        folder = self._folder / "evidence"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        origin, tree, notes = origin_of(self.table, entries[0].hash), GrowingTree(), []
        for entry in entries:
            tree.append(leaf_of(entry))
            if entry.checkpoint is not None:
                true = self._true.get(tree.size) if tree.size <= fitting and origin == self.origin else None
                notes.append(true or str(self._note(Checkpoint(origin, tree.size, tree.root()))))
        about = {"format": files.FORMAT, "table": self.table, "record": entries[0].hash}
        _write(folder / files.ABOUT, [json.dumps(about)])
        _write(folder / files.ENTRIES, [entry_line(entry) for entry in entries])
        _write(folder / files.CHECKPOINTS, [json.dumps({"note": note}) for note in notes])
        _write(folder / files.LEAVES, [leaf_of(entry).hex() for entry in entries])
        return folder

    def _note(self, checkpoint: Checkpoint) -> SignedNote:
        text = checkpoint.text()
        return SignedNote(text, (self._record.signer.sign(text),))

    def audit(self, folder: Path, witness: bool = True, head: bool = True) -> str:
        """The first problem that an audit names; empty for none."""
        keys = [self._record.witness_key] if witness else []
        heads = self._heads if head and witness else []
        problems = RecordAudit(EvidenceFolder(folder), self._record.signer.key, keys, heads).run().problems
        return problems[0] if problems else ""

    def ask_witness(self, entries: Sequence[Entry]) -> WitnessAnswer:
        """The witness is asked to sign the newest checkpoint of a record, with the best proof that there is."""
        size = max(entry.seq for entry in entries if entry.checkpoint is not None)
        leaves = [leaf_of(entry) for entry in entries[:size]]
        tree = GrowingTree()
        for leaf in leaves:
            tree.append(leaf)
        origin = origin_of(self.table, entries[0].hash)
        old = min(size, self.witnessed) if origin == self.origin else 0
        proof = tuple(roots_in_one_pass(consistency_ranges(old, size), leaves))
        request = WitnessRequest(old, proof, self._note(Checkpoint(origin, size, tree.root())))
        return self._record.witness.add_checkpoint(request.body(), AT_S)

    def compare(self, entries: Sequence[Entry]) -> str:
        """What ``journal verify``, the table and its signer compare with what was signed last."""
        return contradiction(_Listed(entries), self.table, self._signed, "")


class _Listed:
    """Entries in a list, as a journal."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, seq: int) -> Entry | None:
        return self._entries[seq - 1] if 0 < seq <= len(self._entries) else None


def _write(file: Path, lines: Sequence[str]) -> None:
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
