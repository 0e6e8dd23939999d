"""Play rounds on simulated hardware and compare the results with the odds.

It plays whole rounds, from sensors to lamps and journal, on virtual time.

examples:
  table-controller simulate dreamcatcher                   # plays 10,000 rounds
  table-controller simulate roulette --rounds 20 --seed 7  # plays twenty rounds, the same ones each time
  table-controller simulate table.yaml --rounds 100 --workers 1 --json
      plays a table's own file in one process; prints JSON
"""

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from config.problems import counted
from controller.commands.arguments import add_game_or_file, add_json, seed, whole_number
from controller.commands.output import BAD, GOOD, columns, paint, progress, show
from controller.configuration.shipped import find_table
from controller.errors import FAILED, OK

if TYPE_CHECKING:
    from controller.bench.oracle import OracleTally
    from controller.bench.simulate import Deviation

SHOWN = 10
"""The most wrong results, and failures, that are printed one by one."""


def configure(parser: ArgumentParser) -> None:
    rounds, workers = whole_number(1, 10**9), whole_number(1, 256)
    add_game_or_file(parser)
    parser.add_argument("--rounds", type=rounds, default=10_000, metavar="N", help="how many (default 10000)")
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="seed of all random numbers (default 0)")
    parser.add_argument("--workers", type=workers, metavar="N", help="processes (default: one per processor)")
    add_json(parser, "print one JSON object")


def run(arguments: Namespace) -> int:
    # The simulated hardware loads numpy, which takes a while: load it only here.
    from controller.bench.simulate import deviations, simulate

    config, workers = find_table(arguments.table).config, arguments.workers or os.cpu_count() or 1
    start = time.perf_counter()
    with progress("rounds", arguments.rounds) as advance:
        tally = simulate(config, arguments.rounds, arguments.seed, workers, advance)
    seconds, wins = time.perf_counter() - start, deviations(config, tally)
    data = {"table": config.table, "game": config.game, "seed": arguments.seed, "workers": workers}
    data |= {one.name: getattr(tally, one.name) for one in fields(tally)}
    data |= {"wins": [one._asdict() for one in wins], "seconds": seconds}
    throws = "rolls" if config.wheel is None and config.rotor is None else "spins"
    processes = counted(workers, "process", "processes")
    speed = f"{tally.rounds / seconds:.0f} rounds a second ({seconds:.1f} s, {processes})"
    show(arguments.json, data, (*_lines(tally, wins, throws), speed))
    return OK if tally.passed else FAILED


def _lines(tally: "OracleTally", wins: "Sequence[Deviation]", throws: str) -> Iterator[str]:
    rows = [(one.area, str(one.wins), f"{one.expected:.1f}", f"{one.standard_errors:+.2f}") for one in wins]
    yield columns(("area", "wins", "expected", "standard errors"), rows, frozenset({1, 2, 3}))
    yield f"\nrounds: {tally.rounds}, {throws}: {tally.spins}, results: {tally.results}"
    yield from (f"void, {reason.replace('-', ' ')}: {count}" for reason, count in tally.voids.most_common())
    if tally.bonuses:
        yield f"bonus spins won: {tally.bonuses}"
    if tally.locks:
        yield f"opened by the floorperson after a fault: {tally.locks} times"
    for what, found in (("wrong results", tally.wrong), ("failures of the controller's own code", tally.failures)):
        yield paint(f"{what}: {len(found)}", BAD if found else GOOD)
        yield from (f"  {one}" for one in found[:SHOWN])
        if len(found) > SHOWN:
            yield f"  and {len(found) - SHOWN} more"
    yield f"journal: {tally.entries} entries, {'; '.join(tally.broken) or 'all verified'}"
