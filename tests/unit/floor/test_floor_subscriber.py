"""How the floor receives messages and requests resends, on a connection that the test controls."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from contracts.floor_store_cases import opened, rows
from contracts.loop import PATIENCE_S
from floor_messages import LATER_NS, arrived, online, record

from config.floor import FloorConfig
from config.schema import BrokerSection
from controller.floor.ingest import subscriber
from controller.floor.ingest import writer as store_writer
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.subscriber import Subscriber
from controller.floor.ingest.validation import Arrived
from controller.floor.ingest.writer import StoreWriter
from controller.floor.store import schema
from controller.floor.store.store import Store, StoreAwayError, StoredBatch
from controller.messages.link import LinkError, RefusedError
from controller.messages.models import MessagePart, ResendRequest
from hal.clock import LoopClock


class Wire:
    """A connection that delivers what the test puts into it; None ends it."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[Arrived | None] = asyncio.Queue()
        self.subscribed: list[str] = []
        self.published: list[tuple[str, MessagePart]] = []
        self.refuses = False

    async def subscribe(self, topic: str) -> None:
        self.subscribed.append(topic)

    async def publish(self, topic: str, message: MessagePart) -> None:
        self.published.append((topic, message))
        if self.refuses:
            raise RefusedError(f"the broker refuses {topic}: Not authorized")

    async def messages(self) -> AsyncIterator[SimpleNamespace]:
        while (message := await self.incoming.get()) is not None:
            topic = SimpleNamespace(value=message.topic)
            yield SimpleNamespace(topic=topic, payload=message.payload, retain=message.retained)
        raise LinkError("the connection was lost")


class Hand:
    """A subscriber, and each of its connections as it is made."""

    def __init__(self, folder: Path) -> None:
        self.wires: list[Wire] = []
        self.made: asyncio.Queue[Wire] = asyncio.Queue()
        self.refusal = ""
        self.store = opened(f"sqlite:///{folder}/floor.db")
        requests, clock = ResendRequests(), LoopClock()
        self.writer = StoreWriter(self.store, requests, clock, lambda: None)
        broker = BrokerSection(host="broker", ca="ca", certificate="c", key="k")
        config = FloorConfig(floor="main", broker=broker)
        self.subscriber = Subscriber(config, self.writer, requests, clock, lambda: None)

    @asynccontextmanager
    async def connected(self, broker: BrokerSection, name: str) -> AsyncIterator[Wire]:
        if self.refusal:
            raise LinkError(self.refusal)
        wire = Wire()
        self.made.put_nowait(wire)
        yield wire


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Hand], Awaitable[None]]], None]:
    """Runs a test with a subscriber and a store that run until it is over."""
    monkeypatch.setattr(subscriber, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(subscriber, "LONGEST_WAIT_S", 0.02)
    monkeypatch.setattr(store_writer, "FIRST_WAIT_S", 0.01)

    async def running(doing: Callable[[Hand], Awaitable[None]]) -> None:
        hand = Hand(tmp_path)
        monkeypatch.setattr(subscriber, "connected", hand.connected)
        tasks = [asyncio.create_task(hand.subscriber.run()), asyncio.create_task(hand.writer.run())]
        async with asyncio.timeout(PATIENCE_S):
            await doing(hand)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await hand.writer.finish()
        hand.store.close()

    return lambda doing: asyncio.run(running(doing))


def test_received_rounds_are_stored_and_missing_ones_requested(play: Callable[..., None]) -> None:
    messages = record([1, 1, 1])

    async def doing(hand: Hand) -> None:
        wire = await hand.made.get()
        for n in (0, 2):
            wire.incoming.put_nowait(arrived(messages[n]))
        await until(lambda: bool(wire.published))
        assert wire.subscribed == ["tables/+/+"]
        request = ResendRequest(record=messages[0].record, after=1)
        assert wire.published == [("floor/big-six-1/wanted", request)]
        wire.incoming.put_nowait(arrived(messages[1]))
        await until(lambda: len(rows(hand.store, schema.rounds)) == 3)
        assert hand.subscriber.messages == 3

    play(doing)


def test_a_resend_request_is_repeated_when_the_broker_returns(play: Callable[..., None]) -> None:
    messages = record([1, 1, 1])

    async def doing(hand: Hand) -> None:
        wire = await hand.made.get()
        wire.incoming.put_nowait(arrived(messages[2]))
        await until(lambda: bool(wire.published))
        hand.refusal = "broker:8883: Connection refused"
        wire.incoming.put_nowait(None)
        await until(lambda: hand.subscriber.detail == hand.refusal)
        assert not hand.subscriber.connected
        hand.refusal = ""
        again = await hand.made.get()
        await until(lambda: again.published == wire.published)
        assert hand.subscriber.connected
        assert hand.subscriber.detail == ""

    play(doing)


def test_a_resend_request_that_the_broker_refuses_stops_nothing(
    play: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    messages = record([1, 1, 1])

    async def doing(hand: Hand) -> None:
        wire = await hand.made.get()
        wire.refuses = True
        wire.incoming.put_nowait(arrived(messages[2]))
        await until(lambda: bool(wire.published))
        wire.incoming.put_nowait(arrived(messages[1]))
        await until(lambda: len(rows(hand.store, schema.rounds)) == 2)
        assert hand.subscriber.connected

    play(doing)
    assert "the floor's certificate must be allowed to write there" in caplog.text


def test_the_floor_stops_listening_while_too_much_waits_for_the_store(
    play: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_writer, "MOST_BYTES", 2_000)
    available, away = Store.take, [True]

    def take(self: Store, *given: Any) -> StoredBatch:
        if away[0]:
            raise StoreAwayError("the store cannot be written: disk full")
        return available(self, *given)

    monkeypatch.setattr(Store, "take", take)

    async def doing(hand: Hand) -> None:
        wire = await hand.made.get()
        wire.incoming.put_nowait(arrived(online()))
        await until(lambda: bool(hand.writer.trouble))
        for message in record([1] * 4):
            wire.incoming.put_nowait(arrived(message))
        await until(lambda: not hand.subscriber.connected)
        away[0] = False
        again = await hand.made.get()  # Connected anew once there is room.
        assert wire.incoming.qsize() > 0
        again.incoming.put_nowait(Arrived("nonsense", b"", LATER_NS))
        await until(lambda: bool(rows(hand.store, schema.refused)))

    play(doing)


def test_the_floor_can_be_stopped_while_a_resend_request_is_due(
    play: Callable[..., None],
) -> None:
    async def doing(hand: Hand) -> None:
        await hand.made.get()
        await until(lambda: hand.subscriber.connected)
        await asyncio.sleep(0.02)
        hand.writer.request_due.set()  # And the fixture stops it at once.

    play(doing)
