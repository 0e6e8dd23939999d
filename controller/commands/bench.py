"""Run a table on simulated hardware, in the browser or unattended.

examples:
  table-controller bench
      a Dreamcatcher table, in the browser
  table-controller bench roulette --port 8090
      a roulette table, at another port
  table-controller bench sic-bo --demo --seed 7
      prints ten rounds in words; the same seed gives the same rounds
  table-controller bench dreamcatcher --script night.yaml
      a scenario; prints one JSON object per line
  table-controller bench table.yaml --capture spin.vcd
      replays the recording of a logic analyser
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from io import TextIOWrapper
from pathlib import Path

from controller.commands.output import port
from controller.configuration.shipped import LoadedTable, find_table
from controller.errors import UsageError, UserError


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "table",
        nargs="?",
        default="dreamcatcher",
        metavar="GAME|FILE",
        help="a game (default dreamcatcher), or a table's YAML file",
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--script", type=Path, metavar="FILE", help="run a scenario on virtual time")
    way.add_argument("--capture", type=Path, metavar="FILE.vcd", help="replay a logic analyser's recording")
    way.add_argument("--demo", action="store_true", help="print ten rounds in words")
    way.add_argument(
        "--port",
        type=port,
        metavar="N",
        help="the port of the page, which is served unless --demo, --script or --capture is given "
        "(default 8080, or any free one; 0 for any free one)",
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep the journal in a file, not in memory")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of all random numbers")
    parser.add_argument("--json", action="store_true", help="print JSON lines, as --script and --capture always do")


def run(arguments: Namespace) -> int:
    if arguments.json and arguments.script is None and arguments.capture is None:
        raise UsageError("--json goes with --script or --capture only")
    loaded = find_table(arguments.table)
    if arguments.script is not None:
        from controller.bench.scenario import run_script

        return run_script(arguments.script, loaded.config, sys.stdout, arguments.journal, arguments.seed)
    if arguments.capture is not None:
        from controller.bench.capture import play_capture

        return play_capture(arguments.capture, loaded.config, sys.stdout, arguments.journal, loaded.digest)
    if arguments.demo:
        from controller.bench.demo import play_demo

        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # A terminal that lacks a character still gets the rest.
        return play_demo(loaded.config, sys.stdout, arguments.seed, arguments.journal)
    return _served(loaded, arguments)


def _served(loaded: LoadedTable, arguments: Namespace) -> int:
    from controller.bench.server import serve_bench

    try:
        return serve_bench(loaded, sys.stdout, arguments.journal, arguments.seed, arguments.port)
    except OSError as error:
        other = 8081 if arguments.port != 8081 else 8082
        raise UserError(
            f"port {arguments.port}: {os.strerror(error.errno or 0).lower()}; use another: --port {other}"
        ) from error
