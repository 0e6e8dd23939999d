"""What the connections of a server have in common, and where a connection comes from."""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass, field

from controller.web.exchange import Handler, Viewer
from controller.web.peers import Slot, Slots

BODY_BYTES = 4096
"""The longest body of a request, where nothing else is said."""


@dataclass(slots=True)
class Serving:
    """What the connections of a server have in common.

    Attributes:
        handle: answers a request; an exception becomes status 500 and is logged.
        urgent: whether a path may take the last slots.
        body_bytes: the longest body of a request.
        connections: the open ones.
    """

    handle: Handler
    urgent: Callable[[str], bool] = lambda path: True
    body_bytes: int = BODY_BYTES
    connections: set[Viewer] = field(default_factory=set)
    slots: Slots = field(default_factory=Slots)

    def enter(self, transport: asyncio.BaseTransport) -> Slot | None:
        """A slot for a connection that came; None if its peer has too many, or all are taken."""
        return self.slots.enter(LOCAL if is_unix(transport) else peer_of(transport))


LOCAL = "::1"
"""This computer's own socket has its slots."""


def is_unix(transport: asyncio.BaseTransport) -> bool:
    """Whether it is of this computer's own socket."""
    found = transport.get_extra_info("socket")
    return found is not None and found.family == socket.AF_UNIX


def peer_of(transport: asyncio.BaseTransport) -> str:
    """The address at the other end; empty for none."""
    name = transport.get_extra_info("peername")
    return str(name[0]) if isinstance(name, tuple) else ""
