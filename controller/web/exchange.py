"""What a request is and what answers it, independent of how either travels."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import NamedTuple, Protocol


class Request(NamedTuple):
    """A request. Header names are in lower case."""

    method: str
    path: str
    query: Mapping[str, str] = MappingProxyType({})
    headers: Mapping[str, str] = MappingProxyType({})
    body: bytes = b""
    peer: str = ""
    """The address of the client; behind a proxy on this computer, of the proxy's client."""
    local: bool = False
    """Whether it came over this computer's own socket, which no proxy on the network can lend."""


class Response(NamedTuple):
    """A response with its complete body."""

    status: int = HTTPStatus.OK
    body: bytes = b""
    kind: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


class Viewer(Protocol):
    """The receiver of an event stream."""

    def send(self, data: bytes) -> None:
        """Send the output of :func:`framed`; never waits."""

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent."""

    def drop(self) -> None:
        """Close at once and discard what waits to be sent."""


class Follow(NamedTuple):
    """A response without an end: an event stream (https://html.spec.whatwg.org, server-sent events)."""

    on_join: Callable[[Viewer], None]
    """Called as soon as the viewer can be sent to."""
    on_leave: Callable[[Viewer], None]
    headers: tuple[tuple[str, str], ...] = ()


Answer = Response | Follow | Awaitable[Response]
Handler = Callable[[Request], Answer]


def framed(data: bytes) -> bytes:
    """A chunk of a body of unknown length (RFC 9112, section 7.1), which is made once for all viewers."""
    return b"%x\r\n%b\r\n" % (len(data), data)
