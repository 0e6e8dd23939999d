"""Whatever people do wrong while a device is broken: no wrong result, nothing lost, always a way back to play.

A sample of the fault matrix with slips is played; and that matrix fails where it must.
"""

import random

import pytest
from campaigns.fault_cases import Case, Cell
from campaigns.fault_matrix import GAMES, Part, configuration, faults
from campaigns.fault_watch import Broken
from campaigns.faults_page import FILE
from campaigns.slip_cases import SlipCase, SlippingDealer
from campaigns.slip_kinds import AHEAD, LATE_CALL, POWER, THREE_TIMES, TWICE, Moment, Slip, kinds, rotation
from campaigns.slip_matrix import judged, play_slips, slip_column, slip_counts

from controller.bench.dealer import Dealer
from controller.bench.slips import HEAD, WorldSlips, slips_of
from controller.bench.ways import states, way
from controller.games.clapper_wheel import slips as wheel_slips
from controller.statechart.registry import find_game
from controller.tracking.keys import KeyTracker

SAMPLED = 1
"""Cells of each state that are played anew."""
PLACES = [(game, state) for game in GAMES for state in states(game)]
TEXT = FILE.read_text(encoding="utf-8")


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


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
def test_all_slips_come_to_what_the_page_counts(game: str) -> None:
    cells = [cell for state in states(game) for cell in play_slips(Part(game, state))]
    assert not [failure for cell in cells for failure in judged(game, cell)]
    of_game = TEXT.split(f"\n## {find_game(game).title}\n")[1].split("\n## ")[0]
    assert f"\nSlips, {len(cells)} cells:\n" in of_game
    for what in {cell.slip.what for cell in cells}:
        alike = [cell for cell in cells if cell.slip.what == what]
        outcomes = ", ".join(f"{name} {count}" for name, count in slip_counts(alike).most_common())
        assert next(line for line in of_game.splitlines() if line.startswith(f"| {what} |")).endswith(
            f"| {outcomes} |"
        )


@pytest.mark.parametrize("game", GAMES)
def test_every_state_sees_every_slip_and_every_moment(game: str) -> None:
    config = configuration(game)
    rows = range(len(faults(config)))
    columns = [{rotation(config, number, row) for row in rows} for number in range(len(states(game)))]
    for column in columns:
        assert {slip.what for slip in column} == set(kinds(config))
        assert {slip.moment for slip in column} == set(Moment)
    assert set().union(*columns) == {Slip(what, moment) for what in kinds(config) for moment in Moment}


@pytest.mark.parametrize("game", GAMES)
def test_the_page_has_every_slip_of_every_game(game: str) -> None:
    of_game = TEXT.split(f"\n## {find_game(game).title}\n")[1].split("\n## ")[0]
    assert not [what for what in kinds(configuration(game)) if f"\n| {what} | " not in of_game]


# -- dice and cards that lie there while the keypad is dead --------------------------------------------------------


def test_a_card_that_was_dealt_while_the_keypad_was_dead_is_keyed_afterwards() -> None:
    cell = slipped("casino-war", "deal", Broken("keys-unplugged"), "a card is dealt", Moment.DURING)
    assert cell.failures == ()


def test_dice_that_were_shaken_while_the_keypad_was_dead_are_keyed_afterwards() -> None:
    cell = slipped("sic-bo", "shaking", Broken("keys-unplugged"), "the dice are shaken", Moment.DURING)
    assert cell.failures == ()


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


def test_a_void_for_what_did_not_happen_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Broken("missing-index", "index")
    assert slipped("dreamcatcher", "no-more-bets", silent, TWICE, Moment.AFTER).failures == ()
    voids = {reason: causes - {HEAD} for reason, causes in wheel_slips.SLIPS.voids.items()}
    monkeypatch.setattr(wheel_slips, "SLIPS", WorldSlips(wheel_slips.SLIPS.acts, voids))
    cell = slipped("dreamcatcher", "no-more-bets", silent, TWICE, Moment.AFTER)
    assert any("void for sensor-fault, and there was no such thing" in failure for failure in cell.failures)


@pytest.mark.campaign
def test_a_wheel_that_is_spun_while_its_sensors_are_unplugged_makes_no_wrong_result() -> None:
    head = Broken("unplugged")
    for what in ("the wheel is spun", POWER, LATE_CALL):
        for moment in Moment:
            assert slipped("dreamcatcher", "no-more-bets", head, what, moment).failures == ()


def test_a_result_that_was_keyed_wrong_has_to_be_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck() -> Cell:
        return slipped("sic-bo", "entry", Broken("stuck-key", "enter"), AHEAD, Moment.BEFORE)

    assert stuck().failures == ()
    monkeypatch.setattr(SlippingDealer, "_correct", lambda self: None)
    assert any(failure.startswith("not corrected: ") for failure in stuck().failures)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_slips_of_its_own(game: str) -> None:
    assert slips_of(find_game(game)).acts
