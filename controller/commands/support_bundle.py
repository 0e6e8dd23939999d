"""``support-bundle``: log, versions, record and health of a table in one file, without secrets, for who helps."""

import os
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import UTC, datetime
from pathlib import Path

from config.problems import ConfigError
from controller import __version__
from controller.commands.console import complain
from controller.commands.status_line import status_line
from controller.commissioning.support.bundle import BundleError, Collected, collect, write
from controller.commissioning.support.pieces import ROUNDS, pieces
from controller.configuration.shipped import load_table
from controller.runtime import exit_codes as exits

NAME = "support-bundle"
HELP = "log, versions, record and health of a table in one file, without secrets"
EXAMPLES = (
    ("sudo support-bundle", "the table of this computer, into this folder"),
    ("support-bundle table.yaml --out /tmp --rounds 500", "another table, with more rounds"),
)
TABLE = Path("/etc/table-controller/table.yaml")
_MOST_ROUNDS = 10_000


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", type=Path, default=TABLE, metavar="FILE", help=f"the table's YAML file (default {TABLE})"
    )
    parser.add_argument(
        "--out", type=Path, default=Path(), metavar="PLACE", help="a folder, or a new file (default: this folder)"
    )
    parser.add_argument(
        "--rounds", type=_rounds, default=ROUNDS, metavar="N", help=f"show the last N rounds (default {ROUNDS})"
    )


def _rounds(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= _MOST_ROUNDS:
        raise ArgumentTypeError(
            f"'{word}' is not a number of rounds, 1 to {_MOST_ROUNDS}; for example: --rounds 200"
        )
    return int(word)


def run(arguments: Namespace) -> int:
    table: Path = arguments.file
    if why := _unreadable(table):
        complain(f"table-controller support-bundle: {table}: {why}")
        return exits.FAILED
    at_s = int(time.time())
    utc = datetime.fromtimestamp(at_s, UTC)
    name = f"support-{_name(table)}-{utc:%Y%m%dT%H%M%SZ}"
    out: Path = arguments.out / f"{name}.tar.gz" if arguments.out.is_dir() else arguments.out
    collected = _collected(table, arguments.rounds)
    head = {"table controller": __version__, "file": str(table), "made": f"{utc:%Y-%m-%dT%H:%M:%SZ}"}
    if os.geteuid():
        head["not as root"] = "the log and some files may be missing; call it with sudo"
    try:
        write(out, name, head, collected, at_s)
    except BundleError as error:
        complain(f"table-controller support-bundle: {error}")
        return exits.FAILED
    missing = [one for one in collected if one.missing]
    print(
        f"{out}: {len(collected) - len(missing)} pieces, {out.stat().st_size / 1000:.0f} kB; secrets were taken out"
    )
    for one in missing:
        print(f"without {one.name}: {one.missing}")
    return exits.OK


def _unreadable(table: Path) -> str:
    """Why the file cannot be read; empty if it can."""
    try:
        with table.open("rb"):
            return ""
    except FileNotFoundError:
        return "there is no such file; name the table's YAML file"
    except OSError as error:
        return f"{(error.strerror or str(error)).lower()}; call it with sudo, or name the table's YAML file"


def _collected(table: Path, rounds: int) -> list[Collected]:
    found, all_pieces = [], pieces(table.resolve(), rounds)
    with status_line() as show:
        for number, piece in enumerate(all_pieces, 1):
            show(f"{number} of {len(all_pieces)}: {piece.name}")
            found.append(collect(piece))
    return found


def _name(table: Path) -> str:
    """The table's name; that of its file if the file is wrong, for then help is needed most."""
    try:
        return load_table(table).config.table
    except (ConfigError, OSError):
        return table.stem
