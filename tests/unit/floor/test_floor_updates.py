"""The floor offers a bundle of its folder to its tables, the first ones first, and sends what they ask for."""

import asyncio
import base64
import hashlib
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest
from contracts.loop import PATIENCE_S
from floor_messages import LATER_NS

from config.floor import FloorConfig, UpdatesSection
from config.schema import BrokerSection
from controller.floor.ingest.validation import Arrived
from controller.floor.updates import update_serving
from controller.floor.updates.bundle_folder import BundleFolder
from controller.floor.updates.update_serving import UpdateServing
from controller.messages.link import Link
from controller.messages.models import Message, MessagePart, OnlineMessage, write
from controller.messages.topics import Topic, of_table
from controller.messages.update_models import CHUNK_BYTES, FetchRequest, UpdateChunk, UpdateOffer, VersionMessage

CONTENT = bytes(range(256)) * 1000
DIGEST = hashlib.sha256(CONTENT).hexdigest()
BROKER = BrokerSection(host="broker", ca="ca", certificate="c", key="k")


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_serving, "LOOKS_S", 0.0)
    monkeypatch.setattr(update_serving, "ANNOUNCES_S", 0.005)


def put(folder: Path, content: bytes = CONTENT, name: str = "table.raucb", **facts: object) -> None:
    """A bundle, and beside it what `make bundle` writes, but for the given facts."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    honest = {"version": "0.6.0", "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (folder / f"{name}.json").write_text(json.dumps(honest | facts))


class FloorInHand:
    """The floor's updates, and a broker that is a list."""

    def __init__(self, folder: Path, **section: object) -> None:
        self.folder = folder / "updates"
        updates = UpdatesSection.model_validate(
            {"folder": str(self.folder), "megabytes_per_minute": 6000} | section
        )
        self.serving = UpdateServing(FloorConfig(floor="main", broker=BROKER, updates=updates))
        self.sent: list[tuple[str, MessagePart, bool]] = []

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        self.sent.append((topic, message, retain))

    def hear(self, topic: Topic, message: Message) -> None:
        self.serving.heard(Arrived(of_table(message.table, topic), write(message), LATER_NS))

    def online(self, *tables: str) -> None:
        for table in tables:
            self.hear(Topic.ONLINE, OnlineMessage(table=table, online=True, running=True))

    def report(self, table: str, stage: str, digest: str = DIGEST, takes: bool = True, why: str = "") -> None:
        self.hear(
            Topic.VERSION,
            VersionMessage(
                table=table, takes=takes, running="0.5.0", slot="A", digest=digest, stage=stage, why=why
            ),
        )

    def fetch(self, table: str, offset: int, digest: str = DIGEST) -> None:
        self.hear(Topic.FETCH, FetchRequest(table=table, digest=digest, offset=offset))

    def offered(self) -> dict[str, str]:
        """By table, the digest that is retained for it."""
        return {
            topic.split("/")[1]: message.digest
            for topic, message, _ in self.sent
            if isinstance(message, UpdateOffer)
        }

    def chunks(self) -> list[tuple[str, int]]:
        return [
            (topic.split("/")[1], message.offset)
            for topic, message, _ in self.sent
            if isinstance(message, UpdateChunk)
        ]

    def row(self, table: str) -> dict[str, object]:
        rows = self.serving.document()["tables"]
        return next(dict(row) for row in rows if row["table"] == table)


def play(floor: FloorInHand, exchange: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        link = cast(Link, floor)
        tasks = [asyncio.create_task(one) for one in (floor.serving.announce(link), floor.serving.serve(link))]
        try:
            await asyncio.wait_for(exchange(), PATIENCE_S)
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    asyncio.run(run())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.002)


# -- the folder ----------------------------------------------------------------------------------------------------


def test_a_bundle_with_what_was_written_beside_it_is_offered(tmp_path: Path) -> None:
    put(tmp_path / "updates")
    found = BundleFolder(tmp_path / "updates").look()
    assert (found.name, found.release, found.size, found.digest, found.problem) == (
        "table.raucb",
        "0.6.0",
        len(CONTENT),
        DIGEST,
        "",
    )


