"""Whatever people do wrong while a device is broken: no wrong result, nothing lost, always a way back to play.

A sample of the fault matrix with slips is played; and that matrix fails where it must.
"""

import random

import pytest
from campaigns.fault_cases import Case, Cell
from campaigns.fault_matrix import GAMES, configuration, faults
from campaigns.fault_watch import Broken
from campaigns.slip_cases import SlipCase
from campaigns.slip_kinds import THREE_TIMES, TWICE, Moment, Slip, rotation
from campaigns.slip_matrix import judged, slip_column

from controller.bench.dealer import Dealer
from controller.bench.ways import states, way
from controller.tracking.keys import KeyTracker

SAMPLED = 1
"""Cells of each state that are played anew."""
PLACES = [(game, state) for game in GAMES for state in states(game)]


def slipped(game: str, state: str, broken: Broken, what: str, moment: Moment) -> Cell:
    config, leads = configuration(game), way(game, state)
    usual = Case(config, state, leads).usual()
    return SlipCase(config, state, leads, broken, Slip(what, moment), usual).play(usual)


# -- the matrix ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "state"), PLACES)
@pytest.mark.campaign
def test_a_sample_of_the_slips_of_each_state_makes_nothing_wrong(game: str, state: str) -> None:
    config, rng = configuration(game), random.Random(f"slip {game} {state}")
    number = states(game).index(state)
    cells = [(fault, rotation(config, number, row)) for row, fault in enumerate(faults(config))]
    chosen = rng.sample([one for one in cells if "lamp" not in one[0].words], SAMPLED)
    played = list(slip_column(config, state, lambda fault, slip: (fault, slip) in chosen))
    assert len(played) == SAMPLED
    assert not [failure for cell in played for failure in judged(game, cell)]


# -- a matrix that must fail ---------------------------------------------------------------------------------------


def test_a_second_press_that_counts_as_something_else_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = Broken("stuck-key", "no-roll")
    assert slipped("sic-bo", "winners-paid", stuck, THREE_TIMES, Moment.DURING).failures == ()
    monkeypatch.setattr(KeyTracker, "_again", lambda self, control, at_ns, state: False)
    cell = slipped("sic-bo", "winners-paid", stuck, THREE_TIMES, Moment.DURING)
    assert cell.failures == (
        "the second press of clear is taken for something else: no-roll, winners-paid, then round-opened",
    )


def test_a_result_for_which_nothing_was_shaken_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def uncounted(self: Dealer) -> None:
        self.dice = (1, 2, 4)
        self.witness.truth = "1-2-4"

    monkeypatch.setattr(Dealer, "roll", uncounted)
    cell = slipped("sic-bo", "result", Broken("stuck-key", "9"), TWICE, Moment.DURING)
    assert any("nothing was thrown, shaken or dealt" in failure for failure in cell.failures)
