"""The signer: what it signs, and what it never signs."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from campaigns.signed_record import SignedRecord, SoftwareKey
from played import Played
from signed_tables import changed_body, entries_of, rewrite, signed_table

from controller.journal.errors import JournalDamagedError
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.last_signed import contradiction, last_signed_file, read_last_signed
from controller.transparency.leaves import leaf_of
from controller.transparency.merkle import GrowingTree, consistency_ranges, roots_in_one_pass
from controller.transparency.note import SignedNote
from controller.transparency.signing import RewrittenError, SignedJournal, extension_proof
from controller.transparency.signing_key import Signer
from controller.transparency.store import Checkpoints, CheckpointsError


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SignedRecord]:
    made = signed_table(tmp_path)
    yield made
    made.close()


def test_each_start_and_each_round_that_opens_has_a_checkpoint(record: SignedRecord) -> None:
    entries = entries_of(record.journal)
    opened = [entry.seq for entry in entries if entry.checkpoint is not None]
    origin = f"table-controller/sic-bo/{entries[0].hash}"
    assert [one.size for one in record.kept.of(origin)] == opened
    tree = GrowingTree()
    for entry in entries:
        tree.append(leaf_of(entry))
        kept = record.kept.at(origin, entry.seq)
        if kept is not None:
            note = SignedNote.parse(kept.note)
            note.verify(record.signer.key)
            note.verify(record.witness_key)
            assert Checkpoint.parse(note.text) == Checkpoint(origin, tree.size, tree.root())


def test_nodes_and_leaves_are_found_by_their_place(record: SignedRecord) -> None:
    origin = record.kept.origins()[0]
    leaves = [leaf_of(entry) for entry in entries_of(record.journal)]
    last = record.kept.last(origin)
    assert last is not None
    assert list(record.kept.leaves(origin)) == leaves[: last.size]
    checkpoint = Checkpoint.parse(SignedNote.parse(last.note).text)
    for old in range(last.size + 1):
        proof = extension_proof(record.kept, checkpoint, old)
        assert proof == roots_in_one_pass(consistency_ranges(old, last.size), leaves)


def test_one_signer_at_a_time(record: SignedRecord) -> None:
    with pytest.raises(CheckpointsError, match="another process signs here already"):
        Checkpoints(record.file)


def test_checkpoints_of_another_key_are_not_gone_on_with(record: SignedRecord) -> None:
    record.signer = Signer(record.signer.key.name, SoftwareKey(9))
    with pytest.raises(CheckpointsError, match="not this key's"):
        record.sign()


@pytest.mark.parametrize("seq", [2, 7])
def test_a_record_rewritten_with_all_its_hashes_is_not_signed(record: SignedRecord, seq: int) -> None:
    rewrite(record.journal, changed_body(seq))
    with pytest.raises(RewrittenError, match="is not the one that was signed"):
        record.sign()


def test_a_record_that_was_cut_is_not_signed(record: SignedRecord) -> None:
    rewrite(record.journal, lambda entries: entries[:-12])
    with pytest.raises(RewrittenError, match=r"entries \d+ to \d+ are missing; they were signed: it was cut"):
        record.sign()


def test_entries_exchanged_while_it_follows_are_seen(record: SignedRecord) -> None:
    with closing(SignedJournal(record.journal, "sic-bo", record.signer, record.kept)) as followed:
        followed.check()
        rewrite(record.journal, changed_body(5))
        with pytest.raises(RewrittenError):
            followed.check()


def test_an_entry_that_does_not_fit_is_not_signed(tmp_path: Path) -> None:
    journal = tmp_path / "table.journal"
    Played("sic-bo", journal, 2, fault_rate=0.0).finish()
    from tampering import change

    change(journal, "UPDATE entries SET body = replace(body, ':', ': ') WHERE seq = 9")
    record = SignedRecord(tmp_path, journal, "sic-bo")
    with pytest.raises(JournalDamagedError, match="entry 9 does not fit the one before: it is not signed"):
        record.sign()
    record.close()


def _opened(record: SignedRecord):  # type: ignore[no-untyped-def]
    from controller.journal.journal import Journal

    return Journal(record.journal, read_only=True)


# -- what the table itself compares, without cryptography ------------------------------------------------------


def _contradiction(record: SignedRecord, table: str = "sic-bo", replaces: str = "") -> str:
    with closing(_opened(record)) as journal:
        return contradiction(journal, table, read_last_signed(last_signed_file(record.file)), replaces)


def test_a_cut_and_a_rewritten_journal_are_named(record: SignedRecord) -> None:
    assert _contradiction(record) == ""
    size = read_last_signed(last_signed_file(record.file))[0].size
    rewrite(record.journal, changed_body(4))
    assert f"entry {size} is not the one that was signed" in _contradiction(record)
    rewrite(record.journal, lambda entries: entries[: size - 3])
    assert f"entries {size - 2} to {size} are missing; they were signed" in _contradiction(record)


def test_another_record_must_say_what_it_replaces(record: SignedRecord) -> None:
    rewrite(record.journal, changed_body(1))
    assert _contradiction(record, table="sic-bo-2") == ""
    assert "another record and does not say what it replaces: it was deleted or swapped" in _contradiction(record)
    assert _contradiction(record, replaces="table.damaged.journal: 40 entries") == ""
