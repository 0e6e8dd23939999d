"""The floor as a witness of its tables: what it signs, and the alerts of what it refuses or finds otherwise."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from campaigns.signed_record import SignedRecord, SoftwareKey
from contracts.floor_store_cases import opened, rows
from contracts.loop import PATIENCE_S
from floor_messages import arrived
from server_process import free_port
from signed_tables import changed_body, rewrite, signed_table

from config.floor import FloorConfig
from config.schema import BrokerSection
from config.signing import WitnessSection
from controller.configuration.shipped import load_table, table_path
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.floor.witness import FloorWitness
from controller.messages.models import RoundClosed
from controller.publishing.formatter import JournalPlace
from controller.publishing.source import JournalSource
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.note import SignedNote
from controller.transparency.signing import extension_proof
from controller.transparency.signing_key import Signer
from controller.transparency.witness_request import WitnessRequest
from hal.clock import LoopClock

BROKER = BrokerSection(host="localhost", ca="ca", certificate="crt", key="key")


class SigningFloor:
    """A floor's witness on loopback, its store, and a table's record."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "record").mkdir()
        self.record = signed_table(folder / "record", witnessed=False)
        self.store: Store = opened(f"sqlite:///{folder}/floor.db")
        self.port = free_port()
        self.section = WitnessSection(
            port=self.port,
            key=str(folder / "w.key"),
            file=str(folder / "w.db"),
            tables={"sic-bo": str(self.record.signer.key)},
        )

    def published(self) -> list[RoundClosed]:
        """What the table publishes of its record."""

        async def read() -> list[RoundClosed]:
            config = load_table(table_path("sic-bo")).config
            with closing(JournalSource(config, self.record.journal, LoopClock())) as source:
                due, found = source.due(JournalPlace(0, 0)), []
                while due:
                    found += [one.message for one in due if isinstance(one.message, RoundClosed)]
                    due = source.due(JournalPlace(0, 0))
                return found

        return asyncio.run(read())

    def store_rounds(self, rounds: list[RoundClosed]) -> None:
        later = 4_000_000_000_000_000_000
        assert self.store.take([arrived(one, later) for one in rounds]).rounds == len(rounds)

    def answers(self, *requests: tuple[str, bytes]) -> list[int]:
        """The statuses of requests to a floor that runs for as long as these take."""

        async def serve() -> list[int]:
            config = FloorConfig(floor="hall", broker=BROKER, witness=self.section)
            witness = FloorWitness(config, self.section, self.store.engine, lambda: None)
            await witness.open()
            try:
                return [await asyncio.to_thread(self._post, path, body) for path, body in requests]
            finally:
                witness.close()

        return asyncio.run(serve())

    def _post(self, path: str, body: bytes) -> int:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request("POST", path, body)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def asks(self, record: SignedRecord, old: int = 0, place: int = -1) -> tuple[str, bytes]:
        """A request for one of a record's checkpoints."""
        kept = list(record.kept.of(record.kept.origins()[-1]))[place]
        note = SignedNote.parse(kept.note)
        checkpoint = Checkpoint.parse(note.text)
        return "/add-checkpoint", WitnessRequest(
            old, tuple(extension_proof(record.kept, checkpoint, old)), note
        ).body()

    def sizes(self) -> list[int]:
        return [one.size for one in self.record.kept.of(self.record.kept.origins()[0])]

    def forged(self, change: Callable[..., object]) -> SignedRecord:
        """The record rewritten and signed anew with the table's key."""
        folder = self.folder / "forged"
        folder.mkdir()
        shutil.copy(self.record.journal, folder / "table.journal")
        rewrite(folder / "table.journal", change)  # type: ignore[arg-type]
        made = SignedRecord(folder, folder / "table.journal", "sic-bo")
        made.sign(witnessed=False)
        return made

    def alerts(self) -> list[str]:
        return [
            str(row["text"])
            for row in rows(self.store, schema.alerts)
            if row["kind"] == "fork" and row["ended"] is None
        ]

    def close(self) -> None:
        self.record.close()
        self.store.close()


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[SigningFloor]:
    made = SigningFloor(tmp_path)
    yield made
    made.close()


def test_what_it_refuses_is_an_alert_at_once(floor: SigningFloor) -> None:
    sizes = floor.sizes()
    assert floor.answers(floor.asks(floor.record, 0, -2)) == [200]
    assert floor.answers(floor.asks(floor.record, 0, 0)) == [409]
    assert "it was cut or rolled back" in floor.alerts()[-1]
    forged = floor.forged(changed_body(5))
    assert floor.answers(floor.asks(forged, sizes[-2])) == [422]
    assert "not an extension of the one signed before" in floor.alerts()[-1]
    stranger = Signer("table-controller/sic-bo", SoftwareKey(9))
    text = SignedNote.parse(floor.record.kept.last(floor.record.kept.origins()[0]).note).text  # type: ignore[union-attr]
    note = SignedNote(text, (stranger.sign(text),))
    assert floor.answers(("/add-checkpoint", f"old 0\n\n{note}".encode())) == [403]
    assert "without its key" in floor.alerts()[-1]
    before = len(floor.alerts())
    assert floor.answers(floor.asks(floor.record, 0, 0), floor.asks(forged, sizes[-2])) == [409, 422]
    assert len(floor.alerts()) == before  # Each once.
    assert floor.answers(("/add-checkpoint", b"nonsense"), ("/", b"")) == [400, 404]
    assert len(floor.alerts()) == before
    forged.close()


def test_a_table_that_publishes_otherwise_than_it_signs_is_an_alert(floor: SigningFloor) -> None:
    floor.store_rounds(floor.published())
    forged = floor.forged(changed_body(5))
    size = floor.sizes()[2]
    assert floor.answers(floor.asks(forged, 0, 2)) == [
        200
    ]  # The first that it asks for: nothing was signed before.
    expected = f"the record that the table had signed up to entry {size} is not the one that it published"
    assert floor.alerts() == [expected]
    forged.close()
