"""Any client, friendly or not, gets a page or an HTTP error, or is disconnected."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus

import pytest
from contracts.loop import PATIENCE_S
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.web import http, peers
from controller.web.http import Answer, Follow, Request, Response, Viewer, framed
from controller.web.server import HttpServer

GET = b"GET /page HTTP/1.1\r\nHost: here\r\n\r\n"


def answers(request: Request) -> Answer:
    """A site with a page, a page that takes its time, a broken one, and a stream."""
    if request.path == "/broken":
        raise RuntimeError("a defect")
    if request.path == "/later":
        return _later(request)
    if request.path == "/stream":
        return Follow(lambda viewer: viewer.send(framed(b"data: hello\n\n")), lambda viewer: None)
    words = f"{request.method} {request.path} {dict(request.query)} {request.body.decode('latin-1')}"
    return Response(HTTPStatus.OK, words.encode())


async def _later(request: Request) -> Response:
    await asyncio.sleep(0)
    if request.query.get("fail"):
        raise RuntimeError("a defect")
    return Response(HTTPStatus.OK, b"late")


class Client:
    """A client of the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def say(self, data: bytes) -> None:
        self.writer.write(data)

    async def status(self) -> int:
        """Of one answer, whose body is read too; 0 if the connection was closed instead."""
        status, _ = await self.answer()
        return status

    async def answer(self) -> tuple[int, bytes]:
        head = b""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return 0, b""
        length = next(
            (
                int(line.split(b":")[1])
                for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-length")
            ),
            0,
        )
        return int(head.split()[1]), await self.reader.readexactly(length)

    async def leave(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    async def rest(self) -> bytes:
        """Everything until the server closes."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""


def later(seconds: float) -> None:
    """Let virtual time pass in the running loop."""
    loop = asyncio.get_running_loop()
    time = loop.time
    loop.time = lambda: time() + seconds  # type: ignore[method-assign]


Talk = Callable[[Callable[[], Awaitable[Client]]], Awaitable[None]]


def converse(with_: Talk, handle: http.Handler = answers) -> HttpServer:
    """Let a client talk to a server; afterwards the server still answers, and no connection is left."""

    async def run() -> HttpServer:
        server = HttpServer(handle)
        port = await server.open("127.0.0.1", 0)
        clients = []

        async def connect() -> Client:
            clients.append(Client(*await asyncio.open_connection("127.0.0.1", port)))
            return clients[-1]

        await with_(connect)
        for client in clients:
            await client.leave()
        last = await connect()
        last.say(GET)
        assert await last.status() == 200
        server.close()
        await last.rest()
        await last.leave()
        assert not server.connections
        return server

    return asyncio.run(run())


def check_status(data: bytes, expected: int) -> None:
    async def exchange(connect: Callable[[], Awaitable[Client]]) -> None:
        client = await connect()
        client.say(data)
        assert await client.status() == expected

    converse(exchange)


def test_requests_are_answered_one_after_the_other_on_one_connection() -> None:
    async def exchange(connect: Callable[[], Awaitable[Client]]) -> None:
        client = await connect()
        for number in range(3):
            client.say(b"GET /page/%d?a=%%20b HTTP/1.1\r\nHost: here\r\n\r\n" % number)
            assert await client.answer() == (200, f"GET /page/{number} {{'a': ' b'}} ".encode())
        client.say(b"POST /act HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}")
        assert await client.answer() == (200, b"POST /act {} {}")
        client.say(b"GET /later HTTP/1.1\r\nHost: here\r\n\r\n")
        assert await client.answer() == (200, b"late")
        client.say(b"HEAD /page HTTP/1.1\r\nHost: here\r\n\r\n")
        assert b"content-length: 14" in (await client.reader.readuntil(b"\r\n\r\n")).lower()

    converse(exchange)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),  # No host.
        (b"GET / HTTP/1.1\r\nHost: here\r\nHost: there\r\n\r\n", 400),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: here\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: here\r\nCookie: " + b"a" * 9000 + b"\r\n\r\n", 431),
        (b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5000\r\n\r\n" + b"a" * 5000, 413),
        (b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n" + b"a" * 5000, 413),
        (b"GET /stream HTTP/1.0\r\nHost: here\r\n\r\n", 505),
        (b"GET /broken HTTP/1.1\r\nHost: here\r\n\r\n", 500),
        (b"GET /later?fail=1 HTTP/1.1\r\nHost: here\r\n\r\n", 500),
        (b"GET /?" + b"a=1&" * 100 + b" HTTP/1.1\r\nHost: here\r\n\r\n", 400),
    ],
)
def test_malformed_and_oversized_requests_are_refused(data: bytes, status: int) -> None:
    check_status(data, status)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=200),
            st.sampled_from(
                [GET, b"GET ", b" HTTP/1.1\r\n", b"\r\n", b"\r\n\r\n", b"Content-Length: 4\r\n", b"Host: a"]
            ),
        ),
        max_size=12,
    )
)
def test_any_bytes_get_an_http_error_or_nothing(parts: list[bytes]) -> None:
    async def exchange(connect: Callable[[], Awaitable[Client]]) -> None:
        client = await connect()
        for part in parts:
            client.say(part)
        client.writer.write_eof()
        rest = await client.rest()
        assert not rest or rest.startswith(b"HTTP/1.1 ")

    converse(exchange)


def test_pipelined_requests_are_dropped_after_the_first() -> None:
    async def exchange(connect: Callable[[], Awaitable[Client]]) -> None:
        client = await connect()
        client.say(GET * 2000)
        assert (await client.rest()).count(b"HTTP/1.1 200") == 1

    converse(exchange)


def test_half_open_connections_time_out_and_do_not_block_others_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(peers, "CONNECTIONS", 20 + peers.OTHERS)

    async def exchange(connect: Callable[[], Awaitable[Client]]) -> None:
        halves = [await connect() for _ in range(20)]
        for client in halves:
            client.say(b"GET /page HTTP/1.1\r\nHo")
        late = await connect()
        assert await late.status() == 503
        later(http.REQUEST_S)
        for client in halves:
            assert await client.rest() == b""

    converse(exchange)


def test_an_answer_that_is_not_read_is_dropped() -> None:
    async def exchange(connect: Callable[[], Awaitable[Client]]) -> None:
        client = await connect()
        client.reader._transport.pause_reading()  # type: ignore[attr-defined]  # It takes nothing.
        client.say(GET)
        while not any(connection.backlog for connection in server.connections):
            await asyncio.sleep(0)
        later(http.RESPONSE_S)
        while server.connections:
            await asyncio.sleep(0)
        await client.leave()

    big = Response(HTTPStatus.OK, b"x" * 20_000_000)
    server = HttpServer(lambda request: big)

    async def run() -> None:
        port = await server.open("127.0.0.1", 0)

        async def connect() -> Client:
            return Client(*await asyncio.open_connection("127.0.0.1", port))

        await asyncio.wait_for(exchange(connect), http.RESPONSE_S + PATIENCE_S)
        server.close()

    asyncio.run(run())


def test_a_stream_goes_on_until_its_viewer_leaves() -> None:
    joined: list[Viewer] = []
    left: list[Viewer] = []

    def stream(request: Request) -> Answer:
        return Follow(joined.append, left.append) if request.path == "/stream" else Response()

    async def exchange(connect: Callable[[], Awaitable[Client]]) -> None:
        client = await connect()
        client.say(b"GET /stream HTTP/1.1\r\nHost: here\r\n\r\nwhatever else it says")
        head = await client.reader.readuntil(b"\r\n\r\n")
        assert b"content-type: text/event-stream" in head.lower()
        for words in (b"data: 1\n\n", b"data: 2\n\n"):
            joined[0].send(framed(words))
            assert await client.reader.readexactly(len(framed(words))) == framed(words)
        client.writer.close()
        while not left:
            await asyncio.sleep(0)
        assert left == joined
        joined[0].send(b"nobody is there")

    converse(exchange, stream)
