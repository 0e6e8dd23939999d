"""Send a table's journal to the floor over MQTT.

It is a process of its own, and reads the entries from the table's socket.

examples:
  table-controller publish table.yaml
      publishes until it is stopped; its service runs the same command
  table-controller publish table.yaml --status
      shows whether the floor has every entry, and what is wrong
"""

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
from controller.commands.output import log_to_stderr, print_json
from controller.commands.until_stopped import until_stopped
from controller.configuration.shipped import load_table, table_path
from controller.errors import FAILED, OK, UserError
from controller.runtime.publisher_status import PLACE, place_of, read_status
from controller.runtime.socket import SERVICE
from hal.clock import LoopClock

if TYPE_CHECKING:
    from controller.floor.wire import Have
    from controller.signing.keys import Signer

log = logging.getLogger("floor")

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
    if arguments.configured:
        return OK if loaded.config.broker is not None else FAILED
    if loaded.config.broker is None:
        words, remedy = "the table has no broker to publish to", "add `broker:` with host, ca, certificate and key"
        raise ConfigError([Problem(str(loaded.path), 1, 1, "broker", words, remedy)])
    if arguments.status:
        return _status(arguments.json)
    log_to_stderr()
    asyncio.run(_publish(loaded.config, arguments.socket or SERVICE))
    return OK


async def _publish(config: TableConfig, socket: Path) -> None:
    from controller.floor.publisher import Publisher
    from controller.floor.source import SocketRecords

    assert config.broker is not None
    source = SocketRecords(socket)
    signed = _signing(config) if config.signing is not None else (None, None)
    publisher = Publisher(config.table, config.broker, source, LoopClock(), place_of(os.environ), *signed)
    await until_stopped(publisher.run())
    await source.close()


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
    last = ""

    def receive(have: "Have", head: str | None) -> None:
        nonlocal last
        if have.hash == last:
            return
        if not floor.verify(config.table, have.record, have.seq, have.hash, have.signature):
            log.warning("entry %d: the floor's receipt is not signed with its key", have.seq)
            return
        try:
            receipts.add(Receipt(config.table, have.record, have.seq, have.hash, head, have.signature))
            last = have.hash
        except OSError as error:
            log.error("%s: receipts cannot be kept: %s", file, error.strerror)

    return signer, receive


def _status(in_json: bool) -> int:
    status = read_status(PLACE)
    if status is None:
        raise UserError(f"no publisher runs: there is no {PLACE}")
    if in_json:
        print_json(asdict(status))
    else:
        print(f"broker: {'connected' if status.connected else 'not connected'}")
        print(f"entries that the floor does not have: {status.waiting}")
        if status.problem:
            print(f"problem: {status.problem}")
    return FAILED if status.problem else OK
