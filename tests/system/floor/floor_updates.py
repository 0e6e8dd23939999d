"""An update by the floor over a real broker: offered, fetched while rounds go on, confirmed, installed."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from contracts.floor_store_cases import Lopsided
from image_computer import NEWER, OLDER, RUNNING, Computer, floor_offer, image_computer, updates
from played import Played
from seen_pages import PagesMade, SeenPages
from servers import FLOOR, Mosquitto

from config.floor import FloorConfig, FloorRecordSection, StoreSection, UpdatesSection
from config.schema import BrokerSection, ScreensSection
from controller.floor.ingest import subscriber
from controller.floor.process import Floor
from controller.floor.updates import update_serving
from controller.messages.update_models import CHUNK_BYTES
from controller.publishing import publisher as publishing
from controller.publishing import update_fetching
from controller.publishing.cursor import Cursor
from controller.publishing.publisher import Publisher
from controller.publishing.update_report import UpdateReports
from controller.runtime.systemd import ServiceManager
from controller.runtime.update_folder import FilesOfUpdates
from controller.runtime.update_watch import UpdateWatch
from hal.clock import LoopClock

TABLE = "dreamcatcher"
CONTENT = b"hsqs" + Random(0).randbytes(24 * CHUNK_BYTES)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (publishing, subscriber):
        monkeypatch.setattr(module, "FIRST_WAIT_S", 0.1)
        monkeypatch.setattr(module, "LONGEST_WAIT_S", 0.3)
    monkeypatch.setattr(publishing, "POLL_S", 0.02)
    for name in ("LOOKS_S", "OFFERS_S", "REPORTS_S"):
        monkeypatch.setattr(update_fetching, name, 0.05)
    monkeypatch.setattr(update_serving, "LOOKS_S", 0.05)
    monkeypatch.setattr(update_serving, "ANNOUNCES_S", 0.05)


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    """The card's system. Its handover is the folder of the table's publisher."""
    folder = tmp_path / "card"
    folder.mkdir()
    made = image_computer(folder, monkeypatch)
    made.handover.rmdir()  # The publisher makes it.
    system: Path = updates.FOLDER
    monkeypatch.setattr(publishing, "UpdateReports", lambda: UpdateReports(system))
    return made


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Played]:
    made = Played(TABLE, tmp_path / "table.journal", rounds=2, fault_rate=0.0)
    yield made
    made.finish()


class Rows:
    """What the floor's pages would show of the table's update."""

    def __init__(self, pages: SeenPages) -> None:
        self._pages = pages

    def row(self) -> Mapping[str, object]:
        return next((row for row in self._pages.updates()["tables"] if row["table"] == TABLE), {})


@asynccontextmanager
async def floor(broker: BrokerSection, folder: Path) -> AsyncIterator[Rows]:
    pages = PagesMade()
    config = FloorConfig.model_construct(
        floor="test",
        broker=broker,
        store=StoreSection.model_construct(url=f"sqlite:///{folder}/floor.db"),
        record=FloorRecordSection(file=str(folder / "floor.record")),
        screens=ScreensSection(),
        updates=UpdatesSection(folder=str(folder / "updates"), megabytes_per_minute=6000),
    )
    process = Floor(config, LoopClock(), ServiceManager(), pages, 0, Lopsided)
    task = asyncio.create_task(process.run())
    try:
        await until(lambda: bool(pages.all) or task.done())
        yield Rows(pages.all[0])
    finally:
        process.stop()
        await task


@asynccontextmanager
async def published(rig: Played, broker: BrokerSection, folder: Path) -> AsyncIterator[None]:
    with closing(Cursor(folder / "table.published")) as cursor:
        publisher = Publisher(
            rig.config, broker, rig.file, cursor, LoopClock(), updates=folder / "card/published/update"
        )
        task = asyncio.create_task(publisher.run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            publisher.close()


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def offer(folder: Path, content: bytes = CONTENT) -> str:
    """As an administrator puts it into the floor's folder; returns the digest."""
    folder = folder / "updates"
    folder.mkdir(exist_ok=True)
    file = folder / "table.raucb"
    file.write_bytes(content)
    digest = str(updates.digest_of(file))
    facts = {"version": NEWER, "size": len(content), "sha256": digest}
    (folder / "table.raucb.json").write_text(json.dumps(facts))
    return digest


def stored(folder: Path) -> int:
    """Rounds in the floor's store, read beside the floor."""
    with closing(sqlite3.connect(f"file:{folder}/floor.db?mode=ro", uri=True)) as db:
        return len(db.execute("SELECT 1 FROM rounds").fetchall())


