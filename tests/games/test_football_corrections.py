"""Three Dice Football: a way back from every keyed answer, with what it took back and how far that was settled."""

import pytest
from football_table import codes, effects, play, settle, throw, touchdown

from controller.bench.rig import Rig


def withdrawn(table: Rig) -> list[tuple[str, str]]:
    """The results that were taken back, each with how far it had been settled."""
    return [(one.label, one.settled) for one in effects(table, "result-withdrawn")]


# -- dice ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("done", "settled"), [(0, ""), (1, "settled-single-plays")], ids=["lit", "single plays settled"]
)
def test_a_correction_needs_the_key_and_keeps_both_entries(football: Rig, done: int, settled: str) -> None:
    table = football
    throw(table, "661")
    table.press(*("done",) * done, "correct", "clear")
    assert withdrawn(table) == []
    table.wait(1)
    table.press("correct", "floor-key")
    assert withdrawn(table) == [("6-6 red 1, gain", settled)]
    assert table.last("alert").text == "done-correct"
    assert table.lit() == {"down-1", "play-1", "yard-20"}
    table.press(*"651", "enter")
    assert table.machine.data.following.yards == 10
    note = table.last("note")
    assert (note.text, note.parameters) == ("football-corrected", {"before": "6-6 red 1", "after": "6-5 red 1"})
    assert [one.label for one in effects(table, "result")] == ["6-6 red 1, gain", "6-5 red 1, gain"]


def test_dice_that_were_right_are_not_said_to_be_corrected(football: Rig) -> None:
    table = football
    throw(table, "661")
    lit = table.lit()
    table.press("correct", "floor-key", *"661", "enter")
    assert table.lit() == lit
    assert table.last("note").text == "football-same-dice"
    assert "football-corrected" not in codes(table, "note")


@pytest.mark.clause("577.6(d)")
@pytest.mark.parametrize("then", [("clear",), ("no-more-bets", "correct")], ids=" ".join)
def test_the_last_throw_is_corrected_while_wagers_are_open_for_the_next_play(
    football: Rig, then: tuple[str, ...]
) -> None:
    table = football
    play(table, "342")
    table.press(*then)
    assert table.lit() == {"down-2", "play-2", "yard-15"}
    table.press("correct", "clear")
    assert (table.state.value, table.lit()) == ("bets-open", {"down-2", "play-2", "yard-15"})
    table.wait(1)
    table.press("correct", "floor-key")
    assert withdrawn(table) == [("3-4 red 2, gain", "settled-single-plays")]
    assert table.lit() == {"down-1", "play-1", "yard-20"}
    table.power_cut()
    table.press(*"341", "enter")
    settle(table)
    table.press("clear")
    assert table.lit() == {"down-2", "play-2", "yard-14"}


@pytest.mark.clause("577.6(c)(4)")
def test_a_correction_from_the_next_play_may_end_the_game(football: Rig) -> None:
    table = football
    play(table, "342")
    table.press("no-more-bets")
    table.floor("correct", "throw")
    table.press(*"126", "enter")
    assert "turnover, the game is over" in table.last("result").label
    settle(table)
    table.press("clear")
    assert table.state.value == "dice-offered"


@pytest.mark.clause("577.6(d)")
def test_only_the_last_throw_is_corrected_and_none_once_the_next_is_keyed(football: Rig) -> None:
    table = football
    play(table, "342", "341")
    table.press("clear", "correct", "floor-key")
    assert table.machine.data.corrects == (3, 4, 1)
    table.press(*"341", "enter", "no-more-bets", "2")
    with pytest.raises(LookupError):
        table.floor("correct")


@pytest.mark.clause("577.3(c)")
def test_a_first_throw_that_is_corrected_opens_no_wagers(football: Rig) -> None:
    """§ 577.3(c): full game wagers are neither placed nor withdrawn after it."""
    table = football
    play(table, "342")
    table.press("clear", "correct", "floor-key", "correct")
    assert table.state.value == "throw"
    assert table.last("refused").control == "correct"
    table.press(*"341", "enter", "done", "clear")
    assert table.machine.instruction().code == "football-bets-open-later"


# -- touchdown and extra point -------------------------------------------------------------------------------------


EXTRA = ("enter", *"111", "enter")
PLACES = {
    "before the question": (),
    "before the roll": ("enter",),
    "a die of the roll keyed": ("enter", "1"),
    "after the roll": EXTRA,
    "touchdown paid": (*EXTRA, "done"),
    "all settled": (*EXTRA, "done", "done"),
    "no roll, lit": ("clear",),
    "no roll, settled": ("clear", "done"),
}


