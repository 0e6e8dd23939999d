"""A table's session in an event loop, with people at the table."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from contracts.loop import PATIENCE_S, Loop
from viewer import seen

from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.journal.chain import Entry
from controller.runtime.media import JournalFiles
from controller.runtime.session import TableSession
from controller.runtime.socket import TableSocket
from controller.runtime.systemd import ServiceManager
from controller.runtime.table_clock import TableClock
from controller.viewmodel.views import TableViews
from hal.clock import LoopClock
from hal.mock.world import World
from hal.wall_time import SetBy


class Listening(ServiceManager):
    """A manager that counts a waiting table's messages, and fails on one that waits without a pause."""

    MOST = 20

    def __init__(self) -> None:
        super().__init__()
        self.notified = 0

    def notify(self, **fields: str) -> None:
        self.notified += "WATCHDOG" in fields
        assert self.notified <= self.MOST, "the table waits without a pause"


class Runs(Loop):
    """A table that runs in a loop, with people at it."""

    def __init__(
        self,
        file: Path,
        log: Callable[[], str],
        game: str,
        set_by: SetBy,
        mirror: Path | None = None,
        distinct: bool = False,
        serve: bool = True,
    ) -> None:
        super().__init__()
        self.clock_set_by = set_by
        self.mirror, self._distinct = mirror, distinct
        self._game = game
        self.manager = Listening()
        self.file = file
        self._log = log
        self.run(self._load)
        if serve:
            self.start()

    def _load(self) -> None:
        loaded = load_table(table_path(self._game))
        config = loaded.config.model_copy(update={"credentials": None})
        self._clock = TableClock(LoopClock(), lambda: self.clock_set_by)
        self.world = World.of(self._clock)
        self.loaded = LoadedTable(loaded.path, config, loaded.digest)
        self.views = TableViews(config, self._clock)

    def start(self, socket: TableSocket | None = None) -> None:
        """Start it; other processes reach it at the socket."""
        files = JournalFiles(self.file, self.mirror, self._distinct)
        self.running = TableSession(self.loaded, files, self._clock, self.manager, self.views, socket)
        self.task = self.loop.create_task(self.running.run())

    def logs(self, text: str) -> None:
        """Wait until the log holds a text."""
        self.until(lambda: text in self._log() or self.task.done())
        assert text in self._log(), self._log()

    def dealer(self) -> dict[str, Any]:
        """The dealer's screen at this moment."""
        dealer: dict[str, Any] = seen(self.views)["dealer"]
        return dealer

    def asks_for(self, prompt: str) -> None:
        """Wait until the dealer's screen asks for something."""
        self.until(lambda: self.dealer()["prompt"] == prompt or self.task.done())
        assert self.dealer()["prompt"] == prompt

    def decide(self, what: str) -> None:
        """At a closed table: the floorperson turns the key twice."""
        self.press("floor-key")
        self.asks_for(f"FLOOR MENU (the floorperson) KEY {what}, CLEAR leave")
        self.press("floor-key")

    def entries(self) -> list[Entry]:
        """What the running table has on record."""
        assert self.views.table is not None
        return list(self.views.table.journal.entries())

    def press(self, control: str) -> None:
        self.run(lambda: self.world.press(control))

    def end(self) -> int:
        """Stop it; returns its exit code."""
        self.run(self.running.stop)
        return self.loop.run_until_complete(asyncio.wait_for(self.task, PATIENCE_S))
