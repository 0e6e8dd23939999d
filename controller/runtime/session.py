"""A table's session: it runs until it is stopped, and waits while its journal cannot be used.

If the disk cannot be written, that is retried. If the journal is damaged, or of another version that this one
cannot continue, the floorperson decides whether a new journal begins. In both cases the lamps are off and the
screens show the reason; the record is kept, and play continues from its end.
"""

import asyncio
import logging
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path

from controller import __version__
from controller import errors as exits
from controller.configuration.shipped import LoadedTable
from controller.events.effect import RoundOpened
from controller.events.table_words import TABLE_WORDS
from controller.events.words import NOTHING
from controller.journal.audit import Audit
from controller.journal.deciders import Decider
from controller.journal.errors import (
    JournalDamagedError,
    JournalMirrorError,
    JournalMovedError,
    JournalOfOtherVersionError,
    JournalUnwritableError,
)
from controller.journal.journal import Journal
from controller.journal.journal_file import check_room
from controller.journal.mirror import MirroredJournal
from controller.journal.record import RecordedDecision, record_line
from controller.journal.replay.trace import Tracer, Traces, trace_file
from controller.journal.set_aside import REPLACED, mark_recorded, noted, quarantine, rescue
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.lockout import LockedOutTable
from controller.runtime.media import JournalFiles
from controller.runtime.socket import TableSocket, Views
from controller.runtime.software import digest
from controller.runtime.systemd import ServiceManager, ServiceReporter
from controller.runtime.table import Setup, Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.runtime.uncollected import uncollected
from controller.table.prompts import View, sentence_of
from hal.computer import LinuxComputer

log = logging.getLogger("table")

RETRY_S = 5.0
"""How often the disk is retried, and how often a waiting table notifies the watchdog."""


