"""Run a table until it is stopped.

examples:
  table-controller run /etc/table-controller/table.yaml
      the table of this computer; its service runs the same command. Ctrl+C ends it
  table-controller run roulette --journal trial.journal
      a shipped table on simulated hardware, with its own journal
"""

import asyncio
import logging
import os
from argparse import ArgumentParser, Namespace

from controller.commands.arguments import add_file, add_journal
from controller.commands.output import log_to_stderr
from controller.commands.services import at_signals, managed
from controller.configuration.shipped import LoadedTable, find_table, simulated
from controller.configuration.this_computer import lasting_journals
from controller.runtime.media import JournalFiles, files_of
from controller.runtime.session import TableSession
from controller.runtime.socket import TableSocket, place_of
from controller.runtime.systemd import ServiceManager
from controller.runtime.table_clock import TableClock
from controller.runtime.uncollected import uncollected
from controller.viewmodel.views import TableViews
from hal.clock import LoopClock
from hal.wall_time import set_by

MACHINERY = "transitions"
"""The library logs each of its steps, which are of no use to a technician."""


def configure(parser: ArgumentParser) -> None:
    add_file(parser)
    add_journal(parser)


def run(arguments: Namespace) -> int:
    with managed() as manager:
        with uncollected():
            # Another journal than the configured one is for a trial: it may lie anywhere.
            rules = () if arguments.journal is not None else (lasting_journals,)
            loaded = find_table(arguments.table, rules)
        log_to_stderr()
        logging.getLogger(MACHINERY).setLevel(logging.WARNING)
        if names := simulated(loaded.config):
            logging.getLogger(__name__).warning("simulated devices sense and light nothing: %s", ", ".join(names))
        return asyncio.run(_run(loaded, files_of(loaded.config, arguments.journal), manager))


async def _run(loaded: LoadedTable, files: JournalFiles, manager: ServiceManager) -> int:
    clock = TableClock(LoopClock(), set_by)
    views = TableViews(loaded.config, clock)
    socket = TableSocket(place_of(os.environ.get("RUNTIME_DIRECTORY", ""), files.file), files.file, views)
    running = TableSession(loaded, files, clock, manager, views, socket)
    at_signals(running.stop)
    return await running.run()
