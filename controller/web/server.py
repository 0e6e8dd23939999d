"""Listens for screens, on the table's own event loop."""

import asyncio
import socket

from controller.web.http import BODY_BYTES, Connection, Handler


class HttpServer:
    """Answers requests.

    Args:
        handle: answers one; an exception becomes status 500 and is logged.
        body_bytes: the longest body of a request.
    """

    def __init__(self, handle: Handler, body_bytes: int = BODY_BYTES) -> None:
        self.handle, self._body_bytes = handle, body_bytes
        self.connections: set[Connection] = set()
        self._server: asyncio.Server | None = None

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
        self._server = await loop.create_server(self._connection, sock=listening, start_serving=False)
        await self._server.start_serving()
        return bound

    def _connection(self) -> Connection:
        return Connection(self.handle, self.connections, self._body_bytes)

    def close(self) -> None:
        """Stop listening, and close every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in tuple(self.connections):
            connection.drop()
