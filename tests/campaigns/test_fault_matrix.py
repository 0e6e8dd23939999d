"""Whatever breaks, in whatever state of a game: no wrong result, no wrong lamp, always a way back to play."""

import pytest
from campaigns.fault_matrix import GAMES, configuration, faults, play_state, states

from hal.mock.world import FAULTS


@pytest.mark.parametrize(("game", "state"), [(game, state) for game in GAMES for state in states(game)])
@pytest.mark.campaign
def test_a_sample_of_the_faults_of_each_state(game: str, state: str) -> None:
    assert play_state((game, state), sample=2).failures == []


def test_every_fault_of_the_simulated_hardware_is_in_the_matrix() -> None:
    assert {fault.name for game in GAMES for fault in faults(configuration(game))} == set(FAULTS)
