"""A worker listens to the tables of which it has the lease, to those that nobody has, and to no others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from contracts.floor_store_cases import Lopsided, rows
from contracts.loop import PATIENCE_S
from floor_messages import arrived, online, record
from test_floor_subscriber import Wire, until

from config.floor import AlertsSection, FloorConfig, StoreSection, WorkerSection
from config.schema import BrokerSection
from controller.floor.ingest import subscriber, writer
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.subscriber import Subscriber
from controller.floor.ingest.table_share import TableShare
from controller.floor.ingest.writer import StoreWriter
from controller.floor.store import schema
from controller.floor.store.leases import Leases
from controller.floor.store.store import Store
from hal.clock import LoopClock


class Worker:
    """A worker with a connection that the test feeds, and a clock of the database that it turns."""

    def __init__(self, name: str, url: str, now_ms: list[int]) -> None:
        self.wire = Wire()
        self.names: list[str] = []
        self.store = Store(url, evidence=Lopsided, leases=Leases(name, lambda _: now_ms[0]))
        requests, clock, self.share = ResendRequests(), LoopClock(), TableShare(shared=True)
        self.writer = StoreWriter(self.store, requests, clock, lambda: None, share=self.share)
        broker = BrokerSection(host="broker", ca="ca", certificate="c", key="k")
        own = {"worker": WorkerSection(name=name), "store": StoreSection(url="postgresql://none")}
        config = FloorConfig(floor="main", broker=broker, alerts=AlertsSection(), **own)
        self.subscriber = Subscriber(config, self.writer, requests, clock, lambda: None, share=self.share)

    @asynccontextmanager
    async def connected(self, _broker: BrokerSection, name: str, reads_ahead: int) -> AsyncIterator[Wire]:
        self.names.append(name)
        yield self.wire


OF_EVERYONE = ["tables/+/online"]
NAMES = ("big-six-1", "big-six-2", "big-six-5")


def test_a_worker_takes_its_tables_and_leaves_them_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some of three tables belong to `a` and some to `b`, as the hashes of these names have it."""
    monkeypatch.setattr(writer, "BEAT_S", 0.01)
    monkeypatch.setattr(writer, "UPKEEP_S", 0.01)
    url, now_ms = f"sqlite:///{tmp_path}/floor.db", [1_000_000]

    async def running() -> None:
        one = Worker("a", url, now_ms)
        monkeypatch.setattr(subscriber, "connected", one.connected)
        tasks = [asyncio.create_task(one.subscriber.run()), asyncio.create_task(one.writer.run())]
        async with asyncio.timeout(PATIENCE_S):
            await _found_and_given_away(one, Leases("b", lambda _: now_ms[0]), url)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await one.writer.finish()
        one.store.close()

    asyncio.run(running())


async def _found_and_given_away(one: Worker, leases: Leases, url: str) -> None:
    await until(lambda: one.wire.subscribed == OF_EVERYONE)
    assert one.names == ["floor-main-a"]
    messages = {table: record([1, 1], table=table) for table in NAMES}
    for table in messages:
        one.wire.incoming.put_nowait(arrived(online(table)))  # Nobody has it yet: it is found.
    await until(lambda: one.share.tables == set(messages))
    await until(lambda: set(one.wire.subscribed) == {*OF_EVERYONE, *(f"tables/{name}/+" for name in messages)})
    for rounds in messages.values():
        one.wire.incoming.put_nowait(arrived(rounds[0]))
    await until(lambda: len(rows(one.store, schema.rounds)) == 3)

    other = Store(url, evidence=Lopsided, leases=leases)

    def divided() -> bool:
        other.beat([])
        return bool(leases.held) and one.share.tables == set(messages) - leases.held

    await until(divided)
    kept = set(one.share.tables)
    assert 0 < len(kept) < 3
    await until(lambda: set(one.wire.subscribed) == {*OF_EVERYONE, *(f"tables/{name}/+" for name in kept)})
    given = next(iter(set(messages) - kept))
    one.wire.incoming.put_nowait(arrived(messages[given][1]))  # On its way when the table was given away.
    one.wire.incoming.put_nowait(arrived(messages[next(iter(kept))][1]))
    await until(lambda: len(rows(one.store, schema.rounds)) == 4)
    assert {row["table"] for row in rows(one.store, schema.rounds) if row["seq"] == 2} == {next(iter(kept))}
    other.close()
