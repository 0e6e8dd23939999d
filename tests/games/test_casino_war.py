"""Casino War as dealer, players and floorperson see it (ch. 651a, and the rulings)."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest
from effects import alerts, effects, notes, returned, voids
from open_tables import Shipped, opened, with_rules
from war_table import asked, deal, parameter, settle

from controller.bench.rig import Rig
from controller.events.effect import Light, Result
from controller.events.event import Act, Press, TableStarted
from controller.events.words import text
from controller.games.casino_war.rules import (
    RANKS,
    WAGERS,
    returns,
)
from controller.machine.registry import find_game
from controller.odds.wagers import Payouts

GAME, TABLE = "casino-war", "war"
ORDER = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()


def wins(table: Rig) -> list[tuple[str, str]]:
    """What the last result pays, and how much."""
    return [(win.area, win.pays) for win in table.last("result").wins]


# -- a round ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.9(a)", "651a.9(b)")
def test_winners_and_losers_of_the_original_deal(table: Rig) -> None:
    deal(table, "147", "king 2 9 8")
    assert table.lit() == {
        *("initial-1-won", "initial-4-lost", "initial-7-won"),
        *("tie-1-lost", "tie-4-lost", "tie-7-lost"),
    }
    assert wins(table) == [("initial-1", "1 to 1"), ("initial-7", "1 to 1")]
    assert settle(table) == ["war-collect", "war-pay"]
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()


@pytest.mark.clause("651a.1", "651a.9(c)", "651a.9(d)", "651a.9(e)", "651a.9(f)", "651a.9(h)")
def test_a_tie_is_surrendered_or_goes_to_war(table: Rig) -> None:
    """§ 651a.1, § 651a.9(a)(3), (c) to (h): each tied position in turn; a war that is won pays 2 to 1."""
    deal(table, "135", "9 ace 9 9")
    assert {"initial-1-tied", "tie-1-won", "initial-3-won", "tie-3-lost", "initial-5-tied"} <= table.lit()
    assert wins(table) == [("initial-3", "1 to 1"), ("tie-1", "10 to 1"), ("tie-5", "10 to 1")]
    settle(table)
    assert asked(table) == text("war-decision", position=1, clear="")
    table.press("surrender")
    assert asked(table) == text("war-decision", position=5, clear="choice")
    assert "initial-1-tied" in table.lit()  # Half of it is lost: no lamp means that all is.
    table.press("war")
    steps, said = [], []
    while asked(table).code != "war-deal":
        steps.append(asked(table).code.removeprefix("war-"))
        said.append(table.waiting_for.partition(" Then press DONE.")[0])
        assert (parameter(table, "surrendered"), parameter(table, "war")) == ("1", "5")
        table.press("done")
    assert steps == ["halves", "collect-cards", "war-wagers", "initial-wagers", "tie-wagers", "burn"]
    assert said == [
        "Take half the initial wager at position 1. Return the other half.",
        "Collect the cards of all positions except position 5.",
        "Have equal war wagers placed at position 5.",
        "Collect the whole initial wagers at position 5.",
        "Offer a tie wager at position 5.",
        "Burn three cards.",
    ]
    table.press("5", "4", "enter")
    assert table.lit() == {"war-5-won", "tie-5-lost"}
    assert wins(table) == [("war-5", "2 to 1")]
    assert "Collect losing war and tie wagers." in table.waiting_for
    assert settle(table) == ["war-collect", "war-pay"]
    assert table.state.value == "settled"


@pytest.mark.clause("651a.9(d)", "651a.9(e)", "651a.9(h)")
def test_the_cards_of_a_tie_stay_for_the_war_deal(table: Rig) -> None:
    """§ 651a.9(d), (e), (h): after it all are collected, as after a round that all lost or surrendered."""
    deal(table, "2", "9 9")
    table.press("done")
    assert (asked(table).code, parameter(table, "last")) == ("war-pay", False)
    table.press("done", "war", "king", "2", "enter", "done")
    assert (asked(table).code, parameter(table, "last")) == ("war-pay", True)
    table.press("clear", "no-more-bets", "9", "9", "enter")
    settle(table)
    table.press("surrender")
    settle(table)
    assert "Collect all cards. Then press CLEAR." in table.waiting_for


@pytest.mark.clause("651a.8(c)")
def test_cards_are_dealt_from_the_dealers_left_and_the_dealers_last(table: Rig) -> None:
    """§ 651a.8(c)(1), (2), after the call; whatever the order of the wagers' entry."""
    call = 'Call "No more bets"'
    assert call in table.waiting_for
    deal(table, "57", "king 2 9")
    table.press("done", "clear")
    assert call in table.waiting_for
    table.press("no-more-bets", "clear", "2", "enter")
    due = []
    for card in ("4", "king", "3", "9"):
        due.append(parameter(table, "seat"))
        table.press(card)
    assert due == [2, 5, 7, 0]
    table.press("enter")
    assert {"initial-2-lost", "initial-5-won", "initial-7-lost"} <= table.lit()


