"""Runs a process's tasks until it is told to stop, or one of them fails."""

import asyncio
import signal
from collections.abc import Coroutine, Sequence

from controller.runtime.systemd import ServiceManager

GOODBYE_S = 3.0
"""How long the end waits for a task, as one that asks a witness that hangs."""


async def run_until_stopped(work: Sequence[Coroutine[object, object, object]], manager: ServiceManager) -> None:
    """Run coroutines of which none ends by itself, until SIGTERM or SIGINT.

    Raises:
        Exception: one of them failed; the others were cancelled.
    """
    tasks = [asyncio.ensure_future(one) for one in work]
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    manager.notify(READY="1")
    waits = asyncio.ensure_future(stopped.wait())
    done, running = await asyncio.wait({*tasks, waits}, return_when=asyncio.FIRST_COMPLETED)
    manager.notify(STOPPING="1")
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running, timeout=GOODBYE_S)
    for task in done - {waits}:
        task.result()
