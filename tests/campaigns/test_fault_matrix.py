"""Whatever breaks, in whatever state of whatever game: no wrong result, no wrong lamp, always a way back to play.

A sample of the fault matrix is played; and the matrix fails where it must.
"""

import pytest
from campaigns.fault_matrix import GAMES, column, configuration, faults, play_state, states
from faulty_dealer import InjectedFault
from ways import CellDealer

from controller.events.words import NOTHING
from controller.tracking.clapper_wheel import rest
from controller.tracking.clapper_wheel.passage import Passage
from controller.tracking.clapper_wheel.trust import Trust
from hal.mock.devices import MockPanel
from hal.mock.world import FAULTS, World


def failures(game: str, state: str, *fault: object) -> tuple[str, ...]:
    (cell,) = column(configuration(game), state, [InjectedFault(*fault)]).values()
    return cell.failures


@pytest.mark.parametrize(("game", "state"), [(game, state) for game in GAMES for state in states(game)])
@pytest.mark.campaign
def test_a_sample_of_the_faults_of_each_state(game: str, state: str) -> None:
    assert play_state((game, state), sample=2).failures == []


def test_every_fault_of_the_simulated_hardware_is_in_the_matrix() -> None:
    assert {fault.name for game in GAMES for fault in faults(configuration(game))} == set(FAULTS)


# -- a matrix that must fail ---------------------------------------------------------------------------------------


def test_sensors_that_are_always_trusted_make_wrong_results(monkeypatch: pytest.MonkeyPatch) -> None:
    slips = ("dreamcatcher", "no-more-bets", "slip", "", 0.02)
    assert failures(*slips) == ()
    monkeypatch.setattr(Trust, "doubt", property(lambda self: None))
    monkeypatch.setattr(rest, "touch", lambda ending: NOTHING)
    monkeypatch.setattr(Passage, "rest_position", lambda self, at, bent: self._by_count(at))
    assert "the wheel stands freely in section" in failures(*slips)[0]


def test_a_panel_that_is_never_read_back_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    burns = ("dreamcatcher", "bets-open", "burning-lamp", "40")
    assert failures(*burns) == ()
    monkeypatch.setattr(MockPanel, "read_back", lambda self: None)
    assert "nothing reports it" in failures(*burns)[0]


def test_a_table_that_does_not_come_back_to_play_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = ("casino-war", "deal", "keys-unplugged")
    assert failures(*gone) == ()
    monkeypatch.setattr(World, "repair", lambda self: None)
    monkeypatch.setattr(CellDealer, "free_keys", lambda self: None)
    assert failures(*gone)[-1].startswith("stuck in state deal: ")
