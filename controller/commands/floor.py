"""``floor``: keep and show what all tables publish, until it is told to stop."""

import asyncio
import logging
import os
import signal
from argparse import ArgumentParser, Namespace
from pathlib import Path

from config.floor import FloorConfig
from config.loader import load_floor, read
from config.problems import ConfigError, Problem
from controller import exits
from controller.priorities import complain, log_handler
from controller.service import Manager
from controller.text import port
from hal.clock import LoopClock

NAME = "floor"
HELP = "keep, check and show what all tables publish"


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("floor", metavar="FILE", help="the floor's YAML file")
    parser.add_argument(
        "--port", type=port, metavar="N", help="serve the pages on another port than the configured one; 0 for any"
    )
    parser.add_argument(
        "--check", action="store_true", help="report every problem in the file and in those that it names, and end"
    )


def run(arguments: Namespace) -> int:
    path = Path(arguments.floor)
    config = load_floor(read(path), str(path))
    try:
        from controller.floor.store import StoreError
    except ModuleNotFoundError as error:
        complain(_without(error))
        return exits.FAILED
    try:
        if arguments.check:
            return _check(path, config)
        logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
        return asyncio.run(_run(config, arguments.port))
    except StoreError as error:
        complain(f"floor: {error}")
        return exits.CONFIGURATION


def _without(error: ModuleNotFoundError) -> str:
    """What to say of a library that is not installed."""
    return f"floor: the library {error.name} is missing; install it: pip install 'table-controller[floor]'"


def _check(path: Path, config: FloorConfig) -> int:
    """See whether the files that the floor's file names can be used. Nothing is opened for writing, nobody called."""
    from controller.floor.engine import StoreError, understand
    from controller.publishing.link import LinkError, tls

    problems = []
    try:
        understand(config.store.url)
    except StoreError as error:
        problems.append(Problem(str(path), 1, 1, "store.url", str(error), "mend store: in the file"))
    try:
        tls(config.broker)
    except LinkError as error:
        problems.append(Problem(str(path), 1, 1, "broker", str(error), "check the name and who may read the file"))
    if problems:
        raise ConfigError(problems)
    print(f"{path}: in order")
    return exits.OK


async def _run(config: FloorConfig, at_port: int | None) -> int:
    from controller.floor.pages import Pages
    from controller.floor.running import Floor

    manager = Manager.of_environment(os.environ)
    floor = Floor(config, LoopClock(), manager, Pages, at_port)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, floor.stop)
    try:
        await floor.run()
    finally:
        manager.close()
    return exits.OK
