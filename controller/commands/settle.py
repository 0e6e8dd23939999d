"""``settle``: a person decides what the floor cannot: a fork, a gap, where a wheel is, forged messages."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from controller.commands.floor_requests import ask_floor

if TYPE_CHECKING:
    from sqlalchemy import Engine

NAME = "settle"
HELP = "decide an alert of the floor that only a person can decide; it stays on the floor's record"
EXAMPLES = (
    (
        "settle floor.yaml fork --keep stored sic-bo-1 --person 'M. Cruz' --reason 'card copied by mistake'",
        "the branch that was stored first counts",
    ),
    ("settle floor.yaml gap sic-bo-1 --person 'M. Cruz' --reason 'card burnt'", "what is missing is gone for good"),
    (
        "settle floor.yaml wheel --serial 4711 roulette-2 --person 'M. Cruz' --reason 'moved after repair'",
        "the wheel stands at this table now",
    ),
    (
        "settle floor.yaml false sic-bo-1 --person 'M. Cruz' --reason 'old card put back'",
        "the refused messages are explained",
    ),
    (
        "settle floor.yaml group sic-bo-1 --person 'M. Cruz' --reason 'the line was down for a month'",
        "the group's floor goes without what was deleted here",
    ),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("floor", metavar="FILE", help="the floor's YAML file")
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    fork = kinds.add_parser("fork", help="which branch of a table's record counts")
    keep = "the one that was stored first, the one that was kept apart, or none from where they part"
    fork.add_argument("--keep", required=True, choices=("stored", "disputed", "neither"), help=keep)
    kinds.add_parser("gap", help="the missing entries of a table are gone for good")
    wheel = kinds.add_parser("wheel", help="a wheel is at this table now")
    wheel.add_argument("--serial", required=True, metavar="NUMBER", help="the wheel's serial number")
    kinds.add_parser("false", help="it is explained why a table's messages were refused as forged")
    kinds.add_parser("group", help="the group's floor goes without rounds that were deleted here")
    for kind in kinds.choices.values():
        kind.add_argument("table", metavar="TABLE", help="the table's name")
        kind.add_argument("--person", required=True, metavar="NAME", help="who decides")
        kind.add_argument("--reason", required=True, metavar="TEXT", help="why; it stays on record")


def run(arguments: Namespace) -> int:
    def ask(engine: "Engine", utc: str) -> int:
        from controller.floor.settlement import Settlement, settle

        what = getattr(arguments, {"fork": "keep", "wheel": "serial"}.get(arguments.kind, ""), "")
        said = Settlement(arguments.kind, arguments.table, arguments.person, arguments.reason, what)
        return settle(engine, said, utc)

    return ask_floor(NAME, arguments.floor, ask)
