"""Rounds of Casino War as dealer, players and floorperson see them (ch. 651a, and the rulings)."""

from collections.abc import Callable
from itertools import product

import pytest
from war_table import deal, settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Light, Note, Result
from controller.events.event import Press, TableStarted
from controller.statechart.registry import find_game

GAME = "casino-war"
ORDER = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
Shipped = Callable[[str], TableConfig]


def wins(table: Rig) -> list[tuple[str, str]]:
    """What the last result pays, and how much."""
    return [(win.area, win.pays) for win in table.last("result").wins]


# -- a round -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.9(a)", "651a.9(b)")
def test_winners_and_losers_of_the_original_deal(war: Rig) -> None:
    table = war
    deal(table, "147", "king 2 9 8")
    assert table.lit() == {
        *("initial-1-won", "initial-4-lost", "initial-7-won"),
        *("tie-1-lost", "tie-4-lost", "tie-7-lost"),
    }
    collect, pay = settle(table)
    assert collect.startswith("collect losing initial and tie wagers,")
    assert pay.startswith("pay ")
    assert "position 1's initial wager 1 to 1, position 7's initial wager 1 to 1" in pay
    assert wins(table) == [("initial-1", "1 to 1"), ("initial-7", "1 to 1")]
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()


@pytest.mark.clause("651a.1", "651a.9(c)", "651a.9(d)", "651a.9(e)", "651a.9(f)", "651a.9(h)")
def test_a_tie_is_surrendered_or_goes_to_war(war: Rig) -> None:
    """§ 651a.1, § 651a.9(a)(3), (c) to (h): each tied position in turn; a war that is won pays 2 to 1."""
    table = war
    deal(table, "135", "9 ace 9 9")
    assert {"initial-1-tied", "tie-1-won", "initial-3-won", "tie-3-lost", "initial-5-tied"} <= table.lit()
    assert wins(table) == [("initial-3", "1 to 1"), ("tie-1", "10 to 1"), ("tie-5", "10 to 1")]
    assert "position 1's tie wager 10 to 1" in settle(table)[-1]
    assert "a tie at position 1" in table.waiting_for
    table.press("surrender")
    assert "a tie at position 5" in table.waiting_for
    assert "initial-1-tied" in table.lit()  # Half of it is lost: no lamp says that all is.
    table.press("war")
    prompts = []
    while not table.waiting_for.startswith("deal and key"):
        prompts.append(table.waiting_for.partition(", then")[0])
        table.press("done")
    assert prompts == [
        "take half the initial wager at position 1, and give the other half back",
        "collect the cards of all positions but position 5",
        "have war wagers of the same amount placed at position 5",
        "collect the whole initial wagers at position 5",
        "offer a tie wager at position 5",
        "burn 3 cards",
    ]
    table.press("5", "4", "enter")
    assert table.lit() == {"war-5-won", "tie-5-lost"}
    collect, pay = settle(table)
    assert collect.startswith("collect losing war and tie wagers,")
    assert pay.startswith("pay ")
    assert "position 5's war wager 2 to 1" in pay
    assert wins(table) == [("war-5", "2 to 1")]
    assert table.state.value == "settled"


@pytest.mark.clause("651a.9(g)", "651a.10")
def test_a_tied_war_pays_3_to_1_and_the_tie_wager_again(war: Rig) -> None:
    table = war
    deal(table, "2", "9 9")
    settle(table)
    table.press("war", "king", "king", "enter")
    assert table.lit() == {"war-2-tied", "tie-2-won"}
    assert wins(table) == [("war-2", "3 to 1"), ("tie-2", "10 to 1")]


@pytest.mark.clause("651a.9(c)", "651a.9(h)")
def test_a_lost_war(war: Rig) -> None:
    table = war
    deal(table, "2", "9 9")
    settle(table)
    table.press("war", "2", "king", "enter")
    assert table.lit() == {"war-2-lost", "tie-2-lost"}
    assert settle(table) == ["collect losing war and tie wagers, then press done"]


