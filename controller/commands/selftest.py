"""``selftest``: tests each device of a table in turn, and prints the outcome and a remedy."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace

from controller.commands.columns import as_json
from controller.commands.console import Colour, paint
from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.dialogue import keyboard
from controller.commissioning.selftest import SelfTest
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.runtime import exit_codes as exits
from hal.clock import LoopClock
from hal.computer import LinuxComputer

NAME = "selftest"
HELP = "test each device of a table: lamps, keys, sensors"
EXAMPLES = (
    ("selftest table.yaml", "each device in turn, with somebody at the table"),
    ("selftest table.yaml --non-interactive --json", "what needs no person, for a program"),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file; stop the table first")
    parser.add_argument("--non-interactive", action="store_true", help="test only what needs no person")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")


def run(arguments: Namespace) -> int:
    loaded = load_table(table_path(arguments.table))
    verdicts = asyncio.run(_run(loaded, arguments.non_interactive))
    if arguments.json:
        rows = [
            {"device": v.device, "outcome": v.outcome.value, "seen": v.seen, "remedy": v.remedy} for v in verdicts
        ]
        print(as_json(rows))
    else:
        print(*map(_line, verdicts), sep="\n")
    return exits.FAILED if any(verdict.outcome is CheckOutcome.FAILED for verdict in verdicts) else exits.OK


async def _run(loaded: LoadedTable, alone: bool) -> list[CheckVerdict]:
    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    return await SelfTest(
        loaded.config, LoopClock(), None if alone else keyboard(), say, asyncio.sleep, LinuxComputer()
    ).run()


_COLOURS = {CheckOutcome.PASSED: Colour.GOOD, CheckOutcome.FAILED: Colour.BAD}


def _line(verdict: CheckVerdict) -> str:
    outcome = f"{verdict.outcome.value:<10}"
    if verdict.outcome in _COLOURS:
        outcome = paint(outcome, _COLOURS[verdict.outcome], sys.stdout)
    text = f"{verdict.device:<10} {outcome} {verdict.seen}"
    return f"{text}\n{'':<21} -> {verdict.remedy}" if verdict.remedy else text
