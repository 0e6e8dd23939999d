"""Follows the views of a table over its socket, and starts anew whenever the connection is lost."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from controller.screens.streams import Document, Hub

log = logging.getLogger("table")

RETRY_S = 2.0
_SILENCE_S = 60.0
"""A table that sent nothing for so long is not there: it sends its clock every fifteen seconds."""
_MOST_BYTES = 8 * 1024 * 1024
"""Of a line."""


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
