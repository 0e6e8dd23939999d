"""A table's publisher and a real broker: every round and alert arrives, whatever is killed, hangs or refuses."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from played import Played
from project import ROOT
from servers import FLOOR, Certificates, Mosquitto

from config.schema import BrokerSection
from controller.configuration.shipped import shipped_tables
from controller.messages import models
from controller.messages.link import Link, LinkError, connected
from controller.messages.reading import read
from controller.messages.topics import OF_ALL_TABLES, Topic, parse, wanted_of
from controller.publishing import publisher as publishing
from controller.publishing.cursor import Cursor
from controller.publishing.formatter import Due, JournalPlace
from controller.publishing.publisher import Publisher
from controller.publishing.source import JournalSource
from hal.clock import LoopClock
from hal.mock.clock import VirtualClock

GAME = "sic-bo"
TABLE = "sic-bo"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short timeouts."""
    monkeypatch.setattr(publishing, "FIRST_WAIT_S", 0.1)
    monkeypatch.setattr(publishing, "LONGEST_WAIT_S", 0.3)
    monkeypatch.setattr(publishing, "STATE_S", 0.05)
    monkeypatch.setattr(publishing, "POLL_S", 0.02)


@pytest.fixture
def rig(tmp_path: Path) -> Played:
    rig = Played(GAME, tmp_path / "table.journal", rounds=6, fault_rate=0.3)
    assert rig.config.table == TABLE
    return rig