@pytest.mark.clause("651a.9(c)")
def test_everybody_surrenders(war: Rig) -> None:
    table = war
    deal(table, "26", "9 9 9")
    settle(table)
    table.press("surrender", "surrender")
    (words,) = settle(table)
    assert "take half the initial wager at positions 2, 6, and give the other half back" in words
    assert table.state.value == "settled"


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
@pytest.mark.parametrize("end", ["clear", "done"])
def test_the_cards_are_collected_before_a_round_without_a_war_ends(war: Rig, end: str) -> None:
    """§ 651a.9(d): once its wagers are settled, in the prompt that is due then; it takes no press more."""
    table = war
    deal(table, "14", "king 2 9")
    assert "collect all cards" not in table.waiting_for
    table.press("done")
    assert table.waiting_for == "pay position 1's initial wager 1 to 1, collect all cards, then press clear"
    table.press(end)
    if end == "done":
        assert table.waiting_for == "the round is over: collect all cards, then press clear"
        table.press("clear")
    assert table.state.value == "bets-open"


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
def test_the_cards_are_collected_when_nobody_wins(war: Rig) -> None:
    """§ 651a.9(d): of a round that all lost, as of one in which every tied position surrendered."""
    table = war
    deal(table, "2", "2 9")
    settle(table)
    assert table.waiting_for == "the round is over: collect all cards, then press clear"
    table.press("clear", "no-more-bets", "9", "9", "enter")
    settle(table)
    table.press("surrender")
    settle(table)
    assert table.waiting_for == "the round is over: collect all cards, then press clear"


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
def test_the_cards_are_collected_after_a_war_and_not_before_a_choice(war: Rig) -> None:
    """§ 651a.9(d), (e), (h): the cards of a tie stay for the war deal; after it all are collected."""
    table = war
    deal(table, "2", "9 9")
    assert not [words for words in settle(table) if "collect all cards" in words]
    table.press("war", "king", "2", "enter")
    assert "collect all cards" not in table.waiting_for
    table.press("done")
    assert table.waiting_for == "pay position 2's war wager 2 to 1, collect all cards, then press clear"


@pytest.mark.clause("651a.8(c)")
def test_cards_are_dealt_from_the_dealers_left_and_the_dealers_last(war: Rig) -> None:
    """§ 651a.8(c)(1), (2), after the call, which the prompt asks for; whatever the order of the wagers' entry."""
    table = war
    assert "call no more bets" in table.waiting_for
    deal(table, "57", "king 2 9")
    table.press("done", "clear", "no-more-bets", "clear", "2", "enter")
    prompts = []
    for card in ("4", "king", "3"):
        prompts.append(table.waiting_for.partition(";")[0])
        table.press(card)
    table.press("9")
    assert prompts == [f"deal and key the card of position {seat}" for seat in (2, 5, 7)]
    assert "dealer: 9" in table.waiting_for
    table.press("enter")
    assert {"initial-2-lost", "initial-5-won", "initial-7-lost"} <= table.lit()


@pytest.mark.clause("651a.1", "651a.9(c)", "651a.9(f)", "651a.9(g)")
def test_war_cards_are_dealt_from_the_dealers_left_to_those_who_chose_war(war: Rig) -> None:
    """§ 651a.9(c), (f): each tied position chooses for itself, and only war cards are compared."""
    table = war
    deal(table, "13467", "9 9 9 9 9 9")
    settle(table)
    table.press("war", "surrender", "war", "war", "surrender", *["done"] * 6)
    prompts = []
    for card in ("king", "2", "7"):
        prompts.append(table.waiting_for.partition(";")[0])
        table.press(card)
    assert prompts == [f"deal and key the card of position {seat}" for seat in (1, 4, 6)]
    table.press("7", "enter")
    assert table.lit() == {"war-1-won", "tie-1-lost", "war-4-lost", "tie-4-lost", "war-6-tied", "tie-6-won"}


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
def test_every_hand_can_be_reconstructed_from_the_record(war: Rig) -> None:
    """§ 651a.9(d), (h): the cards of both deals by position, the dealer's, and what each tied position chose."""
    table = war
    deal(table, "26", "9 9 9")
    settle(table)
    table.press("surrender", "war", "king", "2", "enter")
    effects = [effect for record in table.records() for effect in record.effects]
    original, at_war = (effect for effect in effects if isinstance(effect, Result))
    assert (original.label, original.decided) == (
        "9-9-9, original deal",
        ("initial-2", "initial-6", "tie-2", "tie-6"),
    )
    assert (at_war.label, at_war.decided) == ("king-2, war deal", ("war-6",))
    notes = {effect.text for effect in effects if isinstance(effect, Note)}
    assert {"position 2: surrender", "position 6: war"} <= notes


