"""``acknowledge``: a person has seen the alerts of a table, and says why they may stand."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from controller.commands.floor_requests import ask_floor

if TYPE_CHECKING:
    from sqlalchemy import Engine

NAME = "acknowledge"
HELP = "acknowledge the alerts of a kind of a table; it stays on the floor's record"

EXAMPLES = (
    (
        "acknowledge floor.yaml gap sic-bo-1 --person 'M. Cruz' --reason 'the line is being repaired'",
        "the alerts of gaps of this table do not escalate",
    ),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("floor", metavar="FILE", help="the floor's YAML file")
    parser.add_argument("kind", metavar="KIND", help="of the alerts: table, gap, quota, ... (docs/floor.md)")
    parser.add_argument("table", metavar="TABLE", help="the table's name")
    parser.add_argument("--person", required=True, metavar="NAME", help="who acknowledges them")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why; it stays on record")


def run(arguments: Namespace) -> int:
    def ask(engine: "Engine", utc: str) -> int:
        from controller.floor.settlement import ask_to_acknowledge

        said = (arguments.table, arguments.kind, arguments.person, arguments.reason)
        return ask_to_acknowledge(engine, *said, utc)

    return ask_floor(NAME, arguments.floor, ask)
