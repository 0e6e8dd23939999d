"""``publish``: sends a table's record to the floor over MQTT, in a process that only asks the table for it."""

import asyncio
import logging
import os
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Coroutine
from dataclasses import asdict
from pathlib import Path

from config.problems import ConfigError, Problem
from controller.commands.columns import as_json
from controller.commands.console import complain, log_handler
from controller.configuration.shipped import load_table, table_path
from controller.runtime import exit_codes as exits
from controller.runtime.publisher_status import PLACE, PublisherStatus, place_of, read_status
from controller.runtime.socket import SERVICE
from controller.runtime.systemd import ServiceManager

NAME = "publish"
HELP = "send a table's record to the floor, over MQTT"
EXAMPLES = (
    ("publish table.yaml", "publishes until it is stopped; its service does the same"),
    ("publish table.yaml --status", "whether the floor has everything, and what is wrong"),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file, with a section broker:")
    parser.add_argument(
        "--socket",
        type=Path,
        metavar="FILE",
        help="the table's socket; a trial has JOURNAL.sock beside its journal",
    )
    parser.add_argument("--status", action="store_true", help="print what the running publisher says, and end")
    parser.add_argument(
        "--configured", action="store_true", help="exit 0 if the file has a broker, 1 if not, and end"
    )
    parser.add_argument("--json", action="store_true", help="print the status as JSON")


def run(arguments: Namespace) -> int:
    loaded = load_table(table_path(arguments.table))
    broker = loaded.config.broker
    if arguments.configured:
        return exits.OK if broker is not None else exits.FAILED
    if broker is None:
        remedy = "add `broker:` with host, ca, certificate and key"
        words = "the table has no broker to publish to"
        raise ConfigError([Problem(str(loaded.path), 1, 1, "broker", words, remedy)])
    if arguments.status:
        return _status(arguments.json)
    from controller.floor.publisher import Publisher
    from controller.floor.source import SocketRecords
    from controller.signing.keys import SigningError
    from controller.signing.receipts import SignedRecord

    logging.basicConfig(level=logging.INFO, handlers=[log_handler()])

    async def publish() -> None:
        source = SocketRecords(arguments.socket or SERVICE)
        table, signing = loaded.config.table, loaded.config.signing
        signed = SignedRecord(table, signing) if signing is not None else None
        publisher = Publisher(table, broker, source, place_of(os.environ), signed)
        await _until_stopped(publisher.run())
        await source.close()

    try:
        asyncio.run(publish())
    except SigningError as error:
        complain(f"publish: {error}")
        return exits.CONFIGURATION
    return exits.OK


def _status(in_json: bool) -> int:
    status = read_status(PLACE)
    if status is None:
        complain(f"publish: no publisher runs: there is no {PLACE}")
        return exits.FAILED
    print(as_json(asdict(status)) if in_json else _words(status))
    return exits.OK if not status.problem else exits.FAILED


def _words(status: PublisherStatus) -> str:
    lines = [
        f"broker: {'connected' if status.connected else 'not connected'}",
        f"entries that the floor does not have: {status.waiting}",
        *([f"problem: {status.problem}"] if status.problem else []),
    ]
    return "\n".join(lines)


async def _until_stopped(work: Coroutine[object, object, None]) -> None:
    """Do it until a signal."""
    from controller.floor.link import end

    task = asyncio.create_task(work)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    manager = ServiceManager.of_environment(os.environ)
    manager.notify(READY="1")
    waits = asyncio.create_task(stopped.wait())
    await asyncio.wait({task, waits}, return_when=asyncio.FIRST_COMPLETED)
    await end(task, waits)
    manager.close()
    if not task.cancelled():
        task.result()
