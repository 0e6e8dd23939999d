"""Report every problem in a table's file, with its line.

examples:
  table-controller check table.yaml
      lists every problem with its line and remedy
  table-controller check roulette sic-bo --json
      checks two shipped tables; prints JSON
  table-controller check --schema
      prints the JSON Schema of a table's file, for editors that check YAML
  table-controller check --schema floor
      prints the JSON Schema of a floor's file
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from config.loader import json_schema
from config.problems import ConfigError, Problem, counted, listed
from controller.commands.output import Colour, complain, paint, print_json
from controller.configuration.advice import ADVICE
from controller.configuration.shipped import find_table, table_path
from controller.configuration.this_computer import files, lasting_journals
from controller.errors import CONFIGURATION, OK, UsageError
from controller.machine.registry import UnknownGameError


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="a table's YAML file, or a game")
    parser.add_argument(
        "--schema",
        nargs="?",
        const="table",
        choices=("table", "floor"),
        metavar="table|floor",
        help="print the JSON Schema of a table's file or a floor's, and end",
    )
    parser.add_argument("--json", action="store_true", help="print the problems as JSON")


def run(arguments: Namespace) -> int:
    if arguments.schema is not None:
        print_json(json_schema(floor=arguments.schema == "floor"))
        return OK
    if not arguments.files:
        raise UsageError("name a table's YAML file, or a game")
    found: dict[Path, tuple[Problem, ...]] = {}
    advised: dict[Path, tuple[str, ...]] = {}
    for name in arguments.files:
        path = table_path(name)
        try:
            config = find_table(name, (files, lasting_journals)).config
            advised[path] = tuple(line for advise in ADVICE for line in advise(config))
            found[path] = ()
        except ConfigError as error:
            found[path] = error.problems
        except UnknownGameError as error:
            found[path] = (Problem(str(path), 1, 1, "game", str(error), ""),)
    if arguments.json:
        print_json([problem._asdict() for problems in found.values() for problem in problems])
    else:
        for path, problems in found.items():
            for line in listed(problems):
                complain(line)
            verdict = counted(len(problems), "problem") if problems else "in order"
            print(f"{path}: {paint(verdict, Colour.BAD if problems else Colour.GOOD)}")
            for said in advised.get(path, ()):
                print(f"{path}: {paint(said, Colour.WARNING)}")
    return CONFIGURATION if any(found.values()) else OK
