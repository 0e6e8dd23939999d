"""What one of several workers does for all: it runs while this process has that office."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextlib import suppress

from controller.floor.store.store import Store, StoreAwayError
from controller.messages.link import end

LOOKS_S = 2.0
"""How often a process looks whether it has the office."""


async def in_office(store: Store, threads: Executor, work: Callable[[], Coroutine[None, None, None]]) -> None:
    """Do some work while this process has the office, until cancelled. A floor that is one process always has it.

    Raises:
        Exception: what the work raises.
    """
    loop = asyncio.get_running_loop()
    running: asyncio.Task[None] | None = None
    try:
        while True:
            has_office = False
            with suppress(StoreAwayError):
                has_office = await loop.run_in_executor(threads, store.has_office)
            if has_office and running is None:
                running = asyncio.create_task(work())
            elif not has_office and running is not None:
                await end([running])
                running = None
            if running is not None and running.done():
                running.result()  # It does not end by itself: a defect.
            await asyncio.sleep(LOOKS_S)
    finally:
        if running is not None:
            await end([running])
