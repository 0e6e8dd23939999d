"""The floor and a publisher on a real broker: what the table recorded is in the store, once, whatever happens."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_store_cases import Lopsided, active_alerts, opened, rows
from played import Played
from seen_pages import PagesMade, SeenPages
from servers import FLOOR, Mosquitto

from config.floor import FairnessSection, FloorConfig, FloorRecordSection, StoreSection
from config.schema import BrokerSection, ScreensSection
from controller.floor.ingest import resend_requests, subscriber, writer
from controller.floor.process import Floor
from controller.floor.store import schema
from controller.publishing import publisher as publishing
from controller.publishing.cursor import Cursor
from controller.publishing.publisher import Publisher
from controller.runtime.systemd import ServiceManager
from hal.clock import LoopClock

TABLE = "sic-bo"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short timeouts."""
    for module in (publishing, subscriber, writer):
        monkeypatch.setattr(module, "FIRST_WAIT_S", 0.1)
        monkeypatch.setattr(module, "LONGEST_WAIT_S", 0.3)
    monkeypatch.setattr(publishing, "STATE_S", 0.05)
    monkeypatch.setattr(publishing, "POLL_S", 0.02)
    monkeypatch.setattr(subscriber, "_REQUEST_PERIOD_S", 0.05)
    monkeypatch.setattr(resend_requests, "PATIENCE_NS", 300_000_000)
    monkeypatch.setattr(resend_requests, "FIRST_WAIT_NS", 500_000_000)


@pytest.fixture
def rig(tmp_path: Path) -> Played:
    return Played(TABLE, tmp_path / "table.journal", rounds=6, fault_rate=0.3)


def run(doing: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine, for a minute at the most."""
    asyncio.run(asyncio.wait_for(doing, 60))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.02)


def url_in(folder: Path) -> str:
    return f"sqlite:///{folder}/floor.db"


@asynccontextmanager
async def floor(broker: BrokerSection, folder: Path) -> AsyncIterator[SeenPages]:
    """The floor runs while the context is open."""
    pages = PagesMade()
    store = StoreSection.model_construct(url=url_in(folder))
    sections = {"record": FloorRecordSection(file=str(folder / "floor.record")), "fairness": FairnessSection()}
    config = FloorConfig.model_construct(
        floor="test", broker=broker, store=store, screens=ScreensSection(), **sections
    )
    process = Floor(config, LoopClock(), ServiceManager(), pages, 0, Lopsided)
    task = asyncio.create_task(process.run())
    try:
        await until(lambda: bool(pages.all) or task.done())
        yield pages.all[0]
    finally:
        process.stop()
        await task


@asynccontextmanager
async def published(rig: Played, broker: BrokerSection, folder: Path) -> AsyncIterator[None]:
    """The table is published while the context is open."""
    with closing(Cursor(folder / "table.published")) as cursor:
        publisher = Publisher(rig.config, broker, folder / "table.journal", cursor, LoopClock())
        task = asyncio.create_task(publisher.run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            publisher.close()


def last_opening(rig: Played) -> int:
    """The entry up to which there is a round to publish."""
    entry = rig.journal.last_checkpoint()
    assert entry is not None
    return entry.seq


def is_complete(rig: Played, folder: Path) -> bool:
    store = opened(url_in(folder))
    try:
        return any(row["seq"] == last_opening(rig) for row in rows(store, schema.records))
    finally:
        store.close()


def check(rig: Played, folder: Path) -> None:
    """See that the store has every round of the journal once, checked, and that no gap or fork alert is active."""
    with closing(opened(url_in(folder))) as store:
        stored = sorted(rows(store, schema.rounds), key=lambda row: int(row["seq"]))
        ends = [(row["seq"], row["hash"]) for row in stored]
        assert [entry and (entry.seq, entry.hash) for entry in (rig.journal.entry(seq) for seq, _ in ends)] == ends
        assert [row["first"] for row in stored] == [1, *(seq + 1 for seq, _ in ends[:-1])]
        assert ends[-1][0] == last_opening(rig)
        assert all(row["checked"] for row in stored)
        assert not active_alerts(store, "gap")
        assert not rows(store, schema.disputed)
        assert not rows(store, schema.refused)


def test_rounds_published_while_the_floor_was_down_are_requested(
    rig: Played, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """The broker accepts it without a subscriber and drops it: for the table it was published."""

    async def play() -> None:
        async with published(rig, mosquitto.broker(TABLE), tmp_path):
            async with floor(mosquitto.broker(FLOOR), tmp_path):
                await until(lambda: is_complete(rig, tmp_path))
            rig.more(3, 7, fault_rate=0.3)
            with closing(Cursor(tmp_path / "table.published", read_only=True)) as cursor:
                await until(lambda: (place := cursor.published()) is not None and place.closed == last_opening(rig))
            async with floor(mosquitto.broker(FLOOR), tmp_path):
                await until(lambda: is_complete(rig, tmp_path))

    run(play())
    check(rig, tmp_path)
    rig.finish()


def test_a_broker_that_is_killed_again_and_again_loses_nothing(
    rig: Played, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async def play() -> None:
        async with (
            floor(mosquitto.broker(FLOOR), tmp_path) as seen,
            published(rig, mosquitto.broker(TABLE), tmp_path),
        ):
            for seed in range(3):
                await until(lambda: bool(seen.link()["connected"]))
                mosquitto.kill()
                await until(lambda: not seen.link()["connected"])
                rig.more(2, seed, fault_rate=0.3)
                mosquitto.start()
            await until(lambda: is_complete(rig, tmp_path))

    run(play())
    check(rig, tmp_path)
    rig.finish()
