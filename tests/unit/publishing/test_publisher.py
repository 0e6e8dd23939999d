"""The publisher and a broker that the test controls: when the cursor is saved."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from contracts.loop import PATIENCE_S
from controller.journal.pair_mark import mark, unmark
from played import Played

from config.schema import BrokerSection
from controller.journal.journal import Journal
from controller.messages.link import RefusedError
from controller.messages.models import AlertMessage, MessagePart, RoundClosed
from controller.publishing import publisher as publishing
from controller.publishing.cursor import Cursor, Published
from controller.publishing.formatter import JournalPlace
from controller.publishing.publisher import Publisher
from hal.clock import LoopClock
from hal.mock.clock import VirtualClock

BROKER = BrokerSection(host="broker", port=8883, ca="ca", certificate="crt", key="key", keep_alive_s=20)


class HeldBroker:
    """Takes messages, or refuses rounds and alerts; reads the cursor at each message."""

    def __init__(self, cursor: Path, refuses: bool) -> None:
        self.refuses = refuses
        self.offered: list[tuple[int, Published | None]] = []
        """Of each round and alert: its entry, and what the cursor said when it came."""
        self._cursor = cursor

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        await asyncio.sleep(0)
        if isinstance(message, RoundClosed | AlertMessage):
            with closing(Cursor(self._cursor, read_only=True)) as cursor:
                self.offered.append((message.seq, cursor.published()))
            if self.refuses:
                raise RefusedError(f"the broker refuses {topic}: Not authorized")

    async def subscribe(self, topic: str) -> None:
        pass

    async def messages(self) -> AsyncIterator[Any]:
        await asyncio.Event().wait()
        yield None


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    made = Played("sic-bo", tmp_path / "table.journal", rounds=4, fault_rate=0.3)
    yield made
    made.journal.close()


def kept(cursor: Cursor) -> int | None:
    """The entry up to which the cursor says that everything is published."""
    published = cursor.published()
    return published and published.place.seq


async def publish(played: Played, broker: HeldBroker, cursor: Cursor, offered: int) -> None:
    """Publish until the broker was offered so many messages, and the cursor has moved for the last time."""
    publisher = Publisher(played.config, BROKER, played.file, cursor, LoopClock())
    task = asyncio.create_task(publisher.run())
    while len(broker.offered) < offered or not (broker.refuses or kept(cursor) == broker.offered[-1][0]):
        await asyncio.sleep(0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    publisher.close()


@pytest.mark.parametrize("refuses", [True, False])
def test_the_cursor_moves_once_the_broker_has_taken_a_message_and_not_before(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuses: bool
) -> None:
    file = tmp_path / "table.published"
    broker = HeldBroker(file, refuses)

    @asynccontextmanager
    async def connected(*_: object) -> AsyncIterator[HeldBroker]:
        yield broker

    monkeypatch.setattr(publishing, "connected", connected)
    monkeypatch.setattr(publishing, "FIRST_WAIT_S", 0.0)
    monkeypatch.setattr(publishing, "LONGEST_WAIT_S", 0.0)
    monkeypatch.setattr(publishing, "POLL_S", 0.0)
    with closing(Cursor(file)) as cursor:
        asyncio.run(asyncio.wait_for(publish(played, broker, cursor, offered=4), PATIENCE_S))
        published = cursor.published()
    if refuses:
        assert len({seq for seq, _ in broker.offered}) == 1  # The same again and again.
        assert all(kept is None for _, kept in broker.offered)
        assert published is None
    else:
        assert published is not None
        assert published.place.seq == broker.offered[-1][0]
        for (before, _), (_, kept) in zip(broker.offered, broker.offered[1:], strict=False):
            assert kept is not None
            assert kept.place.seq == before  # Durable before the next one is sent.
    played.finish()


def test_it_publishes_on_from_the_mirror_when_the_journal_failed(tmp_path: Path, played: Played) -> None:
    """The mirror has the whole record then, which its missing mark says."""
    played.journal.close()
    mirror = tmp_path / "mirror.journal"
    shutil.copy(played.file, mirror)
    mark(played.file, mirror)
    mark(mirror, played.file)
    with closing(Cursor(tmp_path / "cursor")) as cursor:
        publisher = Publisher(played.config, BROKER, played.file, cursor, VirtualClock(), mirror)
        source = publisher._open_source()
        assert source is not None
        assert source.file == played.file
        unmark(mirror)
        while publisher._read(source):
            publisher._published = Published(source.record, publisher._queue[-1].place, 0)
            publisher._queue.clear()
        followed = publisher._open_source()
        assert followed is not None
        assert followed.file == mirror
        publisher.close()


def test_a_record_that_was_cut_is_published_again_from_what_is_left_and_said(
    tmp_path: Path, played: Played
) -> None:
    """The floor can compare only what reaches it: the rounds that replace the cut ones must."""
    older = tmp_path / "older.journal"
    with closing(Journal(older)) as shorter:
        shorter.take_over(list(played.journal.entries())[:-6])
        left = len(shorter)
    with closing(Cursor(tmp_path / "cursor")) as cursor:
        record = next(played.journal.entries()).hash
        cursor.keep(Published(record, JournalPlace(len(played.journal), 1), len(played.journal)))
        publisher = Publisher(played.config, BROKER, older, cursor, VirtualClock())
        assert publisher._open_source() is not None
        published = publisher._published
        assert published is not None
        assert published.place.seq <= left
        (trouble,) = cursor.failures()
        assert f"ends at entry {left}, and was published up to entry {len(played.journal)}" in trouble.what
        publisher.close()
