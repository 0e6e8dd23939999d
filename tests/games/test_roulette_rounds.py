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
