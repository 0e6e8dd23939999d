"""Test each device of a table, and print the result and a remedy.

examples:
  table-controller selftest table.yaml  # tests every device; somebody must be at the table
  table-controller selftest table.yaml --non-interactive --json
      runs only the tests that need nobody; prints JSON
"""

import asyncio
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from itertools import starmap

from controller.commands.arguments import add_file, add_json
from controller.commands.output import BAD, GOOD, note, paint, show
from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.dialogue import keyboard
from controller.commissioning.selftest import SelfTest
from controller.configuration.shipped import find_table
from controller.errors import FAILED, OK
from hal.clock import LoopClock
from hal.computer import LinuxComputer

_COLOURS = {CheckOutcome.PASSED: GOOD, CheckOutcome.FAILED: BAD}


def configure(parser: ArgumentParser) -> None:
    add_file(parser, "; stop the table first")
    parser.add_argument("--non-interactive", action="store_true", help="test only what needs no person")
    add_json(parser)


def run(arguments: Namespace) -> int:
    async def tested() -> list[tuple[str, CheckVerdict]]:
        config = find_table(arguments.table).config
        person = None if arguments.non_interactive else keyboard()
        return await SelfTest(config, LoopClock(), person, note, asyncio.sleep, LinuxComputer()).run()

    verdicts = asyncio.run(tested())
    data = [{"device": name, **asdict(one), "outcome": one.outcome.value} for name, one in verdicts]
    show(arguments.json, data, starmap(_line, verdicts))
    return FAILED if any(one.outcome is CheckOutcome.FAILED for _, one in verdicts) else OK


def _line(device: str, verdict: CheckVerdict) -> str:
    outcome = f"{verdict.outcome.value:<10}"
    if verdict.outcome in _COLOURS:
        outcome = paint(outcome, _COLOURS[verdict.outcome])
    text = f"{device:<10} {outcome} {verdict.seen}"
    return f"{text}\n{'':<21} -> {verdict.remedy}" if verdict.remedy else text
