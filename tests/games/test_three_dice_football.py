"""Three Dice Football as stickperson, dealer, floorperson and players see it (ch. 577, and the rulings)."""

from collections.abc import Callable
from itertools import product

import pytest
from football_regulation import NO_ROLLS, SINGLE_PLAY, single_plays_by_hand
from football_table import offered, play, settle, throw

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Light, Note, Result
from controller.events.event import Press, TableStarted
from controller.statechart.registry import find_game

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
    assert "full game and single play wagers" in table.waiting_for
    throw(table, "661")
    assert table.lit() == {"big-play", "over-four-yards", "goal-1", "play-2", "yard-9"}
    (singles,) = settle(table)
    assert singles.startswith(
        "of the single play wagers collect those that lose, then pay big play 4 to 1, over four"
    )
    table.press("clear")
    assert table.lit() == {"goal-1", "play-2", "yard-9"}
    assert "1st & goal, 9 yards" in table.waiting_for
    assert "full game" not in table.waiting_for
    throw(table, "651")
    assert {"quick-strike-td", "game-length-2", "end-zone", "big-play"} <= table.lit()
    assert not {"touchdown", "extra-point", "defense"} & table.lit()
    first, second, third = settle(table)
    assert "collect all defense wagers" in first
    assert "big play 4 to 1" in second
    assert "Quick Strike TD 5 to 1, game length 2 wagers 22 to 1" in third
    assert table.state.value == "extra-point-offered"
    table.press("enter")
    assert table.lit() == {"extra-point-roll", "end-zone", "play-2"}
    table.press(*"112", "enter")
    assert table.last("result").label == "1-1 red 2, extra point roll"
    assert {"touchdown", "extra-point"} <= table.lit()
    paid, extra = settle(table)
    assert "pay winning touchdown wagers 1 to 1" in paid
    assert "extra point 10 to 1" in extra
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.machine.round == 2
    assert table.lit() == START


@pytest.mark.clause("577.3(b)(1)", "577.3(b)(2)", "577.6(f)(1)")
def test_a_touchdown_without_an_extra_point_wager(football: Rig) -> None:
    table = football
    play(table, "444")
    table.press("clear")
    assert table.lit() == {"touchdown", "end-zone", "play-1"}
    assert settle(table) == ["pay winning touchdown wagers 1 to 1, then press done"]
    assert table.state.value == "settled"


@pytest.mark.clause("577.6(f)(2)")
def test_the_defense_wins(football: Rig) -> None:
    """§ 577.6(f)(2): touchdown and extra point collected, defense paid, single play wagers, the rest."""
    table = football
    play(table, "125", "125")
    table.press("clear")
    throw(table, "125")
    assert {"defense", "game-length-3", "penalty"} <= table.lit()
    first, second, third = settle(table)
    assert "collect all touchdown and extra point wagers, then pay defense wagers 4 to 5" in first
    assert "penalty 9 to 1" in second
    assert "game length 3 wagers 6 to 5" in third
    assert table.state.value == "settled"


@pytest.mark.clause("577.1", "577.3(d)")
def test_every_first_throw_lights_what_the_regulation_says(shipped: Shipped) -> None:
    """All 216, against § 577.3(d) read by hand; the panel shows where the marker and the pucks go."""
    machine = find_game(GAME).machine(shipped(GAME))
    machine.handle(TableStarted(0, 0, "", ""))
    for control in ("floor-key", "1", "enter", "no-more-bets"):
        machine.handle(Press(0, control, 1))
    ready = machine.snapshot()
    for a, b, red in product(range(1, 7), repeat=3):
        machine.restore(ready)
        decisions = [machine.handle(Press(0, control)) for control in (*map(str, (a, b, red)), "enter")]
        (lit,) = [set(effect.areas) for effect in decisions[-1].effects if isinstance(effect, Light)]
        assert lit & {*SINGLE_PLAY} == single_plays_by_hand(a, b, red).keys(), (a, b, red)
        gain = a + b - red
        if a == b == red:
            assert "end-zone" in lit
        elif red == 6 and a + b <= 3:
            assert not {name for name in lit if name.startswith("yard-")}
        else:
            left = 20 - gain if gain >= 0 else 21
            series = {"goal-1"} if left <= 10 else {"down-2"}
            assert {f"yard-{left}", "play-2"} | series <= lit, (a, b, red)


