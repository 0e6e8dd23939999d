"""Play rounds on simulated hardware and compare the results with the odds.

It plays whole rounds, from sensors to lamps and journal, on virtual time.

examples:
  table-controller simulate dreamcatcher
      plays 10,000 rounds
  table-controller simulate roulette --rounds 20 --seed 7
      plays twenty rounds, the same ones each time
  table-controller simulate table.yaml --rounds 100 --workers 1 --json
      plays a table's own file in one process; prints JSON
"""

import os
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from controller.commands.output import Colour, columns, paint, print_json, whole_number
from controller.configuration.shipped import find_table
from controller.errors import FAILED, OK

if TYPE_CHECKING:
    from config.schema import TableConfig
    from controller.bench.simulate import SimulationOutcome

SHOWN = 10
"""The most wrong results, and failures, that are printed one by one."""
_MOST = 10**9


def configure(parser: ArgumentParser) -> None:
    rounds, workers = whole_number(1, _MOST, "--rounds 1000"), whole_number(1, 256, "--workers 2")
    parser.add_argument("table", metavar="GAME|FILE", help="a game, or a table's YAML file")
    parser.add_argument("--rounds", type=rounds, default=10_000, metavar="N", help="how many (default 10000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of all random numbers (default 0)")
    parser.add_argument("--workers", type=workers, metavar="N", help="processes (default: one per processor)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: Namespace) -> int:
    # The simulated hardware loads numpy, which takes a while: load it only here.
    from controller.bench.simulate import simulate
    from controller.commands.progress import shown_progress

    config = find_table(arguments.table).config
    workers = arguments.workers or os.cpu_count() or 1
    with shown_progress("rounds", arguments.rounds) as progress:
        outcome = simulate(config, arguments.rounds, arguments.seed, workers, progress)
    if arguments.json:
        print_json(_data(config, arguments, outcome))
    else:
        _print(config, outcome)
    return OK if outcome.passed else FAILED


def _data(config: "TableConfig", arguments: Namespace, outcome: "SimulationOutcome") -> dict[str, object]:
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
        "wins": [
            {
                "area": found.area,
                "wins": found.wins,
                "expected": round(found.expected, 3),
                "standard_errors": round(found.standard_errors, 3),
            }
            for found in deviations(config, tally)
        ],
        "wrong_results": tally.wrong,
        "controller_failures": tally.failures,
        "journal": {"entries": tally.entries, "verified": not tally.broken, "problems": tally.broken},
        "seconds": round(outcome.seconds, 3),
        "rounds_per_second": round(outcome.rounds_per_second, 1),
    }


def _print(config: "TableConfig", outcome: "SimulationOutcome") -> None:
    from controller.bench.simulate import deviations

    tally = outcome.tally
    rows = [
        (found.area, str(found.wins), f"{found.expected:.1f}", f"{found.standard_errors:+.2f}")
        for found in deviations(config, tally)
    ]
    spins = "spins" if config.wheel is not None or config.rotor is not None else "rolls"
    print(columns(("area", "wins", "expected", "standard errors"), rows, frozenset({1, 2, 3})))
    print(f"\nrounds: {tally.rounds}, {spins}: {tally.spins}, results: {tally.results}")
    for reason, count in tally.voids.most_common():
        print(f"void, {reason.replace('-', ' ')}: {count}")
    if tally.bonuses:
        print(f"bonus spins won: {tally.bonuses}")
    if tally.locks:
        print(f"opened by the floorperson after a fault: {tally.locks} times")
    _print_found("wrong results", tally.wrong)
    _print_found("failures of the controller's own code", tally.failures)
    print(f"journal: {tally.entries} entries, {'; '.join(tally.broken) or 'all verified'}")
    speed = f"{outcome.rounds_per_second:.0f} rounds a second"
    print(f"{speed} ({outcome.seconds:.1f} s, {outcome.workers} processes)")


def _print_found(what: str, found: list[str]) -> None:
    """The number of wrong results or failures, and the first of them."""
    print(paint(f"{what}: {len(found)}", Colour.BAD if found else Colour.GOOD))
    for one in found[:SHOWN]:
        print(f"  {one}")
    if len(found) > SHOWN:
        print(f"  and {len(found) - SHOWN} more")
