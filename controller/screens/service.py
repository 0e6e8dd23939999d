"""The process beside a table that serves its pages: to viewers, and to this computer's own display.

It follows the views of the table over its socket, and starts anew whenever the connection is lost.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from config.loader import digest, read
from controller.configuration.shipped import LoadedTable
from controller.screens.pages import Pages, closed_views
from controller.screens.rounds import Rounds
from controller.screens.streams import Document, Hub
from controller.web.serving import listening_at_last, serve
from hal.clock import LoopClock

log = logging.getLogger("table")

VIEWERS, DISPLAY = 192, 32
"""The most connections at a time: of all viewers together, and of the display's own listener."""
_LOOPBACK = "127.0.0.1"
RETRY_S = 2.0
_SILENCE_S = 60.0
"""A table that sent nothing for so long is not there: it sends its clock every fifteen seconds."""
_MOST_BYTES = 8 * 1024 * 1024
"""Of a line."""


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


class SocketViews:
    """The views of the table at a socket, for a hub.

    Args:
        closed: the views while the table cannot be reached.
        connecting: called before each attempt to connect.
    """

    def __init__(
        self, place: Path, hub: Hub, closed: Callable[[str], Mapping[str, Document]], connecting: Callable[[], None]
    ) -> None:
        self._place, self._hub, self._closed, self._connecting = place, hub, closed, connecting
        self._writer: asyncio.StreamWriter | None = None
        self._said = -1
        hub.viewers_changed.append(self._say_showing)

    async def run(self) -> None:
        """Follow the table until cancelled."""
        last = ""
        while True:
            self._connecting()
            why = "it closed the connection"
            try:
                await self._follow()
            except (OSError, ValueError, TimeoutError) as error:
                why = getattr(error, "strerror", "") or str(error) or "it sends nothing"
            if why != last:
                log.warning("the table does not answer (%s: %s)", self._place, why)
            last = why
            self._hub.take(self._closed("the table does not run: wait until it has started, or see its log"))
            await asyncio.sleep(RETRY_S)

    async def _follow(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._place, limit=_MOST_BYTES)
        with closing(writer):
            writer.write(b'{"watch":["views"]}\n')
            self._writer, self._said = writer, 0
            self._say_showing()
            try:
                while True:
                    async with asyncio.timeout(_SILENCE_S):
                        line = await reader.readline()
                    if not line:
                        return
                    self._take(json.loads(line))
            finally:
                self._writer = None

    def _take(self, line: Mapping[str, Document]) -> None:
        if "view" in line:
            self._hub.take(line["view"])  # type: ignore[arg-type]
        elif "turn" in line:
            self._hub.turn(line["turn"])
        elif "error" in line:
            raise ValueError(line["error"])

    def _say_showing(self) -> None:
        """Tell the table how many boards are on display."""
        if self._writer is not None and self._said != self._hub.showing:
            self._said = self._hub.showing
            self._writer.write(json.dumps({"showing": self._said}).encode() + b"\n")
