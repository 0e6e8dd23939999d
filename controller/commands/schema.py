"""``schema``: the JSON Schema of a table's file, a floor's or a witness's, for editors that check YAML."""

from argparse import ArgumentParser, Namespace

from config.loader import floor_schema, json_schema, witness_schema
from controller.commands.columns import as_json
from controller.runtime import exit_codes as exits

NAME = "schema"
HELP = "print the JSON Schema of a table's file, of a floor's or of a witness's"
EXAMPLES = (
    ("schema", "the JSON Schema of a table's file, for an editor"),
    ("schema --floor", "that of a floor's file"),
)


def configure(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--floor", action="store_true", help="a floor's file (default: a table's)")
    which.add_argument("--witness", action="store_true", help="a witness's file")


def run(arguments: Namespace) -> int:
    print(as_json(witness_schema() if arguments.witness else floor_schema() if arguments.floor else json_schema()))
    return exits.OK
