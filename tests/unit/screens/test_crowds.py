"""Whoever crowds a server's slots, by streams or slow requests, keeps out nobody else."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from test_http import GET, Client

from controller.screens.listening import is_urgent
from controller.web import peers
from controller.web.exchange import Answer, Follow, Request, Response, framed
from controller.web.peers import PEER, PEER_URGENT
from controller.web.server import HttpServer

CROWD, OTHER = "127.0.0.66", "127.0.0.20"
STREAM = b"GET /board.events HTTP/1.1\r\nHost: here\r\n\r\n"
DEALER = b"GET /dealer HTTP/1.1\r\nHost: here\r\n\r\n"
Connect = Callable[..., Awaitable[Client]]


def answers(request: Request) -> Answer:
    if request.path == "/board.events":
        return Follow(lambda viewer: viewer.send(framed(b"data: hello\n\n")), lambda viewer: None)
    return Response(body=b"whole")


@pytest.fixture(autouse=True)
def by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 is this computer; other loopback addresses stand for other computers."""
    own = peers._OWN_GROUP
    monkeypatch.setattr(peers, "group_of", lambda address: own if address == "127.0.0.1" else address)


def crowded(exchange: Callable[[Connect], Awaitable[None]]) -> None:
    """Run clients against a server as a table's is, and close it."""

    async def run() -> None:
        server = HttpServer(answers, is_urgent)
        port = await server.open("127.0.0.1", 0)
        clients: list[Client] = []

        async def connect(address: str) -> Client:
            clients.append(Client(*await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))))
            return clients[-1]

        await exchange(connect)
        server.close()
        for client in clients:
            client.writer.transport.abort()

    asyncio.run(run())


async def status_of(client: Client, request: bytes) -> int:
    """The status of the answer to a request; 0 if the connection ends instead."""
    client.say(request)
    return (await client.answer())[0]


def test_256_idle_streams_of_one_peer_keep_out_neither_others_nor_the_dealers_screen() -> None:
    async def exchange(connect: Connect) -> None:
        for number in range(256):
            viewer = await connect(CROWD)
            viewer.say(STREAM)
            status = (await viewer.reader.readuntil(b"\r\n"))[9:12]
            assert status == (b"200" if number < PEER - PEER_URGENT else b"503")
        assert await status_of(await connect(CROWD), DEALER) == 200, "the same computer's dealer's screen has slots"
        for address in (OTHER, "127.0.0.1"):
            client = await connect(address)
            assert await status_of(client, GET) == 200
            assert await status_of(client, DEALER) == 200

    crowded(exchange)
