"""Serves the pages of a table and of the floor with uvicorn: limits on slow clients, names of hosts, headers."""

import asyncio
import logging
import re
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext

import uvicorn
from starlette.convertors import Convertor, register_url_convertor
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_S, ANSWER_S, IDLE_S = 10.0, 20.0, 60
"""Time limits for a request to arrive, for a client that stops receiving, and between two requests."""
RETRY_S = 10.0
"""How often an unavailable address is tried again."""
_HEAD_BYTES = 8192
DIGITS = "[0-9]{1,18}"
"""Of a number in an address, as a regular expression: each database has such numbers."""
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:@/,]*))(?::\d*)?")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _Number(Convertor[int]):
    """A number in a path: ``/rounds/{number:number}``."""

    regex, convert, to_string = DIGITS, int, str  # type: ignore[assignment]


register_url_convertor("number", _Number())


class _Connection(H11Protocol):
    """A connection that ends if its client is too slow, or if there are too many."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._limits: dict[str, asyncio.TimerHandle] = {}
        super().connection_made(transport)
        assert self.limit_concurrency is not None
        if len(self.connections) > self.limit_concurrency:
            transport.abort()  # One that asks for nothing has a file descriptor, too.
        self._limit("request", REQUEST_S)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body:
            self._unlimit("request")
        elif "request" not in self._limits:
            self._limit("request", REQUEST_S)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._limit("answer", ANSWER_S)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unlimit("answer")

    def connection_lost(self, exc: Exception | None) -> None:
        self._unlimit(*self._limits)
        super().connection_lost(exc)

    def _limit(self, what: str, seconds: float) -> None:
        """End the connection after this time, unless it is unlimited before."""
        self._limits[what] = self.loop.call_later(seconds, self.transport.abort)

    def _unlimit(self, *limits: str) -> None:
        for what in limits:
            if (timer := self._limits.pop(what, None)) is not None:
                timer.cancel()


class _Server(uvicorn.Server):
    """Leaves signals to the process that it is a part of."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        return nullcontext()


def listening(address: str, port: int) -> socket.socket:
    """A listening socket at an address; port 0 takes any free one.

    Raises:
        OSError: it is not available.
    """
    return socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)


async def listening_at_last(address: str, port: int, log: logging.Logger) -> socket.socket:
    """The same; an address that is not available is tried again and again."""
    while True:
        try:
            return listening(address, port)
        except OSError as error:
            why = error.strerror or error
            log.error("no pages at %s port %d: %s; see screens: in the file", address, port, why)
            await asyncio.sleep(RETRY_S)


async def serve(
    application: ASGIApp, listener: socket.socket, connections: int, end: Callable[[], None] = lambda: None
) -> None:
    """Serve on a listening socket until cancelled.

    Args:
        connections: the most at a time; further ones are refused.
        end: called then, to end answers that would go on.
    """
    silent = {"log_config": None, "access_log": False, "server_header": False, "lifespan": "off", "ws": "none"}
    limits = {"limit_concurrency": connections, "timeout_keep_alive": IDLE_S, "timeout_graceful_shutdown": 2}
    config = uvicorn.Config(
        application,
        http=_Connection,
        h11_max_incomplete_event_size=_HEAD_BYTES,
        **silent,  # type: ignore[arg-type]
        **limits,  # type: ignore[arg-type]
    )
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # It warns of each request that is no HTTP.
    with listener:
        server = _Server(config)
        serving = asyncio.ensure_future(server.serve([listener]))
        try:
            await asyncio.shield(serving)
        finally:
            end()
            server.should_exit = True  # Cancelled, it would leave its connections open.
            await serving


class Guard:
    """Refuses requests by a name that this computer does not have (DNS rebinding), and sets headers of each answer.

    Args:
        hosts: names of this computer, beside its own loopback ones.
        headers: of each answer that does not set them itself.
    """

    def __init__(self, application: ASGIApp, hosts: Iterable[str], headers: Mapping[str, str]) -> None:
        self._application = application
        self._hosts = {host.lower() for host in (*_LOOPBACK, *hosts)}
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._application
        if _host(Headers(scope=scope)) not in self._hosts:
            answer = PlainTextResponse("this computer does not have that name; see screens: hosts\n", 421)
        await answer(scope, receive, guarded)


def _host(headers: Headers) -> str:
    """The name in the Host header, without its port; empty if it is malformed or sent twice."""
    sent = headers.getlist("host")
    found = _HOST.fullmatch(sent[0].lower()) if len(sent) == 1 else None
    return (found[1] or found[2]) if found is not None else ""
