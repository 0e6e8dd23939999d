"""Two houses and their group on real brokers: what their tables recorded is at the group, once, whatever fails."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_store_cases import Lopsided, active_alerts, opened, rows
from floor_messages import arrived, record, state_after
from relayed_houses import rounds_of
from seen_pages import PagesMade
from servers import FLOOR, GROUP_ACCESS, Certificates, Mosquitto, running

from config.floor import FloorConfig, FloorRecordSection, GroupSection, HousesSection, StoreSection
from config.schema import BrokerSection, ScreensSection
from controller.floor.ingest import resend_requests, subscriber, writer
from controller.floor.process import Floor
from controller.floor.relay import relay as relaying
from controller.floor.relay import table_states
from controller.floor.store import schema
from controller.messages.link import RefusedError, connected
from controller.messages.models import MessagePart
from controller.messages.topics import Topic, of_table
from controller.runtime.systemd import ServiceManager
from hal.clock import LoopClock

TABLE = "big-six-1"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short timeouts."""
    for module in (subscriber, writer, relaying):
        monkeypatch.setattr(module, "FIRST_WAIT_S", 0.1)
        monkeypatch.setattr(module, "LONGEST_WAIT_S", 0.3)
    monkeypatch.setattr(relaying, "POLL_S", 0.02)
    monkeypatch.setattr(table_states, "STATE_NS", 50_000_000)
    monkeypatch.setattr(subscriber, "_REQUEST_PERIOD_S", 0.05)
    monkeypatch.setattr(resend_requests, "PATIENCE_NS", 300_000_000)
    monkeypatch.setattr(resend_requests, "FIRST_WAIT_NS", 500_000_000)


@pytest.fixture
def group_broker(tmp_path: Path, certificates: Certificates) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path / "group", certificates, access=GROUP_ACCESS)
    with running(broker):
        yield broker


def run(doing: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine, for two minutes at the most."""
    asyncio.run(asyncio.wait_for(doing, 120))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.02)


@asynccontextmanager
async def floor(name: str, broker: BrokerSection, folder: Path, **sections: Any) -> AsyncIterator[None]:
    """A floor runs while the context is open; what tables publish from then on arrives."""
    pages = PagesMade()
    config = FloorConfig(
        floor=name,
        broker=broker,
        store=StoreSection(url=url_of(folder, name)),
        record=FloorRecordSection(file=str(folder / f"{name}.record")),
        screens=ScreensSection(),
        **sections,
    )
    process = Floor(config, LoopClock(), ServiceManager(), pages, 0, Lopsided)
    task = asyncio.create_task(process.run())
    try:
        await until(lambda: task.done() or pages.connected)
        yield
    finally:
        process.stop()
        await task


def url_of(folder: Path, name: str) -> str:
    return f"sqlite:///{folder}/{name}.db"


def group_of(broker: Mosquitto, house: str) -> GroupSection:
    return GroupSection(**broker.broker(house).model_dump(), messages_per_s=1000)


async def publish(broker: Mosquitto, messages: list[Any]) -> None:
    """A table of a house publishes these at the house's own broker."""
    async with connected(broker.broker(TABLE), TABLE) as link:
        for message in messages:
            await link.publish(arrived(message).topic, message)


def test_two_houses_are_complete_at_the_group_after_a_day_without_its_broker(
    tmp_path: Path, mosquitto: Mosquitto, certificates: Certificates, group_broker: Mosquitto
) -> None:
    """The second house has a broker of its own; both have a table of the same name."""
    other = Mosquitto(tmp_path / "other", certificates)
    of = {"north": (mosquitto, record([1, 2] * 10, salt="n")), "south": (other, record([2, 1] * 10, salt="s"))}

    async def act() -> None:
        async with AsyncExitStack() as stack:
            for house, (broker, _) in of.items():
                group = group_of(group_broker, house)
                await stack.enter_async_context(floor(house, broker.broker(FLOOR), tmp_path, group=group))
            async with floor("group", group_broker.broker(FLOOR), tmp_path, houses=HousesSection()):
                for broker, messages in of.values():
                    await publish(broker, [*messages[:4], state_after(messages[3])])
                await until(lambda: len(stored(tmp_path, "group")) == 8)
                group_broker.kill()
                for broker, messages in of.values():
                    await publish(broker, [*messages[4:12], state_after(messages[11])])
                await until(lambda: all(len(stored(tmp_path, house)) == 12 for house in of))
            group_broker.start()  # The group's floor is away, too: the broker has nobody to give it to.
            for broker, messages in of.values():
                await publish(broker, [*messages[12:], state_after(messages[-1])])
            async with floor("group", group_broker.broker(FLOOR), tmp_path, houses=HousesSection()):
                await until(lambda: len(stored(tmp_path, "group")) == 40)

    with running(other):
        run(act())
    group = opened(url_of(tmp_path, "group"))
    for house in of:
        store = opened(url_of(tmp_path, house))
        assert rounds_of(group, house) == rounds_of(store)
        store.close()
    assert not rows(group, schema.disputed)
    assert not rows(group, schema.refused)
    assert not active_alerts(group, "fork")
    group.close()


def stored(folder: Path, name: str) -> list[Any]:
    """Rounds in a store, read beside its floor: a store that is opened as a floor's own keeps the floor waiting."""
    with closing(sqlite3.connect(f"file:{folder}/{name}.db?mode=ro", uri=True)) as db:
        try:
            return db.execute("SELECT * FROM rounds").fetchall()
        except sqlite3.OperationalError:  # The floor has not made it yet.
            return []


def test_a_house_writes_below_its_own_name_alone_and_reads_its_own_requests(group_broker: Mosquitto) -> None:
    """The certificate is that of house north."""
    answers: list[bool] = []
    heard: list[str] = []

    async def act() -> None:
        async with connected(group_broker.broker("north"), "north") as link:
            for house in ("south", "north"):
                message: MessagePart = record([1], f"{house}/{TABLE}")[0]
                await link.subscribe(f"floor/{house}/+/wanted")
                try:
                    await link.publish(of_table(f"{house}/{TABLE}", Topic.ROUND), message)
                    answers.append(True)
                except RefusedError:
                    answers.append(False)
                async with connected(group_broker.broker(FLOOR), "floor") as asks:
                    await asks.publish(f"floor/{house}/{TABLE}/wanted", message)
            async for one in link.messages():
                heard.append(one.topic.value)
                if one.topic.value.startswith("floor/north/"):
                    return

    run(act())
    assert (answers, heard) == ([False, True], [f"floor/north/{TABLE}/wanted"])