@pytest.mark.clause("651a.6", "651a.9(a)", "651a.9(g)", "651a.10")
def test_every_pair_of_ranks_lights_what_the_regulation_says(shipped: Shipped) -> None:
    """All 169 original deals and all 169 war deals of one position, §§ 651a.6, 651a.9 and 651a.10 read by hand."""
    machine = find_game(GAME).machine(shipped(GAME))
    machine.handle(TableStarted(0, 0, "", ""))
    for control in ("floor-key", "1", "enter", "no-more-bets", "3", "enter"):
        machine.handle(Press(0, control, 1))
    every_pair_lights(machine, "initial")
    for control in ("ace", "ace", "enter", "done", "done", "war"):
        machine.handle(Press(0, control))
    every_pair_lights(machine, "war")


def every_pair_lights(machine: object, wager: str) -> None:
    before = machine.snapshot()  # type: ignore[attr-defined]
    for mine, theirs in product(ORDER, repeat=2):
        machine.restore(before)  # type: ignore[attr-defined]
        place, other = ORDER.index(mine), ORDER.index(theirs)
        how = "tied" if place == other else "won" if place > other else "lost"
        lit, won = lit_by(machine, mine, theirs, "enter")
        assert lit == {f"{wager}-3-{how}", f"tie-3-{'won' if how == 'tied' else 'lost'}"}
        assert won == paid(wager, how)
    machine.restore(before)


def paid(wager: str, how: str) -> set[tuple[str, str]]:
    """The wagers of position 3 that win, with their odds: § 651a.9(a), (g), § 651a.10."""
    odds = {("initial", "won"): "1 to 1", ("war", "won"): "2 to 1", ("war", "tied"): "3 to 1"}
    won = {(f"{wager}-3", odds[wager, how])} if (wager, how) in odds else set()
    return won | ({("tie-3", "10 to 1")} if how == "tied" else set())


def lit_by(machine: object, *controls: str) -> tuple[set[str], set[tuple[str, str]]]:
    decisions = [machine.handle(Press(0, control)) for control in controls]  # type: ignore[attr-defined]
    (lit,) = [set(effect.areas) for effect in decisions[-1].effects if isinstance(effect, Light)]
    (result,) = [effect for effect in decisions[-1].effects if isinstance(effect, Result)]
    return lit, {(win.area, win.pays) for win in result.wins}


# -- the table -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.2(b)(2)", "651a.2(b)(3)")
@pytest.mark.parametrize("positions", range(1, 8))
def test_every_position_has_a_lamp_for_each_wager_that_it_may_place(positions: int) -> None:
    """§ 651a.2(a), (b)(2), (3): initial, war and tie wagers, each won or lost, at these positions and no other."""
    lamps = {tuple(lamp.split("-")) for lamp in find_game(GAME).lamps({"positions": positions, "decks": 6})}
    wagers = set(product(("initial", "war", "tie"), map(str, range(1, positions + 1))))
    assert {(kind, seat) for kind, seat, _ in lamps} == wagers
    assert {(kind, seat, how) for kind, seat in wagers for how in ("won", "lost")} <= lamps
