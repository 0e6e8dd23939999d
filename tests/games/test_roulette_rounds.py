"""Many simulated rounds of Roulette end with true results."""

from collections.abc import Callable

import pytest
from roulette_table import (
    with_rules,
)

from config.schema import TableConfig
from controller.bench.simulate import deviations, simulate
from controller.games.roulette.layout import WheelType

GAME = "roulette"
NOBODY = "the floorperson"
Shipped = Callable[[str], TableConfig]


@pytest.mark.campaign
@pytest.mark.parametrize("wheel", [wheel.value for wheel in WheelType])
@pytest.mark.parametrize("source", ["keypad", "reader", "both"])
def test_rounds_end_with_true_results_at_the_expected_frequency(shipped: Shipped, wheel: str, source: str) -> None:
    config = with_rules(shipped(GAME), wheel=wheel, result=source)
    outcome = simulate(config, 120, seed=3)
    assert outcome.passed
    assert outcome.tally.rounds == outcome.tally.results == 120
    assert max(abs(found.standard_errors) for found in deviations(config, outcome.tally)) < 5


def test_simulated_rounds_with_faults_are_settled_too(shipped: Shipped) -> None:
    tally = simulate(shipped(GAME), 150, seed=4, faults=True).tally
    assert tally.wrong == tally.broken == []
    assert tally.locks > 0
    assert tally.voids["sensor-fault"] > 0


@pytest.mark.campaign
def test_weak_throws_and_lost_balls_are_among_them(shipped: Shipped) -> None:
    voids = simulate(shipped(GAME), 300, seed=2).tally.voids
    assert {"same-direction", "fewer-than-four-revolutions"} <= voids.keys()
    assert {"ball-lost", "ball-left-wheel"} & voids.keys()
