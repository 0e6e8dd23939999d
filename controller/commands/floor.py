"""Run the floor: verify, store and show the entries of all tables; settle alerts.

examples:
  table-controller floor floor.yaml --check      # checks the file, and the files that it names
  table-controller floor floor.yaml --port 8090  # runs until it is stopped
  table-controller floor floor.yaml --settle sic-bo-1 --accept stored --by 'M. Cruz' \\
      --reason 'card copied by mistake'
      decides that the entries that were stored first count
"""

import asyncio
import logging
import os
import sys
import threading
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from config.floor import FloorConfig
from config.loader import load_floor, read
from config.problems import Finding
from config.problems import Path as Place
from config.rules import pages_advice
from controller.commands.arguments import add_json, port, table_name
from controller.commands.output import GOOD, WARNING, log_to_stderr, paint, show
from controller.commands.services import at_signals, managed
from controller.errors import OK, UsageError, UserError
from hal.clock import LoopClock

if TYPE_CHECKING:
    from controller.signing.keys import FloorKeys

ENDS_S = 4.0
"""After so long the process ends, in whatever state a broker or a database keeps it."""
SWITCH_S = 0.0005
"""How long the thread that stores may keep the interpreter while messages and requests wait for it."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("floor", metavar="FILE", help="the floor's YAML file")
    parser.add_argument("--port", type=port, metavar="N", help="serve the pages on another port; 0 for any")
    words = "report every problem in the file and in those that it names, and end"
    parser.add_argument("--check", action="store_true", help=words)
    words = "settle a table's alerts that need a person, and end"
    parser.add_argument("--settle", type=table_name, metavar="TABLE", help=words)
    words = "with --settle: which branch of a contradicting record counts"
    parser.add_argument("--accept", choices=("stored", "disputed"), help=words)
    parser.add_argument("--by", metavar="NAME", help="with --settle: who decides")
    parser.add_argument("--reason", metavar="TEXT", help="with --settle: why")
    add_json(parser, "with --settle: print what was done as JSON")


def run(arguments: Namespace) -> None:
    given = [name for name in ("accept", "by", "reason", "json") if getattr(arguments, name) not in (None, False)]
    if given and arguments.settle is None:
        raise UsageError(f"--{given[0]} goes with --settle only")
    path = Path(arguments.floor)
    config = load_floor(read(path), str(path), (_usable,) if arguments.check else ())
    if arguments.check:
        for said in (paint("in order", GOOD), *(paint(one, WARNING) for one in pages_advice(config.screens))):
            print(f"{path}: {said}")
    elif arguments.settle is not None:
        _settle(config, arguments)
    else:
        if arguments.port is not None:
            screens = config.screens.model_copy(update={"port": arguments.port})
            config = config.model_copy(update={"screens": screens})
        sys.setswitchinterval(SWITCH_S)
        log_to_stderr()
        asyncio.run(_keep(config))


def _usable(config: FloorConfig) -> Iterator[Finding]:
    """The files that the floor's file names can be used. Nothing is written, and nothing connected."""
    from controller.floor.database import check_file
    from controller.floor.link import tls

    uses: dict[Place, Callable[[], object]] = {
        ("store", "url"): lambda: check_file(config.store.url),
        ("broker",): lambda: tls(config.broker),
        ("signing",): lambda: _keys(config),
    }
    for place, use in uses.items():
        try:
            use()
        except UserError as error:
            yield Finding(place, str(error))


def _settle(config: FloorConfig, arguments: Namespace) -> None:
    from controller.floor.database import make_engine, prepare
    from controller.floor.settle import settle

    engine, record = make_engine(config.store.url), Path(config.record.file)
    decided = (arguments.settle, arguments.accept, arguments.by or "", arguments.reason or "")
    try:
        prepare(engine)
        done = settle(engine, record, time.time_ns(), *decided)
    finally:
        engine.dispose()
    show(arguments.json, {"done": done}, done)


async def _keep(config: FloorConfig) -> None:
    """Run the floor until a signal. All its libraries are loaded here."""
    from controller.floor.process import Floor

    def stop() -> None:
        floor.stop()
        last = threading.Timer(ENDS_S, _abandon)
        last.daemon = True
        last.start()

    with managed() as manager:
        floor = Floor(config, LoopClock(), manager, _keys(config))
        at_signals(stop)
        await floor.run()


def _keys(config: FloorConfig) -> "FloorKeys | None":
    """The keys for receipts and of tables.

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
    os._exit(OK)