def test_an_empty_folder_offers_nothing_and_is_made_if_it_is_missing(tmp_path: Path) -> None:
    found = BundleFolder(tmp_path / "updates").look()
    assert (found.digest, found.problem) == ("", "")
    assert (tmp_path / "updates").is_dir()


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"size": 1 << 20}, "is not copied whole yet"),
        ({"sha256": "0" * 64}, "is not the file for which table.raucb.json was written"),
        ({"size": "many"}, "is not what `make bundle` writes"),
        ({"size": 1 << 40}, "is not what `make bundle` writes"),
        ({"sha256": "../../etc"}, "is not what `make bundle` writes"),
    ],
)
def test_a_file_that_is_not_whole_is_offered_to_nobody(tmp_path: Path, facts: dict[str, object], says: str) -> None:
    put(tmp_path / "updates", **facts)
    found = BundleFolder(tmp_path / "updates").look()
    assert found.digest == ""
    assert says in found.problem


def test_what_else_is_wrong_with_the_folder_is_a_sentence(tmp_path: Path) -> None:
    put(tmp_path / "updates")
    put(tmp_path / "updates", name="other.raucb")
    assert "several bundles, other.raucb, table.raucb" in BundleFolder(tmp_path / "updates").look().problem
    (tmp_path / "updates/other.raucb").unlink()
    (tmp_path / "updates/table.raucb.json").unlink()
    assert "has no table.raucb.json beside it" in BundleFolder(tmp_path / "updates").look().problem
    (tmp_path / "file").touch()
    assert "must be able to read it" in BundleFolder(tmp_path / "file").look().problem


def test_a_bundle_that_was_changed_is_not_sent(tmp_path: Path) -> None:
    put(tmp_path / "updates")
    folder = BundleFolder(tmp_path / "updates")
    found = folder.look()
    assert folder.chunk(found, 10, 5) == CONTENT[10:15]
    put(tmp_path / "updates", CONTENT[::-1] + b"x")
    with pytest.raises(OSError, match="has changed"):
        folder.chunk(found, 10, 5)


# -- who is offered it ---------------------------------------------------------------------------------------------


def test_every_table_that_is_there_is_offered_it_and_it_is_taken_back_with_the_file(tmp_path: Path) -> None:
    floor = FloorInHand(tmp_path)
    put(floor.folder)

    async def exchange() -> None:
        floor.online("a", "b")
        await until(lambda: floor.offered() == {"a": DIGEST, "b": DIGEST})
        floor.online("c")
        await until(lambda: floor.offered().get("c") == DIGEST)
        assert all(retained for _, _, retained in floor.sent)
        (floor.folder / "table.raucb").unlink()
        await until(lambda: set(floor.offered().values()) == {""})

    play(floor, exchange)


def test_the_first_tables_come_first_and_the_others_once_it_runs_there(tmp_path: Path) -> None:
    floor = FloorInHand(tmp_path, first=["a", "b"], tables=["c"])
    put(floor.folder)

    async def exchange() -> None:
        floor.online("a", "b", "c", "d")
        await until(lambda: floor.offered() == {"a": DIGEST, "b": DIGEST, "c": "", "d": ""})
        assert floor.row("c")["not_offered"] == "waits until it runs on a, b"
        assert floor.row("d")["not_offered"] == "not among `tables:` of the floor's file"
        floor.report("a", "installed")
        floor.report("b", "failed", why="no space")
        floor.report("b", "installed", digest="0" * 64)
        floor.online("e")
        await until(lambda: "e" in floor.offered())
        assert floor.offered()["c"] == ""
        floor.report("b", "installed")
        await until(lambda: floor.offered()["c"] == DIGEST)
        assert floor.offered()["d"] == ""

    play(floor, exchange)


def test_the_page_says_what_each_table_runs_and_did_with_it(tmp_path: Path) -> None:
    floor = FloorInHand(tmp_path)
    put(floor.folder)

    async def exchange() -> None:
        floor.online("a", "b", "c")
        await until(lambda: len(floor.offered()) == 3)
        floor.report("a", "refused", why="table.raucb is older")
        floor.report("b", "", digest="", takes=False)
        document = floor.serving.document()
        assert document["bundle"] == {
            "name": "table.raucb",
            "release": "0.6.0",
            "size": len(CONTENT),
            "digest": DIGEST,
        }
        assert (floor.row("a")["stage"], floor.row("a")["why"]) == ("refused", "table.raucb is older")
        assert (floor.row("a")["running"], floor.row("a")["slot"]) == ("0.5.0", "A")
        assert floor.row("b")["takes"] is False
        assert floor.row("c")["takes"] is None
        floor.report("a", "installed", digest="0" * 64)
        assert floor.row("a")["stage"] == "", "that was another bundle"

    play(floor, exchange)


