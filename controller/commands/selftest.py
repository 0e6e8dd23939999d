"""Test each device of a table, and print the result and a remedy.

examples:
  table-controller selftest table.yaml
      tests every device; somebody must be at the table
  table-controller selftest table.yaml --non-interactive --json
      runs only the tests that need nobody; prints JSON
"""

import asyncio
from argparse import ArgumentParser, Namespace

from controller.commands.output import Colour, note, paint, print_json
from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.dialogue import keyboard
from controller.commissioning.selftest import SelfTest
from controller.configuration.shipped import load_table, table_path
from controller.errors import FAILED, OK
from hal.clock import LoopClock
from hal.computer import LinuxComputer

_COLOURS = {CheckOutcome.PASSED: Colour.GOOD, CheckOutcome.FAILED: Colour.BAD}


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file; stop the table first")
    parser.add_argument("--non-interactive", action="store_true", help="test only what needs no person")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")


def run(arguments: Namespace) -> int:
    verdicts = asyncio.run(_run(arguments))
    if arguments.json:
        print_json(
            [{"device": v.device, "outcome": v.outcome.value, "seen": v.seen, "remedy": v.remedy} for v in verdicts]
        )
    else:
        print(*map(_line, verdicts), sep="\n")
    return FAILED if any(verdict.outcome is CheckOutcome.FAILED for verdict in verdicts) else OK


async def _run(arguments: Namespace) -> list[CheckVerdict]:
    config = load_table(table_path(arguments.table)).config
    person = None if arguments.non_interactive else keyboard()
    return await SelfTest(config, LoopClock(), person, note, asyncio.sleep, LinuxComputer()).run()


def _line(verdict: CheckVerdict) -> str:
    outcome = f"{verdict.outcome.value:<10}"
    if verdict.outcome in _COLOURS:
        outcome = paint(outcome, _COLOURS[verdict.outcome])
    text = f"{verdict.device:<10} {outcome} {verdict.seen}"
    return f"{text}\n{'':<21} -> {verdict.remedy}" if verdict.remedy else text
