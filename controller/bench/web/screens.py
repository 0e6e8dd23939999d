"""A bench with all of its pages, however they are asked for."""

from pathlib import Path

from controller.bench.live import LiveBench
from controller.bench.web.page import WebBench
from controller.configuration.shipped import LoadedTable
from controller.journal.replay.tracer import Tracer
from controller.runtime.table import Table
from controller.runtime.traced import tracer_of
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer


class BenchWithScreens:
    """Made inside the running event loop.

    Args:
        journal: the journal's file.
        seed: of everything random; None for another one each time.
        rounds: reads that journal for the pages of rounds and of the wheel.

    Raises:
        JournalError: the journal cannot be opened, or is of another table.
    """

    def __init__(self, loaded: LoadedTable, journal: Path, seed: int | None, rounds: Rounds) -> None:
        self.bench = LiveBench(loaded.config, journal, seed, digest=loaded.digest)
        self._traces = _Traces(journal, loaded.config.journal.trace_rounds)
        try:
            self.screens = ScreenServer(loaded, self.bench.clock, rounds, WebBench(self.bench))
            self.bench.starting += [self.screens.watch, self._traces.keep]
            self.screens.watch(self.bench.table)
            self._traces.keep(self.bench.table)
        except BaseException:
            self.bench.close()
            raise

    def close(self) -> None:
        """End it, and close its journal."""
        self.screens.close()
        self._traces.close()
        self.bench.close()


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
