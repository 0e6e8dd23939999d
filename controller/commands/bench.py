"""Run a table on simulated hardware, in the browser or unattended.

examples:
  table-controller bench                                   # a Dreamcatcher table, in the browser
  table-controller bench roulette --port 8090              # a roulette table, at another port
  table-controller bench sic-bo --demo --seed 7
      prints ten rounds in words; the same seed gives the same rounds
  table-controller bench dreamcatcher --script night.yaml  # a scenario; prints one JSON object per line
  table-controller bench table.yaml --capture spin.vcd     # replays the recording of a logic analyser
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from controller.commands.arguments import GAME_OR_FILE, file, port, seed
from controller.configuration.shipped import find_table
from controller.errors import OK, UsageError, UserError


def configure(parser: ArgumentParser) -> None:
    words = f"{GAME_OR_FILE} (default dreamcatcher)"
    parser.add_argument("table", nargs="?", default="dreamcatcher", metavar="GAME|FILE", help=words)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--script", type=file, metavar="FILE", help="run a scenario on virtual time")
    way.add_argument("--capture", type=file, metavar="FILE.vcd", help="replay a logic analyser's recording")
    way.add_argument("--demo", action="store_true", help="print ten rounds in words")
    words = "serve the page at this port (default 8080, or any free one; 0 for any free one)"
    way.add_argument("--port", type=port, metavar="N", help=words)
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep the journal in a file, not in memory")
    parser.add_argument("--seed", type=seed, metavar="N", help="seed of all random numbers")
    parser.add_argument("--json", action="store_true", help="print JSON lines, as --script and --capture always do")


def run(arguments: Namespace) -> int:
    if arguments.json and arguments.script is None and arguments.capture is None:
        raise UsageError("--json goes with --script or --capture only")
    loaded = find_table(arguments.table)
    config, journal, seed, out = loaded.config, arguments.journal, arguments.seed, sys.stdout
    if arguments.script is not None:
        from controller.bench.scenario import run_script

        return run_script(arguments.script, config, out, journal, seed)
    if arguments.capture is not None:
        from controller.bench.capture import play_capture

        play_capture(arguments.capture, config, out, journal, loaded.digest)
        return OK
    if arguments.demo:
        from controller.bench.demo import play_demo

        return play_demo(config, out, seed, journal)
    from controller.bench.server import serve_bench

    try:
        return serve_bench(loaded, out, journal, seed, arguments.port)
    except OSError as error:
        why, other = os.strerror(error.errno or 0).lower(), 8081 if arguments.port != 8081 else 8082
        raise UserError(f"port {arguments.port}: {why}; use another: --port {other}") from error
