"""Whole rounds on simulated hardware and virtual time, in worker processes. Used by ``simulate`` and benchmarks.

The rounds are cut into shares, each played at a table of its own with a seed of its own, so the outcome depends on
the number of rounds and the seed only, not on the number of processes. At the end of a share its journal is
verified and discarded, so that memory does not grow with the number of rounds.
"""

import gc
import logging
import multiprocessing
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from math import sqrt
from typing import NamedTuple, TypeVar

from config.schema import TableConfig
from controller.bench.dealer import Dealer, StuckTableError
from controller.bench.oracle import Oracle, OracleTally
from controller.bench.rig import Rig
from controller.machine.registry import find_game
from controller.runtime.uncollected import uncollected

log = logging.getLogger(__name__)

SHORTEST_SHARE, LONGEST_SHARE = 100, 1000
"""Rounds at one table: to start it takes as long as some ten of them."""
_SHARES = 32

P = TypeVar("P")
R = TypeVar("R")


class Share(NamedTuple):
    """A part of the rounds, played at one table."""

    config: TableConfig
    rounds: int
    seed: int


class Deviation(NamedTuple):
    """How often an area won, compared with the exact expectation.

    Attributes:
        standard_errors: the difference; about 2 areas in 3 are within 1, and 1 in 370 is beyond 3.
    """

    area: str
    wins: int
    expected: float
    standard_errors: float


def simulate(
    config: TableConfig,
    rounds: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda rounds: None,
) -> OracleTally:
    """Play rounds.

    Args:
        workers: processes; with 1 the rounds are played in this one.
        progress: called with the number of rounds since the last call.

    Raises:
        StuckTableError: a table does not go on; the message names the share's seed.
    """
    tallies, total = {}, OracleTally()
    for number, tally in spread(play_share, shares(config, rounds, seed), workers):
        tallies[number] = tally
        progress(tally.rounds)
    for number in sorted(tallies):
        total.add(tallies[number])
    return total


def shares(config: TableConfig, rounds: int, seed: int) -> list[Share]:
    """Cut rounds into shares. The seeds of the shares are drawn from the seed of the whole."""
    seeds = random.Random(seed)
    size = min(LONGEST_SHARE, max(SHORTEST_SHARE, -(-rounds // _SHARES)))
    return [Share(config, min(size, rounds - first), seeds.getrandbits(32)) for first in range(0, rounds, size)]


def play_share(share: Share) -> OracleTally:
    """Play one share at a new table and verify its journal.

    Raises:
        StuckTableError: the table does not go on although its code did not fail; the message names the seed.
    """
    with uncollected():
        tally = _played(share)
        gc.collect(0)  # The table is a cycle of objects, and the youngest. Rounds leave no cycles.
    return tally


def _played(share: Share) -> OracleTally:
    witness, named = Oracle(), f"seed {share.seed}: "
    tally = witness.tally
    rig = Rig(share.config, options={"seed": share.seed}, listeners=(witness,))
    with logged_failures() as failures:
        try:
            Dealer(rig, random.Random(share.seed), witness).play(share.rounds)
        except StuckTableError as error:
            if not failures:
                raise StuckTableError(f"{named}{error}") from error
            failures.append(str(error))
        except Exception:  # The table itself did not catch this failure.
            log.exception("playing failed")
    verdict = rig.journal.verify()
    tally.failures = [f"{named}{failure}" for failure in failures]
    tally.entries, tally.broken = verdict.entries, [f"{named}{verdict.problem}"] if verdict.problem else []
    rig.close()
    return tally


@contextmanager
def logged_failures() -> Iterator[list[str]]:
    """Collects failures of the controller's own code: each is logged, also one that locks its table."""
    found: list[str] = []

    class Collects(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            error = record.exc_info[1] if record.exc_info else None
            if error is not None:
                found.append(f"{record.getMessage()}: {type(error).__name__}: {error}")

    collects, logger = Collects(logging.ERROR), logging.getLogger("controller")
    logger.addHandler(collects)
    try:
        yield found
    finally:
        logger.removeHandler(collects)


def deviations(config: TableConfig, tally: OracleTally) -> list[Deviation]:
    """How often each area won against the exact expectation, in the order of the layout."""
    game, found = find_game(config.game), []
    for wager in game.returns(game.payouts(config), config.rules):
        areas = (wager.wager,) if wager.counted is None else wager.counted
        if areas:
            wins, chance = sum(tally.wins[area] for area in areas), float(wager.probability)
            trials = tally.decided[""] + sum(tally.decided[area] for area in areas)
            error = sqrt(trials * chance * (1 - chance))
            apart = (wins - trials * chance) / error if error else 0.0
            found.append(Deviation(wager.wager, wins, trials * chance, apart))
    return found


# -- processes ---------------------------------------------------------------------------------------------------


def spread(work: Callable[[P], R], parts: Sequence[P], workers: int) -> Iterator[tuple[int, R]]:
    """Do every part; yields its number and result as soon as it is done, in any order.

    If the caller stops early, by an exception or by Ctrl-C, only the parts that have begun are finished.

    Args:
        work: a function of a module, because it is sent to new processes.
        workers: processes; with 1 the work is done in this one.
    """
    if workers == 1:
        yield from enumerate(map(work, parts))
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_leave_interrupts)
    try:
        numbers = {pool.submit(work, part): number for number, part in enumerate(parts)}
        for done in as_completed(numbers):
            yield numbers.pop(done), done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is handled by the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
