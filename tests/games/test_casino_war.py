"""Rounds of Casino War as dealer, players and floorperson see them (ch. 651a), and what a wager returns."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from war_table import asked, deal, parameter, settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Light, Note, Result
from controller.events.event import Act, Press, TableStarted
from controller.events.words import text
from controller.games.casino_war.rules import (
    WAGERS,
    returns,
)
from controller.machine.registry import find_game
from controller.odds.wagers import Payouts

GAME = "casino-war"
ORDER = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
Shipped = Callable[[str], TableConfig]


def wins(table: Rig) -> list[tuple[str, str]]:
    """What the last result pays, and how much."""
    return [(win.area, win.pays) for win in table.last("result").wins]


# -- a round ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.9(a)", "651a.9(b)")
def test_winners_and_losers_of_the_original_deal(war: Rig) -> None:
    deal(war, "147", "king 2 9 8")
    assert war.lit() == {
        *("initial-1-won", "initial-4-lost", "initial-7-won"),
        *("tie-1-lost", "tie-4-lost", "tie-7-lost"),
    }
    assert wins(war) == [("initial-1", "1 to 1"), ("initial-7", "1 to 1")]
    assert settle(war) == ["war-collect", "war-pay"]
    war.press("clear")
    assert war.state.value == "bets-open"
    assert war.lit() == set()


@pytest.mark.clause("651a.1", "651a.9(c)", "651a.9(d)", "651a.9(e)", "651a.9(f)", "651a.9(h)")
def test_a_tie_is_surrendered_or_goes_to_war(war: Rig) -> None:
    """§ 651a.1, § 651a.9(a)(3), (c) to (h): each tied position in turn; a war that is won pays 2 to 1."""
    deal(war, "135", "9 ace 9 9")
    assert {"initial-1-tied", "tie-1-won", "initial-3-won", "tie-3-lost", "initial-5-tied"} <= war.lit()
    assert wins(war) == [("initial-3", "1 to 1"), ("tie-1", "10 to 1"), ("tie-5", "10 to 1")]
    settle(war)
    assert asked(war) == text("war-decision", position=1, clear="")
    war.press("surrender")
    assert asked(war) == text("war-decision", position=5, clear="choice")
    assert "initial-1-tied" in war.lit()  # Half of it is lost: no lamp means that all is.
    war.press("war")
    steps, said = [], []
    while asked(war).code != "war-deal":
        steps.append(asked(war).code.removeprefix("war-"))
        said.append(war.waiting_for.partition(" Then press DONE.")[0])
        assert (parameter(war, "surrendered"), parameter(war, "war")) == ("1", "5")
        war.press("done")
    assert steps == ["halves", "collect-cards", "war-wagers", "initial-wagers", "tie-wagers", "burn"]
    assert said == [
        "Take half the initial wager at position 1. Return the other half.",
        "Collect the cards of all positions except position 5.",
        "Have equal war wagers placed at position 5.",
        "Collect the whole initial wagers at position 5.",
        "Offer a tie wager at position 5.",
        "Burn three cards.",
    ]
    war.press("5", "4", "enter")
    assert war.lit() == {"war-5-won", "tie-5-lost"}
    assert wins(war) == [("war-5", "2 to 1")]
    assert "Collect losing war and tie wagers." in war.waiting_for
    assert settle(war) == ["war-collect", "war-pay"]
    assert war.state.value == "settled"


@pytest.mark.clause("651a.9(c)", "651a.9(g)", "651a.9(h)", "651a.10")
@pytest.mark.parametrize(
    ("cards", "lit", "paid"),
    [
        ("king king", {"war-2-tied", "tie-2-won"}, [("war-2", "3 to 1"), ("tie-2", "10 to 1")]),
        ("2 king", {"war-2-lost", "tie-2-lost"}, []),
    ],
)
def test_a_war_that_is_tied_or_lost(war: Rig, cards: str, lit: set[str], paid: list[tuple[str, str]]) -> None:
    """A tied war pays 3 to 1, and the new tie wager again."""
    deal(war, "2", "9 9")
    settle(war)
    war.press("war", *cards.split(), "enter")
    assert (war.lit(), wins(war)) == (lit, paid)
    assert settle(war) == ["war-collect", "war-pay"][: 1 + bool(paid)]


@pytest.mark.clause("651a.9(c)")
def test_everybody_surrenders(war: Rig) -> None:
    deal(war, "26", "9 9 9")
    settle(war)
    war.press("surrender", "surrender")
    assert parameter(war, "surrendered") == "2,6"
    assert settle(war) == ["war-halves"]
    assert war.state.value == "settled"


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
@pytest.mark.parametrize("end", ["clear", "done"])
def test_the_cards_are_collected_before_a_round_ends(war: Rig, end: str) -> None:
    """§ 651a.9(d), (h): after the last payment, in the prompt that is due then; it takes no further press."""
    deal(war, "14", "king 2 9")
    assert (asked(war).code, parameter(war, "last")) == ("war-collect", False)
    war.press("done")
    assert (asked(war).code, parameter(war, "last")) == ("war-pay", True)
    assert "Collect all cards. Then press CLEAR." in war.waiting_for
    war.press(end)
    if end == "done":
        assert asked(war).code == "war-settled"
        war.press("clear")
    assert war.state.value == "bets-open"


@pytest.mark.clause("651a.9(d)", "651a.9(e)", "651a.9(h)")
def test_the_cards_of_a_tie_stay_for_the_war_deal(war: Rig) -> None:
    """§ 651a.9(d), (e), (h): after it all are collected, as after a round that all lost or surrendered."""
    deal(war, "2", "9 9")
    war.press("done")
    assert (asked(war).code, parameter(war, "last")) == ("war-pay", False)
    war.press("done", "war", "king", "2", "enter", "done")
    assert (asked(war).code, parameter(war, "last")) == ("war-pay", True)
    war.press("clear", "no-more-bets", "9", "9", "enter")
    settle(war)
    war.press("surrender")
    settle(war)
    assert "Collect all cards. Then press CLEAR." in war.waiting_for


@pytest.mark.clause("651a.8(c)")
def test_cards_are_dealt_from_the_dealers_left_and_the_dealers_last(war: Rig) -> None:
    """§ 651a.8(c)(1), (2), after the call; whatever the order of the wagers' entry."""
    call = 'Call "No more bets"'
    assert call in war.waiting_for
    deal(war, "57", "king 2 9")
    war.press("done", "clear")
    assert call in war.waiting_for
    war.press("no-more-bets", "clear", "2", "enter")
    due = []
    for card in ("4", "king", "3", "9"):
        due.append(parameter(war, "seat"))
        war.press(card)
    assert due == [2, 5, 7, 0]
    war.press("enter")
    assert {"initial-2-lost", "initial-5-won", "initial-7-lost"} <= war.lit()


