"""A witness over HTTP: what it answers to anybody, and the table's side of the conversation."""

import asyncio
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from campaigns.signed_record import AT_S, SignedRecord
from contracts.loop import PATIENCE_S
from signed_tables import signed_table
from witness_server import ServedHere

from config.signing import WitnessOfTable
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.note import SignedNote
from controller.transparency.notice import SignerNotice
from controller.transparency.signing import extension_proof
from controller.transparency.witness import WitnessAnswer
from controller.witnessing.client import WitnessClient
from controller.witnessing.site import WitnessSite


class Heard:
    """What a witness's listener was told."""

    def __init__(self) -> None:
        self.answers: list[WitnessAnswer] = []
        self.notices: list[tuple[str, str]] = []

    def answered(self, answer: WitnessAnswer, seconds: int) -> None:
        self.answers.append(answer)

    def noticed(self, table: str, notice: SignerNotice, seconds: int) -> None:
        self.notices.append((table, notice.words))


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SignedRecord]:
    made = signed_table(tmp_path, witnessed=False)
    yield made
    made.close()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def served(record: SignedRecord, heard: Heard) -> Iterator[ServedHere]:
    site = WitnessSite(record.witness, heard, lambda: AT_S)
    with ServedHere(site) as server:
        yield server
    site.close()


def post(server: ServedHere, path: str, body: bytes, method: str = "POST") -> tuple[int, str, str]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type") or "", answer.read().decode()
    finally:
        connection.close()


def client_of(record: SignedRecord, server: ServedHere) -> WitnessClient:
    return WitnessClient(WitnessOfTable(url=server.url, key=str(record.witness_key)))


def newest(record: SignedRecord) -> tuple[Checkpoint, SignedNote]:
    last = record.kept.last(record.kept.origins()[0])
    assert last is not None
    note = SignedNote.parse(last.note)
    return Checkpoint.parse(note.text), note


def ask(client: WitnessClient, record: SignedRecord) -> SignedNote:
    checkpoint, note = newest(record)
    signature = asyncio.run(client.ask(checkpoint, note, lambda old: extension_proof(record.kept, checkpoint, old)))
    return SignedNote(note.text, (*note.signatures, signature))


def test_a_table_gets_its_signature_and_catches_up_after_a_conflict(
    record: SignedRecord, served: ServedHere, heard: Heard
) -> None:
    record.have_witnessed(newest(record)[0].origin, 1)
    signed = ask(client_of(record, served), record)
    assert signed.verify(record.witness_key) == AT_S
    assert [(one.status, one.alarm) for one in heard.answers] == [(409, ""), (200, "")]


def test_a_notice_reaches_the_listener_if_the_table_signed_it(
    record: SignedRecord, served: ServedHere, heard: Heard
) -> None:
    origin = newest(record)[0].origin
    asyncio.run(
        client_of(record, served).notify(SignerNotice.make(origin, "entries 3 to 9 are\nmissing", record.signer))
    )
    assert heard.notices == [("sic-bo", "entries 3 to 9 are missing")]
    forged = SignerNotice.make(origin, "nothing", record.witness._signer)
    assert post(served, "/notice", str(forged.note).encode())[0] == 403
    assert post(served, "/notice", str(newest(record)[1]).encode())[0] == 400
    assert post(served, "/notice", b"\xff")[0] == 400
    assert len(heard.notices) == 1
