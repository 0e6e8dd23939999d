"""Whole Dreamcatcher rounds, edges to lamps to journal, on virtual time: ``python -m benchmarks.rounds``."""

import sys

from benchmarks.report import Measured, main
from controller.bench.simulate import simulate
from controller.tables import load_table, table_path

WORKERS = 2
ROUNDS = 30_000
TARGET = 1000
TURN = 1440


def measure() -> list[Measured]:
    """Rounds of the shipped table, the start of the processes included."""
    config = load_table(table_path("dreamcatcher")).config
    assert config.wheel is not None
    config = config.model_copy(update={"wheel": config.wheel.model_copy(update={"counts_per_turn": TURN})})
    outcome = simulate(config, ROUNDS, seed=1, workers=WORKERS)
    speed, tally = outcome.rounds_per_second, outcome.tally
    wrong = len(tally.wrong) + len(tally.broken)
    return [
        Measured(
            f"Dreamcatcher rounds, {TURN} counts a turn, {WORKERS} processes",
            f"{speed:.0f}/s",
            target=f"at least {TARGET}/s",
            passed=speed >= TARGET,
        ),
        Measured("spins in them", f"{tally.spins / outcome.seconds:.0f}/s"),
        Measured("wrong results", str(wrong), target="0", passed=wrong == 0),
    ]


if __name__ == "__main__":
    sys.exit(main(measure))
