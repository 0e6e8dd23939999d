"""Report every problem in a table's file, with its line.

examples:
  table-controller check table.yaml              # lists every problem with its line and remedy
  table-controller check roulette sic-bo --json  # checks two shipped tables; prints JSON
  table-controller check --schema  # prints the JSON Schema of a table's file, for editors that check YAML
  table-controller check --schema floor          # prints the JSON Schema of a floor's file
"""

from argparse import ArgumentParser, Namespace

from config.loader import json_schema
from config.problems import ConfigError, Problem, counted, listed
from controller.commands.arguments import GAME_OR_FILE, add_json
from controller.commands.output import BAD, GOOD, WARNING, complain, paint, show_json
from controller.configuration.advice import ADVICE
from controller.configuration.shipped import find_table, table_path
from controller.configuration.this_computer import files, lasting_journals
from controller.errors import CONFIGURATION, OK, UsageError
from controller.machine.registry import UnknownGameError


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="GAME|FILE", help=GAME_OR_FILE)
    kinds, words = ("table", "floor"), "print the JSON Schema of a table's file or a floor's, and end"
    parser.add_argument("--schema", nargs="?", const="table", choices=kinds, metavar="table|floor", help=words)
    add_json(parser)


def run(arguments: Namespace) -> int:
    if arguments.schema is not None and arguments.files:
        raise UsageError("--schema goes without a table or game")
    if arguments.schema is not None:
        show_json(json_schema(floor=arguments.schema == "floor"))
        return OK
    if not arguments.files:
        raise UsageError("name a table's YAML file, or a game")
    found: list[Problem] = []
    for name in arguments.files:
        path, advice = table_path(name), list[str]()
        problems: tuple[Problem, ...] = ()
        try:
            config = find_table(name, (files, lasting_journals)).config
            advice = [line for advise in ADVICE for line in advise(config)]
        except ConfigError as error:
            problems = error.problems
        except UnknownGameError as error:
            problems = (Problem(str(path), 1, 1, "game", str(error), ""),)
        found += problems
        if not arguments.json:
            for line in listed(problems):
                complain(line)
            verdict = paint(counted(len(problems), "problem"), BAD) if problems else paint("in order", GOOD)
            print(*(f"{path}: {line}" for line in (verdict, *(paint(said, WARNING) for said in advice))), sep="\n")
    if arguments.json:
        show_json([problem._asdict() for problem in found])
    return CONFIGURATION if found else OK
