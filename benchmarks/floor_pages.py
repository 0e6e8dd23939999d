"""The floor's pages over a day of a thousand tables: ``python -m benchmarks.floor_pages``.

It fills an SQLite file and, if PostgreSQL is installed, a cluster of its own, which takes some minutes. The best of
several times counts; the ratio is to the same way through the database with ``SELECT 1``. ``--tables`` and
``--hours`` change the size of the floor.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine, create_engine, text

from benchmarks.report import Measured, main

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from filled_floor import NOW, create, fill, name_of
from floor_browser import Browser
from servers import Postgres, ServerError, running

REPEATS = 5
MOST_S = 1.0
"""Of any page that is about one day."""
TABLE, WHEEL = name_of(3), "W0003"
PAGES = {
    "all tables": "/",
    "one table": f"/tables/{TABLE}",
    "all wheels": "/wheels",
    "one wheel": f"/wheels/{WHEEL}",
    **{f"figures of a day, by {by}": f"/figures?period=yesterday&by={by}" for by in ("table", "dealer", "wheel")},
    "rounds of a day": "/rounds?period=yesterday",
    "rounds of a day with void spins": "/rounds?period=yesterday&void=any",
    "rounds of a table in a day": f"/rounds?period=yesterday&table={TABLE}",
    "metrics": "/metrics",
}


def measure(tables: int, hours: int) -> list[Measured]:
    return [line for name, engine in _databases() for line in _measured(name, engine, tables, hours)]


def _databases() -> Iterator[tuple[str, Engine]]:
    with ExitStack() as stack:
        # PostgreSQL runs as another user, who must reach the folder.
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="floor-")))
        folder.chmod(0o755)
        yield "SQLite", create_engine(f"sqlite:///{folder}/floor.db")
        try:
            cluster = Postgres(folder / "postgres")
            stack.enter_context(running(cluster))
        except ServerError as error:
            print(f"without PostgreSQL: {error}")
            return
        yield "PostgreSQL", create_engine(cluster.fresh())


def _measured(name: str, engine: Engine, tables: int, hours: int) -> Iterator[Measured]:
    create(engine)
    fill(engine, tables, hours, spins=False)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
    trivial = _best_s(partial(_trivial, engine))
    yield Measured(f"{name}: SELECT 1", f"{trivial * 1000:.2f} ms", "1")
    browser = Browser(engine, zone=UTC)
    for what, path in PAGES.items():
        took = _best_s(partial(_page, browser, path))
        figures = (f"{took * 1000:.0f} ms", f"{took / trivial:.0f}")
        yield Measured(f"{name}: {what}", *figures, f"under {MOST_S:.0f} s", took < MOST_S)
    engine.dispose()


def _best_s(job: Callable[[], None]) -> float:
    def once() -> float:
        begun = time.perf_counter()
        job()
        return time.perf_counter() - begun

    return min(once() for _ in range(REPEATS))


def _trivial(engine: Engine) -> None:
    with engine.connect() as connection:
        connection.execute(text("SELECT 1")).all()


def _page(browser: Browser, path: str) -> None:
    answer = asyncio.run(browser.get(path))
    assert answer.status == 200, answer.text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--hours", type=int, default=44, help=f"until {NOW:%H:%M}; the day before needs 42")
    arguments = parser.parse_args()
    sys.exit(main(partial(measure, arguments.tables, arguments.hours)))
