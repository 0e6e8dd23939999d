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

from config.loader import floor_schema, json_schema
from config.problems import ConfigError, Problem, listed
from config.screens_rules import screens_advice
from controller.commands.output import Colour, complain, paint, print_json
from controller.configuration.advice import identity_advice, sign_advice
from controller.configuration.journal_rules import (
    lasting_journals,
    media_advice,
    places_of_journals,
    private_journals,
)
from controller.configuration.shipped import find_table, table_path
from controller.configuration.wheel_rules import wheel_advice
from controller.errors import CONFIGURATION, OK, UsageError
from controller.machine.registry import UnknownGameError

_ADVICE = (identity_advice, wheel_advice, sign_advice, media_advice, screens_advice)
"""What is said of a file that is in order."""


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
        print_json(floor_schema() if arguments.schema == "floor" else json_schema())
        return OK
    if not arguments.files:
        raise UsageError("name a table's YAML file, or a game")
    found: dict[Path, tuple[Problem, ...]] = {}
    advised: dict[Path, tuple[str, ...]] = {}
    for name in arguments.files:
        path = table_path(name)
        try:
            config = find_table(name, (places_of_journals, lasting_journals, private_journals)).config
            advised[path] = tuple(line for advise in _ADVICE for line in advise(config))
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
            colour = Colour.BAD if problems else Colour.GOOD
            print(f"{path}: {paint(_verdict(len(problems)), colour)}")
            for said in advised.get(path, ()):
                print(f"{path}: {paint(said, Colour.WARNING)}")
    return CONFIGURATION if any(found.values()) else OK


def _verdict(problems: int) -> str:
    return "in order" if problems == 0 else f"{problems} problem{'s' if problems > 1 else ''}"
