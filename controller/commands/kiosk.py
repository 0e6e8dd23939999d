"""``kiosk``: the board or the dealer's screen at this computer's own display, full-screen; called by its units.

Two users: the table's reads the table's file (``--settings``), the kiosk's draws and may read nothing of the table.
"""

import logging
import os
import signal
import threading
import time
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from controller.kiosk import settings
from controller.kiosk.browser import Browser, missing
from controller.kiosk.connection import answers, holds
from controller.kiosk.keeper import Keeper
from controller.kiosk.notice import NoticePage
from controller.kiosk.service import TableService
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain, log_handler
from hal.displays import LinuxDisplays

NAME = "kiosk"
HELP = "show the board or the dealer's screen at this computer's own display; for its units"
EXAMPLES = (
    ("kiosk --configured", "whether the table's file asks for a page at the display"),
    ("kiosk --show /run/table-controller-kiosk", "shows it; run by its unit"),
)

LOOKS_S = 1.0
"""How often it is looked at what stands at the display."""


def configure(parser: ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--settings", type=Path, metavar="FILE", help="hand over what the table's file asks for, and end"
    )
    what.add_argument(
        "--configured", action="store_true", help="exit 0 if anything is to be shown, 1 if not, and end"
    )
    what.add_argument(
        "--show", type=Path, metavar="FOLDER", help="show it; the browser writes to this folder alone"
    )


def run(arguments: Namespace) -> int:
    if arguments.configured:
        return exits.OK if settings.read().shows else exits.FAILED
    logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
    try:
        if arguments.settings is not None:
            settings.write(settings.settings_of(arguments.settings))
            return exits.OK
        return _show(arguments.show)
    except OSError as error:
        complain(f"table-controller kiosk: {error.filename}: {error.strerror}")
        return exits.FAILED


def _show(folder: Path) -> int:
    """Keep the page there until it is no longer asked for, or the service ends."""
    if why := missing():
        complain(f"table-controller kiosk: {why}")
        return exits.CONFIGURATION
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    keeper = Keeper(
        settings.read,
        LinuxDisplays().connected,
        Browser(folder),
        NoticePage(folder / "notice.html"),
        answers,
        partial(holds, user=os.getuid()),
        TableService().sentences,
    )
    try:
        while keeper.look(time.monotonic()) and not ended.wait(LOOKS_S):
            pass
    finally:
        keeper.close()
    return exits.OK