@pytest.mark.clause("651a.1", "651a.9(c)", "651a.9(f)", "651a.9(g)")
def test_war_cards_are_dealt_from_the_dealers_left_to_those_who_chose_war(war: Rig) -> None:
    """§ 651a.9(c), (f): each tied position chooses for itself, and only war cards are compared."""
    deal(war, "13467", "9 9 9 9 9 9")
    settle(war)
    war.press("war", "surrender", "war", "war", "surrender", *["done"] * 6)
    due = []
    for card in ("king", "2", "7", "7"):
        due.append(parameter(war, "seat"))
        war.press(card)
    assert due == [1, 4, 6, 0]
    war.press("enter")
    assert war.lit() == {"war-1-won", "tie-1-lost", "war-4-lost", "tie-4-lost", "war-6-tied", "tie-6-won"}


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
def test_every_hand_can_be_reconstructed_from_the_record(war: Rig) -> None:
    """§ 651a.9(d), (h): the cards of both deals by position, the dealer's, and what each tied position chose."""
    deal(war, "26", "9 9 9")
    settle(war)
    war.press("surrender", "war", "king", "2", "enter")
    found = [effect for record in war.records() for effect in record.effects]
    original, at_war = (effect for effect in found if isinstance(effect, Result))
    assert (original.label, original.decided) == (
        "9-9-9, original deal",
        ("initial-2", "initial-6", "tie-2", "tie-6"),
    )
    assert (at_war.label, at_war.decided) == ("king-2, war deal", ("war-6",))
    chosen = [effect.parameters for effect in found if isinstance(effect, Note) and effect.text == "chosen"]
    assert chosen == [{"position": 2, "choice": "surrender"}, {"position": 6, "choice": "war"}]


