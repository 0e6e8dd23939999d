"""The wheels of the fleet one after the other, on several processors: for campaigns."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Tally = TypeVar("Tally")
_EVERY = 20


def add_fleet_arguments(parser: ArgumentParser, wheels: int) -> None:
    """``--wheels``, ``--seed`` and ``--processes``; by default so many wheels."""
    parser.add_argument("--wheels", type=int, default=wheels, help="how many (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first wheel (default %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="how many at once (default %(default)s)")


def over_the_fleet(work: Callable[[int], Tally], chosen: Namespace) -> Iterator[Tally]:
    """What ``work`` counts for each wheel, by its seed; how far it is goes to the standard error stream."""
    seeds = range(chosen.seed, chosen.seed + chosen.wheels)
    with ProcessPoolExecutor(chosen.processes) as pool:
        for done, tally in enumerate(pool.map(work, seeds), 1):
            yield tally
            if done % _EVERY == 0:
                print(f"{done} of {chosen.wheels} wheels", file=sys.stderr, flush=True)
