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
from controller.transparency.witness import SIZE_TYPE, Witness, WitnessAnswer, WitnessError
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


def test_another_old_size_is_a_conflict_that_says_the_right_one(witness: Witness) -> None:
    ask(witness, asks(0, 8))
    answer = ask(witness, asks(0, 12))
    assert (answer.status, answer.body, answer.type, answer.alarm) == (409, "8\n", SIZE_TYPE, "")
    assert ask(witness, asks(8, 12)).status == 200


def test_a_shorter_record_is_a_conflict_and_an_alarm(witness: Witness) -> None:
    ask(witness, asks(0, 12))
    answer = ask(witness, asks(0, 8))
    assert (answer.status, answer.body) == (409, "12\n")
    assert "was cut or rolled back" in answer.alarm


def test_another_record_of_the_same_size_is_a_conflict_and_an_alarm(witness: Witness) -> None:
    ask(witness, asks(0, 8))
    for old in (0, 8):
        answer = ask(witness, asks(old, 8, LEAVES[::-1]))
        assert (answer.status, answer.body) == (409, "8\n")
        assert "was rewritten" in answer.alarm
    assert ask(witness, asks(8, 9)).status == 200


def test_a_record_that_is_no_extension_is_refused_with_an_alarm(witness: Witness) -> None:
    ask(witness, asks(0, 8))
    answer = ask(witness, asks(8, 12, LEAVES[::-1]))
    assert answer.status == 422
    assert "not an extension of the one signed before" in answer.alarm
    # A proof that is missing is refused alike, and what was signed stays.
    assert ask(witness, WitnessRequest(8, (), note(12)).body()).status == 422
    assert ask(witness, asks(8, 12)).status == 200


def test_a_record_of_an_unknown_table_is_not_found(witness: Witness) -> None:
    stranger = Signer(key_name("two"), SoftwareKey(3))
    for origin in (f"{key_name('two')}/{'a' * 64}", f"{key_name('one')}x/a", "one/a", "x"):
        body = WitnessRequest(0, (), note(3, origin=origin, signer=stranger)).body()
        assert ask(witness, body).status == 404


def test_a_record_that_its_table_has_not_signed_is_forbidden_with_an_alarm(witness: Witness) -> None:
    for signer in (Signer(key_name("two"), SoftwareKey(3)), Signer(key_name("one"), SoftwareKey(3))):
        answer = ask(witness, WitnessRequest(0, (), note(3, signer=signer)).body())
        assert answer.status == 403
        assert "without its key" in answer.alarm
    text = note(3).text
    forged = SignedNote(text, (TABLE.sign("other\n"),))
    assert ask(witness, WitnessRequest(0, (), forged).body()).status == 403


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 0\n\n",
        b"\xff",
        asks(0, 3).replace(b"old 0", b"old -1"),
        asks(0, 3).replace(b"old 0", b"old 4"),
        asks(0, 3).replace(b"old 0", b"old 0\n" + b"\n".join([b"A" * 43 + b"="] * 64)),
        asks(0, 3).replace(b"\n3\n", b"\nthree\n"),
        asks(0, 3)[:-1],
    ],
)
def test_a_request_that_is_none_is_bad_and_changes_nothing(witness: Witness, body: bytes) -> None:
    answer = ask(witness, body)
    assert (answer.status, answer.alarm) == (400, "")
    assert ask(witness, asks(0, 3)).status == 200


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


def test_a_disk_that_cannot_be_written_gives_no_signature(witness: Witness) -> None:
    witness._db.execute("PRAGMA query_only=ON")
    answer = ask(witness, asks(0, 3))
    assert answer.status == 500
    assert "—" not in answer.body
    witness._db.execute("PRAGMA query_only=OFF")
    assert ask(witness, asks(0, 3)).status == 200


def test_one_process_at_a_time_and_no_foreign_file(tmp_path: Path, witness: Witness) -> None:
    with pytest.raises(WitnessError, match="another witness uses it"):
        opened(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "witness.db").write_bytes(b"not a database, but long enough to be taken for one" * 20)
    with pytest.raises(WitnessError, match="cannot be opened"):
        opened(other)


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
