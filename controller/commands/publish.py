"""``publish``: sends a table's record to the floor over MQTT, in a process that only asks the table for it."""

import asyncio
import logging
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from config.problems import ConfigError, Problem
from config.schema import TableConfig
from controller.commands.columns import as_json
from controller.commands.console import complain, log_handler
from controller.commands.until_stopped import until_stopped
from controller.configuration.shipped import load_table, table_path
from controller.runtime import exit_codes as exits
from controller.runtime.publisher_status import PLACE, PublisherStatus, place_of, read_status
from controller.runtime.socket import SERVICE
from hal.clock import LoopClock

if TYPE_CHECKING:
    from controller.floor.wire import Have
    from controller.signing.keys import Signer

log = logging.getLogger("floor")

NAME = "publish"
HELP = "send a table's record to the floor, over MQTT"
EXAMPLES = (
    ("publish table.yaml", "publishes until it is stopped; its service does the same"),
    ("publish table.yaml --status", "whether the floor has everything, and what is wrong"),
)


RECEIPTS = "receipts.jsonl"
"""The file of what the floor has signed, beside the table's key."""


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

    logging.basicConfig(level=logging.INFO, handlers=[log_handler()])

    async def publish() -> None:
        source = SocketRecords(arguments.socket or SERVICE)
        signed = _signing(loaded.config) if loaded.config.signing is not None else (None, None)
        publisher = Publisher(loaded.config.table, broker, source, LoopClock(), place_of(os.environ), *signed)
        await until_stopped(publisher.run())
        await source.close()

    try:
        asyncio.run(publish())
    except SigningError as error:
        complain(f"publish: {error}")
        return exits.CONFIGURATION
    return exits.OK


def _signing(config: TableConfig) -> "tuple[Signer, Callable[[Have, str | None], None]]":
    """What signs the record, and what keeps the floor's receipts.

    Raises:
        SigningError: a key or the file of receipts cannot be used.
    """
    from controller.signing.keys import Domain, Signer, SigningError, Verifier
    from controller.signing.receipts import Receipt, Receipts

    assert config.signing is not None
    key = Path(config.signing.key)
    signer, floor = Signer(key, Domain.HEAD), Verifier(Path(config.signing.floor_key), Domain.RECEIPT)
    file = key.with_name(RECEIPTS)
    try:
        receipts = Receipts(file)
    except OSError as error:
        raise SigningError(f"{file}: receipts cannot be kept: {error.strerror}") from error
    kept: set[str] = set()

    def receive(have: "Have", head: str | None) -> None:
        if have.hash in kept:
            return
        if not floor.verify(config.table, have.record, have.seq, have.hash, have.signature):
            log.warning("entry %d: the floor's receipt is not signed with its key", have.seq)
            return
        try:
            receipts.add(Receipt(config.table, have.record, have.seq, have.hash, head, have.signature))
            kept.clear()
            kept.add(have.hash)
        except OSError as error:
            log.error("%s: receipts cannot be kept: %s", file, error.strerror)

    return signer, receive


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
