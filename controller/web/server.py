"""Listens for screens, on the table's own event loop: over TCP, and at a socket of this computer."""

import asyncio
import logging
import socket
from collections.abc import Callable

from controller.web.exchange import Handler, Viewer
from controller.web.http import Connection
from controller.web.serving import BODY_BYTES, Serving

log = logging.getLogger("table")


class HttpServer:
    """Answers requests.

    Args:
        handle: answers one; an exception becomes status 500 and is logged.
        urgent: whether a path may take the last slots.
        body_bytes: the longest body of a request.
    """

    def __init__(
        self,
        handle: Handler,
        urgent: Callable[[str], bool] = lambda path: True,
        body_bytes: int = BODY_BYTES,
    ) -> None:
        self.handle = handle
        self._serving = Serving(handle, urgent, body_bytes)
        self._servers: list[asyncio.AbstractServer] = []

    @property
    def connections(self) -> set[Viewer]:
        """The open ones."""
        return self._serving.connections

    async def open(self, address: str, port: int) -> int:
        """Listen and return the port, which is a free one if 0 was requested.

        Raises:
            OSError: the address or the port is not available.
        """
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        listening = socket.create_server((address, port), family=family, backlog=64)
        bound: int = listening.getsockname()[1]
        loop = asyncio.get_running_loop()
        # Serving starts afterwards: a caller that is cancelled meanwhile can still close the server.
        server = await loop.create_server(self._connection, sock=listening, start_serving=False)
        self._servers.append(server)
        await server.start_serving()
        return bound

    async def open_local(self, name: str) -> None:
        """Listen at a socket of this computer, which only its own processes reach.

        Args:
            name: as :func:`local_address` makes it.

        Raises:
            OSError: another process has it, or this system has no such sockets.
        """
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(name)
            listening.setblocking(False)
            server = await asyncio.get_running_loop().create_unix_server(self._connection, sock=listening)
        except BaseException:
            listening.close()
            raise
        self._servers.append(server)

    def _connection(self) -> Connection:
        return Connection(self._serving)

    def close(self) -> None:
        """Stop listening, and close every connection."""
        for server in self._servers:
            server.close()
        self._servers.clear()
        for connection in tuple(self.connections):
            connection.drop()


def local_address(port: int) -> str:
    """The name of the socket at which a table on this computer takes requests, by the port of its pages.

    It is in Linux's abstract namespace (unix(7)): it needs no file, and ends with the process.
    """
    return f"\0table-controller/screens/{port}"
