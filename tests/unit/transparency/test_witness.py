"""A witness: what it signs, what it refuses, with which status (C2SP tlog-witness), and that it forgets nothing."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaigns.signed_record import AT_S, SignedRecord, SoftwareKey
from signed_tables import changed_body, rewrite, signed_table

from controller.transparency.checkpoint import Checkpoint
from controller.transparency.leaves import key_name
from controller.transparency.merkle import GrowingTree, leaf_hash
from controller.transparency.note import SignedNote
from controller.transparency.signing_key import Signer
from controller.transparency.witness import Witness, WitnessAnswer
from controller.transparency.witness_heads import witness_heads
from controller.transparency.witness_request import WitnessRequest

TABLE = Signer(key_name("one"), SoftwareKey(1))
ORIGIN = f"{TABLE.key.name}/{'a' * 64}"
LEAVES = [leaf_hash(bytes((number,))) for number in range(40)]


def note(size: int, leaves: list[bytes] = LEAVES, origin: str = ORIGIN, signer: Signer = TABLE) -> SignedNote:
    tree = GrowingTree()
    for leaf in leaves[:size]:
        tree.append(leaf)
    text = Checkpoint(origin, size, tree.root()).text()
    return SignedNote(text, (signer.sign(text),))


def proof(old: int, size: int, leaves: list[bytes] = LEAVES) -> tuple[bytes, ...]:
    from controller.transparency.merkle import consistency_ranges, roots_in_one_pass

    return tuple(roots_in_one_pass(consistency_ranges(old, size), leaves[:size]))


def asks(old: int, size: int, leaves: list[bytes] = LEAVES) -> bytes:
    return WitnessRequest(old, proof(old, size, leaves), note(size, leaves)).body()


def opened(folder: Path) -> Witness:
    return Witness(folder / "witness.db", Signer("w.example", SoftwareKey(2), cosigns=True), {"one": TABLE.key})


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    made = opened(tmp_path)
    yield made
    made.close()


def ask(witness: Witness, body: bytes) -> WitnessAnswer:
    return witness.add_checkpoint(body, AT_S)


def test_it_signs_what_extends_the_record(witness: Witness) -> None:
    for old, size in ((0, 1), (1, 8), (8, 8), (8, 23), (23, 40)):
        answer = ask(witness, asks(old, size))
        assert (answer.status, answer.before, answer.alarm) == (200, old, "")
        signed = SignedNote.parse(f"{note(size)}{answer.body}")
        assert signed.verify(witness.key) == AT_S


def test_a_record_that_is_no_extension_is_refused_with_an_alarm(witness: Witness) -> None:
    ask(witness, asks(0, 8))
    answer = ask(witness, asks(8, 12, LEAVES[::-1]))
    assert answer.status == 422
    assert "not an extension of the one signed before" in answer.alarm
    # A proof that is missing is refused alike, and what was signed stays.
    assert ask(witness, WitnessRequest(8, (), note(12)).body()).status == 422
    assert ask(witness, asks(8, 12)).status == 200


def test_a_record_that_its_table_has_not_signed_is_forbidden_with_an_alarm(witness: Witness) -> None:
    for signer in (Signer(key_name("two"), SoftwareKey(3)), Signer(key_name("one"), SoftwareKey(3))):
        answer = ask(witness, WitnessRequest(0, (), note(3, signer=signer)).body())
        assert answer.status == 403
        assert "without its key" in answer.alarm
    text = note(3).text
    forged = SignedNote(text, (TABLE.sign("other\n"),))
    assert ask(witness, WitnessRequest(0, (), forged).body()).status == 403


def test_after_a_restart_it_knows_what_it_signed(tmp_path: Path) -> None:
    first = opened(tmp_path)
    assert ask(first, asks(0, 12)).status == 200
    first.close()
    again = opened(tmp_path)
    assert ask(again, asks(0, 8)).status == 409
    # Whoever audits gets the last checkpoint, signed anew, also while the witness runs.
    heads = witness_heads(tmp_path / "witness.db", again._signer, AT_S)
    assert [Checkpoint.parse(head.text) for head in heads] == [Checkpoint.parse(note(12).text)]
    assert heads[0].verify(again.key) == AT_S
    again.close()


def test_what_is_signed_is_durable_before_anybody_has_the_signature(tmp_path: Path, witness: Witness) -> None:
    """The power goes after the record of it, and before the answer: the table asks again, with what is known."""
    seen: list[int] = []
    signer = witness._signer

    class Watched:
        key = signer.key

        def sign(self, text: str, seconds: int = 0):  # type: ignore[no-untyped-def]
            with sqlite3.connect(tmp_path / "witness.db") as db:  # Another process reads what is committed alone.
                seen.extend(row[0] for row in db.execute("SELECT size FROM logs"))
            db.close()
            raise KeyboardInterrupt  # The power is cut here.

    witness._signer = Watched()  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        ask(witness, asks(0, 12))
    assert seen == [12]
    witness._signer = signer
    assert ask(witness, asks(0, 12)).status == 409
    assert ask(witness, asks(12, 12)).status == 200


def test_a_whole_tables_record_is_witnessed_and_its_rewriting_refused(tmp_path: Path) -> None:
    record = signed_table(tmp_path)
    origin = record.kept.origins()[0]
    sizes = [one.size for one in record.kept.of(origin)]
    # The attacker has the table's key and begins the checkpoints anew over what was rewritten.
    record.close()
    rewrite(record.journal, changed_body(6))
    for part in ("", "-wal", "-shm", ".last"):
        Path(f"{record.file}{part}").unlink(missing_ok=True)
    forged = SignedRecord(tmp_path, record.journal, "sic-bo")
    assert forged.sign(witnessed=False) == origin
    answer = forged.have_witnessed(origin, sizes[-1])
    assert answer.status == 409
    assert "was rewritten" in answer.alarm
    forged.close()