class TableSession:
    """One table, from its start to its end. Create it inside the running event loop.

    Args:
        clock: the loop's, and the table's wall time.
        views: what the table's screens show.
        socket: where other processes reach the table; None for none.
    """

    def __init__(
        self,
        loaded: LoadedTable,
        files: JournalFiles,
        clock: TableClock,
        manager: ServiceManager,
        views: Views,
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
        self._damage = ""
        """What an audit found in the present journal. It closes the table after the round."""

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
                    with closing(await self._opened()) as journal:
                        return await self._play(journal)
                except (JournalUnwritableError, JournalMirrorError) as error:
                    await self._wait_for_disk(str(error))
                except JournalDamagedError as error:
                    await self._wait_for_replacement(str(error), "damaged")
                except JournalOfOtherVersionError as error:
                    await self._wait_for_replacement(str(error), "of another version")
            return exits.OK
        finally:
            self._manager.notify(STOPPING="1")
            if self._socket is not None:
                self._socket.close()

    async def _opened(self) -> Journal:
        """The journal; what its mirror lacks is copied to it."""
        file, mirror, distinct = self._files
        if mirror is None:
            return Journal(file)
        journal = MirroredJournal(file, mirror, distinct)
        try:
            for done in journal.catch_up():  # A long copy must neither seem to hang nor end the start.
                self._show_waiting(f"closed: {done} of {len(journal)} entries are copied to {mirror}")
                await asyncio.sleep(0)
        except BaseException:
            journal.close()
            raise
        return journal

    # -- playing -------------------------------------------------------------------------------------------

    async def _play(self, journal: Journal) -> int:
        """Play until the session or the table ends.

        Raises:
            JournalError: the journal cannot be used any longer.
        """
        self._clock.begin(newest_on_record(journal))
        self._damage = ""
        with uncollected():
            table = self._table(journal)
        with ExitStack() as ends:
            if self._socket is not None:
                self._socket.serve(journal)
                ends.callback(self._socket.serve, None)
            ends.callback(table.stop)
            tracer = tracer_of(table, self._files.file, self._loaded.config.journal.trace_rounds)
            if tracer is not None:
                ends.callback(tracer.close)
            table.start()
            service = ServiceReporter(table, self._manager, self._clock)
            ends.callback(service.close)
            if not table.halted:
                for audit in self._audits(journal):
                    ends.callback(audit.close)
                self._last_problem = ""
                log.info("table %s is ready: %s", self._loaded.config.table, table.machine.waiting_for())
                service.ready()
                await self._wake.wait()
        error = table.recorder.journal_error
        if isinstance(error, JournalUnwritableError | JournalDamagedError):
            raise error
        if isinstance(error, JournalMovedError):
            raise JournalDamagedError(f"{error}; {rescue(journal, self._files.file, self._clock.utc_ns())}")
        if self._damage and not table.halted and not self._stopped:
            raise JournalDamagedError(self._damage)
        return exits.FAILED if table.halted else exits.OK

    def _table(self, journal: Journal) -> Table:
        """A table on the journal, with those who listen to it."""
        notes = () if len(journal) else (noted(file, REPLACED) for file in self._files[:2] if file is not None)
        config, this = self._loaded.config, Decider(__version__, digest(), self._loaded.digest)
        replaced = tuple(filter(None, notes))
        table = Table(Setup(config, this, computer=LinuxComputer(), replaces=replaced), journal, self._clock)
        self._views.watch(table)
        table.recorder.halt_listeners.append(self._wake.set)
        table.listeners.append(self._on_decision)
        words, shown = words_of(find_game(config.game)), NOTHING

        def log_prompt(view: View) -> None:
            """Without the digits, each time that another one opens."""
            nonlocal shown
            if view.text and view.text != shown:
                log.info("%s", sentence_of(replace(view, dots=0), TABLE_WORDS))
            shown = view.text

        table.listeners.append(lambda recorded: log.info("%s", record_line(recorded.record, words)))
        table.inputs.prompt_listeners.append(log_prompt)
        return table

    def _audits(self, journal: Journal) -> list[Audit]:
        """Start to verify the whole journal in the background, and its mirror; all notes are on record by now."""
        mark_recorded(self._files.file)
        audits = [Audit(journal, self._clock, self._on_damage)]
        if isinstance(journal, MirroredJournal) and journal.mirror is not None:
            mark_recorded(journal.mirror_file)
            audits.append(Audit(journal.mirror, self._clock, journal.drop))
        return audits

    def _on_damage(self, problem: str) -> None:
        self._damage = problem
        log.error("the journal is damaged: %s; after this round the table is closed", problem)

    def _on_decision(self, recorded: RecordedDecision) -> None:
        if self._damage and any(isinstance(effect, RoundOpened) for effect in recorded.record.effects):
            self._wake.set()

    # -- waiting -------------------------------------------------------------------------------------------

    async def _wait_for_disk(self, problem: str) -> None:
        if problem != self._last_problem:
            log.critical("the table is closed: %s; retrying every %.0f s", problem, RETRY_S)
        self._last_problem = problem
        await self._wait(f"closed: {problem}")

    async def _wait_for_replacement(self, problem: str, what: str) -> None:
        """Wait until the floorperson decides to begin a new journal."""
        log.critical("the journal is %s: %s", what, problem)
        at = self._loaded.config, self._clock, what, self._files.file
        with closing(LockedOutTable(*at, changed=self._wake.set)) as closed:
            while closed.decided is None and not self._stopped:
                await self._wait(f"{closed.status} ({problem})", closed.prompt())
        if closed.decided is None:
            return
        try:
            for file in self._present():
                kept_as = quarantine(file, problem, self._clock.utc_ns(), closed.decided, what.replace(" ", "-"))
                log.warning("the old journal is kept as %s; a new one begins", kept_as)
        except OSError as error:
            await self._wait_for_disk(f"{self._files.file}: the old journal cannot be renamed: {error.strerror}")

    def _present(self) -> list[Path]:
        """The files that are there: the mirror first. The journal, if neither is."""
        files = (self._files.mirror, self._files.file)
        return [file for file in files if file is not None and file.exists()] or [self._files.file]

    async def _wait(self, status: str, prompt: str = "") -> None:
        """Wait until the next retry or a wake-up. The event is cleared first: the end of play has set it."""
        self._wake.clear()
        if not self._stopped:
            self._show_waiting(status, prompt)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), RETRY_S)

    def _show_waiting(self, status: str, prompt: str = "") -> None:
        self._manager.notify(READY="1", STATUS=status, WATCHDOG="1")
        self._views.closed(status, prompt)


def tracer_of(table: Table, journal: Path, rounds: int) -> Tracer | None:
    """What keeps the edges of the table's rounds beside its journal.

    None without a sensor head, or if no edges are to be stored.
    """
    head = table.devices.head
    if head is None or not rounds:
        return None
    try:
        check_room(journal)
        tracer = Tracer(Traces(trace_file(journal), rounds), head.levels())
    except (JournalDamagedError, JournalUnwritableError) as error:
        log.warning("no edges are stored: %s", error)
        return None
    table.head.listeners.append(tracer.on_batch)
    table.head.level_listeners.append(tracer.levels_read)
    table.head.relearn_listeners.append(tracer.relearned)
    table.listeners.append(tracer)
    return tracer
