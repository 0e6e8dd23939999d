"""Three Dice Football as stickperson, dealer, floorperson and players see it (ch. 577, and the rulings)."""

import pytest
from effects import alerts, effects, notes
from football_regulation import NO_ROLLS
from football_table import play, settle, steps, throw, touchdown
from open_tables import Shipped

from controller.bench.rig import Rig
from controller.events.words import Text, say
from controller.machine.game import words_of

GAME, TABLE = "three-dice-football", "football"
START = {"down-1", "play-1", "yard-20"}


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
def test_a_touchdown_with_an_extra_point(table: Rig) -> None:
    """§ 577.6(f)(1): defense collected, single play and other full game wagers settled, then the extra point."""
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


# -- the quarterback -----------------------------------------------------------------------------------------------


@pytest.mark.clause("577.3(b)(1)", "577.3(b)(2)", "577.4(b)", "577.6(f)(1)", "577.7(a)")
def test_the_dice_go_round_to_whoever_takes_them(shipped: Shipped) -> None:
    """§ 577.4(b), § 577.7(a): clockwise from the left; after a touchdown the quarterback keeps them."""
    config = shipped(GAME)
    table = Rig(config.model_copy(update={"rules": {"positions": "3"}}))
    table.floor("open")
    assert table.machine.data.quarterback == 1
    table.press("clear", "clear", "clear")
    assert table.machine.data.quarterback == 1
    table.press("clear", "enter")
    touchdown(table)
    table.press("clear")
    assert table.lit() == {"touchdown", "end-zone", "play-1"}, "no extra point wager"
    assert steps(settle(table)) == [("touchdown-paid", "touchdown 1 to 1")]
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.machine.data.quarterback == 2
    play(table, "116")
    table.press("clear")
    assert (table.state.value, table.machine.data.quarterback) == ("dice-offered", 3)
    table.wait(1)  # A second press at once would be that of a hand that saw no answer.
    table.press("clear")
    assert table.machine.data.quarterback == 1
    table.press("clear")
    assert table.machine.data.quarterback == 2
    table.floor("close")
    table.floor("open")
    assert table.machine.instruction() == Text("football-dice-offered", {"position": 1})


@pytest.mark.clause("577.1", "577.5(h)", "577.7(a)")
@pytest.mark.parametrize("position", [1, 14, 16])
def test_the_dice_go_to_a_position_that_is_keyed_and_named_at_every_throw(table: Rig, position: int) -> None:
    """Whoever was offered the dice. § 577.2(a): as many as sixteen."""
    play(table, "126")
    table.press("clear", *str(position), "enter")
    assert (table.state.value, table.machine.data.quarterback) == ("bets-open", position)
    note = table.last("note")
    assert (note.text, note.parameters) == ("football-quarterback", {"position": position})
    table.press("no-more-bets")
    assert table.machine.instruction() == Text("football-throw", {"position": position, "dice": "_-_ red _"})
    table.press(*"342", "enter", "done")
    assert table.machine.instruction() == Text("football-settled-next", {"position": position})


def test_a_position_that_the_table_does_not_have_is_refused(table: Rig) -> None:
    play(table, "126")
    for keyed in (("1", "7"), ("0",)):
        table.press("clear", *keyed, "enter")
        assert table.state.value == "dice-offered"
        assert table.last("refused").why == "football-no-position"
    table.press("clear", "clear", "enter")
    assert table.machine.data.quarterback == 3, "the first clear wiped, the second declined"


@pytest.mark.clause("577.7(a)")
def test_a_quarterback_who_leaves_after_a_touchdown_passes_the_dice_on(table: Rig) -> None:
    """The table stays open, and the dice keep their age."""
    fitted = table.machine.table.fitted_utc_ns
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
def test_a_no_roll_keeps_the_wagers_and_is_thrown_again(table: Rig, key: str) -> None:
    """§ 577.5(b), (c), (f), (g): a key for each reason; neither down nor play is lost. The dice are on record."""
    name, clause, words = NO_ROLLS[key]
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


