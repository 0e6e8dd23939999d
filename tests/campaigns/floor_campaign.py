"""Many tables on one floor, with PostgreSQL and Mosquitto: ``python -m campaigns.floor_campaign --tables 1000``.

Each table publishes a recorded journal, entry by entry at the times at which it was recorded. The floor, the broker
and the database are each killed once. In the end every entry must be stored once. Printed are processor times and
how long it took, after each kill, until the floor had everything that the tables had by then.
"""

import asyncio
import json
import logging
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from tempfile import TemporaryDirectory

from floor_tables import TableRecords, copied, everything
from postgres_server import Postgres
from servers import FLOOR, Certificates, Mosquitto, running
from sqlalchemy import Engine, create_engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from controller.floor import schema
from controller.floor.link import end
from controller.floor.publisher import Publisher
from controller.journal.chain import Entry
from controller.machine.registry import game_names

ROOT = Path(__file__).parents[2]
DOWN_S = 10.0
"""For so long what was killed stays away."""
PATIENCE_S = 900.0
NS_PER_S = 1_000_000_000


def recorded(game: str, seed: int, folder: Path) -> list[Entry]:
    """The entries of ten rounds."""
    file = folder / f"{game}-{seed}.journal"
    command = [
        sys.executable,
        "-m",
        "controller",
        "bench",
        game,
        "--demo",
        "--seed",
        str(seed),
        "--journal",
        str(file),
    ]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    with closing(sqlite3.connect(file)) as db:
        return [Entry(*row) for row in db.execute(f"SELECT {', '.join(Entry._fields)} FROM entries ORDER BY seq")]


class Played(TableRecords):
    """A table's record, of which so much is there as was recorded by now.

    Args:
        late_s: after which time it begins.
    """

    def __init__(self, entries: Sequence[Entry], late_s: float) -> None:
        super().__init__(entries[:1])
        self.all = entries
        self._late_ns = int(late_s * NS_PER_S) - entries[0].at_ns
        self._there = 1

    def play(self, now_ns: int) -> None:
        begun = self._there
        while self._there < len(self.all) and self.all[self._there].at_ns + self._late_ns <= now_ns:
            self._there += 1
        if self._there > begun:
            self.add(*self.all[begun : self._there])


class FloorProcess:
    """The floor's process, which can be killed."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._running: subprocess.Popen[bytes] | None = None
        self._busy_s = 0.0

    def start(self) -> None:
        command = [sys.executable, "-m", "controller", "floor", str(self._file)]
        self._running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        if self._running is not None:
            self._busy_s += busy_s(self._running.pid)
            self._running.kill()
            self._running.wait()
            self._running = None

    @property
    def busy_s(self) -> float:
        """Its processor time so far, over all its runs."""
        return self._busy_s + (busy_s(self._running.pid) if self._running is not None else 0.0)


def busy_s(pid: int) -> float:
    """Processor time of a process and of the children that it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def stored(engine: Engine) -> dict[str, int]:
    """How many entries the floor has, by table; none while the database is away."""
    try:
        with engine.connect() as db:
            return {row.table: row.seq for row in db.execute(select(schema.records.c.table, schema.records.c.seq))}
    except SQLAlchemyError:
        return {}


async def all_stored(engine: Engine, expected: dict[str, int]) -> float:
    """Wait until the floor has so many entries of each table; returns the seconds that it took."""
    begun = time.monotonic()
    async with asyncio.timeout(PATIENCE_S):
        while any(stored(engine).get(table, 0) < number for table, number in expected.items()):
            await asyncio.sleep(0.5)
    return time.monotonic() - begun


@asynccontextmanager
async def playing(tables: dict[str, Played], mosquitto: Mosquitto) -> AsyncIterator[None]:
    """Tables that play and publish meanwhile."""

    async def play() -> None:
        begun_ns = time.monotonic_ns()
        while True:
            for table in tables.values():
                table.play(time.monotonic_ns() - begun_ns)
            await asyncio.sleep(0.2)

    work = [play(), *(Publisher(name, mosquitto.broker(name), table).run() for name, table in tables.items())]
    tasks = [asyncio.create_task(one) for one in work]
    try:
        yield
        for task in tasks:
            if task.done():
                task.result()
    finally:
        await end(*tasks)