@pytest.mark.parametrize("keys", PLACES.values(), ids=[*PLACES])
def test_a_touchdown_is_corrected_until_the_game_is_cleared(football: Rig, keys: tuple[str, ...]) -> None:
    """A touchdown that was keyed by mistake: even after the extra point roll, with everything on record."""
    table = football
    touchdown(table)
    table.press(*keys)
    table.floor("correct", "touchdown" if keys else "throw")
    assert withdrawn(table)[-1] == ("4-4 red 4, Trips TD", "settled-full-game")
    assert len(withdrawn(table)) == len(effects(table, "result"))
    assert table.lit() == {"down-1", "play-1", "yard-20"}
    table.press(*"443", "enter")
    assert table.machine.data.ending is None
    settle(table)
    table.press("clear")
    assert (table.state.value, table.lit()) == ("bets-open", {"down-2", "play-2", "yard-15"})


def test_an_extra_point_roll_is_corrected_alone(football: Rig) -> None:
    table = football
    touchdown(table)
    table.press(*EXTRA, "done", "correct", "1", "floor-key")
    assert withdrawn(table) == [("1-1 red 1, extra point roll", "settled-touchdown-paid")]
    assert table.state.value == "extra-point-throw"
    table.press(*"222", "enter")
    assert ("extra-point", "10 to 1") in [(win.area, win.pays) for win in table.last("result").wins]
    assert len(settle(table)) == 2
    assert table.state.value == "settled"


def test_the_answer_on_an_extra_point_is_taken_back(football: Rig) -> None:
    """By the dealer before a die of the roll is keyed; that there is no wager, by the floorperson."""
    table = football
    touchdown(table)
    table.press("enter", "correct")
    assert (table.state.value, withdrawn(table)) == ("extra-point-offered", [])
    table.press("clear", "correct", "1", "floor-key")
    assert table.state.value == "extra-point-offered"
    assert withdrawn(table) == [("4-4 red 4, no extra point roll", "")]
    assert "touchdown" not in table.lit()
    table.press("enter", "1", "clear", "correct")
    assert table.state.value == "extra-point-throw", "the roll was seen: correct asks for the touchdown"
    table.press("clear")
    assert table.machine.data.seen


@pytest.mark.clause("577.5(g)")
@pytest.mark.parametrize("keys", ["", "1 1 2 no-roll 1", "no-roll 1"])
def test_an_extra_point_wager_that_is_withdrawn_by_the_dealer_raises_an_alert(football: Rig, keys: str) -> None:
    """The dice may have been thrown: keyed and made void, or not keyed at all."""
    table = football
    touchdown(table)
    table.press("enter", *keys.split(), "correct")
    assert table.state.value == "extra-point-offered"
    assert table.last("alert").text == "football-extra-taken-back"
    table.press("clear")
    assert table.last("result").label == "4-4 red 4, no extra point roll"


def test_no_more_bets_that_is_taken_back_raises_an_alert(football: Rig) -> None:
    football.press("no-more-bets", "correct")
    assert football.state.value == "bets-open"
    assert football.last("alert").text == "football-bets-again"


# -- the quarterback -----------------------------------------------------------------------------------------------


def test_the_wrong_quarterback_is_renamed_before_the_first_throw(football: Rig) -> None:
    table, number = football, football.machine.round
    table.press("correct", "5", "enter")
    assert (table.state.value, table.machine.data.quarterback) == ("bets-open", 5)
    note = table.last("note")
    assert (note.text, note.parameters) == ("football-renamed", {"position": 5, "before": 1})
    table.press("correct", "5", "enter")
    assert codes(table, "note").count("football-renamed") == 1, "the same position again"
    table.press("correct", "9", "9", "enter", "clear", "clear")
    assert (table.state.value, table.machine.data.quarterback) == ("bets-open", 5)
    assert table.machine.round == number


def test_a_quarterback_who_leaves_in_mid_game_is_replaced_by_the_floorperson(football: Rig) -> None:
    table = football
    play(table, "661")
    table.press("clear")
    table.floor("correct", "quarterback")
    table.press("7", "enter")
    assert (table.state.value, table.machine.data.quarterback) == ("bets-open", 7)
    assert table.lit() == {"goal-1", "play-2", "yard-9"}
