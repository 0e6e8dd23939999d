"""``screens``: serves the pages of a table, in a process that only asks the table for what they show."""

import asyncio
import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path

from controller.commands.columns import port
from controller.commands.console import log_handler
from controller.commands.until_stopped import until_stopped
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.runtime import exit_codes as exits
from controller.runtime.media import files_of
from controller.runtime.socket import SERVICE, place_of

NAME = "screens"
HELP = "serve a table's pages: board, dealer's screen, record"
EXAMPLES = (
    ("screens table.yaml", "the pages of the table of this computer; its service does the same"),
    ("screens roulette --journal trial.journal --port 8090", "those of a trial with a journal of its own"),
)


OFF = 3
"""Exit code where the file turns the screens off (systemd/table-controller-screens.service)."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file")
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="of a trial, its journal, beside which it has its socket"
    )
    parser.add_argument(
        "--port",
        type=port,
        metavar="N",
        help="serve the pages at this port alone, instead of the configured ones; 0 for any",
    )


def run(arguments: Namespace) -> int:
    loaded = load_table(table_path(arguments.table))
    logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
    if not loaded.config.screens.enabled:
        logging.getLogger("table").info("this table has no screens: its file has `screens: enabled: false`")
        return OFF
    asyncio.run(until_stopped(_serve(loaded, arguments)))
    return exits.OK


async def _serve(loaded: LoadedTable, arguments: Namespace) -> None:
    from controller.screens.service import serve_screens

    file = files_of(loaded.config, arguments.journal).file
    beside = place_of("", file)
    place = beside if arguments.journal is not None or beside.exists() else SERVICE
    await serve_screens(loaded, place, file, arguments.port)
