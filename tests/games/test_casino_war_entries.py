"""What is keyed at a table of Casino War, and the way back from each mistake."""

from collections.abc import Callable

import pytest
from open_tables import opened
from war_table import deal, settle, with_rules

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Note, Result
from controller.games.casino_war.rules import RANKS

GAME = "casino-war"
Shipped = Callable[[str], TableConfig]


# -- wagers --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.1", "651a.7(d)")
def test_no_card_is_keyed_while_wagers_are_open(war: Rig) -> None:
    """§ 651a.1, § 651a.7(d), § 651a.8(c): the call comes before any card, and after a card no wager is placed."""
    table = war
    for rank in RANKS:
        table.press(rank)
        assert table.last("refused").control == rank
    assert table.state.value == "bets-open"
    assert table.machine.data.dealt == 1
    table.press("no-more-bets", "2", "6", "enter")
    assert "1: " not in table.waiting_for
    assert "2: _, 6: _, dealer: _" in table.waiting_for
    table.press("king", "no-more-bets", "clear", "clear")
    assert table.state.value == "positions"
    assert table.last("refused").control == "clear"


# -- entries -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.7(b)")
def test_positions_are_keyed_and_taken_back(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "enter")
    assert table.last("refused").control == "enter"
    table.press("2", "5", "7", "5")
    assert "keyed from the left" in table.last("refused").waiting_for
    table.press("clear", "1", "enter")
    assert table.machine.data.seats == (1,)


@pytest.mark.clause("651a.7(b)")
@pytest.mark.parametrize("cards", ["4 king", "6 7 3", "ace", "6 6"])
def test_cards_keyed_before_enter_never_become_positions_unseen(war: Rig, cards: str) -> None:
    """The low ranks' keys are those of the positions."""
    table = war
    table.press("no-more-bets", "2", "5", *cards.split(), "enter")
    assert table.state.value == "positions"
    assert "a card was keyed before enter" in table.last("refused").waiting_for
    table.press("clear", "2", "5", "enter", *cards.split()[:1])
    assert table.machine.data.seats == (2, 5)
    assert table.machine.data.cards == (cards.split()[0],)


def test_without_any_wager_the_wagers_are_opened_again(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "4", "clear", "clear")
    assert table.state.value == "bets-open"
    assert table.machine.round == 1


@pytest.mark.clause("651a.2(a)")
def test_a_position_that_the_table_does_not_have_is_refused(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), positions=5))
    table.press("no-more-bets", "5", "6")
    assert table.machine.data.seats == (5,)
    assert "this table has 5 positions" in table.last("refused").waiting_for


@pytest.mark.clause("651a.7(b)")
def test_a_card_is_taken_back_and_a_surplus_card_refused(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "1", "enter", "king", "clear", "queen", "enter")
    assert table.last("refused").control == "enter"
    assert table.machine.data.seen[RANKS.index("king")] == 0
    table.press("4", "5")
    assert table.machine.data.cards == ("queen", "4")
    assert table.last("refused").control == "5"


@pytest.mark.clause("651a.3(a)")
def test_more_cards_than_the_shoe_holds_are_refused(war: Rig) -> None:
    """24 aces lie in six decks."""
    table = war
    for places in ((*"1234567", "enter"), (), ()):
        table.press("no-more-bets", *places, *["ace"] * 7, "2", "enter")
        settle(table)
        table.press("clear")
    table.press("no-more-bets", "ace", "ace", "ace", "ace")
    assert table.machine.data.cards == ("ace", "ace", "ace")
    assert table.last("refused").control == "ace"
    table.press("king")
    assert table.machine.data.cards[-1] == "king"


@pytest.mark.clause("651a.11(c)")
def test_a_position_that_was_dealt_no_card_gets_its_wagers_back(war: Rig) -> None:
    table = war
    table.press("no-more-bets", *"136", "enter", "king", "void", "2", "7", "enter")
    assert table.machine.data.seats == (1, 6)
    assert {"initial-1-won", "initial-6-lost"} <= table.lit()
    assert not [lamp for lamp in table.lit() if "-3-" in lamp]
    notes = [e.text for record in table.records() for e in record.effects if isinstance(e, Note)]
    assert "position 3 was dealt no card: its wagers are void and go back" in notes
    assert table.last("result").decided == ("initial-1", "initial-6", "tie-1", "tie-6")
    table.press("done", "clear")
    assert "positions 1, 3, 6 as in the last round" in table.waiting_for


@pytest.mark.clause("651a.11(c)")
def test_a_round_in_which_nobody_was_dealt_a_card(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "4", "enter", "void")
    assert table.state.value == "settled"
    assert table.last("wagers-returned").reason == "no-card"


@pytest.mark.clause("651a.9(d)", "651a.9(h)")
def test_a_correction_needs_the_floor_key_and_keeps_both_deals(war: Rig) -> None:
    table = war
    deal(table, "1", "king 9")
    table.press("correct", "floor-key")
    assert table.lit() == set()
    assert table.machine.data.seen == (0,) * 13
    table.press("king", "ace", "enter")
    assert table.lit() == {"initial-1-lost", "tie-1-lost"}
    results = [e.label for record in table.records() for e in record.effects if isinstance(e, Result)]
    assert results == ["king-9, original deal", "king-ace, original deal"]