@pytest.mark.clause("651a.1", "651a.9(c)", "651a.9(f)", "651a.9(g)")
def test_war_cards_are_dealt_from_the_dealers_left_to_those_who_chose_war(table: Rig) -> None:
    """§ 651a.9(c), (f): each tied position chooses for itself, and only war cards are compared."""
    deal(table, "13467", "9 9 9 9 9 9")
    settle(table)
    table.press("war", "surrender", "war", "war", "surrender", *["done"] * 6)
    due = []
    for card in ("king", "2", "7", "7"):
        due.append(parameter(table, "seat"))
        table.press(card)
    assert due == [1, 4, 6, 0]
    table.press("enter")
    assert table.lit() == {"war-1-won", "tie-1-lost", "war-4-lost", "tie-4-lost", "war-6-tied", "tie-6-won"}


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
def test_every_hand_can_be_reconstructed_from_the_record(table: Rig) -> None:
    """§ 651a.9(d), (h): the cards of both deals by position, the dealer's, and what each tied position chose."""
    deal(table, "26", "9 9 9")
    settle(table)
    table.press("surrender", "war", "king", "2", "enter")
    original, at_war = effects(table, "result")
    assert (original.label, original.decided) == (
        "9-9-9, original deal",
        ("initial-2", "initial-6", "tie-2", "tie-6"),
    )
    assert (at_war.label, at_war.decided) == ("king-2, war deal", ("war-6",))
    chosen = [note.parameters for note in effects(table, "note") if note.text == "chosen"]
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


@pytest.mark.clause("651a.2(b)(2)", "651a.2(b)(3)")
@pytest.mark.parametrize("positions", range(1, 8))
def test_every_position_has_a_lamp_for_each_wager_that_it_may_place(positions: int) -> None:
    """§ 651a.2(a), (b)(2), (3): initial, war and tie wagers, each won or lost, at these positions and no other."""
    kinds = {"initial": ("won", "lost", "tied"), "war": ("won", "lost", "tied"), "tie": ("won", "lost")}
    lamps = {f"{kind}-{n}-{how}" for n in range(1, positions + 1) for kind in kinds for how in kinds[kind]}
    assert {*find_game(GAME).lamps({"positions": positions, "decks": 6})} == lamps


