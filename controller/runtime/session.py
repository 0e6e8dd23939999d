"""A table's session: it runs until it is stopped, and waits while its journal cannot be used.

If the disk cannot be written, that is retried. If the journal is damaged, or of another version that this one
cannot continue, the floorperson decides whether a new journal begins. In both cases the lamps are off and the
screens show the reason; the record is kept, and play continues from its end.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Protocol

from controller import __version__
from controller import errors as exits
from controller.configuration.shipped import LoadedTable
from controller.journal.deciders import Decider
from controller.journal.errors import (
    JournalDamagedError,
    JournalMirrorError,
    JournalMovedError,
    JournalOfOtherVersionError,
    JournalUnwritableError,
)
from controller.journal.journal import Journal
from controller.journal.set_aside import quarantine, rescue
from controller.runtime.assembly import build, open_devices, staff_of
from controller.runtime.lockout import DAMAGED, OF_OTHER_VERSION, LockedOutTable
from controller.runtime.media import JournalFiles
from controller.runtime.playing import PlayingTable
from controller.runtime.socket import TableSocket
from controller.runtime.software import digest
from controller.runtime.systemd import ServiceManager, ServiceReporter
from controller.runtime.table import Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.runtime.uncollected import uncollected
from hal.computer import LinuxComputer

log = logging.getLogger("table")

RETRY_S = 5.0
"""How often the disk is retried, and how often a waiting table notifies the watchdog."""


class Views(Protocol):
    """What a session requires of the table's views."""

    def watch(self, table: Table) -> None:
        """Show a table that is about to start. A failure here does not stop the table."""

    def closed(self, why: str, prompt: str = "") -> None:
        """Show that no table is running, why, and what the floorperson is asked for."""


class TableSession:
    """One table, from its start to its end. Create it inside the running event loop.

    Args:
        clock: the loop's, and the table's wall time.
        views: what the table's screens show; None for nothing.
        socket: where other processes reach the table; None for none.
    """

    def __init__(
        self,
        loaded: LoadedTable,
        files: JournalFiles,
        clock: TableClock,
        manager: ServiceManager,
        views: Views | None = None,
        socket: TableSocket | None = None,
    ) -> None:
        self._loaded = loaded
        self._files = files
        self._clock = clock
        self._manager = manager
        self._views = views
        self._socket = socket
        self._wake = asyncio.Event()
        self._stopped = False
        self._last_problem = ""

    def stop(self) -> None:
        self._stopped = True
        self._wake.set()

    async def run(self) -> int:
        """Run until :meth:`stop`, or until the table halts with a problem that a restart may solve.

        Returns:
            the exit code.

        Raises:
            JournalError: the journal is of another game or version, or of another user.
            HalError: a device does not respond.
        """
        if self._socket is not None:
            await self._socket.open()
        try:
            while not self._stopped:
                self._wake.clear()
                try:
                    return await self._start()
                except (JournalUnwritableError, JournalMirrorError) as error:
                    await self._wait_for_disk(str(error))
                except JournalDamagedError as error:
                    await self._wait_for_replacement(str(error), DAMAGED)
                except JournalOfOtherVersionError as error:
                    await self._wait_for_replacement(str(error), OF_OTHER_VERSION)
            return exits.OK
        finally:
            self._manager.notify(STOPPING="1")
            if self._socket is not None:
                self._socket.close()

    # -- playing -------------------------------------------------------------------------------------------

    async def _start(self) -> int:
        journal = await self._files.open(self._show_copying)
        try:
            return await self._play(journal)
        finally:
            journal.close()

    async def _play(self, journal: Journal) -> int:
        self._clock.begin(newest_on_record(journal))
        with uncollected():
            table = self._build(journal)
            if self._views is not None:
                self._views.watch(table)
        if self._socket is not None:
            self._socket.serve(journal)
        play = PlayingTable(table, self._files.file, self._loaded, self._clock, self._wake)
        service = ServiceReporter(table, self._manager, self._clock)
        try:
            play.start()
            if not table.halted:
                self._last_problem = ""
                log.info("table %s is ready: %s", self._loaded.config.table, service.status())
                service.ready()
                await self._wake.wait()
        finally:
            service.close()
            play.stop()
            if self._socket is not None:
                self._socket.serve(None)
        error = table.recorder.journal_error
        if isinstance(error, JournalUnwritableError):
            raise error
        if isinstance(error, JournalMovedError):
            raise JournalDamagedError(f"{error}; {rescue(journal, self._files.file, self._clock.utc_ns())}")
        if play.damage:
            raise JournalDamagedError(play.damage)
        return exits.FAILED if table.halted else exits.OK

    def _build(self, journal: Journal) -> Table:
        replaced = () if len(journal) else self._files.replaced()
        config, this = self._loaded.config, Decider(__version__, digest(), self._loaded.digest)
        return build(config, this, self._clock, journal, computer=LinuxComputer(), replaces=replaced)

    # -- waiting -------------------------------------------------------------------------------------------

    async def _wait_for_disk(self, problem: str) -> None:
        if problem != self._last_problem:
            log.critical("the table is closed: %s; retrying every %.0f s", problem, RETRY_S)
        self._last_problem = problem
        await self._wait(f"closed: {problem}")

    async def _wait_for_replacement(self, problem: str, what: str) -> None:
        log.critical("the journal is %s: %s", what, problem)
        by = await self._decision(problem, what)
        if by is not None:
            await self._replace_journal(problem, by, what)

    async def _decision(self, problem: str, what: str) -> str | None:
        """Who decided: a credential number, or empty if none is required; None if the session was stopped."""
        config = self._loaded.config
        devices, file, wake = open_devices(config, self._clock), self._files.file, self._wake.set
        closed = LockedOutTable(devices, self._clock, staff_of(config), what, file, wake)
        try:
            closed.start()
            while closed.decided is None and not self._stopped:
                await self._wait(f"{closed.status} ({problem})", closed.prompt())
        finally:
            closed.stop()
        return closed.decided

    async def _replace_journal(self, problem: str, by: str, what: str) -> None:
        try:
            for file in self._files.present() or [self._files.file]:
                kept_as = quarantine(file, problem, self._clock.utc_ns(), by, what.replace(" ", "-"))
                log.warning("the old journal is kept as %s; a new one begins", kept_as)
        except OSError as error:
            await self._wait_for_disk(f"{self._files.file}: the old journal cannot be renamed: {error.strerror}")

    def _show_copying(self, done: int, total: int) -> None:
        """A long copy must neither seem to hang nor end the start: the manager is notified after each part."""
        status = f"closed: {done} of {total} entries are copied to {self._files.mirror}"
        self._manager.notify(READY="1", STATUS=status, WATCHDOG="1")
        if self._views is not None:
            self._views.closed(status)

    async def _wait(self, status: str, prompt: str = "") -> None:
        """Wait until the next retry or a wake-up. The event is cleared first: the end of play has set it."""
        self._wake.clear()
        if self._stopped:
            return
        self._manager.notify(READY="1", STATUS=status, WATCHDOG="1")
        if self._views is not None:
            self._views.closed(status, prompt)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), RETRY_S)
