"""What is keyed at a table of Casino War, and the way back from each mistake."""

from collections.abc import Callable

import pytest
from open_tables import opened
from war_table import deal, effects, parameter, settle, with_rules

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.games.casino_war.rules import RANKS

GAME = "casino-war"
Shipped = Callable[[str], TableConfig]


# -- positions -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.1", "651a.7(d)")
def test_no_card_is_keyed_while_wagers_are_open(war: Rig) -> None:
    """§ 651a.1, § 651a.7(d), § 651a.8(c): the call comes before any card, and after a card no wager is placed."""
    for rank in RANKS:
        war.press(rank)
        assert war.last("refused").control == rank
    assert (war.state.value, war.machine.data.dealt) == ("bets-open", 1)
    war.press("no-more-bets", "2", "6", "enter")
    assert (parameter(war, "seats"), parameter(war, "cards")) == ("2,6", "")
    war.press("king", "no-more-bets", "clear", "clear")
    assert war.state.value == "positions"
    assert war.last("refused").control == "clear"


@pytest.mark.clause("651a.7(b)")
def test_positions_are_keyed_and_taken_back(war: Rig) -> None:
    war.press("no-more-bets", "enter")
    assert war.last("refused").control == "enter"
    war.press("2", "5", "7", "5")
    assert war.last("refused").why == "from-the-left"
    war.press("clear", "1", "enter")
    assert war.machine.data.seats == (1,)


@pytest.mark.clause("651a.7(b)")
@pytest.mark.parametrize("cards", ["4 king", "6 7 3", "ace", "6 6"])
def test_cards_keyed_before_enter_never_become_positions_unseen(war: Rig, cards: str) -> None:
    """The low ranks' keys are those of the positions."""
    war.press("no-more-bets", "2", "5", *cards.split(), "enter")
    assert war.state.value == "positions"
    assert war.last("refused").waiting_for == "war-positions-in-doubt"
    war.press("clear", "2", "5", "enter", *cards.split()[:1])
    assert war.machine.data.seats == (2, 5)
    assert war.machine.data.cards == (cards.split()[0],)


@pytest.mark.clause("651a.2(a)")
def test_a_position_that_the_table_does_not_have_is_refused(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), positions=5))
    table.press("no-more-bets", "5", "6")
    assert table.machine.data.seats == (5,)
    refused = table.last("refused")
    assert (refused.why, refused.parameters["positions"]) == ("no-position", 5)


def test_a_forgotten_position_is_added_before_the_cards_are_lifted(war: Rig) -> None:
    """The cards that are keyed keep their order: they were dealt to the positions from the left."""
    war.press("no-more-bets", "1", "5", "enter", "king", "4", "no-more-bets", "3", "enter")
    assert war.machine.data.seats == (1, 3, 5)
    war.press("9", "8", "enter")
    assert {"initial-1-won", "initial-3-lost", "initial-5-won"} <= war.lit()


@pytest.mark.clause("651a.7(d)")
@pytest.mark.parametrize(("keys", "seats"), [("3", "1,3"), ("1 3", "3"), ("", "1"), ("clear 1", "1")])
@pytest.mark.parametrize(
    ("cards", "shown"), [("", ""), ("king", "king"), ("king clear", "king"), ("king 2 clear clear", "king-2")]
)
def test_positions_that_are_changed_after_a_card_was_keyed_raise_an_alert(
    war: Rig, keys: str, seats: str, cards: str, shown: str
) -> None:
    """Also if the card was taken back: people have seen it."""
    war.press("no-more-bets", "1", "enter", *cards.split(), "no-more-bets", *keys.split(), "enter")
    if not shown or seats == "1":
        assert not effects(war, "alert")
        return
    assert effects(war, "alert") == ["positions-changed-late"]
    assert war.last("alert").parameters == {"before": "1", "seats": seats, "cards": shown}


@pytest.mark.clause("651a.7(b)")
def test_the_positions_of_the_last_round_are_kept_and_can_be_changed(war: Rig) -> None:
    deal(war, "15", "king 2 9")
    war.press("done", "clear")
    assert parameter(war, "kept") == "1,5"
    war.press("no-more-bets", "clear", "5", "6", "enter")
    assert war.machine.data.seats == (1, 6)
    war.press("king", "2", "9", "enter")
    assert {"initial-1-won", "initial-6-lost"} <= war.lit()


