"""The bench in a browser: a table on simulated hardware in real time, with its screens and a page to play on."""

import asyncio
import signal
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from controller import errors as exits
from controller.bench.live import LiveBench
from controller.bench.web.page import WebBench
from controller.configuration.shipped import LoadedTable
from controller.journal.replay.tracer import Tracer
from controller.runtime.playing import tracer_of
from controller.runtime.table import Table
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer

ADDRESS, PORT = "127.0.0.1", 8080
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def serve_bench(loaded: LoadedTable, out: TextIO, journal: Path | None, seed: int | None, port: int | None) -> int:
    """Serve a bench until it is ended; returns the exit code.

    Args:
        journal: the journal's file; None for one that lasts as long as the bench.
        port: None for the default port, or any free one if that is taken; 0 for any free one.

    Raises:
        JournalError: the journal cannot be opened, or is of another table.
        OSError: the port cannot be opened.
    """
    with ExitStack() as stack:
        if journal is None:
            journal = Path(stack.enter_context(TemporaryDirectory(prefix="bench-"))) / "bench.journal"
        return asyncio.run(_session(loaded, out, journal, seed, port))


async def _session(loaded: LoadedTable, out: TextIO, journal: Path, seed: int | None, port: int | None) -> int:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, ended.set)
    bench = LiveBench(loaded.config, journal, seed, digest=loaded.digest)
    try:
        screens = ScreenServer(loaded, bench.clock, Rounds(loaded.path, journal), WebBench(bench))
        traces = _Traces(journal, loaded.config.journal.trace_rounds)
        bench.starting += [screens.watch, traces.keep]
        screens.watch(bench.table)
        traces.keep(bench.table)
        try:
            found = await _opened(screens, port)
            print(f"bench of {loaded.config.game} at http://{ADDRESS}:{found}/bench", file=out)
            print(f"board at http://{ADDRESS}:{found}/, dealer's screen at /dealer, record at /rounds", file=out)
            print("Ctrl-C ends the bench", file=out, flush=True)
            await ended.wait()
        finally:
            screens.close()
            traces.close()
    finally:
        bench.close()
    return exits.OK


async def _opened(screens: ScreenServer, port: int | None) -> int:
    """Listen on the port; without one, on the default port or any free one."""
    try:
        return await screens.open(ADDRESS, PORT if port is None else port)
    except OSError:
        if port is not None:
            raise
        return await screens.open(ADDRESS, 0)


class _Traces:
    """Keeps the edges of each table that the bench starts, for the plots of the record."""

    def __init__(self, journal: Path, rounds: int) -> None:
        self._journal = journal
        self._rounds = rounds
        self._tracer: Tracer | None = None

    def keep(self, table: Table) -> None:
        self.close()
        self._tracer = tracer_of(table, self._journal, self._rounds)

    def close(self) -> None:
        if self._tracer is not None:
            self._tracer.close()
            self._tracer = None
