"""HTTP/1.1 for a handful of screens, on the table's own event loop. Knows no table.

The protocol is h11's (https://h11.readthedocs.io, RFC 9112); here are the limits. A table's loop has better to do
than to wait: who is slow to ask or to take the answer is left, and nothing is read that is not wanted.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

import h11

log = logging.getLogger("table")

CONNECTIONS = 256
"""So many at once; further ones are told to come again."""
HEAD_BYTES, BODY_BYTES = 8192, 4096
"""The longest head and body of a request."""
ASK_S, TAKE_S, IDLE_S = 10.0, 20.0, 60.0
"""How long a request may take to arrive, an answer to be taken, and a connection to wait for its next request."""
BACKLOG_BYTES = 256 * 1024
"""What may wait to be taken by somebody who follows a stream."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked. Names of headers are in small letters."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    peer: str = ""
    """The address that asks."""


@dataclass(frozen=True, slots=True)
class Response:
    """An answer with its whole body."""

    status: int = HTTPStatus.OK
    body: bytes = b""
    kind: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


class Viewer(Protocol):
    """Somebody who follows a stream of events."""

    def send(self, data: bytes) -> None:
        """Send what :func:`framed` has made; never waits."""

    @property
    def backlog(self) -> int:
        """Bytes that were sent and not taken yet."""

    def drop(self) -> None:
        """Send nothing more, and forget what was not taken."""


@dataclass(frozen=True, slots=True)
class Follow:
    """An answer that does not end: an event stream (https://html.spec.whatwg.org, server-sent events)."""

    joins: Callable[[Viewer], None]
    """Told of the viewer as soon as it can be sent to."""
    leaves: Callable[[Viewer], None]
    headers: tuple[tuple[str, str], ...] = ()


Answer = Response | Follow | Awaitable[Response]
Handler = Callable[[Request], Answer]


def framed(data: bytes) -> bytes:
    """A chunk of a body of unknown length (RFC 9112, 7.1): made once for all viewers."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class HttpServer:
    """Answers requests.

    Args:
        handle: answers one; what it raises becomes an error 500, and a line of the log.
    """

    def __init__(self, handle: Handler) -> None:
        self.handle = handle
        self.connections: set[Connection] = set()
        self._server: asyncio.Server | None = None

    async def open(self, address: str, port: int) -> int:
        """Listen; returns the port, which matters if 0 was asked for.

        Raises:
            OSError: the address or the port cannot be had.
        """
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        taken = socket.create_server((address, port), family=family, backlog=64)
        found: int = taken.getsockname()[1]
        loop = asyncio.get_running_loop()
        # Not begun here: whoever gives up meanwhile still finds a server to close.
        self._server = await loop.create_server(lambda: Connection(self), sock=taken, start_serving=False)
        await self._server.start_serving()
        return found

    def close(self) -> None:
        """Listen no more, and leave every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in tuple(self.connections):
            connection.drop()


