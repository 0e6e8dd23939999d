"""Opens the address of a server; if it is unavailable, retries in the background."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

RETRY_S = 10.0
"""How often an unavailable address is retried."""


async def keep_open(
    listen: Callable[[str, int], Awaitable[int]],
    address: str,
    port: int,
    log: logging.Logger,
    served: str,
    unavailable: str,
) -> "asyncio.Task[None] | None":
    """Listen; returns the task that retries, or None if the address is open.

    Args:
        listen: opens the address and returns the port, or raises OSError.
        served: message for the log, with places for address and port.
        unavailable: message for the log, with places for address, port and cause.
    """

    async def attempt() -> None:
        log.info(served, address, await listen(address, port))

    async def retry() -> None:
        while True:
            await asyncio.sleep(RETRY_S)
            with suppress(OSError):
                return await attempt()

    try:
        await attempt()
    except OSError as error:
        log.warning(unavailable, address, port, error.strerror or error)
        return asyncio.create_task(retry())
    return None
