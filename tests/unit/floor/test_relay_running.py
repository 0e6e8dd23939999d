"""The relay as a task of a house's floor, on a connection that the test holds: order, cuts, who does not wait."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from contracts.floor_store_cases import active_alerts, opened, rows
from contracts.loop import PATIENCE_S
from floor_messages import alert_of, arrived, online, record, state_after

from config.floor import FloorConfig, GroupSection
from controller.floor.relay import relay as relaying
from controller.floor.relay.relay import Relay
from controller.floor.store.schema import relayed
from controller.floor.store.store import Store
from controller.messages.link import LinkError
from controller.messages.models import HouseMessage, MessagePart, ResendRequest, write
from hal.clock import LoopClock

BROKER = {"host": "broker", "ca": "ca", "certificate": "c", "key": "k"}


class GroupBroker:
    """The group's broker: what it took, and when its connections break."""

    def __init__(self) -> None:
        self.took: list[tuple[str, MessagePart]] = []
        self.wills: list[bytes] = []
        self.subscribed: list[str] = []
        self.breaks_after: int | None = None
        self.answers = True
        self.incoming: asyncio.Queue[SimpleNamespace | None] = asyncio.Queue()

    @asynccontextmanager
    async def connected(self, broker: Any, name: str, will: Any) -> AsyncIterator["GroupBroker"]:
        if not self.answers:
            raise LinkError("connection refused")
        self.wills.append(will.payload)
        yield self

    async def subscribe(self, topic: str) -> None:
        self.subscribed.append(topic)

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        if self.breaks_after is not None and len(self.took) >= self.breaks_after:
            self.breaks_after = None
            raise LinkError("the connection was lost")
        self.took.append((topic, message))

    async def messages(self) -> AsyncIterator[SimpleNamespace]:
        while (message := await self.incoming.get()) is not None:
            yield message
        raise LinkError("the connection was lost")

    def topics(self, kind: str) -> list[str]:
        return [topic for topic, _ in self.took if topic.endswith(f"/{kind}")]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = opened(f"sqlite:///{tmp_path}/house.db")
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, short in {"POLL_S": 0.01, "FIRST_WAIT_S": 0.01, "LONGEST_WAIT_S": 0.02}.items():
        monkeypatch.setattr(relaying, name, short)


def run(
    store: Store, monkeypatch: pytest.MonkeyPatch, act: Callable[[GroupBroker, Relay], Awaitable[None]]
) -> GroupBroker:
    """Run a relay while a test acts."""

    async def both() -> GroupBroker:
        broker = GroupBroker()
        monkeypatch.setattr(relaying, "connected", broker.connected)
        group = GroupSection(**BROKER, house="north", messages_per_s=10_000)
        config = FloorConfig(floor="main", broker=BROKER, group=group)
        relay = Relay(config, group, store, LoopClock(), lambda: None)
        task = asyncio.create_task(relay.run())
        try:
            await act(broker, relay)
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            relay.close()
        return broker

    return asyncio.run(both())


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.005)


def kept(store: Store) -> dict[str, int]:
    return {row["table"]: row["seq"] for row in rows(store, relayed)}


def test_it_says_who_it_is_then_alerts_then_what_tables_are_then_rounds(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = record([1] * 3)
    store.take([arrived(one) for one in (*messages, online(), state_after(messages[-1]), alert_of(messages[-1]))])
    open_alert = alert_of(record([1] * 5)[4])
    store.take([arrived(open_alert)])

    async def act(broker: GroupBroker, relay: Relay) -> None:
        await until(lambda: kept(store).get("big-six-1") == 3)
        assert relay.connected

    broker = run(store, monkeypatch, act)
    assert broker.subscribed == ["floor/north/+/wanted"]
    assert [topic for topic, _ in broker.took[:5]] == [
        "houses/north/house",
        "houses/north/tables/big-six-1/alert",
        "houses/north/tables/big-six-1/online",
        "houses/north/tables/big-six-1/state",
        "houses/north/tables/big-six-1/round",
    ]
    said = broker.took[0][1]
    assert isinstance(said, HouseMessage)
    assert (said.waiting, said.tables, said.oldest) == (3, 1, messages[0].closed)
    gone = HouseMessage.model_validate_json(broker.wills[0])
    assert (gone.online, gone.store) == (False, said.store)
    last = broker.took[-1][1]
    assert isinstance(last, HouseMessage)
    assert not last.online, "it says that it goes"
    assert kept(store) == {"": rows(store, relayed)[0]["seq"], "big-six-1": 3}


@pytest.mark.parametrize("after", [1, 4, 7])
def test_a_line_that_breaks_anywhere_repeats_one_round_at_the_most(
    store: Store, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    store.take([arrived(one) for one in record([1] * 5)])

    async def act(broker: GroupBroker, relay: Relay) -> None:
        broker.breaks_after = after
        await until(lambda: kept(store).get("big-six-1") == 5)

    broker = run(store, monkeypatch, act)
    assert len(broker.topics("round")) == 5


def test_what_the_group_requests_is_relayed_again_and_what_it_does_not_mean_is_ignored(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = record([1] * 4)
    store.take([arrived(one) for one in messages])
    request = write(ResendRequest(record=messages[0].record, after=2))

    def resend_request(topic: str, payload: bytes) -> SimpleNamespace:
        return SimpleNamespace(topic=SimpleNamespace(value=topic), payload=payload)

    async def act(broker: GroupBroker, relay: Relay) -> None:
        await until(lambda: kept(store).get("big-six-1") == 4)
        for topic in ("floor/south/big-six-1/wanted", "floor/north/no-table/wanted", "floor/north/../wanted"):
            broker.incoming.put_nowait(resend_request(topic, request))
        broker.incoming.put_nowait(resend_request("floor/north/big-six-1/wanted", b"[" * 100_000))
        broker.incoming.put_nowait(resend_request("floor/north/big-six-1/wanted", request))
        await until(lambda: len(broker.topics("round")) == 6)

    broker = run(store, monkeypatch, act)
    assert [message.seq for topic, message in broker.took if topic.endswith("/round")] == [1, 2, 3, 4, 3, 4]  # type: ignore[attr-defined]


def test_a_round_without_its_entries_is_named_and_does_not_hold_up_the_next(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = record([1] * 3)
    store.take([arrived(one) for one in messages])
    with store.engine.begin() as db:
        db.exec_driver_sql("UPDATE rounds SET entries = NULL WHERE seq = 2")

    async def act(broker: GroupBroker, relay: Relay) -> None:
        await until(lambda: kept(store).get("big-six-1") == 3)

    assert len(run(store, monkeypatch, act).topics("round")) == 1, "the one after it has no opening"
    (alert,) = active_alerts(store, "group")
    assert alert["text"].startswith("the group lacks rounds of the table, the last of them up to entry 3")
