"""A table's session: it runs until it is stopped, and waits while its journal cannot be used.

If the disk cannot be written, that is retried. If the journal is damaged, or of another version that this one
cannot continue, the floorperson decides whether a new journal begins. In both cases the lamps are off and the
screens show the reason; the record is kept, and play continues from its end.
"""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from config.schema import WheelSection
from controller.configuration.shipped import LoadedTable
from controller.events.effect import RoundOpened
from controller.journal.audit import Audit
from controller.journal.errors import JournalDamagedError, JournalOfOtherVersionError, JournalUnwritableError
from controller.journal.journal import Journal
from controller.journal.quarantine import mark_recorded, quarantine, replaced_journal
from controller.journal.record import RecordedDecision
from controller.journal.text import record_line
from controller.runtime import exit_codes as exits
from controller.runtime import manifest
from controller.runtime.assembly import authority, build, open_devices
from controller.runtime.clock_watch import ClockWatch, newest_on_record
from controller.runtime.lockout import DAMAGED, OF_OTHER_VERSION, STATUS, LockedOutTable
from controller.runtime.systemd import ServiceManager, ServiceReporter
from controller.runtime.table import Origin, Table
from controller.runtime.table_clock import TableClock
from controller.runtime.traced import tracer_of
from controller.runtime.uncollected import uncollected
from hal.interfaces import KeySource

if TYPE_CHECKING:
    from controller.runtime.measuring_process import MeasuringProcess

log = logging.getLogger("table")

RETRY_S = 5.0
"""How often the disk is retried, and how often a waiting table notifies the watchdog."""


class Screens(Protocol):
    """What a session requires of the table's screens."""

    @property
    def touch(self) -> KeySource | None:
        """Keys of a touch screen, in addition to those of the table."""

    async def keep_open(self, address: str, port: int) -> None:
        """Listen; if that is not possible, retry."""

    def watch(self, table: Table) -> None:
        """Show a table that is about to start. A failure here does not stop the table."""

    def closed(self, why: str, prompt: str = "") -> None:
        """Show that no table is running, why, and what the floorperson is asked for."""

    def close(self) -> None:
        """Stop serving."""


