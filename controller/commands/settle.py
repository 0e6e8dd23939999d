"""``settle``: a person decides what the floor cannot: a fork, a gap, where a wheel is, forged messages."""

import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from config.loader import load_floor, read
from controller.commands.console import complain
from controller.commands.local_time import in_local_time
from controller.commands.progress import busy
from controller.journal.chain import utc_text
from controller.runtime import exit_codes as exits

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

PATIENCE_S, ASK_S = 5.0, 0.2
"""How long a running floor is waited for, and how often it is looked whether it has taken the request up."""

_LATER = "the floor does not run: it takes this up when it starts, and writes it on its record first"


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
    config = load_floor(read(Path(arguments.floor)), arguments.floor)
    from controller.floor.settlement import Settlement, SettlementError, outcome, settle
    from controller.floor.store.engine import StoreError, open_engine

    try:
        engine = open_engine(config.store.url)
    except StoreError as error:
        complain(f"settle: {error}")
        return exits.CONFIGURATION
    what = getattr(arguments, {"fork": "keep", "wheel": "serial"}.get(arguments.kind, ""), "")
    said = Settlement(arguments.kind, arguments.table, arguments.person, arguments.reason, what)
    try:
        number = settle(engine, said, utc_text(time.time_ns()))
        led_to = outcome(engine, number)
        until = time.monotonic() + PATIENCE_S
        with busy("waiting for the floor to take it up"):
            while led_to is None and time.monotonic() < until:
                time.sleep(ASK_S)
                led_to = outcome(engine, number)
    except (SettlementError, StoreError) as error:
        complain(f"settle: {error}")
        return exits.FAILED
    finally:
        engine.dispose()
    sys.stdout.write(f"{_LATER if led_to is None else in_local_time(led_to)}\n")
    return exits.OK
