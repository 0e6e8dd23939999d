"""A year of a large house, as sums: ``python -m benchmarks.year_of_sums [--postgres [URL]]``.

It makes the sums of days and months, without a single round, and times what the pages of statistics ask of them: in
SQLite, and with ``--postgres`` in a cluster of PostgreSQL that is made for it, or in the empty database of a URL.
What it made is removed at the end. There are three dealers for each table, and half of the tables have a wheel.
"""

import random
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Engine, Table, func, select, text

from benchmarks.floor_overview import Took, took_of
from benchmarks.report import Measured, main
from controller.floor.queries.dealer_spins import dealer_spins, findings
from controller.floor.queries.house_hours import rounds_by_hour
from controller.floor.queries.period import Period, of_days
from controller.floor.queries.period_figures import period_figures
from controller.floor.queries.scope import NAMED, Scope
from controller.floor.queries.state_times import state_times
from controller.floor.store import schema
from controller.floor.store.engine import open_engine
from controller.floor.store.hour_sums import begin_sums
from controller.floor.store.house_days import begins_ms
from controller.floor.store.period_sums import SUMMED_FROM, PeriodSums, begin_period_sums
from controller.messages.models import RoundClosed

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from postgres_server import Postgres
from servers import running
from stored_floor import fill

LAST = date(2026, 11, 15)
"""In the middle of a month: so many days as can be are read beside whole months."""
PARTS_DAYS = 15
GAMES = ("big-six", "casino-war", "dreamcatcher", "roulette", "sic-bo", "three-dice-football")
SPUN = frozenset({"big-six", "dreamcatcher", "roulette"})
STATES = ("bets-open", "no-more-bets", "spinning", "result", "winners-paid", "losers-taken", "respin", "closed")
REASONS = ("fewer-than-three-revolutions", "between-sections", "sensor-fault", "touched")
DEALERS = 3
"""Of each table, each of whom works on two days of three."""
ROUNDS = 900
"""Of a table on a day."""
LIMIT_MS = 1000.0
TRIES = 3
"""The best of so many counts: the machine may be shared."""
_AT_ONCE = 50_000
Row = tuple[Any, ...]


@contextmanager
def _stores(postgres: str | None) -> Iterator[Engine]:
    """An empty store, removed at the end."""
    with TemporaryDirectory(prefix="year-") as folder:
        cluster = Postgres(Path(folder)) if postgres == "" else None
        with running(cluster) if cluster is not None else nullcontext():
            url = cluster.fresh() if cluster is not None else postgres or f"sqlite:///{folder}/floor.db"
            engine = open_engine(url)
            try:
                yield engine
            finally:
                if postgres:
                    schema.metadata.drop_all(engine)
                engine.dispose()


def _periods(days: int) -> tuple[list[str], list[str]]:
    """The days up to the last one; and their months and years."""
    of_days = [(LAST - timedelta(days=back)).isoformat() for back in range(days)]
    return sorted(of_days), sorted({day[:length] for day in of_days for length in (4, 7)})


def _games(tables: int) -> list[tuple[str, str]]:
    return [(f"{GAMES[at % len(GAMES)]}-{at:05}", GAMES[at % len(GAMES)]) for at in range(tables)]