def run(doing: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine, for a minute at the most."""
    asyncio.run(asyncio.wait_for(doing, 60))


class Listener:
    """Collects all messages that reach the floor."""

    def __init__(self) -> None:
        self.received: list[tuple[str, Topic, dict[str, Any]]] = []
        self._news = asyncio.Event()

    async def receive(self, link: Link) -> None:
        async for message in link.messages():
            table, topic = parse(message.topic.value)
            document = json.loads(message.payload)
            read(topic, message.payload)
            self.received.append((table, topic, document))
            self._news.set()

    def of(self, topic: Topic) -> list[dict[str, Any]]:
        return [document for _, found, document in self.received if found is topic]

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._news.clear()
            await self._news.wait()

    def places(self, topic: Topic) -> Counter[tuple[int, int]]:
        return Counter((message["seq"], message.get("part", -1)) for message in self.of(topic))


@asynccontextmanager
async def listening(mosquitto: Mosquitto, listener: Listener) -> AsyncIterator[Link]:
    """The listener runs while the context is open; a broker that ends stops it."""
    async with connected(mosquitto.broker(FLOOR), "listener") as link:
        await link.subscribe(OF_ALL_TABLES)
        task = asyncio.create_task(listener.receive(link))
        try:
            yield link
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, LinkError):
                await task


@asynccontextmanager
async def published(rig: Played, broker: BrokerSection, folder: Path) -> AsyncIterator[Publisher]:
    """The table is published while the context is open."""
    cursor = Cursor(folder / "table.published")
    publisher = Publisher(rig.config, broker, folder / "table.journal", cursor, LoopClock())
    task = asyncio.create_task(publisher.run())
    try:
        yield publisher
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        publisher.close()
        cursor.close()


def due_of(rig: Played, folder: Path) -> list[Due]:
    """What there is to publish of the table by now."""
    source = JournalSource(rig.config, folder / "table.journal", VirtualClock())
    with closing(source):
        found: list[Due] = []
        while due := source.due(JournalPlace(0, 0)):
            found += due
        return found


def places(due: list[Due], topic: Topic) -> set[tuple[int, int]]:
    return {(d.message.seq, getattr(d.message, "part", -1)) for d in due if d.topic is topic}


def test_rounds_alerts_state_and_health_reach_the_floor_while_the_table_plays(
    rig: Played, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async def play() -> None:
        listener = Listener()
        async with listening(mosquitto, listener), published(rig, mosquitto.broker(TABLE), tmp_path):
            for seed in range(3):
                due = due_of(rig, tmp_path)
                await listener.until(lambda due=due: set(listener.places(Topic.ROUND)) == places(due, Topic.ROUND))
                assert set(listener.places(Topic.ALERT)) == places(due, Topic.ALERT)
                rig.more(2, seed, fault_rate=0.5)
            due = due_of(rig, tmp_path)
            await listener.until(lambda: set(listener.places(Topic.ROUND)) == places(due, Topic.ROUND))
            last = max(seq for seq, _ in places(due, Topic.ROUND))
            await listener.until(lambda: listener.of(Topic.STATE)[-1]["handed_over"] == last)
            assert listener.of(Topic.STATE)[-1]["seq"] == len(rig.journal)
            assert listener.of(Topic.HEALTH)
            assert listener.of(Topic.ONLINE)[-1] == {
                "version": 1,
                "table": TABLE,
                "online": True,
                "running": True,
                "software": listener.of(Topic.ONLINE)[-1]["software"],
            }
        assert set(listener.places(Topic.ROUND).values()) == {1}
        assert set(listener.places(Topic.ALERT).values()) <= {1}
        assert {table for table, _, _ in listener.received} == {TABLE}

    run(play())
    rig.finish()


def test_state_and_presence_are_retained_and_rounds_are_not(
    rig: Played, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async def play() -> None:
        first, late = Listener(), Listener()
        async with published(rig, mosquitto.broker(TABLE), tmp_path):
            async with listening(mosquitto, first):
                await first.until(lambda: bool(first.of(Topic.STATE)) and bool(first.of(Topic.HEALTH)))
                last = max(seq for seq, _ in places(due_of(rig, tmp_path), Topic.ROUND))
                await first.until(lambda: first.of(Topic.STATE)[-1]["handed_over"] == last)
            async with listening(mosquitto, late):
                await late.until(
                    lambda: {t for _, t, _ in late.received} >= {Topic.ONLINE, Topic.STATE, Topic.HEALTH}
                )
                assert not late.of(Topic.ROUND)
        async with listening(mosquitto, late):
            await late.until(lambda: not late.of(Topic.ONLINE)[-1]["online"])

    run(play())
    rig.finish()


def test_an_outage_of_the_broker_loses_nothing(rig: Played, mosquitto: Mosquitto, tmp_path: Path) -> None:
    """What the broker took and lost is requested again (``wanted``); what it did not take is sent again."""

    async def play() -> None:
        before, after = Listener(), Listener()
        async with published(rig, mosquitto.broker(TABLE), tmp_path):
            async with listening(mosquitto, before):
                await before.until(lambda: len(before.of(Topic.ROUND)) >= 2)
            mosquitto.kill()
            rig.more(4, 2, fault_rate=0.3)
            mosquitto.start()
            due = due_of(rig, tmp_path)
            async with listening(mosquitto, after) as link:
                await after.until(lambda: bool(after.of(Topic.STATE)))
                await link.publish(wanted_of(TABLE), models.ResendRequest(record=rig_record(rig), after=0))
                await after.until(lambda: set(after.places(Topic.ROUND)) == places(due, Topic.ROUND))
                assert set(after.places(Topic.ALERT)) == places(due, Topic.ALERT)

    run(play())
    rig.finish()


def rig_record(rig: Played) -> str:
    first = rig.journal.entry(1)
    assert first is not None
    return first.hash


# -- killed --------------------------------------------------------------------------------------------------------


def file_of(rig: Played, broker: BrokerSection, folder: Path) -> Path:
    """The table's file, with its broker."""
    document = yaml.safe_load(shipped_tables()[GAME].read_text(encoding="utf-8"))
    document["broker"] = broker.model_dump(mode="json")
    document["journal"] = {"file": str(folder / "table.journal")}
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


def start(file: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "controller", "publish", str(file)],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_a_killed_publisher_repeats_at_most_one_message_and_the_floor_sees_it_offline(
    rig: Played, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    file = file_of(rig, mosquitto.broker(TABLE), tmp_path)

    async def play() -> None:
        listener = Listener()
        kills = 4
        async with listening(mosquitto, listener):
            for kill in range(kills):
                process = start(file)
                received = len(listener.received) + 3
                await listener.until(lambda received=received: len(listener.received) >= received)
                process.send_signal(signal.SIGKILL)
                await asyncio.to_thread(process.communicate)
                await listener.until(lambda: not listener.of(Topic.ONLINE)[-1]["online"])
                rig.more(2, kill, fault_rate=0.2)
            process = start(file)
            due = due_of(rig, tmp_path)
            await listener.until(lambda: set(listener.places(Topic.ROUND)) == places(due, Topic.ROUND))
            assert set(listener.places(Topic.ALERT)) == places(due, Topic.ALERT)
            process.send_signal(signal.SIGTERM)
            _, said = await asyncio.to_thread(process.communicate)
            assert process.returncode == 0
            assert b"Traceback" not in said
            await listener.until(lambda: not listener.of(Topic.ONLINE)[-1]["online"])
        all_published = listener.places(Topic.ROUND) + listener.places(Topic.ALERT)
        assert sum(all_published.values()) - len(all_published) <= kills

    run(play())
    rig.finish()


# -- refused -------------------------------------------------------------------------------------------------------


def refused(certificates: Certificates, mosquitto: Mosquitto, how: str) -> BrokerSection:
    """A table's broker section with which it is refused."""
    own = mosquitto.broker(TABLE)
    if how == "a broker of another authority":
        return own.model_copy(update={"ca": str(certificates.foreign(TABLE)[0])})
    certificate, key = (
        certificates.foreign(TABLE) if how.startswith("a stranger") else certificates.of("roulette-9")
    )
    return own.model_copy(update={"certificate": str(certificate), "key": str(key)})


# paho leaves a socket whose handshake failed to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "how", ["a stranger's certificate", "another table's certificate", "a broker of another authority"]
)
def test_a_refused_table_publishes_nothing_and_its_status_says_why(
    rig: Played,
    mosquitto: Mosquitto,
    certificates: Certificates,
    tmp_path: Path,
    how: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("controller.messages.link.PATIENCE_S", 1.0)

    async def play() -> list[str]:
        listener = Listener()
        async with listening(mosquitto, listener):
            async with published(rig, refused(certificates, mosquitto, how), tmp_path) as publisher:
                while not publisher._cursor.failures():
                    await asyncio.sleep(0.05)
                rig.more(1, 1, fault_rate=0.0)  # The table plays on.
                found = [trouble.what for trouble in publisher._cursor.failures()]
            async with published(rig, mosquitto.broker(TABLE), tmp_path):  # Repaired: nothing is lost.
                due = due_of(rig, tmp_path)
                await listener.until(lambda: set(listener.places(Topic.ROUND)) == places(due, Topic.ROUND))
        assert {table for table, _, _ in listener.received} == {TABLE}
        return found

    assert asyncio.run(asyncio.wait_for(play(), 60))
    rig.finish()
