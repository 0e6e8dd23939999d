"""Publishers, broker and floor, all of them real: whatever is killed or forged, each entry is stored, and once."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from floor_tables import TableRecords, batch, copied, entries_of, everything, forked, until
from servers import FLOOR, Mosquitto, Postgres
from signed_record import make_key
from sqlalchemy import Engine, create_engine, select
from sqlalchemy.exc import SQLAlchemyError

from config.floor import FloorConfig
from controller.commands.cli import main
from controller.floor import process, schema
from controller.floor.link import Link, LinkError, connected, end
from controller.floor.process import Floor
from controller.floor.publisher import Pace, Publisher
from controller.floor.wire import Have, entries_topic, have_topic, write
from controller.journal.chain import Entry
from controller.runtime.systemd import ServiceManager
from hal.clock import LoopClock

PACE = Pace(retained=0.1, look=0.05, answer=0.2, longest_answer=0.8, anew=1.0, connect=0.1, longest_connect=0.4)
"""Of a publisher that does not wait long."""
FLOOD = """
import sys
from paho.mqtt.client import CallbackAPIVersion, Client

port, ca, certificate, key, message = sys.argv[1:]
client, payload = Client(CallbackAPIVersion.VERSION2), open(message, "rb").read()
client.tls_set(ca, certificate, key)
client.connect("127.0.0.1", int(port))
client.loop_start()
while True:
    client.publish("tables/bad/entries", payload, qos=0).wait_for_publish()
"""
"""A process that sends one message to the floor as often as it can."""
ON_SQLITE = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""What does not depend on the database."""
GAMES = ("sic-bo", "dreamcatcher", "roulette")


class House:
    """A broker, a floor that can be killed, and tables.

    Args:
        url: of the floor's database.
    """

    def __init__(self, mosquitto: Mosquitto, url: str, folder: Path) -> None:
        self.mosquitto, self.url = mosquitto, url
        broker = mosquitto.broker(FLOOR).model_dump(mode="json")
        config = {"floor": "main", "broker": broker, "store": {"url": url}, "screens": {"enabled": False}}
        self.file = folder / "floor.yaml"
        self.file.write_text(yaml.safe_dump({**config, "record": {"file": str(folder / "floor.record")}}))
        self.config = FloorConfig.model_validate({**config, "record": {"file": str(folder / "floor.record")}})
        self.engine = create_engine(url)

    @asynccontextmanager
    async def floor(self) -> AsyncIterator[None]:
        """A floor in this process, that listens."""
        floor = Floor(self.config, LoopClock(), ServiceManager())
        async with doing(floor.run()):
            await until(lambda: floor._ingest.connected)
            yield

    def floor_process(self, log: Path) -> "subprocess.Popen[bytes]":
        """A floor as a process of its own."""
        command = [sys.executable, "-m", "controller", "floor", str(self.file)]
        with log.open("wb") as stream:
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stream)

    def publisher(self, table: str, source: TableRecords) -> Coroutine[Any, Any, None]:
        broker = self.mosquitto.broker(table)
        return Publisher(table, broker, source, pace=PACE).run()

    @asynccontextmanager
    async def link(self, name: str) -> AsyncIterator[Link]:
        """A client with the certificate of this name."""
        async with connected(self.mosquitto.broker(name), name) as link:
            yield link

    async def has(self, table: str, *records: list[Entry]) -> None:
        """Wait until the floor has all of these entries."""
        expected = [entry.seq for record in records for entry in record]
        await until(lambda: stored(self.engine).get(table) == expected)


def stored(engine: Engine) -> dict[str, list[int]]:
    try:
        return everything(engine)
    except SQLAlchemyError:
        return {}