class Connection(asyncio.Protocol):
    """One connection: requests one after the other, until one of them asks for a stream."""

    def __init__(self, server: HttpServer) -> None:
        self._server = server
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._transport: asyncio.Transport
        self._timer: asyncio.TimerHandle | None = None
        self._head: h11.Request | None = None
        self._body = b""
        self._task: asyncio.Future[Response] | None = None
        self._follows: Follow | None = None

    # -- what asyncio calls --------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.connections.add(self)
        self._within(ASK_S)
        if len(self._server.connections) > CONNECTIONS:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(self)
        self._cancel()
        if self._task is not None:
            self._task.cancel()
        if self._follows is not None:
            follows, self._follows = self._follows, None
            follows.leaves(self)

    def data_received(self, data: bytes) -> None:
        if self._follows is not None or self._transport.is_closing():
            return  # Whoever follows has nothing more to say.
        try:
            self._http.receive_data(data)
            self._read()
        except h11.RemoteProtocolError as error:
            self._refuse(HTTPStatus(error.error_status_hint))

    def eof_received(self) -> bool:
        return False

    # -- viewers -------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    @property
    def backlog(self) -> int:
        return self._transport.get_write_buffer_size()

    def drop(self) -> None:
        self._transport.abort()

    # -- a request -----------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Take what has arrived, up to the end of one request."""
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._head = event
                if len(event.target) + sum(len(name) + len(value) for name, value in event.headers) > HEAD_BYTES:
                    self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)  # h11 limits what is incomplete.
                    return
            elif isinstance(event, h11.Data):
                self._body += bytes(event.data)
                if len(self._body) > BODY_BYTES:
                    self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                    return
            elif isinstance(event, h11.EndOfMessage):
                self._cancel()
                if self.backlog > BACKLOG_BYTES:
                    self.drop()  # Asks and asks, and takes no answer.
                else:
                    self._answer()
                return
            else:  # More has to come, or nothing more will.
                return

    def _answer(self) -> None:
        try:
            request = self._request()
        except ValueError:  # An address that is none, or asks too much at once.
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        try:
            answer = self._server.handle(request)
        except Exception:
            log.exception("a screen's request failed")
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR)
            return
        if isinstance(answer, Response):
            self._respond(answer)
        elif isinstance(answer, Follow):
            self._follow(answer)
        else:
            self._transport.pause_reading()
            self._task = asyncio.ensure_future(answer)
            self._task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Future[Response]) -> None:
        self._task = None
        if task.cancelled() or self._transport.is_closing():
            return
        self._transport.resume_reading()
        error = task.exception()
        if error is None:
            self._respond(task.result())
        else:
            log.error("a screen's request failed", exc_info=error)
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR)

    def _request(self) -> Request:
        head = self._head
        assert head is not None
        target = urlsplit(head.target.decode("latin-1"))
        headers: dict[str, str] = {}
        for name, value in head.headers:
            # Two hosts or two origins are an attempt to mean one and show another.
            key = name.decode("latin-1")
            headers[key] = (
                f"{headers[key]}, {value.decode('latin-1')}" if key in headers else value.decode("latin-1")
            )
        peer = self._transport.get_extra_info("peername") or ("",)
        query = dict(parse_qsl(target.query, max_num_fields=16))
        return Request(
            head.method.decode("latin-1"), unquote(target.path), query, headers, self._body, str(peer[0])
        )

    # -- an answer -----------------------------------------------------------------------------------------

    def _respond(self, response: Response) -> None:
        assert self._head is not None
        headers = [("Content-Type", response.kind), ("Content-Length", str(len(response.body))), *response.headers]
        data = self._http.send(h11.Response(status_code=response.status, headers=headers)) or b""
        if self._head.method != b"HEAD":
            data += self._http.send(h11.Data(data=response.body)) or b""
        self._transport.write(data + (self._http.send(h11.EndOfMessage()) or b""))
        self._head, self._body = None, b""
        self._within(TAKE_S)
        done = self._http.our_state is h11.DONE and self._http.their_state is h11.DONE
        if done and not self._http.trailing_data[0]:
            self._http.start_next_cycle()
        else:  # No browser asks anew before it has its answer.
            self._transport.close()

    def _follow(self, follow: Follow) -> None:
        assert self._head is not None
        if self._head.http_version < b"1.1":
            self._refuse(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
            return
        headers = [
            ("Content-Type", "text/event-stream"),
            ("Transfer-Encoding", "chunked"),
            ("Connection", "close"),
            *follow.headers,
        ]
        self._transport.write(self._http.send(h11.Response(status_code=HTTPStatus.OK, headers=headers)) or b"")
        self._cancel()
        self._follows = follow
        follow.joins(self)

    def _refuse(self, status: HTTPStatus) -> None:
        """Say why, and close: what else arrives is not read."""
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = f"{status.value} {status.phrase}\n".encode()
            headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body))), ("Connection", "close")]
            self._transport.write(
                (self._http.send(h11.Response(status_code=status, headers=headers)) or b"")
                + (self._http.send(h11.Data(data=body)) or b"")
                + (self._http.send(h11.EndOfMessage()) or b"")
            )
        self._within(TAKE_S)
        self._transport.close()

    # -- patience ------------------------------------------------------------------------------------------

    def _within(self, seconds: float) -> None:
        """Close the connection unless something is done by then."""
        self._cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._due, seconds)

    def _due(self, seconds: float) -> None:
        self._timer = None
        if seconds == TAKE_S and not self._transport.is_closing() and not self.backlog:
            self._within(IDLE_S)  # The answer was taken; there may be another request.
        else:
            self.drop()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
