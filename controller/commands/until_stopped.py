"""How a service that works beside a table runs: until it is told to stop."""

import asyncio
import os
import signal
from collections.abc import Coroutine

from controller.runtime.systemd import ServiceManager


async def until_stopped(work: Coroutine[object, object, None]) -> None:
    """Do it until SIGTERM, SIGINT or its own end; an error of it is raised."""
    task, stopped, loop = asyncio.create_task(work), asyncio.Event(), asyncio.get_running_loop()
    task.add_done_callback(lambda _: stopped.set())
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    manager = ServiceManager.of_environment(os.environ)
    manager.notify(READY="1")
    await stopped.wait()
    while not task.done():
        task.cancel()  # Again and again: in Python 3.11 asyncio.wait_for may lose one.
        await asyncio.wait({task}, timeout=1.0)
    manager.close()
    if not task.cancelled():
        task.result()