def test_a_no_roll_ends_with_the_result(table: Rig) -> None:
    """A dealer's authority ends there: what is lit goes through a correction, and the floorperson's key."""
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
def test_wagers_stay_closed_once_people_have_seen_the_throw(table: Rig) -> None:
    """§ 577.3(c), (e): an entry that was wiped does not unsee it; a throw that does not count is made again."""
    table.press("no-more-bets", "correct")
    assert (table.state.value, alerts(table)) == ("bets-open", ["football-bets-again"])
    table.press("no-more-bets", "3", "4", "clear", "correct")
    assert table.state.value == "throw"
    assert table.last("refused").control == "correct"
    table.press("no-roll", "3", "correct")
    assert table.state.value == "bets-open"


@pytest.mark.clause("577.3(e)", "577.5(e)")
def test_keys_without_a_meaning_are_refused(table: Rig) -> None:
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


def withdrawn(table: Rig) -> list[tuple[str, str]]:
    """The results that were taken back, each with how far it had been settled."""
    return [(one.label, one.settled) for one in effects(table, "result-withdrawn")]


# -- dice ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.6(d)")
@pytest.mark.parametrize("then", [("clear",), ("no-more-bets", "correct")], ids=" ".join)
def test_the_last_throw_is_corrected_while_wagers_are_open_for_the_next_play(
    table: Rig, then: tuple[str, ...]
) -> None:
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


@pytest.mark.clause("577.3(c)")
def test_a_first_throw_that_is_corrected_opens_no_wagers(table: Rig) -> None:
    """§ 577.3(c): full game wagers are neither placed nor withdrawn after it."""
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
def test_a_touchdown_is_corrected_until_the_game_is_cleared(table: Rig, keys: tuple[str, ...]) -> None:
    """A touchdown that was keyed by mistake: even after the extra point roll, with everything on record."""
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


@pytest.mark.clause("577.5(g)")
@pytest.mark.parametrize("keys", ["", "1 1 2 no-roll 1", "no-roll 1"])
def test_an_extra_point_wager_that_is_withdrawn_by_the_dealer_raises_an_alert(table: Rig, keys: str) -> None:
    """The dice may have been thrown: keyed and made void, or not keyed at all."""
    touchdown(table)
    table.press("enter", *keys.split(), "correct")
    assert table.state.value == "extra-point-offered"
    assert table.last("alert").text == "football-extra-taken-back"
    table.press("clear")
    assert table.last("result").label == "4-4 red 4, no extra point roll"


# -- the quarterback -----------------------------------------------------------------------------------------------


def test_the_wrong_quarterback_is_renamed_before_the_first_throw(table: Rig) -> None:
    number = table.machine.round
    table.press("correct", "5", "enter")
    assert (table.state.value, table.machine.data.quarterback) == ("bets-open", 5)
    note = table.last("note")
    assert (note.text, note.parameters) == ("football-renamed", {"position": 5, "before": 1})
    table.press("correct", "5", "enter")
    assert notes(table).count("football-renamed") == 1, "the same position again"
    table.press("correct", "9", "9", "enter", "clear", "clear")
    assert (table.state.value, table.machine.data.quarterback) == ("bets-open", 5)
    assert table.machine.round == number


def offer(table: Rig, act: str) -> str:
    """Why an act is not possible now; empty if it is."""
    return str(next(one for one in table.machine.offers() if one.act == act).unavailable.code)


def returned(table: Rig) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.reason, one.areas) for one in effects(table, "wagers-returned")]


# -- what is decided is paid before anything goes back -------------------------------------------------------------


UNPAID = {
    "game changer lit": ("no-more-bets", *"126", "enter"),
    "touchdown lit": ("no-more-bets", *"444", "enter"),
    "single plays lit": ("no-more-bets", *"342", "enter"),
    "dice of a throw seen": ("no-more-bets", "3", "clear"),
    "dice corrected": ("no-more-bets", *"342", "enter", "correct", "floor-key"),
}


@pytest.mark.parametrize("keys", UNPAID.values(), ids=[*UNPAID])
def test_the_table_does_not_close_over_wagers_that_are_decided(table: Rig, keys: tuple[str, ...]) -> None:
    table.press(*keys)
    lit = table.lit()
    assert offer(table, "close") in ("football-settle-first", "football-dice-first")
    with pytest.raises(LookupError):
        table.floor("close")
    assert (table.lit(), returned(table)) == (lit, [])