@pytest.mark.parametrize("keys", ["", "4 clear", "1 2 enter clear clear", "1 enter king clear clear clear"])
def test_wagers_that_reopen_raise_an_alert(war: Rig, keys: str) -> None:
    """Cards may have been dealt, though none is keyed."""
    war.press("no-more-bets", *keys.split(), "clear")
    assert (war.state.value, war.machine.round) == ("bets-open", 1)
    assert war.last("alert").text == "wagers-reopened"


# -- cards ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.7(b)")
def test_a_card_is_taken_back_and_a_surplus_card_refused(war: Rig) -> None:
    war.press("no-more-bets", "1", "enter", "king", "clear", "queen", "enter")
    assert war.last("refused").control == "enter"
    assert war.machine.data.seen[RANKS.index("king")] == 0
    war.press("4", "5")
    assert war.machine.data.cards == ("queen", "4")
    assert (war.last("refused").control, war.last("refused").why) == ("5", "all-cards-keyed")


@pytest.mark.clause("651a.3(a)")
def test_more_cards_than_the_shoe_holds_are_refused(war: Rig) -> None:
    """There are 24 aces in six decks."""
    for places in ((*"1234567", "enter"), (), ()):
        war.press("no-more-bets", *places, *["ace"] * 7, "2", "enter")
        settle(war)
        war.press("clear")
    war.press("no-more-bets", "ace", "ace", "ace", "ace")
    assert war.machine.data.cards == ("ace", "ace", "ace")
    refused = war.last("refused")
    assert (refused.why, refused.parameters["rank"], refused.parameters["cards"]) == ("rank-dealt", "ace", 24)
    war.press("king")
    assert war.machine.data.cards[-1] == "king"


@pytest.mark.clause("651a.11(c)")
def test_a_position_that_was_dealt_no_card_gets_its_wagers_back(war: Rig) -> None:
    war.press("no-more-bets", *"136", "enter", "king", "void", "2", "7", "enter")
    assert war.machine.data.seats == (1, 6)
    assert {"initial-1-won", "initial-6-lost"} <= war.lit()
    assert not [lamp for lamp in war.lit() if "-3-" in lamp]
    assert (war.last("note").text, war.last("note").parameters) == ("no-card", {"position": 3})
    assert war.last("result").decided == ("initial-1", "initial-6", "tie-1", "tie-6")
    war.press("done", "clear")
    assert parameter(war, "kept") == "1,3,6", "it is included in the next round"


def test_no_card_keyed_by_mistake_is_taken_back(war: Rig) -> None:
    """Until the next card: the position plays, and both are on record."""
    war.press("no-more-bets", "1", "5", "enter", "king", "void")
    assert (parameter(war, "clear"), parameter(war, "position")) == ("no-card", 5)
    war.press("clear")
    assert war.machine.data.seats == (1, 5)
    assert war.last("note").text == "no-card-taken-back"
    war.press("void", "9", "clear", "clear")
    assert war.machine.data.cards == (), "a card was keyed since: its own way back"
    assert war.machine.data.seats == (1,)


@pytest.mark.clause("651a.11(c)")
def test_a_round_in_which_nobody_was_dealt_a_card(war: Rig) -> None:
    """Its wagers are returned; keyed by mistake, the floorperson's key leads back."""
    war.press("no-more-bets", "4", "enter", "void")
    assert war.state.value == "settled"
    assert war.last("wagers-returned").reason == "no-card"
    war.press("correct", "floor-key", "enter", "king", "2", "enter")
    assert "initial-4-won" in war.lit()


# -- choices and steps ---------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.9(c)")
def test_a_choice_is_taken_back_until_the_first_war_card(war: Rig) -> None:
    """§ 651a.9(c): a mistaken war forces no war deal."""
    deal(war, "13", "9 9 9")
    settle(war)
    before = war.machine.data.dealt
    war.press("surrender", "clear", "war", "war", "clear", "surrender", "clear", "clear")
    assert war.machine.data.undecided == (1, 3)
    assert war.machine.data.dealt == before
    war.press("surrender", "surrender")
    settle(war)
    assert war.state.value == "settled"


