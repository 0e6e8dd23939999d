"""``floor``: stores and shows what all tables publish, until it is stopped."""

import asyncio
import logging
import os
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from config.floor import FloorConfig
from config.loader import load_floor, read
from config.problems import ConfigError, Problem
from controller.commands.columns import port
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain, log_handler
from controller.runtime.systemd import ServiceManager
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
    from controller.floor.store.store import StoreError

    action = _checking(path, config) if arguments.check else _running(config, arguments.port)
    try:
        action()
    except StoreError as error:
        complain(f"floor: {error}")
        return exits.CONFIGURATION
    return exits.OK


def _checking(path: Path, config: FloorConfig) -> Callable[[], None]:
    """Checks whether the files named in the floor's file can be used. Nothing is written, and nothing connected."""
    from config.door_rules import floor_door_advice
    from controller.floor.pages.door import door_problems
    from controller.floor.store.engine import StoreError, parse_url
    from controller.messages.link import LinkError, tls

    def check() -> None:
        problems = []
        try:
            parse_url(config.store.url)
        except StoreError as error:
            problems.append(Problem(str(path), 1, 1, "store.url", str(error), "correct store: in the file"))
        try:
            tls(config.broker)
        except LinkError as error:
            remedy = "check the name and who may read the file"
            problems.append(Problem(str(path), 1, 1, "broker", str(error), remedy))
        for key, sentence in door_problems(config):
            problems.append(Problem(str(path), 1, 1, key, sentence, ""))
        if problems:
            raise ConfigError(problems)
        print(f"{path}: in order")
        for said in floor_door_advice(config):
            print(f"{path}: {said}")

    return check


def _running(config: FloorConfig, at_port: int | None) -> Callable[[], None]:
    """Runs the floor. All its libraries are loaded here."""
    from controller.fairness.evidence import Evidence
    from controller.floor.pages.server import Pages
    from controller.floor.process import Floor

    async def keep() -> None:
        manager = ServiceManager.of_environment(os.environ)
        floor = Floor(config, LoopClock(), manager, Pages, at_port, Evidence)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, floor.stop)
        try:
            await floor.run()
        finally:
            manager.close()

    def run() -> None:
        logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
        asyncio.run(keep())

    return run
