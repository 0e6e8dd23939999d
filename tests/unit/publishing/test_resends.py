"""What the floor requests is published again beside what is new, and no more often than the limit allows."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiomqtt
import pytest
from contracts.loop import PATIENCE_S
from played import Played

from config.schema import BrokerSection
from controller.messages.models import AlertMessage, MessagePart, ResendRequest, RoundClosed, write
from controller.messages.resend_limit import BURST, REFILL_NS, SAME_NS, ResendLimit
from controller.messages.topics import wanted_of
from controller.publishing import publisher as publishing
from controller.publishing.cursor import Cursor
from controller.publishing.publisher import Publisher
from hal.mock.clock import VirtualClock

S = 1_000_000_000
BROKER = BrokerSection(host="broker", port=8883, ca="ca", certificate="crt", key="key", keep_alive_s=20)
RECORD = "a" * 64


def request(after: int, record: str = RECORD) -> ResendRequest:
    return ResendRequest(record=record, after=after)


def test_the_same_request_is_answered_once_a_minute() -> None:
    limit = ResendLimit()
    answered = [at for at in range(0, 600 * S, S) if limit.admits(request(3), at)]
    assert answered == [at * SAME_NS for at in range(10)]


def test_any_requests_whatever_are_answered_so_many_at_once_and_then_two_a_minute() -> None:
    limit = ResendLimit()
    answered = [at for at in range(0, 600 * S, S // 10) if limit.admits(request(at), at)]
    assert answered[:BURST] == [n * S // 10 for n in range(BURST)]
    assert len(answered) <= BURST + 600 * S // REFILL_NS
    later = answered[BURST:]
    assert all(second - first >= REFILL_NS - S for first, second in pairwise(later))


class InsistentBroker:
    """Answers each message with a request for everything from the beginning, or from some entry on."""

    def __init__(self, after: Any) -> None:
        self.taken: list[MessagePart] = []
        self.requests: asyncio.Queue[ResendRequest] = asyncio.Queue()
        self._after = after

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        await asyncio.sleep(0)
        self.taken.append(message)
        if isinstance(message, RoundClosed) and message.seq > 1:
            self.requests.put_nowait(request(self._after(len(self.taken)) % message.seq, message.record))

    async def subscribe(self, topic: str) -> None:
        pass

    async def messages(self) -> AsyncIterator[Any]:
        while True:
            topic = aiomqtt.Topic(wanted_of("sic-bo"))
            yield SimpleNamespace(topic=topic, payload=write(await self.requests.get()))

    def rounds(self) -> Counter[int]:
        return Counter(message.seq for message in self.taken if isinstance(message, RoundClosed))


@pytest.mark.parametrize("after", [lambda n: 0, lambda n: n], ids=["the-same", "another-each-time"])
def test_requests_without_end_delay_nothing_new_and_repeats_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: Any
) -> None:
    played = Played("sic-bo", tmp_path / "table.journal", rounds=6, fault_rate=0.3)
    broker = InsistentBroker(after)

    @asynccontextmanager
    async def connected(*_: object) -> AsyncIterator[InsistentBroker]:
        yield broker

    monkeypatch.setattr(publishing, "connected", connected)
    monkeypatch.setattr(publishing, "POLL_S", 0.0)

    async def insist(cursor: Cursor) -> None:
        publisher = Publisher(played.config, BROKER, played.file, cursor, VirtualClock())
        task = asyncio.create_task(publisher.run())
        await quiet(broker)
        first = broker.rounds()
        assert max(first.values()) <= 1 + BURST
        before = len(broker.taken)
        played.more(2, 7, fault_rate=0.0)
        await quiet(broker)
        new = [message for message in broker.taken[before:] if isinstance(message, RoundClosed | AlertMessage)]
        fresh = [message for message in new if message.seq > max(first)]
        assert fresh
        assert new[: len(fresh)] == fresh, "what is new comes before any repeat"
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        publisher.close()

    with closing(Cursor(tmp_path / "cursor")) as cursor:
        asyncio.run(asyncio.wait_for(insist(cursor), PATIENCE_S))
    played.finish()


async def quiet(broker: InsistentBroker) -> None:
    """Wait until nothing more is published."""
    still, length = 0, -1
    while still < 200:
        await asyncio.sleep(0)
        still = still + 1 if len(broker.taken) == length and length > 1 else 0
        length = len(broker.taken)
