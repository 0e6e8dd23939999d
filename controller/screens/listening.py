"""Where the pages of a table are served: its address, this computer's own socket, and loopback."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address

from controller.web.server import HttpServer, local_address

log = logging.getLogger("table")

_LOOPBACK = "127.0.0.1"
_OF_DEALER = ("/dealer", "/assets/", "/game/", "/table.json", "/limits")


def is_urgent(path: str) -> bool:
    """Whether the dealer's screen needs this path; it may take the last places."""
    return path.startswith(_OF_DEALER)


async def listen(server: HttpServer, address: str, port: int) -> int:
    """Open the address, and what belongs to it; returns the port.

    Commands on this computer reach the table at a socket of its own. Where an address of the network alone is
    served, this computer's own screen is served at loopback.

    Raises:
        OSError: the address is not available. The rest is logged, and the pages are served without it.
    """
    bound = await server.open(address, port)
    with _unavailable("no command on this computer reaches the table: %s"):
        await server.open_local(local_address(bound))
    own = ip_address(address)
    if not own.is_loopback and not own.is_unspecified:
        with _unavailable("no pages at loopback for this computer's own screen: %s"):
            await server.open(_LOOPBACK, bound)
    return bound


@contextmanager
def _unavailable(message: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        log.warning(message, error.strerror or error)


@contextmanager
def logged() -> Iterator[None]:
    """Log a defect of the screens, so that it does not reach the table."""
    try:
        yield
    except Exception:
        log.exception("the screens failed; the table plays on")
