"""``floor``: stores and shows what all tables publish, until it is stopped."""

import asyncio
import logging
import os
import signal
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from config.floor import FloorConfig
from config.loader import load_floor, read
from config.problems import ConfigError, Problem
from controller.commands.columns import port
from controller.commands.floor_export import configure_export, export, refused_options
from controller.runtime import exit_codes as exits
from controller.runtime.colours import Colour, paint
from controller.runtime.log_format import complain, log_handler
from controller.runtime.systemd import ServiceManager
from hal.clock import LoopClock

NAME = "floor"
HELP = "keep, check and show what all tables publish"
EXAMPLES = (
    ("floor floor.yaml --check", "tries the file and those that it names"),
    ("floor floor.yaml --partition", "changes the rounds of a PostgreSQL store to partitions, and ends"),
    ("floor floor.yaml --port 8090", "keeps and shows what the tables publish, until it is stopped"),
    (
        "floor floor.yaml --export rounds --from 2026-11-01 --to 2026-12-01",
        "prints the rounds of a month as CSV",
    ),
)
ENDS_S = 3.5
"""After so long the process ends in whatever state a broker, a database or a query keeps it."""

SWITCH_S = 0.0005
"""How long the thread that stores may keep the interpreter while messages and requests wait for it."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("floor", metavar="FILE", help="the floor's YAML file")
    parser.add_argument(
        "--port", type=port, metavar="N", help="serve the pages on another port than the configured one; 0 for any"
    )
    parser.add_argument(
        "--check", action="store_true", help="report every problem in the file and in those that it names, and end"
    )
    parser.add_argument(
        "--partition",
        action="store_true",
        help="change the rounds of a PostgreSQL store to partitions by month, and end; stop the floor before",
    )
    configure_export(parser)


def run(arguments: Namespace) -> int:
    refused = refused_options(arguments)
    if refused:
        complain(f"floor: {refused}")
        return exits.USAGE
    path = Path(arguments.floor)
    config = load_floor(read(path), str(path))
    if arguments.export:
        return export(config, arguments)
    from controller.floor.store.store import StoreError

    if arguments.check:
        action = _checking(path, config)
    else:
        action = _partitioning(config) if arguments.partition else _running(config, arguments.port)
    try:
        action()
    except StoreError as error:
        complain(f"floor: {error}")
        return exits.CONFIGURATION
    return exits.OK


def _checking(path: Path, config: FloorConfig) -> Callable[[], None]:
    """Checks whether the files named in the floor's file can be used. Nothing is written, and nothing connected."""
    from config.screens_rules import screens_advice
    from controller.floor.store.engine import StoreError, parse_url
    from controller.messages.link import LinkError, tls

    def check() -> None:
        problems = []
        try:
            parse_url(config.store.url)
        except StoreError as error:
            problems.append(Problem(str(path), 1, 1, "store.url", str(error), "correct store: in the file"))
        brokers = (
            ("broker", config.broker),
            ("alerts.connection", config.broker_for_alerts),
            ("group", config.group),
        )
        for key, broker in brokers:
            try:
                if broker is not None:
                    tls(broker)
            except LinkError as error:
                remedy = "check the name and who may read the file"
                problems.append(Problem(str(path), 1, 1, key, str(error), remedy))
        problems += [Problem(str(path), 1, 1, *one, "") for one in _token_problems(config)]
        if problems:
            raise ConfigError(problems)
        print(f"{path}: {paint('in order', Colour.GOOD, sys.stdout)}")
        for said in screens_advice(config):
            print(f"{path}: {paint(said, Colour.WARNING, sys.stdout)}")

    return check


def _token_problems(config: FloorConfig) -> list[tuple[str, str]]:
    from controller.web.metrics_token import MetricsTokenError, token_of

    try:
        token_of(config.screens.metrics_token)
    except MetricsTokenError as error:
        return [("screens.metrics_token", str(error))]
    return []


def _partitioning(config: FloorConfig) -> Callable[[], None]:
    """Changes the store over to partitions, or leaves it as it is. What is done is printed."""
    from controller.floor.store.partition_store import partition_store

    def partition() -> None:
        logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
        partition_store(config.store.url, lambda said: print(said, flush=True))

    return partition


def _running(config: FloorConfig, at_port: int | None) -> Callable[[], None]:
    """Runs the floor. All its libraries are loaded here."""
    from controller.fairness.evidence import Evidence
    from controller.floor.pages.server import Pages
    from controller.floor.process import Floor

    def stop(floor: Floor) -> None:
        floor.stop()
        last = threading.Timer(ENDS_S, _abandon)
        last.daemon = True
        last.start()

    async def keep() -> None:
        manager = ServiceManager.of_environment(os.environ)
        floor = Floor(config, LoopClock(), manager, Pages, at_port, Evidence)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop, floor)
        try:
            await floor.run()
        finally:
            manager.close()

    def run() -> None:
        sys.setswitchinterval(SWITCH_S)
        logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
        asyncio.run(keep())

    return run


def _abandon() -> None:
    """End the process without its threads: the database undoes what is not committed, and it comes again."""
    log = logging.getLogger("floor")
    log.warning("the broker, the store or a query has not ended within %.1f s; nothing is lost", ENDS_S)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exits.OK)