@pytest.mark.clause("521.4(1)(ii)")
@pytest.mark.parametrize("decks", [6, 8])
def test_the_returns_and_the_true_odds_equal_an_enumeration_of_all_draws(decks: int) -> None:
    """§ 521.4(1)(ii): chips in and out, draw by draw; at its true odds a wager returns what was wagered."""
    chances: defaultdict[str, Fraction] = defaultdict(Fraction)
    for ranks in product(range(13), repeat=4):
        left, cards, chance = [4 * decks] * 13, 52 * decks, Fraction(1)
        for rank in ranks:
            chance *= Fraction(left[rank], cards)
            left[rank] -= 1
            cards -= 1
        player, dealer, again, against = ranks
        war = "lost" if again < against else "won" if again > against else "tied"
        chances["won" if player > dealer else "lost" if player < dealer else f"war {war}"] += chance
    tie = sum(chance for how, chance in chances.items() if how.startswith("war"))
    # The initial wager is gone in a war, and a war wager of 1 was staked besides.
    war = 3 * chances["war won"] + 4 * chances["war tied"] - tie
    odds = {"initial-going-to-war": 1, "initial-surrendering": 1, "tie": 10}
    for item in returns(Payouts(WAGERS, {}), decks):
        wins, else_back = {"tie": (tie, 0), "initial-surrendering": (chances["won"], tie / 2)}.get(
            item.wager, (chances["won"], war)
        )
        assert item.return_to_player == wins * (1 + odds.pop(item.wager)) + else_back
        assert wins * (1 + item.true_odds) + else_back == 1
    assert odds == {}


# -- positions -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.1", "651a.7(d)")
def test_no_card_is_keyed_while_wagers_are_open(table: Rig) -> None:
    """§ 651a.1, § 651a.7(d), § 651a.8(c): the call comes before any card, and after a card no wager is placed."""
    for rank in RANKS:
        table.press(rank)
        assert table.last("refused").control == rank
    assert (table.state.value, table.machine.data.dealt) == ("bets-open", 1)
    table.press("no-more-bets", "2", "6", "enter")
    assert (parameter(table, "seats"), parameter(table, "cards")) == ("2,6", "")
    table.press("king", "no-more-bets", "clear", "clear")
    assert table.state.value == "positions"
    assert table.last("refused").control == "clear"


@pytest.mark.clause("651a.7(b)")
def test_positions_are_keyed_and_taken_back(table: Rig) -> None:
    table.press("no-more-bets", "enter")
    assert table.last("refused").control == "enter"
    table.press("2", "5", "7", "5")
    assert table.last("refused").why == "from-the-left"
    table.press("clear", "1", "enter")
    assert table.machine.data.seats == (1,)


@pytest.mark.clause("651a.7(b)")
@pytest.mark.parametrize("cards", ["4 king", "6 7 3", "ace", "6 6"])
def test_cards_keyed_before_enter_never_become_positions_unseen(table: Rig, cards: str) -> None:
    """The low ranks' keys are those of the positions."""
    table.press("no-more-bets", "2", "5", *cards.split(), "enter")
    assert table.state.value == "positions"
    assert table.last("refused").waiting_for == "war-positions-in-doubt"
    table.press("clear", "2", "5", "enter", *cards.split()[:1])
    assert table.machine.data.seats == (2, 5)
    assert table.machine.data.cards == (cards.split()[0],)


@pytest.mark.clause("651a.2(a)")
def test_a_position_that_the_table_does_not_have_is_refused(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), positions=5))
    table.press("no-more-bets", "5", "6")
    assert table.machine.data.seats == (5,)
    refused = table.last("refused")
    assert (refused.why, refused.parameters["positions"]) == ("no-position", 5)


def test_a_forgotten_position_is_added_before_the_cards_are_lifted(table: Rig) -> None:
    """The cards that are keyed keep their order: they were dealt to the positions from the left."""
    table.press("no-more-bets", "1", "5", "enter", "king", "4", "no-more-bets", "3", "enter")
    assert table.machine.data.seats == (1, 3, 5)
    table.press("9", "8", "enter")
    assert {"initial-1-won", "initial-3-lost", "initial-5-won"} <= table.lit()


