"""How a service runs: ``run``, ``screens``, ``publish`` and ``floor``."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager

from controller.runtime.systemd import ServiceManager


@contextmanager
def managed() -> Iterator[ServiceManager]:
    """The service manager that started this process. What ends the service stays for ``systemctl status``."""
    manager = ServiceManager.of_environment(os.environ)
    try:
        yield manager
    except Exception as error:
        manager.notify(STATUS=str(error))
        raise
    finally:
        manager.close()


def at_signals(stop: Callable[[], None]) -> None:
    """What SIGTERM and SIGINT (Ctrl+C) do to the running event loop."""
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)


async def until_stopped(work: Coroutine[object, object, None]) -> None:
    """Run a service beside a table until a signal or its own end; an error of it is raised."""
    task, stopped = asyncio.create_task(work), asyncio.Event()
    task.add_done_callback(lambda _: stopped.set())
    at_signals(stopped.set)
    with managed() as manager:
        manager.notify(READY="1")
        await stopped.wait()
        while not task.done():
            task.cancel()  # Again and again: in Python 3.11 asyncio.wait_for may lose one.
            await asyncio.wait({task}, timeout=1.0)
        if not task.cancelled():
            task.result()