@pytest.mark.clause("651a.9(c)")
@pytest.mark.parametrize("cards", ["5", "5 6"])
def test_a_choice_that_is_taken_back_after_war_cards_were_keyed_raises_an_alert(war: Rig, cards: str) -> None:
    """The player may have seen them. No choice before them raises one."""
    deal(war, "13", "9 9 9")
    settle(war)
    war.press("surrender", "war", *["clear"] * 2, *["war"] * 2)
    assert not effects(war, "alert")
    war.press(*cards.split(), *["clear"] * len(cards.split()), "clear", "surrender")
    found = war.last("alert")
    assert (found.text, found.parameters["position"]) == ("choice-taken-back-late", 3)
    assert found.parameters["war_cards"] == "-".join(cards.split())
    assert effects(war, "alert") == ["choice-taken-back-late"]
    war.press("clear")
    assert effects(war, "alert") == ["choice-taken-back-late"] * 2, "the same cards were seen"


@pytest.mark.clause("651a.9(b)")
@pytest.mark.parametrize("cards", ["2 king", "king 2"])
def test_a_clear_by_mistake_ends_no_round_that_was_just_lit(war: Rig, cards: str) -> None:
    deal(war, "1", cards)
    lit = war.lit()
    war.press("clear")
    assert war.last("refused").control == "clear"
    assert war.lit() == lit


# -- corrections ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
@pytest.mark.parametrize(
    ("after", "settled"),
    [((), ""), (("done",), "losers-collected"), (("done", "done"), "wagers-settled")],
)
def test_a_correction_needs_the_floor_key_and_both_deals_stay_on_record(
    war: Rig, after: tuple[str, ...], settled: str
) -> None:
    """Until the round is cleared; the record has how far the wrong result was settled."""
    deal(war, "1", "king 9")
    lit = war.lit()
    war.press(*after, "correct", "3")
    assert war.lit() == lit, "not without the key"
    war.press("floor-key")
    assert war.lit() == set()
    assert war.machine.data.seen == (0,) * 13
    withdrawn = war.last("result-withdrawn")
    assert (withdrawn.label, withdrawn.settled) == ("king-9, original deal", settled)
    assert war.last("alert").text == "done-correct"
    war.press("king", "ace", "enter")
    assert war.lit() == {"initial-1-lost", "tie-1-lost"}
    assert war.last("result").label == "king-ace, original deal"


def test_halves_that_were_returned_are_on_record_with_the_correction(war: Rig) -> None:
    deal(war, "1", "9 9")
    settle(war)
    war.press("surrender")
    settle(war)
    war.press("correct", "3", "floor-key")
    assert war.last("result-withdrawn").settled == "halves-returned"
    war.press("9", "9", "enter")
    settle(war)
    assert (war.state.value, war.machine.data.undecided) == ("decision", (1,)), "the player chooses again"


@pytest.mark.parametrize(("key", "card", "lit"), [("7", "king", "initial-7-won"), ("8", "2", "initial-7-won")])
def test_one_wrong_card_is_corrected_alone(war: Rig, key: str, card: str, lit: str) -> None:
    """That of a position, or the dealer's, which is listed after them."""
    cards = "2 3 4 5 6 7 8 9".split()
    deal(war, "1234567", " ".join(cards))
    war.press("correct", key, "floor-key", card, "enter")
    assert lit in war.lit()
    cards[int(key) - 1] = card
    assert war.machine.data.cards == tuple(cards)
    assert sum(war.machine.data.seen) == 8


def test_a_war_that_was_none_is_void_once_the_key_allowed_the_correction(war: Rig) -> None:
    deal(war, "1", "9 9")
    settle(war)
    war.press("war", "5", "6", "enter", "correct", "3", "floor-key", "clear")
    assert war.state.value == "decision"
    assert (war.last("void").reason, war.last("void").parameters) == ("war-taken-back", {"war_cards": "5-6"})
    war.press("surrender")
    settle(war)
    assert war.lit() == {"initial-1-tied", "tie-1-won"}
