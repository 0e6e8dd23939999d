"""Which table and which journal a command means; how a service runs beside a table."""

import asyncio
import os
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Coroutine
from pathlib import Path

from config.schema import TableConfig
from controller.runtime.media import files_of
from controller.runtime.socket import reached_at


def add_journal(parser: ArgumentParser) -> None:
    """The option for :func:`journal_of` and :func:`socket_of`."""
    words = "another journal than the configured one: of a trial, without a mirror, or a copy"
    parser.add_argument("--journal", type=Path, metavar="FILE", help=words)


def journal_of(config: TableConfig, arguments: Namespace) -> Path:
    return files_of(config, arguments.journal).file


def socket_of(config: TableConfig, arguments: Namespace) -> Path:
    """Where a table that runs, or a trial, is reached."""
    return reached_at(journal_of(config, arguments), arguments.journal is not None)


async def until_stopped(work: Coroutine[object, object, None]) -> None:
    """Run a service beside a table until SIGTERM, SIGINT or its own end; an error of it is raised."""
    from controller.runtime.systemd import ServiceManager  # It loads all of a table.

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
