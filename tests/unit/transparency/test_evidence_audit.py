"""An audit on another computer: the evidence of a record, in order and rewritten, and folders that lie."""

import base64
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from campaigns.signed_record import SignedRecord, SoftwareKey
from signed_tables import changed_body, entries_of, rewrite, signed_table

from controller.commands.cli import main
from controller.journal.chain import Entry
from controller.transparency import evidence as files
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.merkle import leaf_hash, proves_inclusion
from controller.transparency.note import SignedNote, VerifierKey
from controller.transparency.signing_key import Signer

Audited = Callable[..., tuple[int, str]]


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SignedRecord]:
    made = signed_table(tmp_path)
    yield made
    made.close()


@pytest.fixture
def audited(record: SignedRecord, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Audited:
    """Exports the record as it is now, lets somebody change the folder, and audits it."""

    def audit(change: Callable[[Path], object] = lambda folder: None, *more: str) -> tuple[int, str]:
        folder = tmp_path / "evidence"
        shutil.rmtree(folder, ignore_errors=True)
        change(record.export(folder))
        code = main(record.audit_words(folder, more))
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, err or out

    return audit


def test_a_record_as_it_was_signed_is_proven(record: SignedRecord, audited: Audited) -> None:
    last = record.kept.last(record.kept.origins()[0])
    assert last is not None
    code, said = audited()
    assert code == 0
    assert f"signed up to entry {last.size}" in said
    assert f"witness.example signed up to entry {last.size}, at 2026-09-21 " in said


def test_the_proof_of_a_round_is_verified_without_the_rest(record: SignedRecord, audited: Audited) -> None:
    code, said = audited(lambda folder: None, "--round", "2")
    assert code == 0
    proof = json.loads(said)
    head = proof["previous"]
    for fields in proof["entries"]:
        entry = Entry(**fields)
        assert (entry.round, entry.expected_hash(head)) == (2, entry.hash)
        head = entry.hash
    note = SignedNote.parse(proof["checkpoint"])
    assert note.verify(record.witness_key)
    checkpoint = Checkpoint.parse(note.text)
    path = [base64.b64decode(one) for one in proof["proof"]]
    leaf = leaf_hash(bytes.fromhex(head))
    assert proves_inclusion(leaf, proof["index"], checkpoint.size, path, checkpoint.root)
    assert audited(lambda folder: None, "--round", "99") == (
        1,
        "audit: there is no proof of round 99: it is not here, or not all of it is signed\n",
    )


@pytest.mark.parametrize("seq", [2, 9, 20])
def test_an_entry_changed_with_all_hashes_is_named(record: SignedRecord, audited: Audited, seq: int) -> None:
    rewrite(record.journal, changed_body(seq))
    code, said = audited()
    assert code == 1
    assert said.startswith(f"entry {seq} is not the one that the table and witness.example signed: it was changed")


def test_an_entry_taken_out_or_put_in_is_named(record: SignedRecord, audited: Audited) -> None:
    before = entries_of(record.journal)
    rewrite(record.journal, lambda entries: [*entries[:11], *entries[12:]])
    assert audited()[1].startswith("entry 12 is not the one that")
    rewrite(record.journal, lambda entries: [*before[:11], before[3], *before[11:]])
    assert audited()[1].startswith("entry 12 is not the one that")
    rewrite(record.journal, lambda entries: before)
    assert audited()[0] == 0


def test_an_entry_changed_without_its_hash_is_named(audited: Audited) -> None:
    def change(folder: Path) -> None:
        lines = (folder / files.ENTRIES).read_text().split("\n")
        lines[6] = lines[6].replace('"at_ns": ', '"at_ns": 1')
        (folder / files.ENTRIES).write_text("\n".join(lines))

    assert "entry 7 (round" in audited(change)[1]
    assert "does not fit the one before" in audited(change)[1]


def test_entries_cut_at_the_end_are_named(record: SignedRecord, audited: Audited) -> None:
    last = record.kept.last(record.kept.origins()[0])
    assert last is not None
    rewrite(record.journal, lambda entries: entries[: last.size - 3])
    code, said = audited()
    assert code == 1
    assert said.startswith(
        f"entries {last.size - 2} to {last.size} are missing at the end; the table and witness.example"
    )


def _without_witness(folder: Path, after: int) -> None:
    """Take the witness's signatures out, and the leaves, as somebody does who signs anew with the table's key."""
    lines = (folder / files.CHECKPOINTS).read_text().splitlines()
    kept = []
    for line in lines:
        note = SignedNote.parse(json.loads(line)["note"])
        if Checkpoint.parse(note.text).size > after:
            note = SignedNote(note.text, note.signatures[:1])
        kept.append(json.dumps({"note": str(note)}))
    (folder / files.CHECKPOINTS).write_text("\n".join(kept) + "\n")


def test_rounds_that_the_witness_did_not_sign_are_not_proven(record: SignedRecord, audited: Audited) -> None:
    sizes = [one.size for one in record.kept.of(record.kept.origins()[0])]
    code, said = audited(lambda folder: _without_witness(folder, sizes[-3]))
    assert code == 1
    assert f"entries {sizes[-3] + 1} to {sizes[-1]} " in said
    assert "are not signed by witness.example: what they say is not proven" in said
    assert audited(lambda folder: _without_witness(folder, 0))[0] == 1


def test_only_the_witness_itself_shows_that_rounds_and_their_checkpoints_were_cut_off(
    record: SignedRecord, audited: Audited, tmp_path: Path
) -> None:
    sizes = [one.size for one in record.kept.of(record.kept.origins()[0])]
    heads = tmp_path / "heads.txt"
    heads.write_text(record.heads())

    def cut(folder: Path) -> None:
        for name, lines in ((files.ENTRIES, sizes[-2]), (files.CHECKPOINTS, len(sizes) - 1)):
            kept = (folder / name).read_text().splitlines(keepends=True)[:lines]
            (folder / name).write_text("".join(kept))

    assert audited(cut)[0] == 0  # The folder is in order by itself: this is said in docs/security.md.
    code, said = audited(cut, "--head", str(heads))
    assert code == 1
    assert f"entries {sizes[-2] + 1} to {sizes[-1]} are missing at the end; witness.example signed them" in said
    assert audited(lambda folder: None, "--head", str(heads))[0] == 0


def test_another_record_that_the_witness_signed_must_be_audited_too(
    record: SignedRecord, audited: Audited, tmp_path: Path
) -> None:
    first = record.kept.origins()[0].rpartition("/")[2]
    rewrite(record.journal, changed_body(1))
    record.sign()
    heads = tmp_path / "heads.txt"
    heads.write_text(record.heads())
    code, said = audited(lambda folder: None, "--head", str(heads))
    assert code == 1
    assert "witness.example signed another record of this table" in said
    assert audited(lambda folder: None, "--head", str(heads), "--also", first)[0] == 0


def test_keys_are_those_that_are_named(
    record: SignedRecord, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = record.export(tmp_path / "evidence")
    stranger = Signer("table-controller/sic-bo", SoftwareKey(7)).key
    for table, witness in ((stranger, record.witness_key), (record.signer.key, record.signer.key)):
        assert main(["audit", str(folder), "--table-key", str(table), "--witness-key", str(witness)]) == 1
    other: VerifierKey = Signer("table-controller/other", SoftwareKey(1)).key
    assert main(["audit", str(folder), "--table-key", str(other)]) == 1
    assert "the evidence is of table sic-bo, and the key of table-controller/other" in capsys.readouterr().err
    assert main(["audit", str(folder), "--table-key", "nonsense"]) == 1
    assert main(["audit", str(folder), "--table-key", str(record.signer.key)]) == 0
    assert "no key of a witness was given" in capsys.readouterr().out


def test_a_forged_checkpoint_is_named(record: SignedRecord, audited: Audited) -> None:
    def forge(folder: Path) -> None:
        lines = (folder / files.CHECKPOINTS).read_text().splitlines()
        note = SignedNote.parse(json.loads(lines[1])["note"])
        signer = Signer("table-controller/sic-bo", SoftwareKey(7))
        lines[1] = json.dumps({"note": str(SignedNote(note.text, (signer.sign(note.text),)))})
        (folder / files.CHECKPOINTS).write_text("\n".join(lines) + "\n")

    assert audited(forge)[1].startswith("checkpoint 2: 'table-controller/sic-bo' has not signed it")


# -- folders that are no evidence, or hostile ------------------------------------------------------------------


def _line(name: str, line: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(line + (folder / name).read_bytes())


def _link(name: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to("/etc/passwd")

    return change


def _gone(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def _sparse(name: str) -> Callable[[Path], object]:
    """A file of a terabyte, of which nothing is on the disk."""
    return lambda folder: os.truncate(folder / name, 1 << 40)


_LISTS = (files.ENTRIES, files.CHECKPOINTS)
_NEEDED = (files.ABOUT, *_LISTS)
_DEEP = b"[" * 100_000 + b"\n"
_NUMBER = b'{"seq": ' + b"9" * 5000 + b"}\n"


@pytest.mark.parametrize("name", _NEEDED)
@pytest.mark.parametrize(
    "change",
    [_link, _gone, lambda name: _line(name, b"\xff\n"), lambda name: _line(name, b"[]\n")]
    + [lambda name, line=line: _line(name, line) for line in (_DEEP, _NUMBER, b"x" * (2 << 20) + b"\n")]
    + [lambda name: lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-9])],
)
@pytest.mark.campaign
def test_a_hostile_folder_gives_a_sentence(
    audited: Audited, name: str, change: Callable[[str], Callable[[Path], object]]
) -> None:
    code, said = audited(change(name))
    assert code == 1
    assert name in said or "signed" in said
    assert len(said) < 5000


@pytest.mark.parametrize("name", _LISTS)
def test_a_terabyte_of_nothing_is_not_read(audited: Audited, name: str) -> None:
    assert audited(_sparse(name))[0] == 1
