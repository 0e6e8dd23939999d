"""``simulate``: whole rounds, from sensors to lamps and journal, on simulated hardware and virtual time."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from controller.commands.columns import as_json, columns
from controller.commands.console import Colour, complain, paint
from controller.configuration.shipped import find_table
from controller.runtime import exit_codes as exits

if TYPE_CHECKING:
    from config.schema import TableConfig
    from controller.bench.simulate import Deviation, SimulationOutcome

NAME = "simulate"
SHOWN = 10
"""The most wrong results, and failures, that are printed one by one."""
HELP = "play rounds on simulated hardware and compare the results with the odds"
EXAMPLES = (
    ("simulate dreamcatcher", "10,000 rounds, and how the results compare with the odds"),
    ("simulate roulette --rounds 20 --seed 7", "twenty rounds; the same ones each time"),
    ("simulate table.yaml --rounds 100 --workers 1 --json", "a table's own file in one process, for a program"),
)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"'{text}' is not a whole number from 1 up")
    return int(text)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="GAME|FILE", help="a game, or a table's YAML file")
    parser.add_argument("--rounds", type=_count, default=10_000, metavar="N", help="how many (default 10000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of everything random (default 0)")
    parser.add_argument("--workers", type=_count, metavar="N", help="processes (default: one per processor)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: Namespace) -> int:
    # The simulated hardware loads numpy, which takes a while: load it only here.
    from controller.bench.dealer import StuckTableError
    from controller.bench.simulate import simulate
    from controller.commands.progress import shown_progress

    config = find_table(arguments.table).config
    workers = arguments.workers or os.cpu_count() or 1
    try:
        with shown_progress("rounds", arguments.rounds) as progress:
            outcome = simulate(config, arguments.rounds, arguments.seed, workers, progress)
    except StuckTableError as error:
        complain(f"the table does not go on: {error}")
        return exits.FAILED
    print(as_json(_events(config, arguments, outcome)) if arguments.json else _words(config, outcome))
    return exits.OK if outcome.passed else exits.FAILED


def _events(config: "TableConfig", arguments: Namespace, outcome: "SimulationOutcome") -> dict[str, object]:
    from controller.bench.simulate import deviations

    tally = outcome.tally
    return {
        "table": config.table,
        "game": config.game,
        "seed": arguments.seed,
        "workers": outcome.workers,
        "rounds": tally.rounds,
        "spins": tally.spins,
        "results": tally.results,
        "bonus_spins": tally.bonuses,
        "voids": dict(tally.voids.most_common()),
        "locks": tally.locks,
        "wins": [_win(found) for found in deviations(config, tally)],
        "wrong_results": tally.wrong,
        "controller_failures": tally.failures,
        "journal": {"entries": tally.entries, "verified": not tally.broken, "problems": tally.broken},
        "seconds": round(outcome.seconds, 3),
        "rounds_per_second": round(outcome.rounds_per_second, 1),
    }


def _win(found: "Deviation") -> dict[str, object]:
    return {
        "area": found.area,
        "wins": found.wins,
        "expected": round(found.expected, 3),
        "standard_errors": round(found.standard_errors, 3),
    }


def _words(config: "TableConfig", outcome: "SimulationOutcome") -> str:
    from controller.bench.simulate import deviations

    tally = outcome.tally
    rows = [
        (found.area, str(found.wins), f"{found.expected:.1f}", f"{found.standard_errors:+.2f}")
        for found in deviations(config, tally)
    ]
    spins = "spins" if config.wheel is not None or config.rotor is not None else "rolls"
    lines = [
        columns(("area", "wins", "expected", "standard errors"), rows, frozenset({1, 2, 3})),
        "",
        f"rounds: {tally.rounds}, {spins}: {tally.spins}, results: {tally.results}",
        *(f"void, {reason.replace('-', ' ')}: {count}" for reason, count in tally.voids.most_common()),
        f"bonus spins won: {tally.bonuses}" if tally.bonuses else "",
        f"opened by the floorperson after a fault: {tally.locks} times" if tally.locks else "",
        *_counted("wrong results", tally.wrong),
        *_counted("failures of the controller's own code", tally.failures),
        f"journal: {tally.entries} entries, " + ("; ".join(tally.broken) or "all verified"),
        f"{outcome.rounds_per_second:.0f} rounds a second ({outcome.seconds:.1f} s, {outcome.workers} processes)",
    ]
    return "\n".join(line for i, line in enumerate(lines) if line or i == 1)


def _counted(what: str, found: list[str]) -> list[str]:
    """The number of wrong results or failures, and the first of them."""
    more = [f"  and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    count = paint(f"{what}: {len(found)}", Colour.BAD if found else Colour.GOOD, sys.stdout)
    return [count, *(f"  {one}" for one in found[:SHOWN]), *more]
