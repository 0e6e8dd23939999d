"""What the floor's pages cost: ``python -m benchmarks.floor_overview [--tables N] [--rounds N] [--postgres]``.

A store in SQLite with so many tables and rounds of each, a minute apart; with ``--postgres`` in a cluster of
PostgreSQL that is made for it. Each query comes a second after the one before, in which a sixtieth of the tables
closed a round.
"""

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sqlalchemy import Connection, Engine, create_engine, func, select

from benchmarks.report import Measured, main
from config.floor import FloorConfig
from config.schema import BrokerSection
from controller.floor.queries.details import table_document
from controller.floor.queries.overview import Overview
from controller.floor.queries.scope import HOUR_MS, scope_of
from controller.floor.queries.statistics import statistics
from controller.floor.queries.times import utc_of
from controller.floor.store import schema
from controller.floor.store.hour_sums import HourSums, begin_sums

# The store is filled by what fills that of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from postgres_server import Postgres
from servers import running
from stored_floor import NOW_MS, a_round, empty, fill, insert

CONFIG = FloorConfig(floor="hall", broker=BrokerSection(host="localhost", ca="ca", certificate="crt", key="key"))
LOOKS = 20
LOOK_MS = 100.0
DAY_MS, DAY_WORDS = 1000.0, "at most 1 s"
ENDS_MS = (0, HOUR_MS // 4, HOUR_MS // 2)
"""Where in an hour a day of statistics ends."""


class Took(NamedTuple):
    """How long a query takes, in milliseconds.

    Attributes:
        processor_ms: of it the processor's, here and in the database's process for this connection.
    """

    ms: float
    processor_ms: float


def took_ms(act: Callable[[], object]) -> float:
    """How long something takes."""
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


def took_of(connection: Connection, act: Callable[[], object]) -> Took:
    """The same of a query, with its processor time: on a busy machine that is what can be compared."""
    begun_ns = time.process_time_ns() + _backend_ns(connection)
    ms = took_ms(act)
    return Took(ms, (time.process_time_ns() + _backend_ns(connection) - begun_ns) / 1e6)


def _backend_ns(connection: Connection) -> int:
    """What the database's process for this connection has had of the processor; SQLite has none."""
    if connection.dialect.name != "postgresql":
        return 0
    process = connection.execute(select(func.pg_backend_pid())).scalar()
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0  # On another computer.


@contextmanager
def _emptied(url: str, postgres: bool) -> Iterator[Engine]:
    """An empty store: in the database at a URL, in a cluster of its own, or in a file of SQLite."""
    with TemporaryDirectory(prefix="floor-") as folder:
        cluster = Postgres(Path(folder)) if postgres else None
        with running(cluster) if cluster is not None else nullcontext():
            own = cluster.fresh() if cluster is not None else url
            engine = create_engine(own) if own else empty(Path(folder))
            schema.metadata.create_all(engine)
            try:
                yield engine
            finally:
                engine.dispose()


def measure(tables: int, rounds: int, url: str = "", postgres: bool = False) -> list[Measured]:
    """Fill a store, and query it.

    Args:
        url: of an empty database, SQLAlchemy's; a file of SQLite by default.
        postgres: a cluster of PostgreSQL is made for it instead.
    """
    with _emptied(url, postgres) as engine:
        filling = took_ms(partial(fill, engine, tables, rounds))
        overview = Overview(CONFIG)
        first = took_ms(partial(_query, engine, overview, NOW_MS))
        times = [_next(engine, overview, tables, query) for query in range(1, LOOKS + 1)]
        size = len(json.dumps(_query(engine, overview, NOW_MS), separators=(",", ":")))
        target = f"at most {LOOK_MS:.0f} ms"
        return [
            Measured(
                f"{tables:,} tables, {rounds:,} rounds each, {engine.dialect.name}: filled in",
                f"{filling / 1000:.0f} s",
            ),
            Measured("the first look", f"{first:.0f} ms"),
            _measured("a query, median", median(times), target),
            _measured("a query, the longest", max(times)),
            Measured("what a viewer is sent", f"{size / 1000:.0f} kB"),
            *_others(engine),
        ]


def _query(engine: Engine, overview: Overview, now_ms: int) -> object:
    with engine.connect() as connection:
        return overview.make(connection, now_ms)


def _next(engine: Engine, overview: Overview, tables: int, query: int) -> float:
    """What a query costs after some tables closed a round."""
    fourth = max(1, tables // 4)
    names = {f"roulette-{1 + (query + table) % fourth}" for table in range(max(1, tables // 60))}
    now_ms = NOW_MS + 1000 * query
    insert(engine, {"rounds": [a_round(name, 1, now_ms, record=f"{query:64}") for name in names]})
    return took_ms(partial(_query, engine, overview, now_ms))


def _others(engine: Engine) -> list[Measured]:
    """One table's page, and sums over all tables."""
    hour = scope_of({"from": utc_of(NOW_MS - HOUR_MS)}, NOW_MS)
    with engine.connect() as connection:
        before = took_ms(partial(statistics, connection, scope_of({}, NOW_MS), "table"))
    summing = took_ms(partial(_sum, engine))
    with engine.connect() as connection:
        page = took_ms(partial(table_document, connection, "roulette-1", NOW_MS))
        sums = took_ms(partial(statistics, connection, hour, "table"))
        days = [
            took_of(connection, partial(statistics, connection, scope_of({}, NOW_MS + at), "table"))
            for at in ENDS_MS
        ]
        dealers = took_of(connection, partial(statistics, connection, scope_of({}, NOW_MS), "dealer"))
    return [
        _measured("one table's page", page),
        _measured("statistics of all, an hour", sums),
        _measured("statistics of all, a day, without sums", before),
        _measured("making the sums of all rounds", summing),
        _day("statistics of all, a day, at the hour", days[0]),
        _day("the same, a quarter past", days[1]),
        _day("the same, half past", days[2]),
        _day("the same by dealer, at the hour", dealers),
    ]


def _sum(engine: Engine) -> None:
    """What a floor does in slices with a store that has no sums."""
    sums, more = HourSums(), True
    with engine.begin() as db:
        begin_sums(db)
    while more:
        with engine.begin() as db:
            more = sums.add_slice(db)
            sums.write(db)


def _day(what: str, took: Took) -> Measured:
    figure = f"{took.ms:.0f} ms ({took.processor_ms:.0f} of the processor's)"
    return Measured(what, figure, "", DAY_WORDS, took.ms <= DAY_MS)


def _measured(what: str, ms: float, target: str = "") -> Measured:
    return Measured(what, f"{ms:.1f} ms", "", target, ms <= LOOK_MS if target else None)


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m benchmarks.floor_overview")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--store", default="", metavar="URL", help="an empty database instead of a file of SQLite")
    parser.add_argument("--postgres", action="store_true", help="in a cluster of PostgreSQL that is made for it")
    arguments = parser.parse_args()
    sys.exit(main(partial(measure, arguments.tables, arguments.rounds, arguments.store, arguments.postgres)))
