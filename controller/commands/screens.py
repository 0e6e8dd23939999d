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

from controller.commands.arguments import add_file, add_journal, journal_of, port, socket_of
from controller.commands.output import log_to_stderr
from controller.commands.services import until_stopped
from controller.configuration.shipped import find_table

OFF = 3
"""Exit code where the file turns the screens off (systemd/table-controller-screens.service)."""


def configure(parser: ArgumentParser) -> None:
    add_file(parser)
    add_journal(parser)
    words = "serve the pages at this port only, instead of the configured ones; 0 for any free one"
    parser.add_argument("--port", type=port, metavar="N", help=words)


def run(arguments: Namespace) -> int | None:
    loaded = find_table(arguments.table)
    log_to_stderr()
    if not loaded.config.screens.enabled:
        logging.getLogger("table").info("this table has no screens: its file has `screens: enabled: false`")
        return OFF
    from controller.screens.service import serve_screens

    place, file = socket_of(loaded.config, arguments), journal_of(loaded.config, arguments)
    asyncio.run(until_stopped(serve_screens(loaded, place, file, arguments.port)))
    return None