@pytest.mark.clause("651a.7(d)")
@pytest.mark.parametrize(("keys", "seats"), [("3", "1,3"), ("1 3", "3"), ("", "1"), ("clear 1", "1")])
@pytest.mark.parametrize(
    ("cards", "shown"), [("", ""), ("king", "king"), ("king clear", "king"), ("king 2 clear clear", "king-2")]
)
def test_positions_that_are_changed_after_a_card_was_keyed_raise_an_alert(
    table: Rig, keys: str, seats: str, cards: str, shown: str
) -> None:
    """Also if the card was taken back: people have seen it."""
    table.press("no-more-bets", "1", "enter", *cards.split(), "no-more-bets", *keys.split(), "enter")
    if not shown or seats == "1":
        assert not alerts(table)
        return
    assert alerts(table) == ["positions-changed-late"]
    assert table.last("alert").parameters == {"before": "1", "seats": seats, "cards": shown}


@pytest.mark.clause("651a.7(b)")
def test_the_positions_of_the_last_round_are_kept_and_can_be_changed(table: Rig) -> None:
    deal(table, "15", "king 2 9")
    table.press("done", "clear")
    assert parameter(table, "kept") == "1,5"
    table.press("no-more-bets", "clear", "5", "6", "enter")
    assert table.machine.data.seats == (1, 6)
    table.press("king", "2", "9", "enter")
    assert {"initial-1-won", "initial-6-lost"} <= table.lit()


@pytest.mark.parametrize("keys", ["", "4 clear", "1 2 enter clear clear", "1 enter king clear clear clear"])
def test_wagers_that_reopen_raise_an_alert(table: Rig, keys: str) -> None:
    """Cards may have been dealt, though none is keyed."""
    table.press("no-more-bets", *keys.split(), "clear")
    assert (table.state.value, table.machine.round) == ("bets-open", 1)
    assert table.last("alert").text == "wagers-reopened"


# -- cards ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.7(b)")
def test_a_card_is_taken_back_and_a_surplus_card_refused(table: Rig) -> None:
    table.press("no-more-bets", "1", "enter", "king", "clear", "queen", "enter")
    assert table.last("refused").control == "enter"
    assert table.machine.data.seen[RANKS.index("king")] == 0
    table.press("4", "5")
    assert table.machine.data.cards == ("queen", "4")
    assert (table.last("refused").control, table.last("refused").why) == ("5", "all-cards-keyed")


@pytest.mark.clause("651a.3(a)")
def test_more_cards_than_the_shoe_holds_are_refused(table: Rig) -> None:
    """There are 24 aces in six decks."""
    for places in ((*"1234567", "enter"), (), ()):
        table.press("no-more-bets", *places, *["ace"] * 7, "2", "enter")
        settle(table)
        table.press("clear")
    table.press("no-more-bets", "ace", "ace", "ace", "ace")
    assert table.machine.data.cards == ("ace", "ace", "ace")
    refused = table.last("refused")
    assert (refused.why, refused.parameters["rank"], refused.parameters["cards"]) == ("rank-dealt", "ace", 24)
    table.press("king")
    assert table.machine.data.cards[-1] == "king"


@pytest.mark.clause("651a.11(c)")
def test_a_position_that_was_dealt_no_card_gets_its_wagers_back(table: Rig) -> None:
    table.press("no-more-bets", *"136", "enter", "king", "void", "2", "7", "enter")
    assert table.machine.data.seats == (1, 6)
    assert {"initial-1-won", "initial-6-lost"} <= table.lit()
    assert not [lamp for lamp in table.lit() if "-3-" in lamp]
    assert (table.last("note").text, table.last("note").parameters) == ("no-card", {"position": 3})
    assert table.last("result").decided == ("initial-1", "initial-6", "tie-1", "tie-6")
    table.press("done", "clear")
    assert parameter(table, "kept") == "1,3,6", "it is included in the next round"


@pytest.mark.clause("651a.11(c)")
def test_a_round_in_which_nobody_was_dealt_a_card(table: Rig) -> None:
    """Its wagers are returned; keyed by mistake, the floorperson's key leads back."""
    table.press("no-more-bets", "4", "enter", "void")
    assert table.state.value == "settled"
    assert table.last("wagers-returned").reason == "no-card"
    table.press("correct", "floor-key", "enter", "king", "2", "enter")
    assert "initial-4-won" in table.lit()


