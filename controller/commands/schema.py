"""``schema``: the JSON Schema of a table's file or a floor's, for editors that check YAML."""

from argparse import ArgumentParser, Namespace

from config.loader import floor_schema, json_schema
from controller.commands.columns import as_json
from controller.runtime import exit_codes as exits

NAME = "schema"
HELP = "print the JSON Schema of a table's file, or of a floor's"
EXAMPLES = (
    ("schema", "the JSON Schema of a table's file, for an editor"),
    ("schema --floor", "that of a floor's file"),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("--floor", action="store_true", help="a floor's file (default: a table's)")


def run(arguments: Namespace) -> int:
    print(as_json(floor_schema() if arguments.floor else json_schema()))
    return exits.OK
