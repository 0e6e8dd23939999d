"""What partitions of the rounds cost and save, in PostgreSQL: ``python -m benchmarks.floor_partitions``.

A cluster of its own (Debian packages postgresql and postgresql-VERSION-partman, no fsync) has two stores with the
same rounds: one in one table, one in partitions, with two years of empty ones besides. In turns, in one run: to
store rounds, queries of the pages, and retention of a month. Wall time, and processor time of this process and of
its processes in the database.
"""

import os
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

from floor_messages import arrived, record
from postgres_server import Postgres
from servers import running
from sqlalchemy import Connection, text

from config.floor import RetentionSection
from controller.fairness.evidence import Evidence
from controller.floor.ingest.validation import Arrived
from controller.floor.queries.details import last_rounds
from controller.floor.queries.scope import Scope
from controller.floor.queries.statistics import by_the_hour
from controller.floor.store.engine import open_engine
from controller.floor.store.partitions import extension, make_month, month_after
from controller.floor.store.store import Store

KINDS = ("one table", "partitions")
OLD = date(2026, 1, 1)
"""The month that retention deletes."""
NOW_NS = 1_778_545_800_000_000_000
"""2026-05-12, 00:30: a hundred days after January."""
DAY_NS = 86_400_000_000_000
BATCH = 200
_FILL = """
INSERT INTO rounds ("table", record, seq, hash, first, previous, number, game, opened, closed, closed_on, wheel,
    dealer, results, voids, returned, corrections, phases, spins, checked, derived, entries, received)
SELECT 'old-' || t, md5(t::text) || md5(t::text), n * 10, md5(n::text) || md5(n::text), n * 10 - 9, '', n,
    'big-six', at, at, substr(at, 1, 10)::date, '', '', '["10"]', '[]', '[]', 0, '{"bets-open": 30000}', '[]', true,
    true, decode(repeat(md5(n::text || t::text), 100), 'hex'), at
FROM generate_series(1, :tables) AS t, generate_series(1, :rounds) AS n,
LATERAL (SELECT to_char(timestamp '2026-01-01' + n * (interval '59 days' / :rounds),
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at) AS times
"""
_RECORDS = """
INSERT INTO records ("table", record, seq, hash, begun, replaces)
SELECT "table", record, max(seq), 'x', min(received), '' FROM rounds GROUP BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Took:
    """What something took, in milliseconds."""

    wall_ms: float
    processor_ms: float

    def __str__(self) -> str:
        return f"{self.wall_ms:,.1f} ms ({self.processor_ms:,.1f} ms of a processor)"


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m benchmarks.floor_partitions",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=100, help="that played for two months; default 100")
    parser.add_argument("--rounds", type=int, default=2_000, help="of each of them; default 2,000")
    parser.add_argument("--new", type=int, default=6_000, help="rounds that are stored for the rate; default 6,000")
    arguments = parser.parse_args(words)
    with TemporaryDirectory(prefix="floor-") as folder:
        server = Postgres(Path(folder))
        with running(server):
            stores = {kind: _store(server, kind, arguments.tables, arguments.rounds) for kind in KINDS}
            try:
                _report("storing a round", _storing(stores, arguments.new))
                for name, query in _queries().items():
                    _report(name, {kind: _queried(store, query) for kind, store in stores.items()})
                _report("retention of a month", {kind: _retained(store) for kind, store in stores.items()})
            finally:
                for store in stores.values():
                    store.close()
    return 0


def _report(what: str, took: dict[str, Took]) -> None:
    one, parts = (took[kind] for kind in KINDS)
    ratio = f"{parts.wall_ms / one.wall_ms:.3f} ({parts.processor_ms / max(0.001, one.processor_ms):.3f})"
    print(f"{what}: one table {one}, partitions {parts}, ratio {ratio}", flush=True)


def _store(server: Postgres, kind: str, tables: int, rounds: int) -> Store:
    """A store with what tables played in January and February, and empty months before and after if partitioned."""
    url = server.fresh_with_partman() if kind == "partitions" else server.fresh()
    engine = open_engine(url)
    with engine.begin() as db:
        partman = extension(db)
        if partman is not None:
            for number in range(-18, 6):
                make_month(db, partman, month_after(OLD, number))
        db.execute(text(_FILL), {"tables": tables, "rounds": rounds})
        db.execute(text(_RECORDS))
        db.execute(text("INSERT INTO about VALUES ('unsummed', '0')"))
    engine.dispose()
    server.execute(url, "VACUUM ANALYZE")
    return Store(url, evidence=Evidence, retention=RetentionSection(rounds_days=100))


def _storing(stores: dict[str, Store], count: int) -> dict[str, Took]:
    """The cost of a round, of many tables' in turns: both stores take each batch, this one first or that one."""
    tables = [record([4] * 60, table=f"new-{n}", salt=f"{n}", begins=70 * 24 * 60) for n in range(count // 60)]
    messages = [arrived(one, NOW_NS) for turn in zip(*tables, strict=True) for one in turn]
    costs: dict[str, list[Took]] = {kind: [] for kind in stores}
    for number, batch in enumerate(_batches(messages)):
        for kind in KINDS if number % 2 else KINDS[::-1]:
            store = stores[kind]
            with _measured(store) as took:
                stored = store.take(batch).rounds
            assert stored == len(batch)
            costs[kind].append(Took(took[0].wall_ms / len(batch), took[0].processor_ms / len(batch)))
    rest = {kind: some[len(some) // 5 :] for kind, some in costs.items()}  # The first ones find nothing prepared.
    return {
        kind: Took(median(one.wall_ms for one in some), median(one.processor_ms for one in some))
        for kind, some in rest.items()
    }


def _batches(messages: Sequence[Arrived]) -> Iterator[Sequence[Arrived]]:
    for at in range(0, len(messages), BATCH):
        yield messages[at : at + BATCH]


def _queries() -> dict[str, Callable[[Connection], object]]:
    day = Scope("2026-02-10T00:00:00.000Z", "2026-02-11T00:00:00.000Z")
    return {
        "rounds of all tables by the hour of a day": lambda db: by_the_hour(db, day),
        "the last rounds of a table": lambda db: last_rounds(db, "old-7"),
    }


def _queried(store: Store, query: Callable[[Connection], object]) -> Took:
    costs = []
    for _ in range(15):
        with store.engine.connect() as db:
            began, used = time.perf_counter(), _processor_ms([db])
            query(db)
            costs.append(Took((time.perf_counter() - began) * 1000, _processor_ms([db]) - used))
    return Took(median(one.wall_ms for one in costs), median(one.processor_ms for one in costs))


def _retained(store: Store) -> Took:
    """Upkeep until January is gone."""
    store.upkeep({}, NOW_NS)
    with store.engine.connect() as watch, _measured(store) as took:
        left = text("SELECT count(*) FROM (SELECT FROM rounds WHERE closed < '2026-02-01' LIMIT 1) AS one")
        while watch.execute(left).scalar_one():
            watch.rollback()
            store.upkeep({}, NOW_NS)
    return took[0]


@contextmanager
def _measured(store: Store) -> Iterator[list[Took]]:
    """What the block takes; one connection of the store is used."""
    took: list[Took] = []
    with store.engine.connect() as db:
        pid = db.execute(text("SELECT pg_backend_pid()")).scalar_one()
    began, used = time.perf_counter(), _of_process(pid) + time.process_time() * 1000
    yield took
    wall_ms = (time.perf_counter() - began) * 1000
    took.append(Took(wall_ms, _of_process(pid) + time.process_time() * 1000 - used))


def _processor_ms(connections: Sequence[Connection]) -> float:
    pids = [db.execute(text("SELECT pg_backend_pid()")).scalar_one() for db in connections]
    return sum(map(_of_process, pids)) + time.process_time() * 1000


def _of_process(pid: int) -> float:
    """Milliseconds of a processor that a process of this machine has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
