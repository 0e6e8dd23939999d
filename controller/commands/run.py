"""``run``: the table itself, until it is told to stop."""

import asyncio
import logging
import signal
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from controller import exits, manifest
from controller.app import build
from controller.records.journal import Journal
from controller.records.trace import Tracer, Traces, trace_file
from controller.records.words import record_line
from controller.table import Happening, Table
from controller.tables import LoadedTable, load_table, table_path
from hal.clock import LoopClock

NAME = "run"
HELP = "run the table on its configured hardware"

log = logging.getLogger("table")
MACHINERY = "transitions"
"""The library tells each of its steps; the log is the technician's."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configured one")


def run(arguments: Namespace) -> int:
    loaded = load_table(table_path(arguments.table))
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(message)s")
    logging.getLogger(MACHINERY).setLevel(logging.WARNING)
    return asyncio.run(_run(loaded, arguments.journal or Path(loaded.config.journal.file)))


async def _run(loaded: LoadedTable, file: Path) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    journal = Journal(file)
    try:
        table = build(loaded.config, loaded.digest, LoopClock(), journal, manifest.digest())
        table.listeners.append(_log)
        tracer = _traced(table, file, loaded.config.journal.trace_rounds)
        table.on_halt = stop.set
        table.start()
        log.info("table %s is ready: %s", loaded.config.table, table.machine.waiting_for())
        await stop.wait()
        table.stop()
        if tracer is not None:
            tracer.close()
    finally:
        journal.close()
    return exits.FAILED if table.halted else exits.OK


def _traced(table: Table, journal: Path, rounds: int) -> Tracer | None:
    """Keep the edges of the table's sensors, if it has any and they are wanted."""
    head = table.devices.head
    if head is None or not rounds:
        return None
    try:
        tracer = Tracer(Traces(trace_file(journal), rounds), head.levels())
    except sqlite3.Error as error:
        log.warning("%s: %s; no edges are kept until it is moved away", trace_file(journal), error)
        return None
    table.edge_listeners.append(tracer.hear)
    table.listeners.append(tracer)
    return tracer


def _log(happening: Happening) -> None:
    log.info("%s", record_line(happening.record))
