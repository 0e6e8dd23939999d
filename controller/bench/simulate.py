"""Whole rounds on simulated hardware and virtual time, in worker processes. Used by ``simulate`` and benchmarks.

The rounds are cut into shares, each played at a table of its own with a seed of its own, so the outcome depends on
the number of rounds and the seed only, not on the number of processes. At the end of a share its journal is
verified and discarded, so that memory does not grow with the number of rounds.
"""

import gc
import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt

from config.schema import TableConfig
from controller.bench.dealer import Dealer, StuckTableError
from controller.bench.failures import exceptions_in_log, with_logged
from controller.bench.injected_faults import DealerAmongFaults, FaultSettings
from controller.bench.oracle import Oracle, OracleTally
from controller.bench.rig import Rig
from controller.bench.workers import spread
from controller.machine.registry import find_game
from controller.runtime.uncollected import uncollected

log = logging.getLogger(__name__)

LONGEST_SHARE = 1000
_SHARES = 32


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the rounds, played at one table."""

    config: TableConfig
    rounds: int
    seed: int
    faults: bool


@dataclass(frozen=True, slots=True)
class Deviation:
    """How often an area won, compared with the exact expectation.

    Attributes:
        standard_errors: the difference; about 2 areas in 3 are within 1, and 1 in 370 is beyond 3.
    """

    area: str
    wins: int
    expected: float
    standard_errors: float


@dataclass(frozen=True, slots=True)
class SimulationOutcome:
    """The outcome of a simulation."""

    tally: OracleTally
    seconds: float
    workers: int

    @property
    def rounds_per_second(self) -> float:
        return self.tally.rounds / self.seconds if self.seconds > 0 else 0.0

    @property
    def passed(self) -> bool:
        """No wrong result, every journal verified, and the controller's own code never failed."""
        return not self.tally.wrong and not self.tally.broken and not self.tally.failures


def simulate(
    config: TableConfig,
    rounds: int,
    seed: int,
    workers: int = 1,
    faults: bool = False,
    progress: Callable[[int], None] = lambda rounds: None,
) -> SimulationOutcome:
    """Play rounds.

    Args:
        workers: processes; with 1 the rounds are played in this one.
        faults: break sensors, lamps and keys at random.
        progress: called with the number of rounds since the last call.

    Raises:
        StuckTableError: a table does not go on; the message names the share's seed.
    """
    start = time.perf_counter()
    parts = list(shares(config, rounds, seed, faults))
    tallies: dict[int, OracleTally] = {}
    for number, tally in spread(play_share, parts, workers):
        tallies[number] = tally
        progress(tally.rounds)
    total = OracleTally()
    for number in range(len(parts)):
        total.add(tallies[number])
    return SimulationOutcome(total, time.perf_counter() - start, workers)


def shares(config: TableConfig, rounds: int, seed: int, faults: bool) -> Iterator[Share]:
    """Cut rounds into shares. The seeds of the shares are drawn from the seed of the whole."""
    seeds = random.Random(seed)
    size = min(LONGEST_SHARE, max(1, -(-rounds // _SHARES)))
    for first in range(0, rounds, size):
        yield Share(config, min(size, rounds - first), seeds.getrandbits(32), faults)


def play_share(share: Share) -> OracleTally:
    """Play one share at a new table and verify its journal.

    Raises:
        StuckTableError: the table does not go on although its code did not fail; the message names the seed.
    """
    witness = Oracle()
    with uncollected():
        rig = Rig(share.config, options={"seed": share.seed}, listeners=(witness,))
    dealer = _dealer(rig, witness, share)
    with exceptions_in_log() as logged:
        stuck = _play(dealer, share)
    failures = with_logged(witness.tally.failures, logged)
    witness.tally.failures = [f"seed {share.seed}: {failure}" for failure in failures]
    if stuck is not None:
        if not failures:
            raise stuck
        witness.tally.failures.append(str(stuck))
    verdict = rig.journal.verify()
    witness.tally.entries = verdict.entries
    if verdict.problem:
        witness.tally.broken.append(f"seed {share.seed}: {verdict.problem}")
    rig.table.stop()
    rig.journal.close()
    return witness.tally


def _play(dealer: Dealer, share: Share) -> StuckTableError | None:
    """Play a share's rounds; returns the error if the table did not go on."""
    try:
        with _uncollected():
            dealer.play(share.rounds)
    except StuckTableError as error:
        return StuckTableError(f"seed {share.seed}: {error}")
    except Exception as error:  # A failure that the table itself did not catch is counted too, with its seed.
        log.exception("playing failed")
        return StuckTableError(f"seed {share.seed}: nobody caught {type(error).__name__}: {error}")
    return None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no cycles of objects meanwhile: rounds leave none; what a table leaves is found between shares."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def deviations(config: TableConfig, tally: OracleTally) -> list[Deviation]:
    """How often each area won against the exact expectation, in the order of the layout."""
    game = find_game(config.game)
    found = []
    for wager in game.returns(game.payouts(config), config.rules):
        areas = (wager.wager,) if wager.counted is None else wager.counted
        if not areas:
            continue
        wins, chance = sum(tally.wins[area] for area in areas), float(wager.probability)
        trials = tally.decided[""] + sum(tally.decided[area] for area in areas)
        error = sqrt(trials * chance * (1 - chance))
        apart = (wins - trials * chance) / error if error else 0.0
        found.append(Deviation(wager.wager, wins, trials * chance, apart))
    return found


def _dealer(rig: Rig, witness: Oracle, share: Share) -> Dealer:
    rng = random.Random(share.seed)
    if share.faults:
        return DealerAmongFaults(rig, rng, witness, FaultSettings())
    return Dealer(rig, rng, witness)