@asynccontextmanager
async def doing(*work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Do this meanwhile."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        yield
        for task in tasks:
            assert not task.done(), task.exception()
    finally:
        await end(*tasks)


@pytest.fixture
def house(mosquitto: Mosquitto, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(process, "RETRY_S", 0.1)
    monkeypatch.setattr(process, "WAIT_S", 0.1)
    return House(mosquitto, url, tmp_path)


def test_broker_floor_and_database_are_killed_and_nothing_is_lost(
    house: House, postgres: Postgres, tmp_path: Path
) -> None:
    """A second floor waits all the while, not at the broker, and takes over from the first one that is killed."""
    logs = [tmp_path / "first.log", tmp_path / "second.log"]
    records = {f"t-{game}": list(entries_of(game)) for game in GAMES}
    tables = {table: TableRecords(entries[:30]) for table, entries in records.items()}

    def play(part: int) -> None:
        for table, source in tables.items():
            have = len(source.kept[records[table][0].hash])
            source.add(*records[table][have : 100 * part])

    async def night() -> None:
        floors = [house.floor_process(log) for log in logs]
        try:
            async with doing(*(house.publisher(table, source) for table, source in tables.items())):
                await until(lambda: len(stored(house.engine)) == len(GAMES))
                house.mosquitto.kill()
                play(1)
                house.mosquitto.start()
                for table, entries in records.items():
                    await house.has(table, entries[:100])
                play(2)
                writes = int("connected to the broker" in logs[1].read_text())
                assert "broker" not in logs[1 - writes].read_text()
                floors[writes].kill()
                floors[writes].wait()
                for table, entries in records.items():
                    await house.has(table, entries[:200])
                if house.url.startswith("postgresql"):
                    postgres.kill()
                    play(3)
                    postgres.start()
                play(4)
                for table, entries in records.items():
                    await house.has(table, entries[:400])
        finally:
            for floor in floors:
                floor.kill()
                floor.wait()

    asyncio.run(night())
    house.engine.dispose()


def test_the_rest_of_an_older_record_comes_before_the_next_one(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Up to its damage. Damage of the record in use is named."""
    entries, later = list(entries_of("sic-bo")), copied(entries_of("sic-bo"), "2026-02-01T00:00:00.000Z")[:50]
    source = TableRecords(entries[:130])

    async def replaced() -> None:
        async with house.floor(), doing(house.publisher("t-1", source)):
            await house.has("t-1", entries[:130])
        source.add(*entries[130:200])
        source.kept[later[0].hash] = later
        source.damaged[entries[0].hash] = 171
        async with house.floor(), doing(house.publisher("t-1", source)):
            await house.has("t-1", entries[:170], later)
        source.damaged[later[0].hash] = 30
        async with house.floor(), doing(house.publisher("t-1", source)):
            await until(lambda: "the table has no such entry" in caplog.text)

    asyncio.run(replaced())
    house.engine.dispose()


@ON_SQLITE
@pytest.mark.parametrize("older", [False, True], ids=["of this record", "of an older one"])
@pytest.mark.parametrize("forged", [1, 40, 10_000], ids="the first entry,one it has,beyond its end".split(","))
def test_a_forged_have_is_named_and_a_lost_one_delays_nothing_for_long(
    forged: int, older: bool, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    entries, before = (
        list(entries_of("sic-bo"))[:300],
        copied(entries_of("sic-bo"), "2026-02-01T00:00:00.000Z")[:60],
    )
    source = TableRecords(before, entries[:100])
    false = Have(record=(before if older else entries)[0].hash, seq=forged, hash="f" * 64)

    async def attacked() -> None:
        await forge(write(false))
        async with doing(house.publisher("t-1", source)):
            async with house.floor():
                await house.has("t-1", before, entries[:100])
            await forge(write(false), b"no message", b"", write(false)[:-5])
            source.add(*entries[100:])
            async with house.floor():
                await house.has("t-1", before, entries)

    async def forge(*payloads: bytes) -> None:
        async with house.link(FLOOR) as attacker:
            for payload in payloads:
                await attacker.publish(have_topic("t-1"), payload, retain=True)

    asyncio.run(attacked())
    assert f"the floor has another entry {forged}" in caplog.text
    house.engine.dispose()


@ON_SQLITE
def test_a_record_that_was_changed_at_the_table_is_seen_at_the_floor(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Before the last entry that the floor has: the publisher sends the whole record, up to where they differ."""
    entries = list(entries_of("sic-bo"))
    changed = TableRecords(forked(entries, 170)[:250])

    async def rewritten() -> None:
        async with house.floor():
            async with doing(house.publisher("t-1", TableRecords(entries[:300]))):
                await house.has("t-1", entries[:300])
            async with doing(house.publisher("t-1", changed)):
                await until(lambda: bool(disputed(house.engine)))
                await until(lambda: "another entry 300" in caplog.text)

    asyncio.run(rewritten())
    assert disputed(house.engine) == [170]
    assert stored(house.engine)["t-1"] == list(range(1, 301))
    house.engine.dispose()


def disputed(engine: Engine) -> list[int]:
    with engine.connect() as db:
        return list(db.execute(select(schema.disputed.c.first)).scalars())


@ON_SQLITE
def test_a_floor_with_a_new_database_is_sent_everything(house: House, tmp_path: Path) -> None:
    """The broker's retained have speaks of what the floor no longer has."""
    entries = list(entries_of("sic-bo"))[:150]
    new = House(house.mosquitto, f"sqlite:///{tmp_path}/new.db", tmp_path)
    source = TableRecords(entries)

    async def restored() -> None:
        async with doing(house.publisher("t-1", source)):
            async with house.floor():
                await house.has("t-1", entries)
            async with new.floor():
                source.add(entries_of("sic-bo")[150])
                await new.has("t-1", list(entries_of("sic-bo"))[:151])

    asyncio.run(restored())
    house.engine.dispose()
    new.engine.dispose()


@ON_SQLITE
def test_a_table_can_only_speak_for_itself_and_a_flood_drowns_no_other(house: House, tmp_path: Path) -> None:
    entries, other = list(entries_of("sic-bo")), list(entries_of("dreamcatcher"))

    async def flooded() -> None:
        async with house.floor(), house.link("bad") as attacker:
            for topic in (entries_topic("t-1"), have_topic("bad"), have_topic("t-1")):
                with pytest.raises(LinkError):
                    await attacker.publish(topic, batch("t-1", entries[:5]).payload, retain=True)
            await attacker.publish(entries_topic("bad"), batch("bad", other[:40]).payload)
            await until(lambda: "bad" in stored(house.engine))
            message = tmp_path / "message"
            message.write_bytes(batch("bad", other[:40]).payload)
        flood = subprocess.Popen([sys.executable, "-c", FLOOD, *flooder(house.mosquitto, message)])
        try:
            async with house.floor(), doing(house.publisher("t-1", TableRecords(entries[:120]))):
                await until(lambda: "flood" in refused(house.engine))
                await house.has("t-1", entries[:120])
        finally:
            flood.kill()
            flood.wait()
        assert refused(house.engine) == {"flood"}

    asyncio.run(flooded())
    house.engine.dispose()


def flooder(mosquitto: Mosquitto, message: Path) -> list[str]:
    broker = mosquitto.broker("bad")
    return [str(broker.port), broker.ca, broker.certificate, broker.key, str(message)]


def refused(engine: Engine) -> set[str]:
    with engine.connect() as db:
        return set(db.execute(select(schema.refused.c.reason)).scalars())


@ON_SQLITE
def test_online_says_whether_publisher_and_table_run(house: House, caplog: pytest.LogCaptureFixture) -> None:
    source = TableRecords(list(entries_of("sic-bo"))[:5])

    def row() -> tuple[bool, bool] | None:
        with house.engine.connect() as db:
            found = db.execute(select(schema.tables.c.online, schema.tables.c.running)).first()
        return (found.online, found.running) if found is not None else None

    async def comes_and_goes() -> None:
        async with house.floor():
            async with doing(house.publisher("t-1", source)):
                await house.has("t-1", list(entries_of("sic-bo"))[:5])
                await until(lambda: row() == (True, True))
                source.running = False
                await until(lambda: row() == (True, False))
                source.running = True
                await until(lambda: row() == (True, True))
                source.named = False
                await until(lambda: row() == (True, False) and "the file cannot be read" in caplog.text)
            await until(lambda: row() == (False, False))

    asyncio.run(comes_and_goes())
    house.engine.dispose()


@ON_SQLITE
def test_a_whole_house_runs_from_its_files(house: House, tmp_path: Path) -> None:
    """``run``, ``publish`` and ``floor`` as processes, with keys; ``audit`` confirms the receipts."""
    keys = {name: tmp_path / f"{name}.key" for name in ("table", "floor")}
    public = {name: make_key(file) for name, file in keys.items()}
    broker = house.mosquitto.broker("table-1").model_dump(mode="json")
    shipped = yaml.safe_load(Path("config/tables/sic-bo.yaml").read_text(encoding="utf-8"))
    file, journal = tmp_path / "table.yaml", tmp_path / "t.journal"
    signing = {"key": str(keys["table"]), "floor_key": str(public["floor"])}
    file.write_text(yaml.safe_dump({**shipped, "table": "table-1", "broker": broker, "signing": signing}))
    signs = {"key": str(keys["floor"]), "tables": {"table-1": str(public["table"]), "bad": str(public["table"])}}
    house.file.write_text(yaml.safe_dump({**yaml.safe_load(house.file.read_text()), "signing": signs}))
    commands = (
        ["run", str(file), "--journal", str(journal)],
        ["publish", str(file), "--journal", str(journal)],
    )
    environment = {**os.environ, "RUNTIME_DIRECTORY": ""}

    async def plays() -> None:
        started = [
            subprocess.Popen([sys.executable, "-m", "controller", *command], env=environment)
            for command in commands
        ]
        started.append(house.floor_process(tmp_path / "floor.log"))
        try:
            await until(lambda: len(stored(house.engine).get("table-1", ())) >= 2)
            await until(lambda: (tmp_path / "receipts.jsonl").read_bytes().count(b"\n") >= 1)
            async with house.link("bad") as unsigned:
                await unsigned.publish(entries_topic("bad"), batch("bad", entries_of("roulette")[:3]).payload)
            await until(lambda: refused(house.engine) == {"signature"})
        finally:
            for one in started:
                one.send_signal(signal.SIGTERM)
            assert [one.wait(60) for one in started] == [0, 0, 0]

    asyncio.run(plays())
    house.engine.dispose()
    audit = ["audit", str(journal), "--receipts", str(tmp_path / "receipts.jsonl")]
    by = ["--floor-key", str(public["floor"]), "--table-key", str(public["table"])]
    assert main([*audit, *by]) == 0