def part(computer: Computer) -> int:
    """Bytes that the publisher has fetched so far, and has not handed over."""
    return sum(file.stat().st_size for file in computer.handover.parent.glob("fetch/*.part"))


def is_handed_over(computer: Computer) -> bool:
    return (computer.handover / "table.raucb").exists()


def of_update(rig: Played) -> list[str]:
    return [entry.kind for entry in rig.journal.entries() if entry.kind.startswith("update-")]


def run(doing: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(doing, 120))


def test_an_update_by_the_floor_from_its_folder_to_the_running_slot(
    rig: Played, computer: Computer, mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_fetching, "PACE_S", 0.05)
    digest = offer(tmp_path)
    table = rig.rig.table
    watch = UpdateWatch(FilesOfUpdates(updates.FOLDER), table, rig.rig.clock, lambda: None)
    watch.start()

    async def play() -> None:
        async with (
            floor(mosquitto.broker(FLOOR), tmp_path) as seen,
            published(rig, mosquitto.broker(TABLE), tmp_path),
        ):
            await until(lambda: part(computer) > 0)
            before = stored(tmp_path)
            rig.more(2, 7, fault_rate=0.0)
            await until(lambda: stored(tmp_path) >= before + 2)
            assert 0 < part(computer) < len(CONTENT), "rounds reach the floor while the bundle is fetched"
            assert seen.row()["stage"] == "fetching"
            assert seen.row()["running"] == RUNNING
            await until(lambda: is_handed_over(computer))
            assert (computer.handover / "table.raucb").read_bytes() == CONTENT
            assert "update" not in table.update.prompt(), "the floor alone asks for nothing"
            floor_offer.main()  # As systemd starts it, by the file.
            await until(lambda: seen.row()["stage"] == "offered")
            rig.rig.wait(3)
            assert f"update {NEWER} (floor): turn the floorperson's key" in table.update.prompt()
            assert not (updates.FOLDER / "confirmed.json").exists()
            rig.rig.press("floor-key")
            assert computer.document("confirmed")["digest"] == digest
            await until(lambda: seen.row()["stage"] == "confirmed")
            assert updates.main(["install-update"]) == 0
            await until(lambda: seen.row()["stage"] == "installing")
            computer.starts("B", NEWER)
            await until(lambda: seen.row()["stage"] == "installed")
            assert (seen.row()["running"], seen.row()["slot"]) == (NEWER, "B")

    run(play())
    watch.close()
    assert of_update(rig) == ["update-offered", "update-confirmed"]
    assert (computer.folder / "installed").exists()


def test_a_broker_that_dies_and_a_publisher_that_restarts_go_on_where_they_stopped(
    rig: Played, computer: Computer, mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_fetching, "PACE_S", 0.05)
    monkeypatch.setattr(update_fetching, "ANSWER_S", 1.0)
    offer(tmp_path)

    async def play() -> None:
        async with floor(mosquitto.broker(FLOOR), tmp_path):
            async with published(rig, mosquitto.broker(TABLE), tmp_path):
                await until(lambda: part(computer) > 0)
                mosquitto.kill()
                fetched = part(computer)
                mosquitto.start()
                await until(lambda: part(computer) > fetched)
            fetched = part(computer)
            assert fetched < len(CONTENT)
            async with published(rig, mosquitto.broker(TABLE), tmp_path):
                await until(lambda: part(computer) > fetched or is_handed_over(computer))
                await until(lambda: is_handed_over(computer))

    run(play())
    assert (computer.handover / "table.raucb").read_bytes() == CONTENT


def test_what_the_card_refuses_and_what_the_floor_takes_back_is_said_on_both_sides(
    rig: Played, computer: Computer, mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_fetching, "PACE_S", 0.0)
    computer.manifest(OLDER)
    offer(tmp_path)

    async def play() -> None:
        async with (
            floor(mosquitto.broker(FLOOR), tmp_path) as seen,
            published(rig, mosquitto.broker(TABLE), tmp_path),
        ):
            await until(lambda: is_handed_over(computer))
            floor_offer.main()
            await until(lambda: seen.row()["stage"] == "refused")
            assert "older than" in str(seen.row()["why"])
            assert "older than" in computer.document("offer")["problem"]
            (tmp_path / "updates/table.raucb").unlink()
            await until(lambda: (computer.handover / "withdrawn").exists())
            floor_offer.main()
            assert computer.document("offer") == {}
            await until(lambda: seen.row()["stage"] == "")

    run(play())
