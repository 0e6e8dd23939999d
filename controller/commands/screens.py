"""Serve a table's pages: board, dealer's screen, rounds.

It is a process of its own, and asks the table at its socket for what the pages show.

examples:
  table-controller screens table.yaml
      serves the pages of this computer's table; its service runs the same command
  table-controller screens roulette --journal trial.journal --port 8090
      serves the pages of a trial with its own journal
"""

import asyncio
import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path

from controller.commands.output import log_to_stderr, port
from controller.commands.until_stopped import until_stopped
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.errors import OK
from controller.runtime.media import files_of
from controller.runtime.socket import reached_at

OFF = 3
"""Exit code where the file turns the screens off (systemd/table-controller-screens.service)."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file")
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="the journal of a trial; the trial's socket is beside it"
    )
    parser.add_argument(
        "--port",
        type=port,
        metavar="N",
        help="serve the pages at this port only, instead of the configured ones; 0 for any free one",
    )


def run(arguments: Namespace) -> int:
    loaded = load_table(table_path(arguments.table))
    log_to_stderr()
    if not loaded.config.screens.enabled:
        logging.getLogger("table").info("this table has no screens: its file has `screens: enabled: false`")
        return OFF
    asyncio.run(until_stopped(_serve(loaded, arguments)))
    return OK


async def _serve(loaded: LoadedTable, arguments: Namespace) -> None:
    from controller.screens.service import serve_screens

    file = files_of(loaded.config, arguments.journal).file
    place = reached_at(file, arguments.journal is not None)
    await serve_screens(loaded, place, file, arguments.port)
