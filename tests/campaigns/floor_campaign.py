"""Many tables on one floor, with PostgreSQL and Mosquitto: ``python -m campaigns.floor_campaign --tables 1000``.

Each table publishes a golden journal, entry by entry at the times at which it was recorded; only pauses are
shorter. The floor, the broker and the database are each killed once. In the end every entry must be stored once.
Printed are processor times and how long it took, after each kill, until the floor had what the tables had by then.
"""

import asyncio
import json
import logging
import os
import random
import resource
import subprocess
import sys
import time
from argparse import ArgumentParser
from bisect import bisect_right
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from floor_tables import TableRecords, copied, everything
from golden.journals import GAMES, entries_of
from project import ROOT
from servers import FLOOR, Certificates, Mosquitto, Postgres, running
from sqlalchemy import Engine, create_engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from controller.floor import schema
from controller.floor.link import end
from controller.floor.publisher import Publisher
from controller.journal.chain import Entry

DOWN_S = 10.0
"""For so long what was killed stays away."""
PATIENCE_S = 900.0
NS_PER_S = 1_000_000_000
PAUSE_NS = 20 * NS_PER_S
"""Nobody plays for longer at a golden table, which would otherwise be idle for hours."""


class Played(TableRecords):
    """A table's record, of which so much is there as was recorded by now.

    Args:
        late_s: after which time it begins.
    """

    def __init__(self, entries: Sequence[Entry], late_s: float) -> None:
        super().__init__(entries[:1])
        self._all = entries
        steps_ns = (min(max(0, after.at_ns - one.at_ns), PAUSE_NS) for one, after in pairwise(entries))
        self._at_ns = list(accumulate(steps_ns, initial=int(late_s * NS_PER_S)))

    @property
    def there(self) -> int:
        """How many entries it has."""
        return len(self.kept[self._all[0].hash])

    def play(self, now_ns: int) -> None:
        if news := self._all[self.there : bisect_right(self._at_ns, now_ns)]:
            self.add(*news)


class FloorProcess:
    """The floor's process, which can be killed.

    Attributes:
        busy_s: processor time of the runs that were killed.
    """

    def __init__(self, file: Path) -> None:
        self._command = [sys.executable, "-m", "controller", "floor", str(file)]
        self.busy_s = 0.0

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self._running = subprocess.Popen(self._command, cwd=ROOT, stderr=quiet, stdout=quiet)

    def kill(self) -> None:
        fields = Path(f"/proc/{self._running.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        self.busy_s += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        self._running.kill()
        self._running.wait()


async def all_stored(engine: Engine, expected: dict[str, int]) -> float:
    """Wait until the floor has so many entries of each table; returns the seconds that it took."""

    def stored() -> dict[str, int]:
        """None while the database is away."""
        columns = schema.records.c
        try:
            with engine.connect() as db:
                return {row.table: row.seq for row in db.execute(select(columns.table, columns.seq))}
        except SQLAlchemyError:
            return {}

    begun = time.monotonic()
    async with asyncio.timeout(PATIENCE_S):
        while any(seq > there.get(name, 0) for there in [stored()] for name, seq in expected.items()):
            await asyncio.sleep(0.5)
    return time.monotonic() - begun


@asynccontextmanager
async def playing(
    tables: dict[str, Played], mosquitto: Mosquitto, minutes: float
) -> AsyncIterator[asyncio.Task[None]]:
    """Tables that publish meanwhile, and play for so long: until the task ends."""

    async def play() -> None:
        begun_ns = time.monotonic_ns()
        while (played_ns := time.monotonic_ns() - begun_ns) < minutes * 60 * NS_PER_S:
            for table in tables.values():
                table.play(played_ns)
            await asyncio.sleep(0.2)

    work = [play(), *(Publisher(name, mosquitto.broker(name), table).run() for name, table in tables.items())]
    tasks = [asyncio.create_task(one) for one in work]
    try:
        yield tasks[0]
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
    broker, file = mosquitto.broker(FLOOR).model_dump(mode="json"), folder / "floor.yaml"
    config = {"floor": "main", "broker": broker, "store": {"url": engine.url.render_as_string(False)}}
    config |= {"record": {"file": str(folder / "floor.record")}, "screens": {"enabled": False}}
    file.write_text(json.dumps(config))
    floor = FloorProcess(file)
    begun, own = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    async with AsyncExitStack() as stack:
        floor.start()
        stack.callback(floor.kill)
        played = await stack.enter_async_context(playing(tables, mosquitto, minutes))
        killed = {"floor": floor, "broker": mosquitto, "database": postgres}
        for number, (name, server) in enumerate(killed.items(), 1):
            await asyncio.sleep(max(0.0, begun + number * minutes * 15 - time.monotonic()))
            server.kill()
            await asyncio.sleep(DOWN_S)
            await asyncio.to_thread(server.start)
            took = await all_stored(engine, {table: one.there for table, one in tables.items()})
            print(f"{name} away for {DOWN_S:.0f} s, caught up in {took:.1f} s", flush=True)
        await played
        took = await all_stored(engine, {name: table.there for name, table in tables.items()})
        elapsed = time.monotonic() - begun
        print(f"everything stored {took:.1f} s after the end")
    now = resource.getrusage(resource.RUSAGE_SELF)
    publishers_s = now.ru_utime + now.ru_stime - own.ru_utime - own.ru_stime
    found = everything(engine)
    with engine.connect() as db:
        rounds = db.execute(select(func.count()).select_from(schema.rounds)).scalar_one()
    engine.dispose()
    missing = sum(len(set(range(1, one.there + 1)) - set(found.get(name, ()))) for name, one in tables.items())
    twice = sum(len(numbers) - len(set(numbers)) for numbers in found.values())
    print(f"{len(tables)} tables, {rounds} rounds, {sum(map(len, found.values()))} entries in {elapsed:.0f} s")
    print(
        f"the floor: {floor.busy_s:.1f} s of processor time, {floor.busy_s / max(rounds, 1) * 1000:.2f} ms a round"
    )
    print(f"the publishers of all tables: {publishers_s:.1f} s")
    print(f"missing: {missing}; stored twice: {twice}")
    return not missing and not twice


def main() -> int:
    parser = ArgumentParser(prog="python -m campaigns.floor_campaign", description=__doc__)
    parser.add_argument("--tables", type=int, default=100, metavar="N", help="how many (default 100)")
    parser.add_argument("--minutes", type=float, default=10.0, metavar="M", help="they play so long (default 10)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of when tables begin")
    chosen = parser.parse_args()
    logging.disable()  # A thousand publishers say that the broker is away.
    rng, tables = random.Random(chosen.seed), dict[str, Played]()
    for number in range(chosen.tables):
        # Each is a record of its own: it began in another second.
        began = f"2026-01-01T00:{number // 60 % 60:02}:{number % 60:02}.000Z"
        entries = copied(list(entries_of(GAMES[number % len(GAMES)])), began)
        tables[f"table-{number + 1}"] = Played(entries, rng.uniform(0.0, 60.0))
    with TemporaryDirectory(prefix="floor-") as name, TemporaryDirectory(prefix="database-") as cluster:
        folder, postgres = Path(name), Postgres(Path(cluster))
        mosquitto = Mosquitto(folder / "broker", Certificates(folder / "certificates"))
        with running(mosquitto), running(postgres):
            return 0 if asyncio.run(night(tables, mosquitto, postgres, folder, chosen.minutes)) else 1


if __name__ == "__main__":
    sys.exit(main())