def _sum_rows(tables: int, days: int, chance: random.Random) -> Iterator[Row]:
    """Sums of tables, dealers, wheels and games; of days and months alike."""
    of_days, longer = _periods(days)
    for periods, factor in ((of_days, 1), (longer, 30)):
        for period in periods:
            for name, game in _games(tables):
                rounds = ROUNDS * factor + chance.randint(-200, 200)
                numbers = (rounds, rounds + 30, 30 * factor, 9 * factor, rounds * 40_000)
                yield ("table", period, name, game, *numbers)
                if game in SPUN:
                    yield ("wheel", period, f"S/{name}", game, *numbers)
                for dealer in range(DEALERS):
                    if factor > 1 or chance.random() < 2 / 3:
                        yield ("dealer", period, f"{name}/{dealer}", game, *(number // 2 for number in numbers))
            for game in GAMES:
                yield ("game", period, game, game, *(tables * ROUNDS * factor // 6,) * 5)
    for day in of_days:
        for hour in range(24):
            for game in GAMES:
                yield ("game", f"{day}T{hour:02}", game, game, *(tables * ROUNDS // 144,) * 5)


def _part_rows(tables: int, days: int, chance: random.Random) -> Iterator[Row]:
    """Time in states and reasons; by day of those days that are read, which saves gigabytes."""
    of_days, longer = _periods(days)
    read = {*of_days[-PARTS_DAYS:], *(day for day in of_days if "2026-08-17" <= day <= "2026-08-31")}
    for periods, factor in ((of_days, 1), ([period for period in longer if len(period) > 4], 30)):
        for period in periods:
            whose = [("game", game, game) for game in GAMES]
            whose += [("table", name, game) for name, game in _games(tables) if factor > 1 or period in read]
            for kind, name, game in whose:
                for state in STATES:
                    ms = chance.randint(4_000, 9_000) * ROUNDS * factor
                    yield (kind, "state", name, period, game, state, ROUNDS * factor, ms, ms)
                for reason in REASONS:
                    yield (kind, "void", name, period, game, reason, 7 * factor, 0, 0)
            for name, game in _games(tables) if factor > 1 else ():
                for dealer in range(DEALERS):
                    yield ("dealer", "void", f"{name}/{dealer}", period, game, REASONS[0], 7 * factor, 0, 0)


def _spin_rows(tables: int, days: int, chance: random.Random) -> Iterator[Row]:
    for period in _periods(days)[1]:
        for name, game in _games(tables):
            for dealer in range(DEALERS) if game in SPUN else ():
                for way in ("clockwise", "counterclockwise"):
                    spins = chance.randint(3_000, 3_400)
                    numbers = (spins, spins // 40, spins * 6, spins, spins * 700, spins * 500_000)
                    yield (period, f"{name}/{dealer}", game, way, *numbers)


def _fill(engine: Engine, table: Table, rows: Iterator[Row]) -> int:
    """Put rows into a table as fast as the database takes them; returns how many."""
    columns = [column.name for column in table.columns]
    quoted = ", ".join(f'"{name}"' for name in columns)
    count = 0
    with engine.begin() as db:
        driver: Any = db.connection.driver_connection
        if engine.dialect.name == "postgresql":
            with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({quoted}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
                    count += 1
            return count
        statement = f"INSERT INTO {table.name} ({quoted}) VALUES ({', '.join('?' * len(columns))})"
        while batch := [row for _, row in zip(range(_AT_ONCE), rows, strict=False)]:
            driver.executemany(statement, batch)
            count += len(batch)
    return count


def _queries(now_ms: int) -> Iterator[tuple[str, Callable[[Connection], object]]]:
    """What the pages ask, over a year and over shorter periods that are made of days."""
    scope = Scope("", "")
    year = of_days(scope, LAST - timedelta(days=364), LAST + timedelta(days=1), now_ms)
    spans = {
        "the year": year,
        "a quarter": of_days(scope, LAST - timedelta(days=91), LAST + timedelta(days=1), now_ms),
        "a week": of_days(scope, LAST - timedelta(days=6), LAST + timedelta(days=1), now_ms),
    }
    for by in NAMED:
        yield f"figures by {by}, the year", partial(_figures, period=year, by=by)
    for name in ("a quarter", "a week"):
        yield f"figures by table, {name}", partial(_figures, period=spans[name], by="table")
    yield "rounds by the hour of the day, the year", partial(rounds_by_hour, period=year)
    yield "time in states against the median, the year", partial(state_times, period=year)
    yield "spins and findings by dealer, the year", partial(_spins, period=year)


def _figures(connection: Connection, period: Period, by: str) -> object:
    found = period_figures(connection, period, by)
    assert found.rounds
    return [one.document() for one in found.figures]


def _spins(connection: Connection, period: Period) -> object:
    return findings(dealer_spins(connection, period), 10_000)


def _cost_of_sums(at_once: int) -> Measured:
    """What it costs to keep the sums of days with each round, in SQLite, in batches of so many rounds."""
    with TemporaryDirectory(prefix="year-") as folder:
        engine = open_engine(f"sqlite:///{folder}/floor.db")
        fill(engine, tables=200, rounds=30)
        with engine.begin() as db:
            begin_sums(db)
            db.execute(schema.about.insert().values(key=SUMMED_FROM, value=""))
            rows = db.execute(select(schema.rounds).order_by(schema.rounds.c.closed)).all()
        rounds = [RoundClosed.model_construct(**row._mapping) for row in rows]
        sums, took = PeriodSums(), 0.0
        for first in range(0, len(rounds), at_once):
            with engine.begin() as db:
                begun = time.thread_time()
                for one in rounds[first : first + at_once]:
                    sums.count(db, one)
                sums.write(db)
                took += time.thread_time() - begun
        engine.dispose()
    figure = f"{took / len(rounds) * 1e6:.0f} µs of the processor's"
    return Measured(f"keeping the sums of a round, {at_once} at once, SQLite", figure)


def measure(tables: int, days: int, postgres: str | None) -> list[Measured]:
    """Make the sums and ask for figures."""
    lines = [_cost_of_sums(10), _cost_of_sums(100)]
    now_ms = begins_ms(LAST + timedelta(days=1))
    with _stores(postgres) as engine:
        with engine.begin() as db:
            begin_sums(db)
            begin_period_sums(db)
        begun = time.perf_counter()
        counts = [
            _fill(engine, table, rows(tables, days, random.Random(7)))
            for table, rows in (
                (schema.period_sums, _sum_rows),
                (schema.period_parts, _part_rows),
                (schema.spin_sums, _spin_rows),
            )
        ]
        _analyse(engine)
        took = time.perf_counter() - begun
        rows_words = " + ".join(f"{count:,}" for count in counts)
        lines.append(
            Measured(f"{tables:,} tables × {days} days, {engine.dialect.name}", f"{took:.0f} s", rows_words)
        )
        lines.append(Measured("on disk", f"{_size(engine) / 1e6:,.0f} MB"))
        for what, query in _queries(now_ms):
            best = min(_took(engine, query) for _ in range(TRIES))
            figure = f"{best.ms:.0f} ms ({best.processor_ms:.0f} of the processor's)"
            lines.append(Measured(what, figure, "", f"under {LIMIT_MS:.0f} ms", best.ms < LIMIT_MS))
    return lines


def _took(engine: Engine, query: Callable[[Connection], object]) -> Took:
    with engine.connect() as connection:
        return took_of(connection, partial(query, connection))


def _analyse(engine: Engine) -> None:
    """What PostgreSQL does by itself some time after so many rows have come."""
    if engine.dialect.name == "postgresql":
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as db:
            db.execute(text("VACUUM ANALYZE"))


def _size(engine: Engine) -> int:
    with engine.connect() as db:
        if engine.dialect.name == "postgresql":
            return int(db.execute(select(func.pg_database_size(func.current_database()))).scalar_one())
        return Path(str(engine.url.database)).stat().st_size


def _arguments(given: Sequence[str] | None = None) -> Callable[[], list[Measured]]:
    parser = ArgumentParser(prog="python -m benchmarks.year_of_sums")
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=365)
    words = "in a cluster that is made for it, or in this empty database, which is emptied at the end"
    parser.add_argument("--postgres", nargs="?", const="", metavar="URL", help=words)
    arguments = parser.parse_args(given)
    return partial(measure, arguments.tables, arguments.days, arguments.postgres)


if __name__ == "__main__":
    sys.exit(main(_arguments()))