@pytest.mark.parametrize("keys", [(), ("enter",)], ids=["question", "extra point roll due"])
def test_a_touchdown_is_paid_before_the_table_closes(table: Rig, keys: tuple[str, ...]) -> None:
    """Case 13: the touchdown wagers have won, those on the extra point go back, with the reason."""
    touchdown(table)
    table.press(*keys)
    table.floor("close")
    assert table.last("result").wins[0].area == "touchdown"
    assert table.lit() == {"touchdown", "end-zone", "play-1"}
    assert returned(table) == []
    assert [step for step, _ in steps(settle(table))] == ["touchdown-paid", "extra-point-returned"]
    assert (table.state.value, returned(table)) == ("closed", [("table-closed", ("extra-point",))])


@pytest.mark.parametrize(
    ("throws", "lost"),
    [
        (("145", "145"), "game-length-1,game-length-2"),
        (("145", "145", "662", "145"), "quick-strike-td,game-length-1,game-length-2,game-length-3,game-length-4"),
        (("651",), "game-length-1,game-length-5,game-length-6"),
    ],
    ids=["third play", "fifth play", "goal series on the second play"],
)
@pytest.mark.parametrize("then", ["", "clear", "clear no-more-bets", "clear no-more-bets no-roll 8"])
def test_in_mid_game_only_undecided_wagers_go_back(
    table: Rig, throws: tuple[str, ...], lost: str, then: str
) -> None:
    """Those that have lost meanwhile are collected, and named."""
    play(table, *throws)
    table.press(*then.split())
    table.floor("close")
    ((reason, areas),) = returned(table)
    assert reason == "table-closed"
    assert {*table.areas} - {*areas} == {*lost.split(",")}
    alert = next(one for one in effects(table, "alert") if one.text == "football-collect-lost")
    assert alert.parameters == {"lost": lost}
    assert (table.state.value, table.lit()) == ("closed", set())


@pytest.mark.parametrize("then", [("clear",), ("clear", "no-more-bets")])
def test_the_floorperson_calls_a_game_off(table: Rig, then: tuple[str, ...]) -> None:
    """As after a long time without power: the same position is offered the dice again."""
    play(table, "145")
    table.press(*then)
    table.power_cut(seconds=3600)
    table.floor("void", "game-called-off")
    assert table.last("void").reason == "game-called-off"
    assert [reason for reason, _ in returned(table)] == ["game-called-off"]
    table.floor("unlock")
    assert (table.state.value, table.machine.data.quarterback) == ("dice-offered", 1)


HOUR_S = 3600


# -- the age of the dice -------------------------------------------------------------------------------------------


@pytest.mark.clause("577.4(d)")
@pytest.mark.parametrize("cut", [False, True], ids=["with power", "through a power cut"])
def test_a_table_that_is_opened_again_has_a_new_set_of_dice(table: Rig, cut: bool) -> None:
    """§ 577.4(d): with an age of its own, and on record."""
    table.wait(20 * HOUR_S)
    table.floor("close")
    table.floor("open")
    assert notes(table).count("renewed") == 2, "the first set, and this one"
    if cut:
        table.power_cut()
    table.press("enter")
    table.wait(23.5 * HOUR_S)
    assert table.state.value == "bets-open"
    table.wait(1 * HOUR_S)
    assert table.state.value == "equipment-due"


@pytest.mark.clause("577.4(d)")
@pytest.mark.parametrize("keys", [("no-roll", "1"), ("2", "2"), ()], ids=["no roll", "dice keyed", "not thrown"])
def test_a_die_lost_in_a_game_is_replaced_on_record(table: Rig, keys: tuple[str, ...]) -> None:
    """§ 577.4(d): a new set of dice, and the game goes on."""
    play(table, "661")
    table.press("clear", "no-more-bets", *keys)
    before = table.machine.data
    table.floor("renew", "dice")
    assert (table.state.value, table.machine.data) == ("throw", before)
    assert "renewed" in notes(table)
    assert table.lit() == {"goal-1", "play-2", "yard-9"}
