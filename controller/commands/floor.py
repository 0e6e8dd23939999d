"""``floor``: checks, stores and shows what all tables send; settles what waits for a person."""

import asyncio
import logging
import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from config.floor import FloorConfig
from config.loader import load_floor, read
from config.problems import ConfigError, Problem
from config.rules import pages_advice
from controller.commands.columns import as_json, port
from controller.commands.console import Colour, complain, log_handler, paint
from controller.runtime import exit_codes as exits
from controller.runtime.systemd import ServiceManager
from hal.clock import LoopClock

if TYPE_CHECKING:
    from controller.signing.keys import FloorKeys

NAME = "floor"
HELP = "check, keep and show what all tables send"
EXAMPLES = (
    ("floor floor.yaml --check", "tries the file and those that it names"),
    ("floor floor.yaml --port 8090", "keeps and shows what the tables send, until it is stopped"),
    (
        "floor floor.yaml --settle sic-bo-1 --accept stored --by 'M. Cruz' --reason 'card copied by mistake'",
        "the entries that were stored first count",
    ),
)
ENDS_S = 4.0
"""After so long the process ends, in whatever state a broker or a database keeps it."""
SWITCH_S = 0.0005
"""How long the thread that stores may keep the interpreter while messages and requests wait for it."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("floor", metavar="FILE", help="the floor's YAML file")
    parser.add_argument("--port", type=port, metavar="N", help="serve the pages on another port; 0 for any")
    parser.add_argument(
        "--check", action="store_true", help="report every problem in the file and in those that it names, and end"
    )
    parser.add_argument(
        "--settle", metavar="TABLE", help="settle what stands of a table and waits for a person, and end"
    )
    parser.add_argument(
        "--accept",
        choices=("stored", "disputed"),
        help="with --settle: what counts of a record that contradicts itself",
    )
    parser.add_argument("--by", metavar="NAME", default="", help="with --settle: who decides")
    parser.add_argument("--reason", metavar="TEXT", default="", help="with --settle: why")
    parser.add_argument("--json", action="store_true", help="with --settle: print what was done as JSON")


def run(arguments: Namespace) -> int:
    path = Path(arguments.floor)
    config = load_floor(read(path), str(path))
    from controller.floor.database import StoreAwayError, StoreError

    try:
        if arguments.check:
            return _check(path, config)
        if arguments.settle:
            return _settle(config, arguments)
        return _keep(config, arguments.port)
    except StoreError as error:
        complain(f"floor: {error}")
        return exits.FAILED if isinstance(error, StoreAwayError) else exits.CONFIGURATION


def _check(path: Path, config: FloorConfig) -> int:
    """Whether the files that the floor's file names can be used. Nothing is written, and nothing connected."""
    from controller.floor.database import StoreError, make_engine
    from controller.floor.link import LinkError, tls
    from controller.signing.keys import SigningError

    problems = []
    try:
        make_engine(config.store.url)
    except StoreError as error:
        problems.append(Problem(str(path), 1, 1, "store.url", str(error), "correct store: in the file"))
    try:
        tls(config.broker)
    except LinkError as error:
        remedy = "check the name and who may read the file"
        problems.append(Problem(str(path), 1, 1, "broker", str(error), remedy))
    try:
        _signing(config)
    except SigningError as error:
        problems.append(Problem(str(path), 1, 1, "signing", str(error), ""))
    if problems:
        raise ConfigError(problems)
    print(f"{path}: {paint('in order', Colour.GOOD, sys.stdout)}")
    for said in pages_advice(config.screens):
        print(f"{path}: {paint(said, Colour.WARNING, sys.stdout)}")
    return exits.OK


def _settle(config: FloorConfig, arguments: Namespace) -> int:
    from controller.floor.database import make_engine, prepare
    from controller.floor.record import FloorRecordError
    from controller.floor.settle import SettlementError, settle

    engine, record = make_engine(config.store.url), Path(config.record.file)
    decided = (arguments.settle, arguments.accept, arguments.by, arguments.reason)
    try:
        prepare(engine)
        done = settle(engine, record, time.time_ns(), *decided)
    except (SettlementError, FloorRecordError) as error:
        complain(f"floor: {error}")
        return exits.FAILED
    finally:
        engine.dispose()
    print(as_json({"done": done}) if arguments.json else "\n".join(done))
    return exits.OK


def _keep(config: FloorConfig, at_port: int | None) -> int:
    """Run the floor. All its libraries are loaded here."""
    from controller.floor.process import Floor
    from controller.signing.keys import SigningError

    if at_port is not None:
        config = config.model_copy(update={"screens": config.screens.model_copy(update={"port": at_port})})

    def stop(floor: Floor) -> None:
        floor.stop()
        last = threading.Timer(ENDS_S, _abandon)
        last.daemon = True
        last.start()

    async def keep() -> None:
        manager = ServiceManager.of_environment(os.environ)
        floor = Floor(config, LoopClock(), manager, _signing(config))
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop, floor)
        try:
            await floor.run()
        finally:
            manager.close()

    sys.setswitchinterval(SWITCH_S)
    logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
    try:
        asyncio.run(keep())
    except SigningError as error:
        complain(f"floor: {error}")
        return exits.CONFIGURATION
    return exits.OK


def _signing(config: FloorConfig) -> "FloorKeys | None":
    """What signs receipts, and checks the tables' signatures.

    Raises:
        SigningError: a key cannot be used.
    """
    if config.signing is None:
        return None
    from controller.signing.keys import FloorKeys

    return FloorKeys(Path(config.signing.key), {table: Path(file) for table, file in config.signing.tables.items()})


def _abandon() -> None:
    """End the process without its threads: the database undoes what is not committed, and it comes again."""
    logging.getLogger("floor").warning(
        "the database or the broker has not ended in %.0f s; nothing is lost", ENDS_S
    )
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exits.OK)
