"""Three Dice Football as stickperson, dealer, floorperson and players see it (ch. 577, and the rulings)."""

from collections.abc import Callable

import pytest
from football_regulation import NO_ROLLS
from football_table import effects, play, settle, steps, throw, touchdown

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.words import Text, say
from controller.machine.game import words_of

GAME = "three-dice-football"
Shipped = Callable[[str], TableConfig]
START = {"down-1", "play-1", "yard-20"}


# -- a game --------------------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "577.2(b)(5)",
    "577.3(b)(1)",
    "577.3(b)(2)",
    "577.3(c)",
    "577.3(e)",
    "577.6(a)",
    "577.6(b)",
    "577.6(d)",
    "577.6(f)(1)",
    "577.6(g)",
)
def test_a_touchdown_with_an_extra_point(football: Rig) -> None:
    """§ 577.6(f)(1): defense collected, single play and other full game wagers settled, then the extra point."""
    table = football
    assert table.lit() == START
    assert table.machine.instruction().code == "football-bets-open"
    throw(table, "661")
    assert table.lit() == {"big-play", "over-four-yards", "goal-1", "play-2", "yard-9"}
    assert steps(settle(table)) == [("single-plays", "big-play 4 to 1,over-four-yards 1 to 1")]
    table.press("clear")
    assert table.lit() == {"goal-1", "play-2", "yard-9"}
    assert table.machine.instruction() == Text(
        "football-bets-open-later", {"down": 1, "goal": 1, "yards": 9, "play": 2}
    )
    throw(table, "651")
    assert {"quick-strike-td", "game-length-2", "end-zone", "big-play"} <= table.lit()
    assert not {"touchdown", "extra-point", "defense"} & table.lit()
    assert steps(settle(table)) == [
        ("defense-collected", ""),
        ("single-plays", "big-play 4 to 1,over-four-yards 1 to 1"),
        ("full-game", "quick-strike-td 5 to 1,game-length-2 22 to 1"),
    ]
    assert table.state.value == "extra-point-offered"
    table.press("enter")
    assert table.lit() == {"extra-point-roll", "end-zone", "play-2"}
    table.press(*"112", "enter")
    assert table.last("result").label == "1-1 red 2, extra point roll"
    assert {"touchdown", "extra-point"} <= table.lit()
    assert steps(settle(table)) == [("touchdown-paid", "touchdown 1 to 1"), ("extra-point", "extra-point 10 to 1")]
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.machine.round == 2
    assert table.lit() == START


@pytest.mark.clause("577.3(b)(1)", "577.3(b)(2)", "577.6(f)(1)")
def test_a_touchdown_without_an_extra_point_wager(football: Rig) -> None:
    table = football
    touchdown(table)
    table.press("clear")
    assert table.lit() == {"touchdown", "end-zone", "play-1"}
    assert steps(settle(table)) == [("touchdown-paid", "touchdown 1 to 1")]
    assert table.state.value == "settled"


# -- the quarterback -----------------------------------------------------------------------------------------------


@pytest.mark.clause("577.4(b)", "577.7(a)")
def test_the_dice_go_round_to_whoever_takes_them(shipped: Shipped) -> None:
    """§ 577.4(b), § 577.7(a): clockwise, and the quarterback keeps them after a touchdown."""
    config = shipped(GAME)
    table = Rig(config.model_copy(update={"rules": {"positions": "3"}}))
    table.floor("open")
    assert table.machine.data.quarterback == 1
    table.press("clear", "clear", "clear")
    assert table.machine.data.quarterback == 1
    table.press("clear", "enter")
    touchdown(table)
    table.press("clear")
    settle(table)
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.machine.data.quarterback == 2
    play(table, "116")
    table.press("clear")
    assert (table.state.value, table.machine.data.quarterback) == ("dice-offered", 3)
    table.wait(1)  # A second press at once would be that of a hand that saw no answer.
    table.press("clear")
    assert table.machine.data.quarterback == 1


@pytest.mark.clause("577.7(a)")
@pytest.mark.parametrize("position", [1, 14, 16])
def test_the_dice_go_to_a_position_that_is_keyed(football: Rig, position: int) -> None:
    """Whoever was offered the dice. § 577.2(a): as many as sixteen."""
    table = football
    play(table, "126")
    table.press("clear", *str(position), "enter")
    assert (table.state.value, table.machine.data.quarterback) == ("bets-open", position)
    note = table.last("note")
    assert (note.text, note.parameters) == ("football-quarterback", {"position": position})


