"""Whole Dreamcatcher rounds, edges to lamps to journal, on virtual time: ``python -m benchmarks.rounds``."""

import sys

from benchmarks.report import Measured, main
from controller.bench.simulate import simulate
from controller.configuration.shipped import load_table, table_path

WORKERS = 2
ROUNDS = 15_000
RUNS = 3
"""The fastest counts: whatever else the machine does only ever makes a run slower."""
TARGET = 1000
TURN = 1440


def measure() -> list[Measured]:
    """Rounds of the shipped table, the start of the processes included."""
    config = load_table(table_path("dreamcatcher")).config
    assert config.wheel is not None
    config = config.model_copy(update={"wheel": config.wheel.model_copy(update={"counts_per_turn": TURN})})
    outcomes = [simulate(config, ROUNDS, seed=seed, workers=WORKERS) for seed in range(1, RUNS + 1)]
    best = max(outcomes, key=lambda outcome: outcome.rounds_per_second)
    others = sorted((round(o.rounds_per_second) for o in outcomes if o is not best), reverse=True)
    wrong = sum(len(outcome.tally.wrong) + len(outcome.tally.broken) for outcome in outcomes)
    return [
        Measured(
            f"Dreamcatcher rounds, {TURN} counts a turn, {WORKERS} processes",
            f"{best.rounds_per_second:.0f}/s",
            target=f"at least {TARGET}/s",
            passed=best.rounds_per_second >= TARGET,
        ),
        Measured("the other runs", ", ".join(f"{speed}/s" for speed in others)),
        Measured("spins in them", f"{best.tally.spins / best.seconds:.0f}/s"),
        Measured("wrong results", str(wrong), target="0", passed=wrong == 0),
    ]


if __name__ == "__main__":
    sys.exit(main(measure))
