"""Collect log, versions, journal and wheel report of a table in one file, without secrets.

examples:
  sudo table-controller support-bundle  # collects from the table of this computer, into this folder
  table-controller support-bundle table.yaml --out /tmp --rounds 500
      collects from another table, with more rounds
"""

import os
import time
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from config.loader import read
from config.problems import ConfigError
from controller import __version__
from controller.commands.arguments import whole_number
from controller.commands.output import followed
from controller.commissioning.support_bundle import ROUNDS, collect, pieces, write
from controller.configuration.shipped import load_table
from controller.errors import UserError

TABLE = Path("/etc/table-controller/table.yaml")


def configure(parser: ArgumentParser) -> None:
    words = f"the table's YAML file (default {TABLE})"
    parser.add_argument("file", nargs="?", type=Path, default=TABLE, metavar="FILE", help=words)
    words = "a folder, or a new file (default: this folder)"
    parser.add_argument("--out", type=Path, default=Path(), metavar="PLACE", help=words)
    rounds, words = whole_number(1, 10_000), f"show the last N rounds (default {ROUNDS})"
    parser.add_argument("--rounds", type=rounds, default=ROUNDS, metavar="N", help=words)


def run(arguments: Namespace) -> None:
    table: Path = arguments.file
    if read(table).startswith(b"SQLite format 3"):  # Any other file may be a table's with mistakes.
        raise UserError(f"{table}: this is a database, such as a journal; name the table's YAML file")
    try:
        named = load_table(table).config.table
    except ConfigError:
        named = table.stem  # If the file is wrong, help is needed most.
    at_s = int(time.time())
    utc = datetime.fromtimestamp(at_s, UTC)
    name = f"support-{named}-{utc:%Y%m%dT%H%M%SZ}"
    out: Path = arguments.out / f"{name}.tar.gz" if arguments.out.is_dir() else arguments.out
    sources = pieces(table.resolve(), arguments.rounds)
    collected = [collect(*piece) for piece in followed(sources.items(), "pieces", len(sources))]
    head = {"table controller": __version__, "file": str(table), "made": f"{utc:%Y-%m-%dT%H:%M:%SZ}"}
    if os.geteuid():
        head["not as root"] = "the log and some files may be missing; call it with sudo"
    write(out, name, head, collected, at_s)
    missing = [one for one in collected if one.missing]
    size_kb = out.stat().st_size / 1000
    print(f"{out}: {len(collected) - len(missing)} pieces, {size_kb:.0f} kB; secrets were taken out")
    for one in missing:
        print(f"without {one.name}: {one.missing}")