# -- the quarterback -----------------------------------------------------------------------------------------------


@pytest.mark.clause("577.4(b)", "577.7(a)")
def test_the_dice_go_round_to_whoever_takes_them(shipped: Shipped) -> None:
    """§ 577.4(b), § 577.7(a): clockwise, and the quarterback keeps them after a touchdown."""
    config = shipped(GAME)
    table = Rig(config.model_copy(update={"rules": {"positions": "3"}}))
    table.press("floor-key", "1")
    assert "position 1" in table.waiting_for
    table.press("clear", "clear", "clear")
    assert "position 1" in table.waiting_for
    table.press("clear", "enter")
    play(table, "444")
    table.press("clear")
    settle(table)
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.machine.data.quarterback == 2
    play(table, "116")
    table.press("clear")
    assert table.state.value == "dice-offered"
    assert "position 3" in table.waiting_for
    table.wait(1)  # A second press at once would be that of a hand that saw no answer.
    table.press("clear")
    assert "position 1" in table.waiting_for


# -- entries -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.5(b)", "577.5(c)", "577.5(f)", "577.5(g)")
@pytest.mark.parametrize("key", NO_ROLLS)
def test_a_no_roll_keeps_the_wagers_and_is_thrown_again(football: Rig, key: str) -> None:
    """§ 577.5(b), (c), (f), (g): a key for each reason; neither down nor play is lost."""
    table, (name, clause, words) = football, NO_ROLLS[key]
    play(table, "661")
    table.press("clear", "no-more-bets", "3", "no-roll")
    assert words in offered(table)[key]
    table.press(key)
    assert table.state.value == "throw"
    assert table.last("void").reason == name
    assert words in table.last("void").detail
    assert table.last("void").detail.endswith(f"({clause})")
    assert table.machine.data.entry == ()
    assert table.lit() == {"goal-1", "play-2", "yard-9"}
    assert not [
        effect for record in table.records() for effect in record.effects if effect.kind == "wagers-returned"
    ]
    table.press(*"342", "enter")
    assert table.lit() == {"goal-2", "play-3", "yard-4", "over-four-yards"}


@pytest.mark.clause("577.3(e)", "577.5(e)")
def test_keys_without_a_meaning_are_refused(football: Rig) -> None:
    table = football
    table.press("6")
    assert table.last("refused").waiting_for.startswith("1st down")
    table.press("no-more-bets", "7", "0", "6", "enter")
    assert table.machine.data.entry == (6,)
    assert table.last("refused").control == "enter"
    table.press("6", "1", "2")
    assert table.machine.data.entry == (6, 6, 1)
    table.press("clear")
    assert table.machine.data.entry == ()
    table.press("no-roll", "0")
    assert table.state.value == "no-roll"
    table.press("clear")
    assert table.state.value == "throw"


def test_a_correction_needs_the_floor_key_and_keeps_both_entries(football: Rig) -> None:
    table = football
    throw(table, "661")
    table.press("done", "correct", "clear")
    assert table.state.value == "settled"
    table.press("correct", "floor-key")
    assert table.lit() == START
    table.press(*"651", "enter")
    assert table.machine.data.following.yards == 10
    notes = [e.text for record in table.records() for e in record.effects if isinstance(e, Note)]
    assert "6-6 red 1 was corrected to 6-5 red 1" in notes
    results = [e.label for record in table.records() for e in record.effects if isinstance(e, Result)]
    assert results == ["6-6 red 1, gain", "6-5 red 1, gain"]


def test_a_false_touchdown_is_corrected_before_the_extra_point(football: Rig) -> None:
    table = football
    play(table, "444")
    assert table.state.value == "extra-point-offered"
    table.press("correct", "floor-key", *"443", "enter")
    assert table.machine.data.ending is None
    settle(table)
    table.press("clear")
    assert table.state.value == "bets-open"
    assert "yard-15" in table.lit()


def test_an_extra_point_roll_is_corrected_alone(football: Rig) -> None:
    table = football
    play(table, "444")
    table.press("enter", *"111", "enter", "correct", "floor-key")
    assert table.state.value == "extra-point-throw"
    table.press(*"222", "enter")
    assert ("extra-point", "10 to 1") in [(win.area, win.pays) for win in table.last("result").wins]
    assert len(settle(table)) == 2
    assert table.state.value == "settled"
