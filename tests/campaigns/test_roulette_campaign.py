"""Samples of the campaign of roulette wheels as they are built."""

import pytest
from campaigns.roulette_campaign import Tally, campaign


def played(spins: int, seed: int) -> Tally:
    total = Tally()
    for tally in campaign(spins, seed):
        total.add(tally)
    return total


@pytest.mark.parametrize(
    ("spins", "seed"), [(60, 1), *(pytest.param(1000, seed, marks=pytest.mark.campaign) for seed in range(2, 6))]
)
def test_honest_spins_are_results_and_hostile_ones_are_none(spins: int, seed: int) -> None:
    """No wrong result; of honest spins at most 1 in 100 a false alarm. The aim is 1 in 20,000."""
    total = played(spins, seed)
    assert total.honest > spins / 3
    assert total.hostile.total() > spins / 3
    assert len(total.alarms) <= total.honest / 100, total.alarms
    assert total.wrong == []
