"""Send a table's journal to the floor over MQTT.

It is a process of its own, and reads the entries from the table's socket.

examples:
  table-controller publish table.yaml  # publishes until it is stopped; its service runs the same command
"""

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path

from config.problems import ConfigError, Problem
from config.schema import BrokerSection, TableConfig
from controller.commands.arguments import add_file, add_journal, socket_of
from controller.commands.output import log_to_stderr
from controller.commands.services import until_stopped
from controller.configuration.shipped import find_table
from controller.errors import FAILED, OK


def configure(parser: ArgumentParser) -> None:
    add_file(parser, ", with a section broker:")
    add_journal(parser)
    words = "exit 0 if the file has a broker, 1 if not, and end"
    parser.add_argument("--configured", action="store_true", help=words)


def run(arguments: Namespace) -> int:
    path, config, _ = find_table(arguments.table)
    if arguments.configured:
        return OK if config.broker is not None else FAILED
    if config.broker is None:
        words, remedy = "the table has no broker to publish to", "add `broker:` with host, ca, certificate and key"
        raise ConfigError([Problem(str(path), 1, 1, "broker", words, remedy)])
    log_to_stderr()
    asyncio.run(_publish(config, config.broker, socket_of(config, arguments)))
    return OK


async def _publish(config: TableConfig, broker: BrokerSection, socket: Path) -> None:
    from controller.floor.publisher import Publisher
    from controller.floor.source import SocketRecords
    from controller.signing.receipts import SignedRecord

    source = SocketRecords(socket)
    signed = SignedRecord(config.table, config.signing) if config.signing is not None else None
    await until_stopped(Publisher(config.table, broker, source, signed).run())
    source.close()
