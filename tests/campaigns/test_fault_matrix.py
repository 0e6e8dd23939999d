"""Whatever breaks, in whatever state of whatever game: no wrong result, no wrong lamp, always a way back to play.

A sample of the fault matrix is played; and the matrix fails where it must.
"""

import random

import pytest
from campaigns.fault_cases import Case, Cell, CellDealer
from campaigns.fault_matrix import GAMES, column, configuration, faults, states
from campaigns.fault_watch import Broken
from ways import way

from controller.events.words import NOTHING
from controller.machine.registry import game_names
from controller.tracking.clapper_wheel import rest
from controller.tracking.clapper_wheel.passage import Passage
from controller.tracking.clapper_wheel.trust import Trust
from hal.mock.devices import MockPanel
from hal.mock.world import FAULTS, World

SAMPLED = 2
"""Faults of each state that are played anew."""
PLACES = [(game, state) for game in GAMES for state in states(game)]


def injected(game: str, state: str, broken: Broken) -> Cell:
    config, leads = configuration(game), way(game, state)
    return Case(config, state, leads, broken).play(Case(config, state, leads).usual())


@pytest.mark.parametrize(("game", "state"), PLACES)
@pytest.mark.campaign
def test_a_sample_of_the_faults_of_each_state(game: str, state: str) -> None:
    chosen = random.Random(f"{game} {state}").sample(faults(configuration(game)), SAMPLED)
    for fault, cell in column(configuration(game), state, chosen.__contains__).items():
        assert not cell.failures, f"{fault}: {cell.failures}"


def test_every_fault_of_the_simulated_hardware_is_in_the_matrix() -> None:
    assert {fault.name for game in game_names() for fault in faults(configuration(game))} == set(FAULTS)


# -- a matrix that must fail ---------------------------------------------------------------------------------------


def test_sensors_that_are_always_trusted_make_wrong_results(monkeypatch: pytest.MonkeyPatch) -> None:
    slips = Broken("slip", "", 0.02)
    assert injected("dreamcatcher", "no-more-bets", slips).failures == ()
    monkeypatch.setattr(Trust, "doubt", property(lambda self: None))
    monkeypatch.setattr(rest, "touch", lambda ending: NOTHING)
    monkeypatch.setattr(Passage, "rest_position", lambda self, at, bent: self._by_count(at))
    assert "the wheel stands freely in section" in injected("dreamcatcher", "no-more-bets", slips).failures[0]


def test_a_panel_that_is_never_read_back_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    burns = Broken("burning-lamp", "40")
    assert injected("dreamcatcher", "bets-open", burns).failures == ()
    monkeypatch.setattr(MockPanel, "read_back", lambda self: None)
    assert "nothing reports it" in injected("dreamcatcher", "bets-open", burns).failures[0]


def test_a_table_that_does_not_come_back_to_play_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Broken("keys-unplugged")
    assert injected("casino-war", "deal", gone).failures == ()
    monkeypatch.setattr(World, "repair", lambda self: None)
    monkeypatch.setattr(CellDealer, "free_keys", lambda self: None)
    assert injected("casino-war", "deal", gone).failures[-1].startswith("stuck in state deal: ")