@pytest.mark.clause("651a.6", "651a.9(a)", "651a.9(g)", "651a.10")
def test_every_pair_of_ranks_lights_what_the_regulation_says(shipped: Shipped) -> None:
    """All 169 original deals and all 169 war deals of one position, §§ 651a.6, 651a.9 and 651a.10 read by hand."""
    machine = find_game(GAME).machine(shipped(GAME))
    machine.handle(TableStarted(0, 0, "", ""))
    machine.handle(Act(0, "open"))
    for control in ("enter", "no-more-bets", "3", "enter"):
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


# -- the table --------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.2(b)(2)", "651a.2(b)(3)")
@pytest.mark.parametrize("positions", range(1, 8))
def test_every_position_has_a_lamp_for_each_wager_that_it_may_place(positions: int) -> None:
    """§ 651a.2(a), (b)(2), (3): initial, war and tie wagers, each won or lost, at these positions and no other."""
    lamps = {tuple(lamp.split("-")) for lamp in find_game(GAME).lamps({"positions": positions, "decks": 6})}
    wagers = set(product(("initial", "war", "tie"), map(str, range(1, positions + 1))))
    assert {(kind, seat) for kind, seat, _ in lamps} == wagers
    assert {(kind, seat, how) for kind, seat in wagers for how in ("won", "lost")} <= lamps


# -- returns -------------------------------------------------------------------------------------------------------


PAYOUTS = Payouts(WAGERS, {})


def draws(decks: int) -> list[tuple[Fraction, tuple[int, int, int, int]]]:
    """Every way in which player and dealer can get two cards each, by rank, with its chance."""
    found = []
    for ranks in product(range(13), repeat=4):
        left, cards, chance = [4 * decks] * 13, 52 * decks, Fraction(1)
        for rank in ranks:
            chance *= Fraction(left[rank], cards)
            left[rank] -= 1
            cards -= 1
        found.append((chance, ranks))
    return found


@pytest.fixture(scope="module", params=[6, 8])
def enumerated(request: pytest.FixtureRequest) -> tuple[int, list[tuple[Fraction, tuple[int, int, int, int]]]]:
    return request.param, draws(request.param)


def test_the_returns_equal_an_enumeration_of_all_draws(
    enumerated: tuple[int, list[tuple[Fraction, tuple[int, int, int, int]]]],
) -> None:
    """Chips in and out, counted draw by draw, for an initial wager of 1 and a tie wager of 1."""
    decks, chances = enumerated
    war = surrender = tie = Fraction(0)
    for chance, (player, dealer, again, against) in chances:
        if player > dealer:
            war += chance * 2
            surrender += chance * 2
        elif player == dealer:
            tie += chance * 11
            surrender += chance / 2
            # The initial wager is gone and a war wager of 1 was staked besides.
            war -= chance
            if again > against:
                war += chance * 3
            elif again == against:
                war += chance * 4
    found = {item.wager: item.return_to_player for item in returns(PAYOUTS, decks)}
    assert found == {"initial-going-to-war": war, "initial-surrendering": surrender, "tie": tie}


@pytest.mark.clause("521.4(1)(ii)")
def test_true_odds_return_what_was_wagered_draw_by_draw(
    enumerated: tuple[int, list[tuple[Fraction, tuple[int, int, int, int]]]],
) -> None:
    """§ 521.4(1)(ii): a wager that may come back in part, or go to war, has other odds than its chance alone."""
    decks, chances = enumerated
    fair = {item.wager: item.true_odds for item in returns(PAYOUTS, decks)}
    back = dict.fromkeys(fair, Fraction(0))
    for chance, (player, dealer, again, against) in chances:
        if player > dealer:
            back["initial-going-to-war"] += chance * (1 + fair["initial-going-to-war"])
            back["initial-surrendering"] += chance * (1 + fair["initial-surrendering"])
        elif player == dealer:
            back["initial-going-to-war"] += chance * ((3 if again > against else 4 if again == against else 0) - 1)
            back["initial-surrendering"] += chance / 2
            back["tie"] += chance * (1 + fair["tie"])
    assert back == dict.fromkeys(fair, 1)