def test_a_war_deal_is_corrected_alone(war: Rig) -> None:
    table = war
    deal(table, "1", "9 9")
    settle(table)
    table.press("war", "5", "6", "enter", "done", "correct", "floor-key", "6", "5", "enter")
    assert table.lit() == {"war-1-won", "tie-1-lost"}


# -- the way back --------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.9(c)")
def test_a_choice_is_taken_back_until_the_first_war_card(war: Rig) -> None:
    """§ 651a.9(c): a mistaken war forces no war deal."""
    table = war
    deal(table, "13", "9 9 9")
    settle(table)
    before = table.machine.data.dealt
    table.press("surrender", "clear", "war", "war", "clear", "surrender", "clear", "clear")
    assert table.machine.data.undecided == (1, 3)
    assert table.machine.data.dealt == before
    table.press("surrender", "surrender")
    settle(table)
    assert table.state.value == "settled"


def test_a_war_that_was_none_is_void_once_the_key_allowed_the_correction(war: Rig) -> None:
    table = war
    deal(table, "1", "9 9")
    settle(table)
    table.press("war", "5", "6", "enter", "correct", "floor-key", "clear")
    assert table.state.value == "decision"
    assert "5-6" in table.last("void").detail
    table.press("surrender")
    settle(table)
    assert table.lit() == {"initial-1-tied", "tie-1-won"}


def test_no_card_keyed_by_mistake_is_taken_back(war: Rig) -> None:
    """Until the next card: the position plays, and both are on record."""
    table = war
    table.press("no-more-bets", "1", "5", "enter", "king", "void")
    assert "clear, if position 5 was dealt a card" in table.waiting_for
    table.press("clear")
    assert table.machine.data.seats == (1, 5)
    assert "position 5: no card was taken back; its wagers play" in table.last("note").text
    table.press("void", "9")
    assert table.machine.data.seats == (1,)
    table.press("clear", "clear")
    assert table.machine.data.cards == (), "a card was keyed since: its own way back"
    assert table.machine.data.seats == (1,)


def test_a_step_before_the_war_that_was_keyed_by_mistake_is_taken_back(war: Rig) -> None:
    """One after the other; at the first step, clear takes the choice back."""
    table = war
    deal(table, "15", "9 9 9")
    settle(table)
    table.press("surrender", "war")
    first = table.waiting_for.partition(",")[0]
    table.press("done", "done")
    assert table.waiting_for.endswith("clear goes one step back")
    table.press("clear", "clear")
    assert table.waiting_for.partition(",")[0] == first
    assert table.waiting_for.endswith("clear takes the last choice back")
    table.press(*["done"] * 6)
    assert table.waiting_for.startswith("deal and key the card of position 5")
    table.press("clear")
    assert table.waiting_for.startswith("burn 3 cards")
    table.press(*["clear"] * 6)
    assert table.state.value == "decision"


def test_a_forgotten_position_is_added_before_the_cards_are_lifted(war: Rig) -> None:
    """The cards that are keyed keep their order: they were dealt to the positions from the left."""
    table = war
    table.press("no-more-bets", "1", "5", "enter", "king", "4", "no-more-bets", "3", "enter")
    assert table.machine.data.seats == (1, 3, 5)
    table.press("9", "8", "enter")
    assert {"initial-1-won", "initial-3-lost", "initial-5-won"} <= table.lit()


@pytest.mark.clause("651a.7(b)")
def test_the_positions_of_the_last_round_are_kept_and_can_be_changed(war: Rig) -> None:
    table = war
    deal(table, "15", "king 2 9")
    table.press("done", "clear")
    assert "positions 1, 5 as in the last round" in table.waiting_for
    table.press("no-more-bets", "clear", "5", "6", "enter")
    assert table.machine.data.seats == (1, 6)
    table.press("king", "2", "9", "enter")
    assert {"initial-1-won", "initial-6-lost"} <= table.lit()


def test_one_wrong_card_is_corrected_alone(war: Rig) -> None:
    table = war
    deal(table, "1234567", "2 3 4 5 6 7 8 9")
    table.press("correct", "7", "floor-key", "king", "enter")
    assert "initial-7-won" in table.lit()
    assert table.machine.data.cards == ("2", "3", "4", "5", "6", "7", "king", "9")
    assert sum(table.machine.data.seen) == 8


def test_a_result_can_be_corrected_in_every_state_until_the_round_is_cleared(war: Rig) -> None:
    table = war
    deal(table, "1", "king 9")
    for control in ("done", "done"):
        table.press("correct")
        assert table.state.value == "correcting"
        table.press("clear", control)
    assert table.state.value == "settled"
    table.press("correct", "floor-key", "2", "9", "enter")
    assert "initial-1-lost" in table.lit()


@pytest.mark.clause("651a.9(b)")
@pytest.mark.parametrize("cards", ["2 king", "king 2"])
def test_a_clear_by_mistake_ends_no_round_that_was_just_lit(war: Rig, cards: str) -> None:
    table = war
    deal(table, "1", cards)
    lit = table.lit()
    table.press("clear")
    assert table.last("refused").control == "clear"
    assert table.lit() == lit


def test_a_void_for_the_only_position_has_a_way_back(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "4", "enter", "void", "correct", "floor-key", "enter", "king", "2", "enter")
    assert "initial-4-won" in table.lit()
