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
from floor_messages import LATER_NS, arrived, online, record, state_after
from pydantic import ValidationError

from config.floor import AlertsSection, FloorConfig
from config.schema import BrokerSection
from controller.floor.ingest import alerts_connection, subscriber
from controller.floor.ingest import writer as store_writer
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.subscriber import Subscriber
from controller.floor.ingest.validation import Arrived
from controller.floor.ingest.writer import StoreWriter
from controller.floor.store import schema
from controller.floor.store.store import Store, StoreAwayError, StoredBatch
from controller.messages.link import LinkError, RefusedError
from controller.messages.models import MessagePart, ResendRequest, RoundClosed
from controller.messages.topics import URGENT
from hal.clock import LoopClock


class Wire:
    """A connection that delivers what the test puts into it; None ends it."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[Arrived | None] = asyncio.Queue()
        self.subscribed: list[str] = []
        self.published: list[tuple[str, MessagePart]] = []
        self.refuses = False

    async def subscribe(self, *filters: str) -> None:
        self.subscribed += filters

    async def unsubscribe(self, *filters: str) -> None:
        self.subscribed = [one for one in self.subscribed if one not in filters]

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
    """A subscriber, and each of its connections as it is made.

    Args:
        alerts: whether it has a connection for alerts.
    """

    def __init__(self, folder: Path, alerts: bool = False) -> None:
        self.wires: list[Wire] = []
        self.made: asyncio.Queue[Wire] = asyncio.Queue()
        self.made_for_alerts: asyncio.Queue[Wire] = asyncio.Queue()
        self.refusal = self.refusal_of_alerts = ""
        self.store = opened(f"sqlite:///{folder}/floor.db")
        requests, clock = ResendRequests(), LoopClock()
        self.writer = StoreWriter(self.store, requests, clock, lambda: None)
        broker = BrokerSection(host="broker", ca="ca", certificate="c", key="k")
        own = {"connection": {"certificate": "ac", "key": "ak"}} if alerts else {}
        config = FloorConfig(floor="main", broker=broker, alerts=AlertsSection.model_validate(own))
        self.subscriber = Subscriber(config, self.writer, requests, clock, lambda: None)

    @asynccontextmanager
    async def connected(self, broker: BrokerSection, name: str, reads_ahead: int) -> AsyncIterator[Wire]:
        for_alerts = broker.certificate == "ac"
        refusal = self.refusal_of_alerts if for_alerts else self.refusal
        if refusal:
            raise LinkError(refusal)
        assert (reads_ahead > 0) is for_alerts
        assert name == ("floor-main-alerts" if for_alerts else "floor-main")
        wire = Wire()
        (self.made_for_alerts if for_alerts else self.made).put_nowait(wire)
        yield wire


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Runs a test with a subscriber and a store that run until it is over."""
    monkeypatch.setattr(subscriber, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(subscriber, "LONGEST_WAIT_S", 0.02)
    monkeypatch.setattr(store_writer, "FIRST_WAIT_S", 0.01)

    async def running(doing: Callable[[Hand], Awaitable[None]], alerts: bool) -> None:
        hand = Hand(tmp_path, alerts)
        monkeypatch.setattr(subscriber, "connected", hand.connected)
        tasks = [asyncio.create_task(hand.subscriber.run()), asyncio.create_task(hand.writer.run())]
        async with asyncio.timeout(PATIENCE_S):
            await doing(hand)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await hand.writer.finish()
        hand.store.close()

    return lambda doing, alerts=False: asyncio.run(running(doing, alerts))


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


def test_a_batch_that_was_kept_though_the_database_died_makes_no_cut_record(
    play: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies after the commit, before it says so: the batch comes again, and its state is older than its round."""
    messages, available, dies = record([2, 3]), Store.take, [True]

    def take(self: Store, *given: Any) -> StoredBatch:
        taken = available(self, *given)
        if dies[0] and taken.rounds:
            dies[0] = False
            raise StoreAwayError("the store cannot be written: the server closed the connection unexpectedly")
        return taken

    monkeypatch.setattr(Store, "take", take)

    async def doing(hand: Hand) -> None:
        wire = await hand.made.get()
        wire.incoming.put_nowait(arrived(messages[0]))
        wire.incoming.put_nowait(arrived(state_after(messages[0], length=2)))
        wire.incoming.put_nowait(arrived(messages[1]))
        await until(lambda: len(rows(hand.store, schema.rounds)) == 2 and not dies[0])
        await until(lambda: not hand.writer._turns)
        assert rows(hand.store, schema.alerts, schema.alerts.c.kind == "fork") == []

    play(doing)


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


# -- a connection for alerts ---------------------------------------------------------------------------------------


def alerts_of(message: RoundClosed) -> Arrived:
    return arrived(message.alerts[0])


def test_an_alert_comes_over_its_own_connection_while_rounds_wait_on_the_other(play: Callable[..., None]) -> None:
    (message,) = record([1], alerts=["a lamp is dark"])

    async def doing(hand: Hand) -> None:
        rounds, alerts = await hand.made.get(), await hand.made_for_alerts.get()
        await until(lambda: hand.subscriber.connected)
        assert set(alerts.subscribed) == {f"tables/+/{one}" for one in ("alert", "online", "health")}
        assert rounds.subscribed == ["tables/+/+"]
        alerts.incoming.put_nowait(alerts_of(message))
        await until(lambda: bool(rows(hand.store, schema.alerts)))
        assert rows(hand.store, schema.alerts)[0]["ended"] is None
        rounds.incoming.put_nowait(alerts_of(message))  # The broker gives it to both.
        rounds.incoming.put_nowait(arrived(message))
        await until(lambda: len(rows(hand.store, schema.rounds)) == 1)
        (stored,) = rows(hand.store, schema.alerts)
        assert (stored["text"], stored["ended"]) == ("a lamp is dark", message.closed)
        assert hand.subscriber.messages == 2, "an alert is taken once"

    play(doing, alerts=True)


def test_what_is_old_on_the_slow_connection_does_not_replace_what_is_new_on_the_fast_one(
    play: Callable[..., None],
) -> None:
    (message,) = record([1])

    async def doing(hand: Hand) -> None:
        rounds, alerts = await hand.made.get(), await hand.made_for_alerts.get()
        for state in (False, True):
            alerts.incoming.put_nowait(arrived(online(is_online=state)))
        await until(lambda: any(row["online"] for row in rows(hand.store, schema.tables)))
        rounds.incoming.put_nowait(arrived(online(is_online=False)))
        rounds.incoming.put_nowait(arrived(message))
        await until(lambda: len(rows(hand.store, schema.rounds)) == 1)
        assert rows(hand.store, schema.tables)[0]["online"]

    play(doing, alerts=True)


def test_alerts_are_taken_from_the_other_connection_if_the_broker_gives_their_own_nothing(
    play: Callable[..., None], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(alerts_connection, "DELIVERS_NS", -1)
    (message,) = record([1], alerts=["a lamp is dark"])

    async def doing(hand: Hand) -> None:
        rounds, alerts = await hand.made.get(), await hand.made_for_alerts.get()
        await until(lambda: len(alerts.subscribed) == len(URGENT))
        rounds.incoming.put_nowait(alerts_of(message))
        await until(lambda: bool(rows(hand.store, schema.alerts)))

    play(doing, alerts=True)
    assert "its access list must let that certificate read tables/#" in caplog.text


def test_the_certificate_of_the_other_connection_is_refused_in_the_file() -> None:
    broker = BrokerSection(host="broker", ca="ca", certificate="c", key="k")
    same = AlertsSection.model_validate({"connection": {"certificate": "c", "key": "k"}})
    with pytest.raises(ValidationError, match="make one called floor-alerts"):
        FloorConfig(floor="main", broker=broker, alerts=same)
