"""Keeps the edges of a table's rounds beside its journal, where it has a sensor head."""

import logging
import sqlite3
from pathlib import Path

from controller.journal.errors import JournalUnwritableError
from controller.journal.journal_file import check_room
from controller.journal.replay.trace import Traces, trace_file
from controller.journal.replay.tracer import Tracer
from controller.runtime.table import Table

log = logging.getLogger("table")


def tracer_of(table: Table, journal: Path, rounds: int) -> Tracer | None:
    """Create the recorder of the table's edges; None without a sensor head, or if no edges are to be stored."""
    head = table.devices.head
    if head is None or not rounds:
        return None
    try:
        check_room(journal)
        tracer = Tracer(Traces(trace_file(journal), rounds), head.levels())
    except (sqlite3.Error, JournalUnwritableError) as error:
        log.warning("%s: %s; no edges are stored until this file is moved away", trace_file(journal), error)
        return None
    table.edge_listeners.append(tracer.hear)
    table.level_listeners.append(tracer.levels_read)
    table.listeners.append(tracer)
    return tracer
