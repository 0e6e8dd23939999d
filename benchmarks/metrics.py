"""What a scrape of ``/metrics`` costs, at a table and at floors of several sizes: ``python -m benchmarks.metrics``.

Processor time of this process; the floor's store is SQLite, once with a hundred times as many rounds.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from sqlalchemy import create_engine, insert

from config.floor import FloorConfig
from config.schema import BrokerSection, ScreensSection
from controller.bench.rig import Rig
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.floor.ingest.counters import FloorCounters, IngestState
from controller.floor.pages import metrics
from controller.floor.pages.server import Pages
from controller.floor.store import schema
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from controller.web.http import Request, Response
from hal.clock import LoopClock

SCRAPES = 50
_UTC = "2026-06-01T10:00:00.000Z"
_SIZES = ((100, 0), (1_000, 1_000), (1_000, 100_000), (10_000, 0))
"""Tables and rounds."""
_IMPORT = """
import time
from pathlib import Path
import controller.commands.run, controller.bench.rig
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
before, began = resident(), time.process_time()
import controller.screens.table_metrics
print(f"{(time.process_time() - began) * 1000:.0f} ms, {(resident() - before) / 2**20:.1f} MiB")
"""


def main() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", _IMPORT], capture_output=True, text=True, check=True
    ).stdout.strip()
    print(f"a table that is configured for it loads at its start: {loaded}")
    for game in ("dreamcatcher", "sic-bo"):
        spent_ms, size = _of_table(game)
        print(f"a scrape of the table {game}: {spent_ms:.2f} ms, {size} bytes")
    for tables, rounds in _SIZES:
        spent_ms, size = asyncio.run(_of_floor(tables, rounds))
        print(f"a scrape of a floor of {tables} tables and {rounds} rounds: {spent_ms:.1f} ms, {size} bytes")


def _of_table(game: str) -> tuple[float, int]:
    with TemporaryDirectory() as folder:
        shipped = load_table(table_path(game))
        config = shipped.config.model_copy(update={"screens": ScreensSection(metrics=True)})
        rig = Rig(config, options={"seed": 1})
        server = ScreenServer(LoadedTable(shipped.path, config, "0"), rig.clock, Rounds(Path(folder), Path(folder)))
        server.watch(rig.table)
        size, began = 0, time.process_time()
        for _ in range(SCRAPES):
            answer = server.site(Request("GET", "/metrics", {}, {"host": "localhost"}))
            assert isinstance(answer, Response)
            size = len(answer.body)
        spent_s = time.process_time() - began
        server.close()
        rig.table.stop()
    return 1000 * spent_s / SCRAPES, size


async def _of_floor(tables: int, rounds: int) -> tuple[float, int]:
    broker = BrokerSection(host="localhost", ca="ca", certificate="crt", key="key")
    config = FloorConfig(floor="hall", broker=broker, screens=ScreensSection(metrics=True))
    with TemporaryDirectory() as folder:
        engine = create_engine(f"sqlite:///{folder}/floor.db")
        schema.metadata.create_all(engine)
        with engine.begin() as db:
            db.execute(insert(schema.tables), [_table(number) for number in range(tables)])
            for begin in range(0, rounds, 10_000):
                db.execute(insert(schema.rounds), [_round(begin + number) for number in range(min(10_000, rounds))])
        pages = Pages(
            config, engine, LoopClock(), lambda: {"connected": True, "since_utc_ms": 0, "detail": "", "messages": 0}
        )
        pages.measure(lambda: IngestState(FloorCounters(), 0, 0, 0, True, True))
        size, began = 0, time.process_time()
        with mock.patch.object(metrics, "FRESH_NS", 0):  # Each reads the store, as one every fifteen seconds does.
            for _ in range(SCRAPES):
                size = len((await _scraped(pages.site)).body)
        spent_s = time.process_time() - began
        pages.close()
        engine.dispose()
    return 1000 * spent_s / SCRAPES, size


async def _scraped(site: Callable[[Request], object]) -> Response:
    answer = site(Request("GET", "/metrics", {}, {"host": "localhost"}))
    answer = await answer if isinstance(answer, Awaitable) else answer
    assert isinstance(answer, Response)
    assert answer.status == 200
    return answer


def _table(number: int) -> dict[str, object]:
    game = ("sic-bo", "dreamcatcher", "roulette", "big-six")[number % 4]
    devices = [{"device": f"device-{n}", "state": "ok", "detail": ""} for n in range(9)]
    return {
        "table": f"{game}-{number}",
        "game": game,
        "online": True,
        "running": True,
        "software": "",
        "heard": _UTC,
        "changed": _UTC,
        "state": {"table": f"{game}-{number}", "state": "bets-open", "round": number},
        "health": {"devices": devices},
    }


def _round(number: int) -> dict[str, object]:
    empty: dict[str, list[str]] = {key: [] for key in ("results", "voids", "returned", "spins")}
    texts = dict.fromkeys(("opened", "closed", "received"), _UTC)
    return {
        **empty,
        **texts,
        "table": "sic-bo-0",
        "record": "0" * 64,
        "seq": number + 1,
        "hash": f"{number:064}",
        "first": number + 1,
        "previous": "0" * 64,
        "number": number,
        "game": "sic-bo",
        "wheel": "",
        "dealer": "",
        "corrections": 0,
        "phases": {},
        "checked": True,
    }


if __name__ == "__main__":
    main()
