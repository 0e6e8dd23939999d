"""A table on a usable journal: the audit of its record, the edges that are kept of it, and what is logged of it."""

import asyncio
import logging
import sqlite3
from dataclasses import replace
from pathlib import Path

from controller.configuration.shipped import LoadedTable
from controller.events.effect import RoundOpened
from controller.events.table_words import TABLE_WORDS
from controller.events.words import NOTHING
from controller.journal.audit import Audit
from controller.journal.errors import JournalUnwritableError
from controller.journal.journal_file import check_room
from controller.journal.mirror import MirroredJournal
from controller.journal.record import RecordedDecision, record_line
from controller.journal.replay.trace import Tracer, Traces, trace_file
from controller.journal.set_aside import mark_recorded
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.table import Table
from controller.table.prompts import View, sentence_of
from hal.interfaces import Clock

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
        clock: Clock,
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
        self._words = words_of(find_game(loaded.config.game))
        self._tracer = tracer_of(table, file, loaded.config.journal.trace_rounds)
        table.recorder.halt_listeners.append(ended.set)
        table.listeners.append(self._on_decision)
        table.inputs.prompt_listeners.append(self._on_prompt)

    def start(self) -> None:
        """Start the table and the audit of its journal.

        Raises:
            JournalDamagedError: an entry of the present round is damaged.
        """
        self._table.start()
        if not self._table.halted:
            journal = self._table.journal
            mark_recorded(self._file)
            self._audits.append(Audit(journal, self._clock, self._on_damage))
            if isinstance(journal, MirroredJournal) and journal.mirror is not None:
                mark_recorded(journal.mirror_file)
                self._audits.append(Audit(journal.mirror, self._clock, journal.drop))

    def stop(self) -> None:
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

    def _on_damage(self, problem: str) -> None:
        """Close the table after the present round."""
        self._audit_problem = problem
        log.error("the journal is damaged: %s; after this round the table is closed", problem)

    def _on_prompt(self, view: View) -> None:
        """Log the prompt without the digits, each time that another one opens."""
        if view.text and view.text != self._prompt:
            log.info("%s", sentence_of(replace(view, dots=0), TABLE_WORDS))
        self._prompt = view.text


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
    except (sqlite3.Error, JournalUnwritableError) as error:
        log.warning("%s: %s; no edges are stored until this file is moved away", trace_file(journal), error)
        return None
    table.head.listeners.append(tracer.on_batch)
    table.head.level_listeners.append(tracer.levels_read)
    table.head.relearn_listeners.append(tracer.relearned)
    table.listeners.append(tracer)
    return tracer
