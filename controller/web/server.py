"""Listens for screens, on the table's own event loop: over TCP or TLS, and at a socket of this computer."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable

from controller.web.exchange import Handler, Viewer
from controller.web.http import Connection
from controller.web.peers import Slot
from controller.web.proxies import Proxies
from controller.web.serving import BODY_BYTES, Serving
from controller.web.tls import HANDSHAKE_S, Certificates

log = logging.getLogger("table")


class HttpServer:
    """Answers requests.

    Args:
        handle: answers one; an exception becomes status 500 and is logged.
        certificates: reads those for TLS when the server opens; None for plain HTTP.
        proxies: those that are trusted to name their clients.
        urgent: whether a path may take the last slots.
        body_bytes: the longest body of a request.
    """

    def __init__(
        self,
        handle: Handler,
        certificates: Callable[[], Certificates] | None = None,
        proxies: Proxies | None = None,
        urgent: Callable[[str], bool] = lambda path: True,
        body_bytes: int = BODY_BYTES,
    ) -> None:
        self.handle = handle
        self._serving = Serving(handle, proxies or Proxies(), urgent, body_bytes)
        self._make_certificates = certificates
        self._certificates: Certificates | None = None
        self._servers: list[asyncio.AbstractServer] = []

    @property
    def connections(self) -> set[Viewer]:
        """The open ones."""
        return self._serving.connections

    @property
    def secure(self) -> bool:
        """Whether it serves over TLS."""
        return self._certificates is not None

    async def open(self, address: str, port: int, plain: bool = False) -> int:
        """Listen and return the port, which is a free one if 0 was requested.

        Args:
            plain: without TLS, whatever is configured: for this computer's own screen.

        Raises:
            OSError: the address or the port is not available, or a certificate cannot be used.
        """
        if self._make_certificates is not None and self._certificates is None:
            self._certificates = self._make_certificates()
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        listening = socket.create_server((address, port), family=family, backlog=64)
        bound: int = listening.getsockname()[1]
        loop = asyncio.get_running_loop()
        # Serving starts afterwards: a caller that is cancelled meanwhile can still close the server.
        make = self._plain if plain else self._connection
        server = await loop.create_server(make, sock=listening, start_serving=False)
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
            server = await asyncio.get_running_loop().create_unix_server(self._plain, sock=listening)
        except BaseException:
            listening.close()
            raise
        self._servers.append(server)

    def _connection(self) -> asyncio.Protocol:
        return self._plain() if self._certificates is None else _Handshake(self._serving, self._certificates)

    def _plain(self) -> Connection:
        return Connection(self._serving)

    def close(self) -> None:
        """Stop listening, and close every connection."""
        for server in self._servers:
            server.close()
        self._servers.clear()
        for handshake in tuple(self._serving.handshakes):
            handshake.cancel()
        for connection in tuple(self.connections):
            connection.drop()


def local_address(port: int) -> str:
    """The name of the socket at which a table on this computer takes requests, by the port of its pages.

    It is in Linux's abstract namespace (unix(7)): it needs no file, and ends with the process.
    """
    return f"\0table-controller/screens/{port}"


class _Handshake(asyncio.Protocol):
    """A connection until its TLS handshake is complete. It has its slot from the start: slow handshakes count."""

    def __init__(self, serving: Serving, certificates: Certificates) -> None:
        self._serving, self._certificates = serving, certificates
        self._slot: Slot | None = None
        self._early = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._slot = self._serving.enter(transport)
        if self._slot is None:
            transport.abort()
            return
        transport.pause_reading()  # The handshake reads.
        task = asyncio.get_running_loop().create_task(self._begin(transport, self._slot))
        self._serving.handshakes.add(task)
        task.add_done_callback(self._serving.handshakes.discard)

    def data_received(self, data: bytes) -> None:
        self._early += data  # What came along with the end of the handshake.

    async def _begin(self, transport: asyncio.Transport, slot: Slot) -> None:
        loop = asyncio.get_running_loop()
        secured: asyncio.Transport | None = None
        try:
            secured = await loop.start_tls(
                transport,
                self,
                self._certificates.context(),
                server_side=True,
                ssl_handshake_timeout=HANDSHAKE_S,
                ssl_shutdown_timeout=HANDSHAKE_S,
            )
        except (OSError, ssl.SSLError, asyncio.CancelledError):
            secured = None
        if secured is None or secured.is_closing():
            slot.leave()
            transport.abort()
            return
        connection = Connection(self._serving, slot, secure=True)
        secured.set_protocol(connection)
        connection.connection_made(secured)
        if self._early:
            connection.data_received(self._early)
