"""Notes, keys and checkpoints as C2SP writes them down; known answers of others' implementations."""

import base64

import pytest
from campaigns.signed_record import SoftwareKey

from controller.transparency.checkpoint import Checkpoint
from controller.transparency.note import NoteError, Signature, SignedNote, VerifierKey
from controller.transparency.signing_key import Signer

# golang.org/x/mod/sumdb/note: the key and the note of its documentation and tests.
NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NEUMANNS_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# The key of Go's checksum database: its number is computed as signed-note says.
GO_SUM = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
TABLE = Signer("table-controller/one", SoftwareKey(1))
WITNESS = Signer("witness.example", SoftwareKey(2), cosigns=True)
CHECKPOINT = Checkpoint("table-controller/one/" + "a" * 64, 7, bytes(range(32)))


def test_a_note_of_another_implementation_is_verified() -> None:
    note = SignedNote.parse(NEUMANNS_NOTE)
    assert note.verify(VerifierKey.parse(NEUMANN)) == 0
    assert str(note) == NEUMANNS_NOTE


def test_one_letter_of_it_changed_is_not() -> None:
    with pytest.raises(NoteError, match="does not match"):
        SignedNote.parse(NEUMANNS_NOTE.replace("answer", "Answer")).verify(VerifierKey.parse(NEUMANN))


@pytest.mark.parametrize("text", [NEUMANN, GO_SUM, str(TABLE.key), str(WITNESS.key)])
def test_a_verifier_key_reads_as_it_is_written(text: str) -> None:
    assert str(VerifierKey.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        NEUMANN[:-4],
        NEUMANN.replace("c74f20a3", "c74f20a4"),
        NEUMANN.replace("Peter", "Piter"),
        NEUMANN.replace("ARpc", "BRpc"),
    ],
)
def test_a_key_that_was_copied_wrongly_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        VerifierKey.parse(text)


def test_a_witness_signs_the_text_with_its_time() -> None:
    text = CHECKPOINT.text()
    note = SignedNote(text, (TABLE.sign(text), WITNESS.sign(text, 1_679_315_147)))
    read = SignedNote.parse(str(note))
    assert read.verify(WITNESS.key) == 1_679_315_147
    assert read.verify(TABLE.key) == 0
    # tlog-cosignature: the number of the key, eight bytes of time, 64 of the signature.
    data = read.signatures[1].data
    assert data[:8] == (1_679_315_147).to_bytes(8)
    assert len(data) == 72


def test_another_time_than_was_signed_is_refused() -> None:
    text = CHECKPOINT.text()
    signed = WITNESS.sign(text, 100)
    later = signed._replace(data=(101).to_bytes(8) + signed.data[8:])
    with pytest.raises(NoteError, match="does not match"):
        SignedNote(text, (later,)).verify(WITNESS.key)


def test_a_tables_signature_is_not_taken_for_a_witnesss() -> None:
    other = Signer("witness.example", SoftwareKey(2))
    text = CHECKPOINT.text()
    with pytest.raises(NoteError, match="has not signed"):
        SignedNote(text, (other.sign(text),)).verify(WITNESS.key)


def test_a_second_line_of_a_known_key_must_match_too() -> None:
    text = CHECKPOINT.text()
    wrong = TABLE.sign("other\n")
    with pytest.raises(NoteError, match="does not match"):
        SignedNote(text, (TABLE.sign(text), wrong)).verify(TABLE.key)


def test_signatures_of_unknown_keys_are_left_alone() -> None:
    text = CHECKPOINT.text()
    strange = Signature("example.org/ml-dsa", b"\1\2\3\4", bytes(2420))
    many = tuple(strange._replace(id=bytes((0, 0, 0, number))) for number in range(15))
    note = SignedNote.parse(str(SignedNote(text, (*many, TABLE.sign(text)))))
    assert note.verify(TABLE.key) == 0


@pytest.mark.parametrize(
    "written",
    [
        "",
        "text\n\nno signature\n",
        NEUMANNS_NOTE.replace("— ", "- "),
        NEUMANNS_NOTE.replace("answer", "ans\x07wer"),
        NEUMANNS_NOTE.replace("x08go", "x08g%"),
        NEUMANNS_NOTE.replace(
            "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=", "x08g"
        ),
        NEUMANNS_NOTE + NEUMANNS_NOTE.split("\n")[-2] + "\n" + "x\n",
        "text\n\n" + "— a AAAAAAA=\n" * 65,
    ],
)
def test_what_is_no_note_is_refused(written: str) -> None:
    with pytest.raises(NoteError):
        SignedNote.parse(written)


def test_a_checkpoint_reads_as_it_is_written() -> None:
    assert Checkpoint.parse(CHECKPOINT.text()) == CHECKPOINT
    # The example of tlog-checkpoint, and an extension line, which says nothing here.
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    root = base64.b64decode("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=")
    expected = Checkpoint("example.com/behind-the-sofa", 20_852_163, root)
    assert Checkpoint.parse(text) == Checkpoint.parse(f"{text}extension\n") == expected


ROOT = base64.b64encode(bytes(32)).decode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "origin\n1\n",
        f"\n1\n{ROOT}\n",
        f"origin\n01\n{ROOT}\n",
        f"origin\n-1\n{ROOT}\n",
        f"origin\n٣\n{ROOT}\n",
        f"origin\n{1 << 63}\n{ROOT}\n",
        f"origin\n1\n{ROOT[:-4]}\n",
        f"origin\n1\n{ROOT}\n\nextension\n",
        "origin\n1\nä\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        Checkpoint.parse(text)
