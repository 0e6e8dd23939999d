"""``bench``: a table on simulated hardware: its page in a browser, a demonstration, a scenario, or a recording."""

import sys
from argparse import ArgumentParser, Namespace
from io import TextIOWrapper
from pathlib import Path

from controller.commands.columns import port
from controller.commands.console import complain
from controller.configuration.shipped import LoadedTable, find_table
from controller.runtime import exit_codes as exits

NAME = "bench"
HELP = "serve the page of a table on simulated hardware, or play it unattended"
EXAMPLES = (
    ("bench", "a Dreamcatcher table, in the browser"),
    ("bench roulette --port 8090", "a roulette table, at another port"),
    ("bench sic-bo --demo --seed 7", "ten rounds in words, the same ones each time"),
    ("bench dreamcatcher --script night.yaml", "a scenario, unattended, one JSON object a line"),
    ("bench table.yaml --capture spin.vcd", "what a logic analyser recorded at a table"),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "table",
        nargs="?",
        default="dreamcatcher",
        metavar="GAME|FILE",
        help="a game (default dreamcatcher), or a table's YAML file",
    )
    parser.add_argument("--script", type=Path, metavar="FILE", help="run a scenario unattended, on virtual time")
    parser.add_argument(
        "--capture", type=Path, metavar="FILE.vcd", help="play a logic analyser's recording, unattended"
    )
    parser.add_argument("--demo", action="store_true", help="print ten rounds in words")
    parser.add_argument(
        "--port",
        type=port,
        metavar="N",
        help="the port of the page, which is served unless --demo, --script or --capture is given "
        "(default 8080; 0 for any free one)",
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep the journal in a file, not in memory")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of everything random")
    parser.add_argument("--json", action="store_true", help="print JSON lines, as --script and --capture always do")


def run(arguments: Namespace) -> int:
    ways = [name for name in ("script", "capture", "demo") if getattr(arguments, name)]
    ways += ["port"] if arguments.port is not None else []
    if len(ways) > 1:
        complain(f"table-controller bench: --{' and --'.join(ways)} do not go together")
        return exits.USAGE
    if arguments.json and arguments.script is None and arguments.capture is None:
        complain("table-controller bench: --json goes with --script or --capture only")
        return exits.USAGE
    loaded = find_table(arguments.table)
    if arguments.script is not None:
        return _script(loaded, arguments)
    if arguments.capture is not None:
        return _capture(loaded, arguments)
    return _demo(loaded, arguments) if arguments.demo else _served(loaded, arguments)


def _served(loaded: LoadedTable, arguments: Namespace) -> int:
    from controller.bench.web.server import serve_bench

    try:
        return serve_bench(loaded, sys.stdout, arguments.journal, arguments.seed, arguments.port)
    except OSError as error:
        other = 8081 if arguments.port != 8081 else 8082
        complain(f"table-controller bench: port {arguments.port}: {error.strerror}; use another: --port {other}")
        return exits.FAILED


def _script(loaded: LoadedTable, arguments: Namespace) -> int:
    from controller.bench.scenario import run_script

    return run_script(arguments.script, loaded.config, sys.stdout, arguments.journal, arguments.seed)


def _capture(loaded: LoadedTable, arguments: Namespace) -> int:
    from controller.bench.capture import play_capture
    from hal.errors import HalError

    try:
        return play_capture(arguments.capture, loaded.config, sys.stdout, arguments.journal, loaded.digest)
    except HalError as error:
        complain(f"table-controller bench: {error}")
        return exits.CONFIGURATION


def _demo(loaded: LoadedTable, arguments: Namespace) -> int:
    from controller.bench.demo import play_demo

    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal that lacks a character still gets the rest.
        sys.stdout.reconfigure(errors="replace")
    return play_demo(loaded.config, sys.stdout, arguments.seed, arguments.journal)
