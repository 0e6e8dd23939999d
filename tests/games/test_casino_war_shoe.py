"""The cards of Casino War: shoe, cut, inspection, age, and the count that may be wrong."""

from collections.abc import Callable

from open_tables import opened
from retirement import AGE_S, WAYS, reach_age
from war_table import deal, settle, with_rules

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Note
from controller.events.event import DealerLoggedOn, Press
from controller.statechart.menu import MenuEntry
from controller.statechart.registry import find_game

GAME = "casino-war"
Shipped = Callable[[str], TableConfig]


# -- the shoe ------------------------------------------------------------------------------------------------------


def test_the_shoe_is_counted_and_the_cover_card_asks_for_a_shuffle(war: Rig) -> None:
    """§ 651a.5(g), § 651a.8(b), (d), § 651a.9(f), § 651a.11(a)."""
    table = war
    assert table.machine.data.dealt == 1
    table.press("burn")
    deal(table, "12", "9 8 9")
    assert table.machine.data.dealt == 5
    settle(table)
    table.press("war", "cover-card", "3", "2", "enter")
    assert table.machine.data.dealt == 10
    settle(table)
    assert "then shuffle" in table.waiting_for
    table.press("clear")
    assert table.state.value == "shuffle"
    table.press("no-more-bets", "enter")
    assert table.state.value == "bets-open"
    assert (table.machine.data.dealt, table.machine.data.cover) == (1, False)


def test_a_cover_card_that_was_keyed_by_mistake_is_taken_back(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "1", "enter", "king", "cover-card", "floor-key")
    assert MenuEntry("9", "the cover card is still in the shoe") in table.machine.menu()
    table.press("9", "2", "enter", "done", "clear")
    assert table.state.value == "bets-open"
    table.press("floor-key", "9")
    assert table.last("refused").control == "9"


def test_a_shuffle_after_a_wrong_count_cannot_be_taken_back(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "1", "enter", "king", "floor-key", "8", "floor-key", "9")
    assert table.last("refused").control == "9"


def test_burned_cards_are_on_record_by_their_place_in_the_shoe(war: Rig) -> None:
    """§ 651a.8(b), § 651a.9(f)."""
    table = war
    table.press("burn")
    deal(table, "1", "9 9")
    table.press("done", "done", "war")
    notes = [e.text for record in table.records() for e in record.effects if isinstance(e, Note)]
    assert "the cards are in the shoe, the first card burned" in notes
    assert "card 2 of the shoe was burned" in notes
    assert "cards 5 to 7 of the shoe are to be burned" in notes


def test_the_floorperson_may_order_a_shuffle(war: Rig) -> None:
    table = war
    table.press("floor-key", "3")
    assert table.state.value == "shuffle"
    assert table.last("wagers-returned").reason == "reshuffle"


def test_two_batches_alternate_with_a_shuffler(shipped: Shipped) -> None:
    """§ 651a.3(c)(4), § 651a.11(d), (e)."""
    table = opened(with_rules(shipped(GAME), decks=12, shuffler="true"))
    assert table.machine.data.batch == 1
    table.press("floor-key", "3", "enter")
    assert table.machine.data.batch == 0
    table.press("floor-key", "4", "floor-key", "3")
    assert table.waiting_for.startswith("shuffle")
    table.press("enter")
    assert table.machine.data.batch == 0
    table.press("floor-key", "6")
    assert table.machine.data.shuffler


def test_cards_that_reach_their_age_finish_the_round_and_open_no_other(war: Rig) -> None:
    """§ 651a.3(d)."""
    table = war
    table.press("no-more-bets", "1", "enter")
    table.wait(AGE_S)
    table.press("9", "8", "enter")
    settle(table)
    table.press("clear", "enter")
    assert table.state.value == "shuffle"
    assert "must be changed" in table.waiting_for
    table.press("floor-key", "2", "enter")
    assert table.state.value == "bets-open"


@WAYS
def test_cards_that_reach_their_age_before_the_deal_return_the_wagers(war: Rig, leaves: str) -> None:
    reach_age(war, leaves)
    assert war.state.value == "shuffle"
    assert war.last("wagers-returned").reason == "cards-retired"


# -- the shoe's count ----------------------------------------------------------------------------------------------


def test_the_table_warns_past_three_quarters_of_the_shoe(war: Rig) -> None:
    """§ 651a.5(e): the cover card lies a quarter from the end, so it was overlooked."""
    table = war
    table.press(*["burn"] * 234)
    assert "no cover card seen" in table.last("alert").text
    assert "no cover card seen" in table.waiting_for
    table.press("cover-card")
    assert "no cover card seen" not in table.waiting_for


def test_the_count_orders_a_shuffle_before_the_shoe_is_empty(war: Rig) -> None:
    table = war
    table.press(*["burn"] * 294)
    deal(table, "1", "king 9")
    settle(table)
    table.press("clear")
    assert table.state.value == "shuffle"


def test_seven_decks_are_dealt_by_no_hand_shuffle(shipped: Shipped) -> None:
    """§ 651a.3(a): without the shuffler, a batch of 14 decks is none that may be shuffled by hand."""
    table = opened(with_rules(shipped(GAME), decks=14, shuffler="true"))
    table.press("floor-key", "4", "floor-key", "3", "enter")
    assert table.state.value == "shuffle"
    assert "§ 651a.3(a)" in table.last("refused").waiting_for
    table.press("floor-key", "6", "enter")
    assert table.state.value == "bets-open"


def test_a_new_dealer_is_prompted_to_burn_a_card(shipped: Shipped) -> None:
    """§ 651a.8(b)."""
    machine = find_game(GAME).machine(shipped(GAME))
    for control in ("floor-key", "1", "enter"):
        machine.handle(Press(0, control, 1))
    assert "burn" not in machine.waiting_for()
    machine.handle(DealerLoggedOn(0, 0, "1001"))
    assert "a new dealer: burn the first card, then press burn" in machine.waiting_for()
    machine.handle(Press(0, "burn", 1))
    machine.handle(DealerLoggedOn(0, 0, ""))
    machine.handle(DealerLoggedOn(0, 0, "1001"))
    assert "burn" not in machine.waiting_for()


def test_the_cut_is_offered_as_the_cover_card_appeared(war: Rig) -> None:
    """§ 651a.5(b)(1) to (4)."""
    table = war
    table.press("no-more-bets", "2", "6", "enter", "king", "cover-card", "3", "9", "enter", "done", "clear")
    assert "offer the cut to the player at position 6 first" in table.waiting_for
    table.press("enter", "floor-key", "3")
    assert "offer the cut to the player farthest to your right first" in table.waiting_for


def test_the_inspection_of_new_cards_is_on_record(war: Rig) -> None:
    """§ 651a.4(a), (b)."""
    table = war
    table.press("floor-key", "2")
    assert "inspect the cards" in table.waiting_for
    table.press("done")
    assert "offer the cut to the first player at the table first" in table.waiting_for
    notes = [e.text for record in table.records() for e in record.effects if isinstance(e, Note)]
    assert "the dealer inspected the cards and spread them face up" in notes
