"""Three Dice Football: ways back from every keyed answer, the quarterback by position, few presses a throw."""

import pytest
from football_table import play, settle

from controller.bench.rig import Rig


def notes(table: Rig) -> list[str]:
    return [effect.text for record in table.records() for effect in record.effects if effect.kind == "note"]


# -- the last throw ------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.6(d)")
@pytest.mark.parametrize("then", [("clear",), ("no-more-bets", "correct")], ids=" ".join)
def test_the_last_throw_is_corrected_while_wagers_are_open_for_the_next_play(
    football: Rig, then: tuple[str, ...]
) -> None:
    table = football
    play(table, "342")
    table.press(*then)
    assert table.state.value == "bets-open"
    assert table.lit() == {"down-2", "play-2", "yard-15"}
    table.press("correct", "floor-key")
    assert "correction of 3-4 red 2" in table.waiting_for
    assert table.lit() == {"down-1", "play-1", "yard-20"}
    table.press(*"341", "enter")
    assert "3-4 red 2 was corrected to 3-4 red 1" in notes(table)
    settle(table)
    table.press("clear")
    assert table.lit() == {"down-2", "play-2", "yard-14"}


@pytest.mark.clause("577.6(c)(4)")
def test_a_correction_from_the_next_play_may_end_the_game(football: Rig) -> None:
    table = football
    play(table, "342")
    table.press("clear", "correct", "floor-key", *"126", "enter")
    assert "turnover, the game is over" in table.last("result").label
    settle(table)
    table.press("clear")
    assert table.state.value == "dice-offered"


def test_a_correction_from_the_next_play_can_be_given_up_and_survives_a_power_cut(football: Rig) -> None:
    table = football
    play(table, "342")
    table.press("clear", "correct", "clear")
    assert table.state.value == "bets-open"
    assert table.lit() == {"down-2", "play-2", "yard-15"}
    table.press("correct")
    table.power_cut()
    table.press("floor-key", *"341", "enter")
    assert table.last("result").label == "3-4 red 1, gain"


@pytest.mark.clause("577.6(d)")
def test_there_is_nothing_to_correct_once_the_next_throw_is_keyed(football: Rig) -> None:
    table = football
    play(table, "342", "341")
    table.press("clear", "correct", "floor-key")
    assert "correction of 3-4 red 1" in table.waiting_for


@pytest.mark.clause("577.3(c)")
def test_a_first_throw_that_is_corrected_opens_no_wagers(football: Rig) -> None:
    """§ 577.3(c): full game wagers are neither placed nor withdrawn after it."""
    table = football
    play(table, "342")
    table.press("clear", "correct", "floor-key")
    assert table.lit() == {"down-1", "play-1", "yard-20"}
    table.press("correct")
    assert table.state.value == "throw"
    assert table.last("refused").control == "correct"
    table.press(*"341", "enter", "done", "clear")
    assert "single play wagers may be placed" in table.waiting_for
    assert "full game" not in table.waiting_for


# -- the quarterback -----------------------------------------------------------------------------------------------


@pytest.mark.clause("577.7(a)")
def test_the_dice_go_to_a_position_that_is_keyed(football: Rig) -> None:
    """A lone player at position 14 costs three presses, whoever was offered the dice."""
    table = football
    play(table, "126")
    table.press("clear", "1", "4", "enter")
    assert table.state.value == "bets-open"
    assert table.machine.data.quarterback == 14
    assert "the quarterback is at position 14" in notes(table)


@pytest.mark.parametrize("position", [1, 16])
def test_the_dice_go_to_the_first_and_to_the_last_position(football: Rig, position: int) -> None:
    """§ 577.2(a): as many as sixteen."""
    table = football
    play(table, "126")
    table.press("clear", *str(position), "enter")
    assert (table.state.value, table.machine.data.quarterback) == ("bets-open", position)


def test_a_position_that_the_table_does_not_have_is_refused(football: Rig) -> None:
    table = football
    play(table, "126")
    for keyed in (("1", "7"), ("0",)):
        table.press("clear", *keyed, "enter")
        assert table.state.value == "dice-offered"
        assert table.last("refused").control == "enter"
    table.press("clear", "clear", "enter")
    assert table.machine.data.quarterback == 3, "the first clear wiped, the second declined"


@pytest.mark.clause("577.7(a)")
def test_a_quarterback_who_leaves_after_a_touchdown_passes_the_dice_on(football: Rig) -> None:
    """The table stays open, and the dice keep their age."""
    table = football
    before = table.machine.data
    play(table, "444")
    table.press("clear")
    settle(table)
    assert "enter if position 1 leaves" in table.waiting_for
    table.press("enter")
    assert table.state.value == "dice-offered"
    assert "offer the dice to position 2" in table.waiting_for
    assert "the quarterback at position 1 leaves" in notes(table)
    table.press("enter")
    assert table.machine.data.quarterback == 2
    assert table.machine.data.fitted_utc_ns == before.fitted_utc_ns


def test_the_wrong_quarterback_is_renamed_before_the_first_throw(football: Rig) -> None:
    table, number = football, football.machine.round
    table.press("correct", "5", "enter")
    assert table.state.value == "bets-open"
    assert table.machine.data.quarterback == 5
    assert notes(table)[-1] == "the quarterback is at position 5, not at position 1"
    table.press("correct", "9", "9", "enter", "clear", "clear")
    assert table.state.value == "bets-open"
    assert table.machine.data.quarterback == 5
    assert table.machine.round == number


def test_a_fault_while_the_quarterback_is_renamed_returns_the_wagers(football: Rig) -> None:
    football.press("correct")
    football.world.fault("burning-lamp", "penalty")
    football.wait(2)
    assert football.state.value == "closed"
    assert football.last("wagers-returned").reason == "malfunction"


def test_dice_that_reach_their_age_while_the_quarterback_is_renamed_return_the_wagers(football: Rig) -> None:
    football.press("correct")
    football.wait(24 * 3600 + 60)
    assert football.state.value == "dice-offered"
    assert football.last("wagers-returned").reason == "dice-retired"


# -- hands ---------------------------------------------------------------------------------------------------------


def test_no_more_bets_settles_no_game_that_is_over(football: Rig) -> None:
    table = football
    play(table, "126")
    table.press("no-more-bets")
    assert table.state.value == "settled"


def test_the_answer_on_an_extra_point_is_taken_back_before_a_die_is_keyed_only(football: Rig) -> None:
    table = football
    play(table, "111")
    while table.state.value != "extra-point-offered":
        table.press("done")
    table.press("enter")
    assert "correct if no extra point wager stands" in table.waiting_for
    table.press("1")
    assert "correct" not in table.waiting_for


def test_dice_that_were_retired_in_a_call_that_is_taken_back_must_be_changed(football: Rig) -> None:
    table = football
    table.press("no-more-bets")
    table.wait(24 * 3600)
    table.press("correct", "no-more-bets")
    assert table.last("refused").waiting_for == "the dice must be changed: the floorperson's key opens the menu"
    table.press("floor-key", "2", "no-more-bets")
    assert table.state.value == "throw"
