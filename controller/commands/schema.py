"""``schema``: the JSON Schema of a table's file, for editors that complete and check while one types."""

from argparse import ArgumentParser, Namespace

from config.loader import json_schema
from controller import exits
from controller.text import as_json

NAME = "schema"
HELP = "print the JSON Schema of a table's file, for editors"


def configure(parser: ArgumentParser) -> None:
    """No arguments."""


def run(arguments: Namespace) -> int:
    print(as_json(json_schema()))
    return exits.OK
