"""What signer, witness and audit read from outside: keys, notes, requests to a witness, folders of evidence."""

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from campaigns.signed_record import AT_S, SignedRecord, SoftwareKey
from signed_tables import signed_table

from controller.transparency import evidence as files
from controller.transparency.auditing import RecordAudit
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.evidence import EvidenceError, EvidenceFolder
from controller.transparency.evidence_checkpoints import read_heads
from controller.transparency.last_signed import read_last_signed
from controller.transparency.note import NoteError, SignedNote, VerifierKey
from controller.transparency.notice import SignerNotice
from controller.transparency.round_proof import round_proof
from controller.transparency.signing_key import Signer
from controller.transparency.timestamps import TimestampAuthority
from controller.transparency.witness_request import WitnessRequest

_PARTS = (files.ABOUT, files.ENTRIES, files.CHECKPOINTS, files.LEAVES, files.TIMESTAMPS)


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="table-fuzz-"))


@cache
def _record() -> SignedRecord:
    folder = _folder() / "record"
    folder.mkdir()
    return signed_table(folder, rounds=2)


def note(data: bytes) -> None:
    """A checkpoint, a key, a notice, heads: what is read is written again as the same."""
    text = data.decode("utf-8", "replace")
    with suppress(NoteError):
        key = VerifierKey.parse(text)
        assert VerifierKey.parse(str(key)) == key
    with suppress(NoteError):
        read = SignedNote.parse(text)
        assert SignedNote.parse(str(read)).text == read.text
        with suppress(NoteError):
            read.verify(_record().witness_key)
        checkpoint = Checkpoint.parse(read.text)
        assert Checkpoint.parse(checkpoint.text()) == checkpoint
    with suppress(NoteError):
        SignerNotice.parse(data)
    with suppress(NoteError):
        read_heads(text, [_record().witness_key])
    file = _folder() / "table.checkpoints.last"
    file.write_bytes(data)
    read_last_signed(file)


def witness_request(data: bytes) -> None:
    """A request to a witness: answered, and nothing is signed that the table's key has not."""
    answer = _record().witness.add_checkpoint(data, AT_S)
    assert answer.status in (200, 400, 403, 404, 409, 422)
    with suppress(NoteError):
        request = WitnessRequest.parse(data)
        assert WitnessRequest.parse(request.body()) == request


def evidence(data: bytes) -> None:
    """A folder of evidence, its files one after the other, parted by NUL."""
    folder = _folder() / "evidence"
    folder.mkdir(exist_ok=True)
    parts = data.split(b"\0")
    for number, name in enumerate(_PARTS):
        (folder / name).write_bytes(parts[number] if number < len(parts) else b"")
    record = _record()
    with suppress(EvidenceError):
        read = EvidenceFolder(folder)
        audit = RecordAudit(read, record.signer.key, [record.witness_key], authority=_authority())
        verdict = audit.run()
        assert verdict.problems or verdict.signed
        if verdict.best is not None:
            round_proof(read, 1, verdict.best)


@cache
def _authority() -> TimestampAuthority:
    import trustme

    file = _folder() / "tsa.pem"
    trustme.CA().cert_pem.write_to_path(file)
    return TimestampAuthority(file)


# -- seeds -----------------------------------------------------------------------------------------------------


def notes() -> list[bytes]:
    record = _record()
    origin = record.kept.origins()[0]
    kept = [one.note.encode() for one in record.kept.of(origin)]
    notice = SignerNotice.make(origin, "entries 3 to 9 are missing", record.signer)
    last = Path(f"{record.file}.last").read_bytes()
    return [*kept, record.heads().encode(), str(record.signer.key).encode(), str(notice.note).encode(), last]


def requests() -> list[bytes]:
    record = _record()
    kept = list(record.kept.of(record.kept.origins()[0]))[-1]
    note_ = SignedNote.parse(kept.note)
    stranger = Signer("table-controller/sic-bo", SoftwareKey(9))
    forged = SignedNote(note_.text, (stranger.sign(note_.text),))
    proof = (bytes(32), bytes(range(32)))
    return [
        WitnessRequest(kept.size, (), note_).body(),
        WitnessRequest(7, proof, note_).body(),
        WitnessRequest(0, (), forged).body(),
    ]


@cache
def folders() -> list[bytes]:
    folder = _record().export(_folder() / "exported")
    whole = b"\0".join((folder / name).read_bytes() for name in _PARTS)
    return [whole, whole + b'{"size": 1, "response": "MIIB"}\n']
