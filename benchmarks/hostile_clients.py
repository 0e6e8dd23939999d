"""Clients that abuse a table's servers, each in its way until its time is over.

For :mod:`benchmarks.table_hostile`, as a process of their own: ``python -m benchmarks.hostile_clients WAY PORT
TLS_PORT SECONDS``. They go to loopback alone, whose addresses stand for some peers, and end by themselves.
"""

import asyncio
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from controller.web.server import local_address

PEERS = [f"127.0.0.{60 + number}" for number in range(8)]
"""More than one, since one has a bounded number of places."""
AT_ONCE = 40
"""Clients at the same time; a way may hold more connections."""
HELD = 400
"""Connections that are held open, beyond all places of a server."""
_HOST = b"Host: localhost\r\n"
_POST = b"POST %s HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
_PIECE_S, _ANSWER_S = 0.05, 1.0
_TLS_HELLO = bytes.fromhex("16030100c8010000c40303")
"""The first bytes of a handshake (RFC 8446, 4.1.2), which never goes on."""
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Attacked:
    """What is attacked, and until when."""

    port: int
    tls_port: int
    until_s: float

    def __bool__(self) -> bool:
        return time.monotonic() < self.until_s

    async def connect(self, number: int, port: int | None = None, buffer: int = 0) -> Connection:
        """A connection of one of the peers."""
        made = socket.socket()
        if buffer:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        made.setblocking(False)
        try:
            made.bind((PEERS[number % len(PEERS)], 0))
            await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", port or self.port))
            return await asyncio.open_connection(sock=made)
        except BaseException:
            made.close()
            raise


async def _say(connection: Connection, request: bytes) -> None:
    """Send a request, and take some of the answer."""
    reader, writer = connection
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(_ANSWER_S):
                writer.write(request)
                await writer.drain()
                await reader.read(1 << 16)
    finally:
        writer.transport.abort()


async def _hold(attacked: Attacked, number: int, request: bytes, port: int | None = None, buffer: int = 0) -> None:
    """Send the beginning of something, and then a byte now and then, or nothing."""
    _, writer = await attacked.connect(number, port, buffer)
    try:
        writer.write(request)
        while attacked and not writer.is_closing():
            await asyncio.sleep(_PIECE_S * 4)
            if not buffer:
                writer.write(b"x")
                await writer.drain()
    finally:
        writer.transport.abort()


async def slow(attacked: Attacked, number: int) -> None:
    """Requests that never end, a byte at a time."""
    await _hold(attacked, number, b"GET /dealer HTTP/1.1\r\n" + _HOST + b"X: ")


async def handshakes(attacked: Attacked, number: int) -> None:
    """Handshakes of TLS that never end."""
    await _hold(attacked, number, _TLS_HELLO, attacked.tls_port, 4096)


async def streams(attacked: Attacked, number: int) -> None:
    """Viewers of the board that read nothing."""
    await _hold(attacked, number, b"GET /board.events HTTP/1.1\r\n" + _HOST + b"\r\n", buffer=4096)


async def connections(attacked: Attacked, number: int) -> None:
    """Connections that say nothing and come again at once."""
    _, writer = await attacked.connect(number)
    await asyncio.sleep(_PIECE_S)
    writer.transport.abort()


async def large(attacked: Attacked, number: int) -> None:
    """Headers, addresses and bodies of a megabyte."""
    many = b"x" * (1 << 20)
    requests = (
        b"GET /dealer HTTP/1.1\r\n" + _HOST + b"X: " + many,
        b"GET /" + many,
        _POST % (b"/limits", 1 << 30, many),
        b"GET / HTTP/1.1\r\n" + _HOST + b"X: 1\r\n" * 50_000,
    )
    await _say(await attacked.connect(number), requests[number % len(requests)])


async def codes(attacked: Attacked, number: int) -> None:
    """Wrong codes of a touch screen, and wrong tokens."""
    path, body = (b"/dealer/pair", b'{"code": "%08d"}'), (b"/dealer/press", b'{"press": "enter", "token": "%08d"}')
    where, what = (path, body)[number % 2]
    said = what % (number % 100_000_000)
    await _say(await attacked.connect(number), _POST % (where, len(said), said))


async def rounds(attacked: Attacked, number: int) -> None:
    """The record by round, as fast as it comes."""
    path = b"/rounds.json?first=%d" % (number % 50)
    await _say(await attacked.connect(number), b"GET " + path + b" HTTP/1.1\r\n" + _HOST + b"\r\n")


async def commands(attacked: Attacked, number: int) -> None:
    """Nonsense at the socket of the table's own computer, and connections that say nothing."""
    connection = await asyncio.open_unix_connection(local_address(attacked.port))
    said = b'{"minimum": "%d", "maximum": "x"}' % number
    requests = (
        b"\0\xff" * 5_000,
        _POST % (b"/limits", len(said), said),
        b"GET /limits HT",
        _POST % (b"/update", 2, b"[]"),
    )
    await _say(connection, requests[number % len(requests)])


Way = Callable[[Attacked, int], Awaitable[None]]
WAYS: dict[str, Way] = {
    way.__name__: way for way in (slow, handshakes, streams, connections, large, codes, rounds, commands)
}
HOLDS = frozenset({"slow", "handshakes", "streams"})


async def attack(way: str, attacked: Attacked) -> int:
    """Attack in this way until the time is over; returns how often."""
    times = 0

    async def one(first: int, step: int) -> None:
        nonlocal times
        number = first
        while attacked:
            try:
                await WAYS[way](attacked, number)
            except OSError:  # Refused, reset, or the table's places are taken: as it should be.
                await asyncio.sleep(_PIECE_S)
            number += step
            times += 1

    count = HELD if way in HOLDS else AT_ONCE
    await asyncio.gather(*(one(number, count) for number in range(count)))
    return times


if __name__ == "__main__":
    name, port, tls_port, seconds = sys.argv[1:]
    print("ready", flush=True)
    sys.stdin.readline()
    print(asyncio.run(attack(name, Attacked(int(port), int(tls_port), time.monotonic() + float(seconds)))))
