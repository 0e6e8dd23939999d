"""``publish``: publishes a table's journal to the floor over MQTT, in a process that only reads the journal."""

import asyncio
import logging
import os
import signal
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from config.problems import ConfigError, Problem
from config.schema import TableBrokerSection
from controller.commands.columns import as_json
from controller.commands.console import complain, log_handler
from controller.commands.local_time import in_local_time
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.runtime import exit_codes as exits
from controller.runtime.media import JournalFiles, files_of
from controller.runtime.systemd import ServiceManager
from controller.viewmodel.floor_contact import place_of
from hal.clock import LoopClock

if TYPE_CHECKING:
    from controller.publishing.metrics_site import PublisherMetrics
    from controller.publishing.publisher import Publisher

NAME = "publish"
HELP = "publish a table's rounds to the floor, over MQTT"
EXAMPLES = (
    ("publish table.yaml", "publishes until it is stopped; its service does the same"),
    ("publish table.yaml --status", "how far it is, and what holds it up"),
)

GOODBYE_S = 3.0
"""How long the publisher waits at its end for a broker that hangs."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file, with a section broker:")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configured one")
    parser.add_argument(
        "--cursor", type=Path, metavar="FILE", help="the file of what is published; beside the journal"
    )
    parser.add_argument(
        "--status", action="store_true", help="print what is published and what holds it up, and end"
    )
    parser.add_argument(
        "--configured", action="store_true", help="exit 0 if the file has a broker, 1 if not, and end"
    )
    parser.add_argument("--json", action="store_true", help="print the status as JSON")


def run(arguments: Namespace) -> int:
    loaded = load_table(table_path(arguments.table))
    broker = loaded.config.broker
    if arguments.configured:
        return exits.OK if broker is not None else exits.FAILED
    files = files_of(loaded.config, arguments.journal)
    cursor = arguments.cursor or Path(f"{files.file}.published")
    if not arguments.status and broker is None:
        raise _no_broker(loaded)
    from controller.publishing.cursor import CursorError

    try:
        if arguments.status or broker is None:
            return _status(files.file, cursor, arguments.json)
        logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
        return asyncio.run(_publish(loaded, broker, files, cursor))
    except CursorError as error:
        complain(f"publish: {error}")
    return exits.FAILED


def _status(journal: Path, cursor: Path, in_json: bool) -> int:
    from controller.publishing import status

    report = status.status(journal, cursor)
    print(as_json(status.plain(report)) if in_json else in_local_time(status.words(report)))
    return exits.OK


def _no_broker(loaded: LoadedTable) -> ConfigError:
    remedy = "add `broker:` with host, ca, certificate and key"
    return ConfigError([Problem(str(loaded.path), 1, 1, "broker", "the table has no broker to publish to", remedy)])


async def _publish(loaded: LoadedTable, broker: TableBrokerSection, files: JournalFiles, file: Path) -> int:
    from controller.publishing.cursor import Cursor
    from controller.publishing.publisher import Publisher

    cursor = Cursor(file)
    manager = ServiceManager.of_environment(os.environ)
    contact = place_of(os.environ)
    publisher = Publisher(loaded.config, broker, files.file, cursor, LoopClock(), files.mirror, contact)
    metrics: PublisherMetrics | None = None
    try:
        metrics = await _metrics(loaded, broker, publisher)
        await _until_stopped(publisher, manager)
    finally:
        if metrics is not None:
            metrics.close()
        publisher.close()
        cursor.close()
        manager.close()
    return exits.OK


async def _until_stopped(publisher: "Publisher", manager: ServiceManager) -> None:
    """Publish until a signal.

    Raises:
        CursorError: the cursor cannot be written.
    """
    from controller.messages.link import end

    task = asyncio.ensure_future(publisher.run())
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    manager.notify(READY="1")
    waits = asyncio.ensure_future(stopped.wait())
    await asyncio.wait({task, waits}, return_when=asyncio.FIRST_COMPLETED)
    await end((task, waits), patience_s=GOODBYE_S)
    if not task.cancelled():
        task.result()  # It ends by itself if the cursor cannot be written.


async def _metrics(
    loaded: LoadedTable, broker: TableBrokerSection, publisher: "Publisher"
) -> "PublisherMetrics | None":
    """The publisher's /metrics, if its file asks for it.

    Raises:
        ConfigError: the file of its token cannot be used.
    """
    if broker.metrics is None:
        return None
    from controller.publishing.metrics_site import PublisherMetrics  # Only here is its library loaded.
    from controller.web.metrics_token import MetricsTokenError

    try:
        metrics = PublisherMetrics(loaded.config.table, broker.metrics, publisher, LoopClock())
    except MetricsTokenError as error:
        raise ConfigError(
            [Problem(str(loaded.path), 1, 1, "broker.metrics.token", str(error), "correct the file or its name")]
        ) from error
    await metrics.keep_open()
    return metrics