class TableSession:
    """One table, from its start to its end. Create it inside the running event loop.

    Args:
        file: the journal.
        clock: the loop's, and the table's wall time.
        screens: the table's screens; None for none.
        software: its digest, if it is known already.
        port: of the screens, if not the configured one; 0 for any.
    """

    def __init__(
        self,
        loaded: LoadedTable,
        file: Path,
        clock: TableClock,
        manager: ServiceManager,
        screens: Screens | None = None,
        port: int | None = None,
        software: str = "",
    ) -> None:
        self._loaded = loaded
        self._software = software
        self._file = file
        self._clock = clock
        self._manager = manager
        self._wake = asyncio.Event()
        self._stopped = False
        self._last_problem = ""
        self._port = loaded.config.screens.port if port is None else port
        self._screens = screens

    def stop(self) -> None:
        """End the session, in any state."""
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
        if self._screens is not None:
            await self._screens.keep_open(self._loaded.config.screens.address, self._port)
        try:
            while not self._stopped:
                self._wake.clear()
                try:
                    return await self._play()
                except JournalUnwritableError as error:
                    await self._wait_for_disk(str(error))
                except JournalDamagedError as error:
                    await self._wait_for_decision(str(error), DAMAGED)
                except JournalOfOtherVersionError as error:
                    await self._wait_for_decision(str(error), OF_OTHER_VERSION)
            return exits.OK
        finally:
            self._manager.notify(STOPPING="1")
            if self._screens is not None:
                self._screens.close()

    # -- playing -------------------------------------------------------------------------------------------

    async def _play(self) -> int:
        journal = Journal(self._file)
        try:
            self._clock.begin(newest_on_record(journal))
            with uncollected():
                table = self._build(journal)
                if self._screens is not None:
                    self._screens.watch(table)
            play = PlayingTable(table, self._file, self._loaded, self._clock, self._wake)
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
        finally:
            journal.close()
        if isinstance(table.recorder.trouble, JournalUnwritableError):
            raise table.recorder.trouble
        if play.damage:
            raise JournalDamagedError(play.damage)
        return exits.FAILED if table.halted else exits.OK

    def _build(self, journal: Journal) -> Table:
        replaced = "" if len(journal) else replaced_journal(self._file)
        origin = Origin(self._loaded.digest, self._software or manifest.digest(), replaced)
        touch = self._screens.touch if self._screens is not None else None
        keys = {"touch": touch} if touch is not None else None
        return build(
            self._loaded.config, origin, self._clock, journal, keys=keys, measuring=self._measuring_process
        )

    def _measuring_process(self, wheel: WheelSection, sections: int, _: Journal) -> "MeasuringProcess":
        from controller.runtime.measuring_process import MeasuringProcess  # Only of a calibrated wheel.

        return MeasuringProcess(wheel, sections, self._file)

    # -- waiting -------------------------------------------------------------------------------------------

    async def _wait_for_disk(self, problem: str) -> None:
        if problem != self._last_problem:
            log.critical("the table is closed: %s; retrying every %.0f s", problem, RETRY_S)
        self._last_problem = problem
        await self._wait(f"closed: {problem}")

    async def _wait_for_decision(self, problem: str, what: str) -> None:
        """The floorperson decides whether a new journal begins."""
        log.critical("the journal is %s: %s", what, problem)
        decided: list[str] = []

        def decide(by: str) -> None:
            decided.append(by)
            self._wake.set()

        config = self._loaded.config
        devices = open_devices(config, self._clock)
        try:
            access = authority(config)
            closed = LockedOutTable(devices, self._clock, access, decide, what, self._file, self._wake.set)
            closed.start()
            while not decided and not self._stopped:
                await self._wait(f"{STATUS.format(what)} ({problem})", closed.prompt())
        finally:
            devices.close()
        if decided:
            await self._replace_journal(problem, decided[0], what)

    async def _replace_journal(self, problem: str, by: str, what: str) -> None:
        try:
            kept_as = quarantine(self._file, problem, self._clock.utc_ns(), by, what.replace(" ", "-"))
        except OSError as error:
            await self._wait_for_disk(f"{self._file}: the old journal cannot be renamed: {error.strerror}")
        else:
            log.warning("the old journal is kept as %s; a new one begins", kept_as)

    async def _wait(self, status: str, prompt: str = "") -> None:
        """Wait until the next retry or a wake-up. The event is cleared first: the end of play has set it."""
        self._wake.clear()
        if self._stopped:
            return
        self._manager.notify(READY="1", STATUS=status, WATCHDOG="1")
        if self._screens is not None:
            self._screens.closed(status, prompt)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), RETRY_S)


class PlayingTable:
    """A table on a usable journal, with its listeners.

    Args:
        ended: set when the table cannot continue.

    Attributes:
        damage: the journal's problem that an audit found; set at the end of the round in which it was found.
    """

    def __init__(
        self, table: Table, file: Path, loaded: LoadedTable, clock: TableClock, ended: asyncio.Event
    ) -> None:
        self.damage = ""
        self._table = table
        self._file = file
        self._ended = ended
        self._clock = clock
        self._audit_problem = ""
        self._prompt = ""
        self._audit: Audit | None = None
        self._clock_watch = ClockWatch(clock, table.take)
        self._tracer = tracer_of(table, file, loaded.config.journal.trace_rounds)
        table.recorder.on_halt = ended.set
        table.listeners.append(self._on_decision)
        table.prompt_listeners.append(self._on_prompt)

    def start(self) -> None:
        """Start the table and the audit of its journal.

        Raises:
            JournalDamagedError: an entry of the present round is damaged.
        """
        self._table.start()
        if not self._table.halted:
            mark_recorded(self._file)
            self._audit = Audit(self._file, self._clock, self._on_damage)
            self._clock_watch.start()

    def stop(self) -> None:
        self._clock_watch.close()
        if self._audit is not None:
            self._audit.close()
        self._table.stop()
        if self._tracer is not None:
            self._tracer.close()

    def _on_decision(self, recorded: RecordedDecision) -> None:
        log.info("%s", record_line(recorded.record))
        if self._audit_problem and any(isinstance(effect, RoundOpened) for effect in recorded.record.effects):
            self.damage = self._audit_problem
            self._ended.set()

    def _on_damage(self, problem: str) -> None:
        """Close the table after the present round."""
        self._audit_problem = problem
        log.error("the journal is damaged: %s; after this round the table is closed", problem)

    def _on_prompt(self, prompt: str) -> None:
        """Log the prompt without the entered digits."""
        question = prompt.rpartition(":")[0]
        if question and question != self._prompt:
            log.info("%s", question)
        self._prompt = question
