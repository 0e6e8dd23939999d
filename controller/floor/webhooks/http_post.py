"""One POST over HTTP/1.1 to a receiver that may be slow, hang, lie or flood. The delivery of webhooks calls it.

It ends within :data:`LIMIT_S` in whatever state the receiver keeps it. No redirect is followed: it would take what
is told to an address that the floor's file does not have.
"""

import asyncio
import os
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import h11

LIMIT_S = 10.0
"""From the name's look-up to the answer."""
MOST_READ = 16 * 1024
"""So many bytes of an answer are read, at most."""
_ADDRESSES = 4
"""So many of a name's addresses are tried."""


class PostError(Exception):
    """There was no answer; the message says why. The receiver may have the message all the same."""


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """What the receiver answered.

    Attributes:
        retry_after: the header of this name, as text; empty if there is none.
    """

    status: int
    retry_after: str = ""


async def post(
    url: str, headers: Mapping[str, str], body: bytes, tls: ssl.SSLContext | None, names: Executor
) -> PostAnswer:
    """Post a body, and return the answer.

    Args:
        tls: how the receiver's certificate is verified; None for plain HTTP.
        names: looks the host's name up; a look-up that hangs keeps no other thread.

    Raises:
        PostError: there was no answer.
    """
    try:
        async with asyncio.timeout(LIMIT_S):
            reader, writer = await _connected(url, tls, names)
            try:
                writer.write(_request(url, headers, body))
                await writer.drain()
                return await _answer(reader)
            finally:
                writer.transport.abort()
    except TimeoutError as error:
        raise PostError(f"no answer within {LIMIT_S:.0f} s") from error
    except ssl.SSLCertVerificationError as error:
        raise PostError(f"its certificate is refused: {error.verify_message}") from error
    except h11.RemoteProtocolError as error:
        raise PostError(f"its answer is not HTTP/1.1: {error}") from error
    except UnicodeError as error:  # Of a name that can be none.
        raise PostError(f"its name cannot be looked up: {error}") from error
    except OSError as error:
        raise PostError(_why(error)) from error


def _why(error: OSError) -> str:
    """An error's text; that of asyncio for a refused connection does not say that it was refused."""
    if error.errno and not isinstance(error, ssl.SSLError | socket.gaierror):
        return os.strerror(error.errno)
    return error.strerror or str(error) or type(error).__name__


async def _connected(
    url: str, tls: ssl.SSLContext | None, names: Executor
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if tls is not None else 80)
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(names, look_up)
    failed: OSError = OSError(f"the name {host} has no address")
    for _, _, _, _, address in found[:_ADDRESSES]:
        try:
            return await asyncio.open_connection(
                str(address[0]), port, ssl=tls, server_hostname=host if tls is not None else None, limit=MOST_READ
            )
        except OSError as error:
            failed = error
    raise failed


def _request(url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    own = {"Host": parts.netloc, "Content-Length": str(len(body)), "Connection": "close"}
    connection = h11.Connection(h11.CLIENT)
    events = (
        h11.Request(method="POST", target=target, headers=list({**own, **headers}.items())),
        h11.Data(data=body),
        h11.EndOfMessage(),
    )
    return b"".join(connection.send(event) or b"" for event in events)


async def _answer(reader: asyncio.StreamReader) -> PostAnswer:
    """The head of the answer. Its body says nothing that the floor needs: it is not read."""
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_READ)
    connection.send(h11.Request(method="POST", target="/", headers=[("Host", "-"), ("Content-Length", "0")]))
    connection.send(h11.EndOfMessage())
    read = 0
    while read < MOST_READ:
        event = connection.next_event()
        if isinstance(event, h11.Response):
            return _head(event)
        if event is h11.NEED_DATA:
            data = await reader.read(4096)
            read += len(data)
            connection.receive_data(data)
    raise PostError("its answer has no end")


def _head(response: h11.Response) -> PostAnswer:
    values = [value for name, value in response.headers if name == b"retry-after"]
    return PostAnswer(response.status_code, values[0].decode("ascii", "replace")[:20] if values else "")
