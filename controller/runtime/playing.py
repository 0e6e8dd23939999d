"""A table on a usable journal: the audit of its record, its edges and what is logged of it."""

import asyncio
import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

from controller.configuration.shipped import LoadedTable
from controller.events.effect import RoundOpened
from controller.events.table_words import TABLE_WORDS
from controller.events.words import NOTHING
from controller.journal.audit import Audit
from controller.journal.errors import JournalError, JournalMovedError
from controller.journal.medium import JOURNAL
from controller.journal.mirrored import MirroredJournal
from controller.journal.quarantine import mark_recorded
from controller.journal.record import RecordedDecision
from controller.journal.text import record_line
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.clock_watch import ClockWatch
from controller.runtime.journal_watch import JournalWatch
from controller.runtime.table import Table
from controller.runtime.table_clock import TableClock
from controller.runtime.traced import tracer_of
from controller.table.prompts import View, sentence_of

log = logging.getLogger("table")


class PlayingTable:
    """A table on a usable journal, with its listeners.

    Args:
        ended: set when the table cannot continue.

    Attributes:
        damage: the journal's problem that an audit found; set at the end of the round in which it was found.
    """

    def __init__(
        self,
        table: Table,
        file: Path,
        loaded: LoadedTable,
        clock: TableClock,
        ended: asyncio.Event,
    ) -> None:
        self.damage = ""
        self._table = table
        self._file = file
        self._ended = ended
        self._clock = clock
        self._audit_problem = ""
        self._prompt = NOTHING
        self._audits: list[Audit] = []
        self._clock_watch = ClockWatch(clock, table.take)
        self._journal_watch = JournalWatch(table.journal, clock, self._on_moved)
        self._words = words_of(find_game(loaded.config.game))
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
            for name, file in self._open_files():
                mark_recorded(file)
                self._begin_audit(name, file)
            self._clock_watch.start()
            self._journal_watch.start()

    def stop(self) -> None:
        self._clock_watch.close()
        self._journal_watch.close()
        for audit in self._audits:
            audit.close()
        self._table.stop()
        if self._tracer is not None:
            self._tracer.close()

    def _on_decision(self, recorded: RecordedDecision) -> None:
        log.info("%s", record_line(recorded.record, self._words))
        if self._audit_problem and any(isinstance(effect, RoundOpened) for effect in recorded.record.effects):
            self.damage = self._audit_problem
            self._ended.set()

    def _begin_audit(self, name: str, file: Path) -> None:
        try:
            self._audits.append(Audit(file, self._clock, partial(self._on_damage, name)))
        except JournalError as error:
            if not self._goes_on_without(name, str(error)):
                raise

    def _goes_on_without(self, name: str, problem: str) -> bool:
        """Whether there is another medium that the table goes on with."""
        journal = self._table.journal
        return isinstance(journal, MirroredJournal) and (not journal.is_open(name) or journal.drop(name, problem))

    def _open_files(self) -> list[tuple[str, Path]]:
        """The media in use, with their files."""
        journal = self._table.journal
        if isinstance(journal, MirroredJournal):
            return [(medium.name, medium.file) for medium in journal.media if medium.journal is not None]
        return [(JOURNAL, self._file)]

    def _on_damage(self, name: str, problem: str) -> None:
        """Go on with the other medium; if there is none, close the table after the present round."""
        if self._goes_on_without(name, problem):
            return
        self._audit_problem = problem
        log.error("the journal is damaged: %s; after this round the table is closed", problem)

    def _on_moved(self, error: JournalMovedError) -> None:
        self._table.recorder.trouble = error
        self._table.recorder.halt(str(error))

    def _on_prompt(self, view: View) -> None:
        """Log the prompt without the digits, each time that another one opens."""
        if view.text and view.text != self._prompt:
            log.info("%s", sentence_of(replace(view, dots=0), TABLE_WORDS))
        self._prompt = view.text