def test_a_floor_without_updates_takes_back_what_it_offered_and_says_nothing_else(tmp_path: Path) -> None:
    floor = FloorInHand(tmp_path)
    floor.serving = UpdateServing(FloorConfig(floor="main", broker=BROKER))

    async def exchange() -> None:
        floor.online("a", "b")
        floor.report("a", "offered")
        await until(lambda: floor.offered() == {"a": ""})
        floor.fetch("a", 0)
        floor.report("b", "offered")
        await until(lambda: floor.offered() == {"a": "", "b": ""})
        assert floor.chunks() == []
        assert "no `updates:`" in floor.serving.document()["problem"]

    play(floor, exchange)


# -- chunks --------------------------------------------------------------------------------------------------------


def test_a_table_gets_the_chunks_that_it_asks_for(tmp_path: Path) -> None:
    floor = FloorInHand(tmp_path)
    put(floor.folder)

    async def exchange() -> None:
        floor.online("a")
        await until(lambda: bool(floor.offered()))
        got = b""
        while len(got) < len(CONTENT):
            floor.fetch("a", len(got))
            before = len(floor.sent)
            await until(lambda: len(floor.sent) > before)  # noqa: B023  # it is awaited here
            topic, message, retained = floor.sent[-1]
            assert isinstance(message, UpdateChunk)
            assert (topic, message.offset, retained) == ("floor/a/chunk", len(got), False)
            got += base64.b64decode(message.data)
        assert got == CONTENT

    play(floor, exchange)


def test_a_table_gets_nothing_that_it_is_not_offered(tmp_path: Path) -> None:
    floor = FloorInHand(tmp_path, first=["a"])
    put(floor.folder)

    async def exchange() -> None:
        floor.online("a", "b")
        await until(lambda: len(floor.offered()) == 2)
        floor.fetch("b", 0)
        floor.fetch("a", 0, digest="0" * 64)
        floor.fetch("a", len(CONTENT))
        floor.fetch("a", (1 << 53) - 1)
        floor.fetch("a", CHUNK_BYTES)
        await until(lambda: bool(floor.chunks()))
        assert floor.chunks() == [("a", CHUNK_BYTES)]

    play(floor, exchange)


def test_a_table_that_asks_for_ever_gets_no_more_than_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = FloorInHand(tmp_path)
    put(floor.folder)
    turn = asyncio.Semaphore(0)

    async def paced(serving: UpdateServing, request: FetchRequest) -> bytes:
        await turn.acquire()
        return CONTENT[:10]

    monkeypatch.setattr(UpdateServing, "_read", paced)

    async def exchange() -> None:
        floor.online("greedy", "b", "c")
        await until(lambda: len(floor.offered()) == 3)
        for _ in range(10_000):
            floor.fetch("greedy", 0)
        floor.fetch("b", 0)
        floor.fetch("c", 0)
        for _ in range(10_000):
            floor.fetch("greedy", CHUNK_BYTES)
        for number in range(3):
            turn.release()
            await until(lambda: len(floor.chunks()) > number)  # noqa: B023  # it is awaited here
        assert floor.chunks() == [("greedy", CHUNK_BYTES), ("b", 0), ("c", 0)]
        floor.fetch("c", CHUNK_BYTES)
        turn.release()
        await until(lambda: len(floor.chunks()) > 3)
        assert floor.chunks()[3] == ("c", CHUNK_BYTES), "twenty thousand requests wait as one"

    play(floor, exchange)


def test_all_tables_together_get_no_more_than_the_floors_file_says(tmp_path: Path) -> None:
    section = FloorInHand(tmp_path, megabytes_per_minute=60)
    assert section.serving._pause_s(1_000_000) == pytest.approx(1.0)
