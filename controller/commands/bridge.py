"""``bridge``: publishes what a floor's tables say as Sparkplug B, in a process of its own that only reads."""

import asyncio
import logging
import os
import signal
from argparse import ArgumentParser, Namespace
from pathlib import Path

from config.floor import FloorConfig
from config.loader import load_floor, read
from config.problems import ConfigError, Problem
from config.sparkplug import SparkplugSection
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import log_handler
from controller.runtime.systemd import ServiceManager
from hal.clock import LoopClock

NAME = "bridge"
HELP = "publish what a floor's tables say as Sparkplug B, beside the floor"
EXAMPLES = (("bridge floor.yaml", "publishes until it is stopped; the file has a section sparkplug:"),)

GOODBYE_S = 3.0
"""How long the bridge waits at its end for a broker that hangs."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("floor", metavar="FILE", help="the floor's YAML file, with a section sparkplug:")
    parser.add_argument(
        "--configured", action="store_true", help="exit 0 if the file has a section sparkplug:, 1 if not, and end"
    )


def run(arguments: Namespace) -> int:
    path = Path(arguments.floor)
    config = load_floor(read(path), str(path))
    if arguments.configured:
        return exits.OK if config.sparkplug is not None else exits.FAILED
    if config.sparkplug is None:
        remedy = "add `sparkplug:` with group, certificate, key and broker (docs/sparkplug.md)"
        raise ConfigError([Problem(str(path), 1, 1, "sparkplug", "the floor has no bridge", remedy)])
    logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
    asyncio.run(_bridge(config, config.sparkplug))
    return exits.OK


async def _bridge(config: FloorConfig, section: SparkplugSection) -> None:
    from controller.floor.sparkplug.bridge import Bridge, mqtt_session
    from controller.messages.link import end

    manager = ServiceManager.of_environment(os.environ)
    task = asyncio.ensure_future(Bridge(config, section, LoopClock(), mqtt_session).run())
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    manager.notify(READY="1")
    waits = asyncio.ensure_future(stopped.wait())
    try:
        await asyncio.wait({task, waits}, return_when=asyncio.FIRST_COMPLETED)
        await end((task, waits), patience_s=GOODBYE_S)
        if not task.cancelled():
            task.result()
    finally:
        manager.close()
