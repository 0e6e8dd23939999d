"""``check``: every problem in a table's file, each on its line."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from config.loader import json_schema
from config.problems import ConfigError, Problem, counted, listed
from controller.commands.columns import as_json
from controller.commands.console import Colour, complain, paint
from controller.configuration.advice import ADVICE
from controller.configuration.shipped import find_table, table_path
from controller.configuration.this_computer import files, lasting_journals
from controller.machine.registry import UnknownGameError
from controller.runtime import exit_codes as exits

NAME = "check"
HELP = "report every problem in a table's file"
EXAMPLES = (
    ("check table.yaml", "every problem in the file, each on its line"),
    ("check roulette sic-bo --json", "two shipped tables, for a program"),
    ("check --schema table", "the JSON Schema of a table's file, for an editor"),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="a table's YAML file, or a game")
    parser.add_argument("--json", action="store_true", help="print the problems as JSON")
    parser.add_argument(
        "--schema", choices=("table", "floor"), help="instead print the JSON Schema of such a file, for editors"
    )


def run(arguments: Namespace) -> int:
    if arguments.schema:
        print(as_json(json_schema(floor=arguments.schema == "floor")))
        return exits.OK
    if not arguments.files:
        complain("table-controller check: name a file to check, or a game")
        return exits.USAGE
    found: dict[Path, tuple[Problem, ...]] = {}
    advised: dict[Path, list[str]] = {}
    for name in arguments.files:
        path = table_path(name)
        try:
            config = find_table(name, (files, lasting_journals)).config
            advised[path] = [line for advise in ADVICE for line in advise(config)]
            found[path] = ()
        except ConfigError as error:
            found[path] = error.problems
        except UnknownGameError as error:
            found[path] = (Problem(str(path), 1, 1, "game", str(error), ""),)
    if arguments.json:
        print(as_json([problem._asdict() for problems in found.values() for problem in problems]))
    else:
        for path, problems in found.items():
            for line in listed(problems):
                complain(line)
            verdict = counted(len(problems), "problem") if problems else "in order"
            print(f"{path}: {paint(verdict, Colour.BAD if problems else Colour.GOOD, sys.stdout)}")
            for said in advised.get(path, ()):
                print(f"{path}: {paint(said, Colour.WARNING, sys.stdout)}")
    return exits.CONFIGURATION if any(found.values()) else exits.OK