def test_a_position_that_the_table_does_not_have_is_refused(football: Rig) -> None:
    table = football
    play(table, "126")
    for keyed in (("1", "7"), ("0",)):
        table.press("clear", *keyed, "enter")
        assert table.state.value == "dice-offered"
        assert table.last("refused").why == "football-no-position"
    table.press("clear", "clear", "enter")
    assert table.machine.data.quarterback == 3, "the first clear wiped, the second declined"


@pytest.mark.clause("577.7(a)")
def test_a_quarterback_who_leaves_after_a_touchdown_passes_the_dice_on(football: Rig) -> None:
    """The table stays open, and the dice keep their age."""
    table, fitted = football, football.machine.table.fitted_utc_ns
    touchdown(table)
    table.press("clear")
    settle(table)
    assert table.machine.instruction().code == "football-settled-scored"
    table.press("enter")
    assert table.state.value == "dice-offered"
    table.press("enter")
    assert table.machine.data.quarterback == 2
    assert table.machine.table.fitted_utc_ns == fitted


# -- entries -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.5(b)", "577.5(c)", "577.5(f)", "577.5(g)")
@pytest.mark.parametrize("key", NO_ROLLS)
def test_a_no_roll_keeps_the_wagers_and_is_thrown_again(football: Rig, key: str) -> None:
    """§ 577.5(b), (c), (f), (g): a key for each reason; neither down nor play is lost. The dice are on record."""
    table, (name, clause, words) = football, NO_ROLLS[key]
    play(table, "661")
    table.press("clear", "no-more-bets", *"333", "no-roll", key)
    assert table.state.value == "throw"
    void = table.last("void")
    assert (void.reason, void.parameters) == (name, {"dice": "3-3 red 3"})
    said = say(words_of(table.game), Text(void.reason, void.parameters))
    assert words in said
    assert said.endswith(f"({clause}).")
    assert table.machine.data.entry == ()
    assert table.lit() == {"goal-1", "play-2", "yard-9"}
    assert effects(table, "wagers-returned") == []
    table.press(*"342", "enter")
    assert table.lit() == {"goal-2", "play-3", "yard-4", "over-four-yards"}


@pytest.mark.clause("577.5(c)")
def test_a_die_keyed_after_a_no_roll_by_mistake_gives_no_reason(football: Rig) -> None:
    table = football
    table.press("no-more-bets", "no-roll")
    table.wait(5)
    assert "after 5 seconds without input" in table.waiting_for
    table.press(*"333", "enter")
    assert effects(table, "void") == []
    assert table.last("result").label.startswith("3-3 red 3")


def test_a_no_roll_ends_with_the_result(football: Rig) -> None:
    """A dealer's authority ends there: what is lit goes through a correction, and the floorperson's key."""
    table = football
    throw(table, "661")
    table.press("no-roll")
    assert table.last("refused").why == "football-result-is-lit"
    table.press("9")
    assert effects(table, "void") == []
    table.press("correct", "floor-key", "no-roll", "9")
    assert effects(table, "void") == []
    table.press("floor-key")
    assert (table.last("void").reason, table.last("void").parameters) == ("cocked", {"corrects": "6-6 red 1"})
    assert table.state.value == "throw"


@pytest.mark.clause("577.3(c)", "577.3(e)")
def test_wagers_stay_closed_once_people_have_seen_the_throw(football: Rig) -> None:
    """§ 577.3(c), (e): an entry that was wiped does not unsee it; a throw that does not count is made again."""
    table = football
    table.press("no-more-bets", "correct")
    assert table.state.value == "bets-open"
    table.press("no-more-bets", "3", "4", "clear", "correct")
    assert table.state.value == "throw"
    assert table.last("refused").control == "correct"
    table.press("no-roll", "3", "correct")
    assert table.state.value == "bets-open"


@pytest.mark.clause("577.3(e)", "577.5(e)")
def test_keys_without_a_meaning_are_refused(football: Rig) -> None:
    table = football
    table.press("6")
    assert table.last("refused").waiting_for == "football-bets-open"
    table.press("no-more-bets", "7", "0", "6", "enter")
    assert table.machine.data.entry == (6,)
    assert table.last("refused").control == "enter"
    table.press("6", "1", "2")
    assert table.machine.data.entry == (6, 6, 1)
    table.press("clear")
    assert table.machine.data.entry == ()
    table.press("no-roll", "0", "clear")
    assert effects(table, "void") == []
    assert table.state.value == "throw"


def test_no_more_bets_settles_no_game_that_is_over(football: Rig) -> None:
    table = football
    throw(table, "126")
    table.press("no-more-bets")
    assert table.state.value == "settling"
    settle(table)
    table.press("no-more-bets")
    assert table.state.value == "settled"
