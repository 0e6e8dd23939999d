"""Whoever crowds a listener, by many connections or slow ones, is ended, and keeps nobody from another listener."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from contracts.loop import PATIENCE_S
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.web import serving
from controller.web.serving import Guard, listening, listening_at_last, serve

MOST = 12
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
Connect = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


async def small(_: Request) -> Response:
    return PlainTextResponse("whole")


async def endless(_: Request) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 65536
            await asyncio.sleep(0)

    return StreamingResponse(parts())


async def posted(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


ROUTES = [Route("/", small), Route("/large", endless), Route("/post", posted, methods=["POST"])]


@asynccontextmanager
async def served(most: int = MOST) -> AsyncIterator[Connect]:
    """A listener, and who connects to it."""
    listener = listening("127.0.0.1", 0)
    port = listener.getsockname()[1]
    task = asyncio.create_task(serve(Guard(Starlette(routes=ROUTES), (), {}), listener, most))
    writers: list[asyncio.StreamWriter] = []

    async def connect() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        return reader, writer

    try:
        yield connect
    finally:
        for writer in writers:
            writer.transport.abort()
        task.cancel()
        await asyncio.wait({task})


async def status(connect: Connect, request: bytes = GET) -> bytes:
    """The status of an answer; empty if the connection ends instead."""
    try:
        reader, writer = await connect()
        writer.write(request)
        return (await reader.readline())[9:12]
    except OSError:
        return b""


async def ended(reader: asyncio.StreamReader) -> None:
    """Wait until the other side ends the connection."""
    try:
        while await reader.read(65536):
            pass
    except OSError:
        pass


def run(exchange: Callable[[], Awaitable[None]]) -> None:
    async def within() -> None:
        await asyncio.wait_for(exchange(), PATIENCE_S)

    asyncio.run(within())


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHo",
        b"POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n123",
    ],
)
def test_a_request_that_does_not_arrive_ends_the_connection(begun: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "REQUEST_S", 0.05)

    async def exchange() -> None:
        async with served() as connect:
            for answered in (False, True):
                reader, writer = await connect()
                if answered:
                    writer.write(GET)
                    await reader.readuntil(b"whole")
                writer.write(begun or b"G")
                await ended(reader)

    run(exchange)


def test_a_client_that_does_not_read_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "ANSWER_S", 0.05)

    async def exchange() -> None:
        async with served(most=2) as connect:
            reader, writer = await connect()
            writer.write(LARGE)
            await reader.readline()
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            while await status(connect) != b"200":  # Its slot is free once it is dropped.
                await asyncio.sleep(0)

    run(exchange)


def test_a_crowd_is_refused_and_another_listener_serves() -> None:
    async def exchange() -> None:
        async with served() as connect, served() as display:
            slow = [await connect() for _ in range(10 * MOST)]
            for _, writer in slow:
                writer.write(b"GET / HT")
            assert await status(connect) in (b"", b"503")
            await ended(slow[-1][0])  # One that asks for nothing has a file descriptor, too.
            assert await status(display) == b"200"
            for _, writer in slow:
                writer.transport.abort()
            while await status(connect) != b"200":
                await asyncio.sleep(0)

    run(exchange)


def test_an_address_in_use_is_reported_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serving, "RETRY_S", 0.001)
    taken = listening("127.0.0.1", 0)
    port = taken.getsockname()[1]

    async def exchange() -> None:
        waits = asyncio.create_task(listening_at_last("127.0.0.1", port, logging.getLogger("table")))
        while f"no pages at 127.0.0.1 port {port}" not in caplog.text:
            await asyncio.sleep(0)
        taken.close()
        (await waits).close()

    run(exchange)