# -- choices and steps ---------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.9(c)")
@pytest.mark.parametrize("cards", ["5", "5 6"])
def test_a_choice_that_is_taken_back_after_war_cards_were_keyed_raises_an_alert(table: Rig, cards: str) -> None:
    """The player may have seen them. No choice before them raises one."""
    deal(table, "13", "9 9 9")
    settle(table)
    table.press("surrender", "war", *["clear"] * 2, *["war"] * 2)
    assert not alerts(table)
    table.press(*cards.split(), *["clear"] * len(cards.split()), "clear", "surrender")
    found = table.last("alert")
    assert (found.text, found.parameters["position"]) == ("choice-taken-back-late", 3)
    assert found.parameters["war_cards"] == "-".join(cards.split())
    assert alerts(table) == ["choice-taken-back-late"]
    table.press("clear")
    assert alerts(table) == ["choice-taken-back-late"] * 2, "the same cards were seen"


@pytest.mark.clause("651a.9(b)")
@pytest.mark.parametrize("cards", ["2 king", "king 2"])
def test_a_clear_by_mistake_ends_no_round_that_was_just_lit(table: Rig, cards: str) -> None:
    deal(table, "1", cards)
    lit = table.lit()
    table.press("clear")
    assert table.last("refused").control == "clear"
    assert table.lit() == lit


# -- corrections ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "card", "lit"), [("7", "king", "initial-7-won"), ("8", "2", "initial-7-won")])
def test_one_wrong_card_is_corrected_alone(table: Rig, key: str, card: str, lit: str) -> None:
    """That of a position, or the dealer's, which is listed after them."""
    cards = "2 3 4 5 6 7 8 9".split()
    deal(table, "1234567", " ".join(cards))
    table.press("correct", key, "floor-key", card, "enter")
    assert lit in table.lit()
    cards[int(key) - 1] = card
    assert table.machine.data.cards == tuple(cards)
    assert sum(table.machine.data.seen) == 8


_WAR = ("no-more-bets", "1", "enter", "9", "9", "enter", "done", "done", "war")
STATES = {
    "shuffle": ("cover-card", *_WAR, "king", "2", "enter", "done", "clear"),
    "bets-open": (),
    "positions": ("no-more-bets", "1"),
    "deal": ("no-more-bets", "1", "enter", "9"),
    "settling": ("no-more-bets", "1", "enter", "9", "8", "enter"),
    "decision": _WAR[:-1],
    "war-deal": (*_WAR, "king"),
    "settled": (*_WAR, "king", "2", "enter", "done", "done"),
}
"""Keys that lead to each state of an open table."""
BETWEEN, SETTLED = ("shuffle", "bets-open"), "settled"


def in_state(table: Rig, state: str) -> Rig:
    table.press(*STATES[state])
    assert table.state.value == state
    return table


@pytest.mark.clause("651a.5(g)")
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    ("act", "reason", "to"),
    [("reshuffle", "reshuffle", "shuffle"), ("renew", "new-cards", "shuffle"), ("close", "table-closed", "closed")],
)
def test_every_state_has_a_way_out(table: Rig, state: str, act: str, reason: str, to: str) -> None:
    """A round in progress becomes void; one that is settled, or has not begun, does not."""
    table = in_state(table, state)
    before = len(table.records())
    table.floor(act)
    assert table.state.value == to
    assert table.lit() == set()
    assert voids(table, before) == ([] if state in (*BETWEEN, SETTLED) else ["dead-round"])
    assert returned(table, before) == {"bets-open": [reason], "shuffle": [], SETTLED: []}.get(state, ["dead-round"])
    assert alerts(table)[-1] == f"done-{act}"


def test_a_void_after_a_result_has_what_was_lit_and_settled(table: Rig) -> None:
    in_state(table, "settling").press("done")
    table.floor("void")
    assert table.last("void").parameters == {"cards": "9-8", "lit": "initial-1-won,tie-1-lost"}
    withdrawn = table.last("result-withdrawn")
    assert (withdrawn.label, withdrawn.settled) == ("9-8, original deal", "losers-collected")
    assert not any(effect.kind == "result" for effect in table.records()[-1].effects)