async def night(
    tables: dict[str, Played], mosquitto: Mosquitto, postgres: Postgres, folder: Path, minutes: float
) -> bool:
    """Play, kill, and compare; returns whether every entry was stored once."""
    engine = create_engine(postgres.fresh(), pool_pre_ping=True)
    broker = mosquitto.broker(FLOOR).model_dump(mode="json")
    config = {"floor": "main", "broker": broker, "store": {"url": engine.url.render_as_string(False)}}
    file = folder / "floor.yaml"
    file.write_text(
        json.dumps({**config, "record": {"file": str(folder / "floor.record")}, "screens": {"enabled": False}})
    )
    floor = FloorProcess(file)
    kills: list[tuple[str, Callable[[], None], Callable[[], None]]] = [
        ("floor", floor.kill, floor.start),
        ("broker", mosquitto.kill, mosquitto.start),
        ("database", postgres.kill, postgres.start),
    ]
    begun, own = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    async with AsyncExitStack() as stack:
        stack.callback(floor.kill)
        floor.start()
        await stack.enter_async_context(playing(tables, mosquitto))
        for number, (name, kill, start) in enumerate(kills, 1):
            await asyncio.sleep(max(0.0, begun + number * minutes * 15 - time.monotonic()))
            kill()
            await asyncio.sleep(DOWN_S)
            await asyncio.to_thread(start)
            there = {table: one.head.seq for table, one in tables.items() if one.head is not None}
            print(
                f"{name} away for {DOWN_S:.0f} s, caught up in {await all_stored(engine, there):.1f} s", flush=True
            )
        await asyncio.sleep(max(0.0, begun + minutes * 60 - time.monotonic()))
        for table in tables.values():
            table.play(sys.maxsize)
        took = await all_stored(engine, {name: len(table.all) for name, table in tables.items()})
        floor_s, elapsed = floor.busy_s, time.monotonic() - begun
        print(f"everything stored {took:.1f} s after the end")
    now = resource.getrusage(resource.RUSAGE_SELF)
    publishers_s = now.ru_utime + now.ru_stime - own.ru_utime - own.ru_stime
    found = everything(engine)
    with engine.connect() as db:
        rounds = db.execute(select(func.count()).select_from(schema.rounds)).scalar_one()
    engine.dispose()
    missing = sum(len(set(range(1, len(one.all) + 1)) - set(found.get(name, ()))) for name, one in tables.items())
    twice = sum(len(numbers) - len(set(numbers)) for numbers in found.values())
    print(f"{len(tables)} tables, {rounds} rounds, {sum(map(len, found.values()))} entries in {elapsed:.0f} s")
    print(f"the floor: {floor_s:.1f} s of processor time, {floor_s / max(rounds, 1) * 1000:.2f} ms a round")
    print(f"the publishers of all tables: {publishers_s:.1f} s")
    print(f"missing: {missing}; stored twice: {twice}")
    return not missing and not twice


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m campaigns.floor_campaign", description=__doc__)
    parser.add_argument("--tables", type=int, default=100, metavar="N", help="how many (default 100)")
    parser.add_argument(
        "--minutes", type=float, default=10.0, metavar="M", help="for how long they play (default 10)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="seed of the rounds and of when tables begin"
    )
    chosen = parser.parse_args(arguments)
    logging.disable()  # A thousand publishers say that the broker is away.
    with TemporaryDirectory(prefix="floor-") as name, TemporaryDirectory(prefix="database-") as cluster:
        folder, rng = Path(name), random.Random(chosen.seed)
        records = [recorded(game, chosen.seed + number, folder) for game in game_names() for number in range(3)]
        tables: dict[str, Played] = {}
        for number in range(chosen.tables):
            # Each is a record of its own: it began in another second.
            entries = copied(
                records[number % len(records)], f"2026-01-01T00:{number // 60 % 60:02}:{number % 60:02}.000Z"
            )
            tables[f"table-{number + 1}"] = Played(entries, rng.uniform(0.0, 60.0))
        mosquitto, postgres = (
            Mosquitto(folder / "broker", Certificates(folder / "certificates")),
            Postgres(Path(cluster)),
        )
        with running(mosquitto), running(postgres):
            return 0 if asyncio.run(night(tables, mosquitto, postgres, folder, chosen.minutes)) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main())
