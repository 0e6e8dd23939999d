"""The process beside a table that serves its pages: to viewers, and to this computer's own display."""

import asyncio
import logging
from pathlib import Path

from config.loader import digest, read
from controller.configuration.shipped import LoadedTable
from controller.screens.pages import Pages, closed_views
from controller.screens.rounds import Rounds
from controller.screens.source import SocketViews
from controller.web.serving import listening_at_last, serve
from hal.clock import LoopClock

log = logging.getLogger("table")

VIEWERS, DISPLAY = 192, 32
"""The most connections at a time: of all viewers together, and of the display's own listener."""
_LOOPBACK = "127.0.0.1"


class FileChangedError(Exception):
    """The table's file is another than at the start."""


async def serve_screens(loaded: LoadedTable, place: Path, file: Path, port: int | None) -> None:
    """Serve until cancelled, or until the table's file is another one.

    Args:
        place: the table's socket.
        file: its journal.
        port: the only one to serve at; None for those of the table's file.
    """
    clock, screens = LoopClock(), loaded.config.screens
    pages = Pages(loaded.config, clock, Rounds(loaded.config, place, file))

    def check_file() -> None:
        if loaded.path.is_file() and digest(read(loaded.path)) != loaded.digest:
            raise FileChangedError

    async def serve_at(address: str, number: int, connections: int) -> None:
        listener = await listening_at_last(address, number, log)
        log.info("screens at http://%s:%d/, /dealer and /rounds", address, listener.getsockname()[1])
        await serve(pages.application, listener, connections, pages.hub.end)

    views = SocketViews(place, pages.hub, lambda why: closed_views(clock, why), check_file)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(views.run())
            group.create_task(serve_at(screens.address, screens.port if port is None else port, VIEWERS))
            if port is None:
                group.create_task(serve_at(_LOOPBACK, screens.display_port, DISPLAY))
    except* FileChangedError:
        log.info("%s is another file: the screens start again with it", loaded.path)