@pytest.mark.parametrize(
    ("keys", "cards", "corrects"),
    [(_WAR, ("9", "9"), ()), ((*STATES["settling"], "correct", "3", "floor-key"), (), ("9", "8"))],
    ids=["a war without a card", "a correction"],
)
def test_a_void_by_mistake_takes_no_card_back(
    table: Rig, keys: tuple[str, ...], cards: tuple[str, ...], corrects: tuple[str, ...]
) -> None:
    table.press(*keys)
    table.floor("void")
    table.floor("reverse")
    data = table.machine.data
    assert (table.state.value, data.cards, data.corrects) == ("deal", cards, corrects)
    table.press(*["clear"] * len(cards), "clear")
    assert table.state.value == "positions", "wagers do not reopen"


@pytest.mark.clause("651a.9(a)")
@pytest.mark.parametrize(("keys", "seats"), [("clear", ()), ("1", (2, 5)), ("clear 2", (2,)), ("1 king", (2, 5))])
def test_a_void_while_positions_are_keyed_again_is_taken_back_to_them(
    table: Rig, keys: str, seats: tuple[int, ...]
) -> None:
    """Each card is that of a position that was entered: the king of the first."""
    table.press("no-more-bets", *"125", "enter", *"king 3 4 9".split(), "no-more-bets", *keys.split())
    table.floor("void")
    table.floor("reverse")
    assert (table.state.value, table.machine.data.seats) == ("positions", seats)
    table.press("clear", *"25", "enter")
    table.wait(1)
    table.press("enter")
    assert table.last("result").label == "king-3-4, original deal"


@pytest.mark.parametrize("state", [state for state in STATES if state not in BETWEEN])
@pytest.mark.parametrize("cover", [(), ("cover-card",)], ids=["", "a shuffle is due"])
def test_a_void_by_mistake_is_taken_back(table: Rig, state: str, cover: tuple[str, ...]) -> None:
    """The cards count as they were keyed; those of a war are dealt, and counted, once more."""
    in_state(table, state).press(*cover)
    before, number = table.machine.data, table.machine.round
    table.floor("void")
    table.floor("reverse")
    now = table.machine.data
    assert table.state.value == ("positions" if state == "positions" else "deal")
    assert (now.seats, now.cards, now.round) == (before.seats, before.cards, number + 1)
    assert (now.dealt, sum(now.seen)) == (1 + len(now.cards), len(now.cards)), "each card once"
    assert (table.last("note").text, table.last("alert").text) == ("void-reversed", "done-reverse")
    if len(now.cards) > len(now.seats):
        table.press("enter")
        assert table.last("result").label == f"{'-'.join(before.cards)}, original deal"
    table.floor("void")
    table.press("enter", "no-more-bets")
    with pytest.raises(LookupError):
        table.floor("reverse")


# -- the count --------------------------------------------------------------------------------------------------


def test_a_wrong_count_is_replaced_by_the_cards_on_the_table(table: Rig) -> None:
    """The cards on the table were dealt; the rest of the count is forgotten until the shuffle."""
    deal(table, "12", "9 8 9")
    settle(table)
    table.press("war", "3", "2", "enter")
    settle(table)
    table.press("clear", "no-more-bets", "king")
    table.floor("recount")
    assert (table.machine.data.dealt, sum(table.machine.data.seen)) == (1, 1)
    assert notes(table)[-1] == "recounted"
    assert alerts(table)[-1] == "done-recount"
    table.press("2", "9")
    assert (table.machine.data.dealt, sum(table.machine.data.seen)) == (3, 3)
    with pytest.raises(LookupError):
        table.floor("cover-card-in-shoe")
    table.press("clear", "enter")
    settle(table)
    table.press("clear")
    assert table.state.value == "shuffle"
