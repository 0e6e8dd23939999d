"""The cards of Casino War: shoe, cut, inspection, age, and the count that may be wrong."""

from collections.abc import Callable

import pytest
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


@pytest.mark.clause("651a.5(g)", "651a.8(b)", "651a.8(d)", "651a.9(f)", "651a.11(a)")
def test_the_shoe_is_counted_and_the_cover_card_asks_for_a_shuffle(war: Rig) -> None:
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


@pytest.mark.clause("651a.5(a)", "651a.5(g)", "651a.8(d)")
@pytest.mark.parametrize("comes", ["before the deal", "in the deal", "in the war"])
def test_after_the_cover_card_the_round_is_played_to_its_end_and_no_other_opens(war: Rig, comes: str) -> None:
    """§ 651a.5(a), (g), § 651a.8(d): whenever it comes, and whichever key ends the round."""
    table = war
    cover = ["cover-card"]
    table.press(*cover * (comes == "before the deal"), "no-more-bets", "1", "enter")
    table.press("9", *cover * (comes == "in the deal"), "9", "enter", "done", "done", "war")
    table.press(*cover * (comes == "in the war"), "king", "2", "enter")
    assert table.lit() == {"war-1-won", "tie-1-lost"}
    table.press("done", "clear")
    assert table.state.value == "shuffle"
    table.press("no-more-bets")
    assert table.state.value == "shuffle"
    table.press("enter", "no-more-bets", "king", "2", "enter", "done", "clear")
    assert table.state.value == "bets-open"


@pytest.mark.clause("651a.5(a)", "651a.8(b)")
def test_no_round_opens_before_the_cards_are_shuffled(shipped: Shipped) -> None:
    """§ 651a.5(a), § 651a.8(b): nor before the first card is burned, which the prompt asks for."""
    table = Rig(shipped(GAME))
    table.press("no-more-bets", "floor-key", "1", "no-more-bets", "done")
    assert table.state.value == "shuffle"
    assert table.machine.round == 0
    assert "shuffle" in table.waiting_for
    assert "burn the first card" in table.waiting_for
    table.press("enter")
    assert table.state.value == "bets-open"


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


def test_a_wrong_count_is_replaced_by_the_cards_on_the_table(war: Rig) -> None:
    """What lies there was dealt; the rest of the count, and of the ranks seen, is forgotten until the shuffle."""
    table = war
    deal(table, "12", "9 8 9")
    settle(table)
    table.press("war", "3", "2", "enter")
    settle(table)
    table.press("clear", "no-more-bets", "1", "enter", "king", "floor-key", "8")
    assert (table.machine.data.dealt, sum(table.machine.data.seen)) == (1, 1)
    table.press("2", "enter")
    assert (table.machine.data.dealt, sum(table.machine.data.seen)) == (2, 2)


@pytest.mark.clause("651a.8(b)", "651a.9(f)", "651a.11(a)")
def test_burned_cards_are_on_record_by_their_place_in_the_shoe(war: Rig) -> None:
    """§ 651a.8(b), § 651a.9(f), § 651a.11(a): also one that is found face up while the cards are dealt."""
    table = war
    table.press("burn", "no-more-bets", "1", "enter", "9", "burn", "9", "enter", "done", "done", "war", "burn")
    notes = notes_of(table)
    assert "the cards are in the shoe, the first card burned" in notes
    assert [note for note in notes if "burned" in note][1:] == [
        "card 2 of the shoe was burned",
        "card 4 of the shoe was burned",
        "cards 6 to 8 of the shoe are to be burned",
        "card 9 of the shoe was burned",
    ]
    table.press("king", "2", "enter")
    assert table.machine.data.dealt == 11
    assert table.lit() == {"war-1-won", "tie-1-lost"}


def notes_of(table: Rig) -> list[str]:
    return [e.text for record in table.records() for e in record.effects if isinstance(e, Note)]


@pytest.mark.clause("651a.5(g)")
def test_the_floorperson_may_order_a_shuffle(war: Rig) -> None:
    table = war
    table.press("floor-key", "3")
    assert table.state.value == "shuffle"
    assert table.last("wagers-returned").reason == "reshuffle"
    table.press("no-more-bets")
    assert table.state.value == "shuffle"
    table.press("enter")
    assert table.machine.data.dealt == 1


@pytest.mark.clause("651a.3(c)")
def test_two_batches_alternate_with_a_shuffler(shipped: Shipped) -> None:
    """§ 651a.3(c)(4): the one that was in play is never in the next shoe."""
    table = opened(with_rules(shipped(GAME), decks=12, shuffler="true"))
    first = table.machine.data.batch
    for batch in (1 - first, first, 1 - first):
        table.press("floor-key", "3")
        assert table.waiting_for.startswith(f"take batch {batch + 1} from the shuffler")
        table.press("enter")
        assert table.machine.data.batch == batch
        assert f"batch {batch + 1} is in the shoe, the first card burned" == notes_of(table)[-1]


@pytest.mark.clause("651a.4(d)")
def test_each_batch_is_spread_by_itself(shipped: Shipped, war: Rig) -> None:
    """§ 651a.4(d): with a shuffler there are two."""
    table = opened(with_rules(shipped(GAME), decks=12, shuffler="true"))
    for rig, words in (
        (table, "for the first player, each batch by itself, then"),
        (war, "for the first player, then"),
    ):
        rig.press("floor-key", "2")
        assert words in rig.waiting_for


@pytest.mark.clause("651a.11(d)", "651a.11(e)")
def test_a_shuffler_that_fails_is_on_record_as_covered_before_cards_are_shuffled_by_hand(shipped: Shipped) -> None:
    """§ 651a.11(d), (e): also while it shuffles. Until then the prompt never asks for a shuffle by hand."""
    covered = "the automated shuffler is out of order and covered"
    table = opened(with_rules(shipped(GAME), decks=12, shuffler="true"))
    batch = table.machine.data.batch
    table.press("floor-key", "3")
    assert not table.waiting_for.startswith("shuffle")
    assert covered not in notes_of(table)
    table.press("floor-key", "4")
    assert table.waiting_for.startswith("shuffle")
    assert notes_of(table)[-1] == covered
    table.press("enter", "floor-key", "3")
    assert table.waiting_for.startswith("shuffle")
    table.press("enter")
    assert table.machine.data.batch == batch
    table.press("floor-key", "6")
    assert notes_of(table)[-1] == "the automated shuffler is in use"
    table.press("floor-key", "3")
    assert table.waiting_for.startswith("take batch")


@pytest.mark.clause("651a.3(a)", "651a.3(c)")
@pytest.mark.parametrize(
    ("decks", "shuffler", "cards"),
    [(6, "false", 312), (8, "false", 416), (12, "true", 312), (14, "true", 364), (16, "true", 416)],
)
def test_the_shoe_holds_52_cards_of_each_deck_and_no_more(
    shipped: Shipped, decks: int, shuffler: str, cards: int
) -> None:
    """§ 651a.3(a), (c)(1): the cover cards are none, and with a shuffler half of the decks are in the shoe."""
    table = opened(with_rules(shipped(GAME), decks=decks, shuffler=shuffler))
    table.press(*["burn"] * (cards - 3), "no-more-bets", "1", "enter", "king", "burn")
    assert table.machine.data.dealt == cards
    assert "refused" not in {record.outcome for record in table.records()}
    for control in ("burn", "queen"):
        table.press(control)
        assert table.last("refused").control == control
        assert "by the count the shoe is empty" in table.last("refused").waiting_for


@pytest.mark.clause("651a.3(d)")
def test_cards_that_reach_their_age_finish_the_round_and_open_no_other(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "1", "enter")
    table.wait(AGE_S)
    table.press("9", "8", "enter")
    settle(table)
    table.press("clear", "enter")
    assert table.state.value == "shuffle"
    assert "must be changed" in table.waiting_for
    table.press("floor-key", "3", "enter")
    assert table.state.value == "shuffle"
    table.press("floor-key", "2", "enter")
    assert table.state.value == "bets-open"


@pytest.mark.clause("651a.3(d)")
def test_cards_age_while_the_power_is_off(war: Rig) -> None:
    """§ 651a.3(d): 24 hours since they came into use, to the second."""
    table = war
    hour = 3600.0
    table.wait(12 * hour)
    table.power_cut(11.99 * hour)
    assert table.state.value == "bets-open"
    table.wait(0.02 * hour)
    assert table.state.value == "shuffle"
    table.press("enter")
    assert "must be changed" in table.waiting_for


@pytest.mark.clause("651a.3(d)")
@WAYS
def test_cards_that_reach_their_age_before_the_deal_return_the_wagers(war: Rig, leaves: str) -> None:
    reach_age(war, leaves)
    assert war.state.value == "shuffle"
    assert war.last("wagers-returned").reason == "cards-retired"


# -- the shoe's count ----------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.5(e)")
def test_the_table_warns_past_three_quarters_of_the_shoe(war: Rig) -> None:
    """§ 651a.5(e): the cover card lies a quarter from the end, so it was overlooked."""
    table = war
    table.press(*["burn"] * 233)
    assert table.machine.data.dealt == 234  # Of 312: 78 are left.
    assert "no cover card seen" not in table.waiting_for
    table.press("burn")
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


@pytest.mark.clause("651a.3(a)")
def test_seven_decks_are_dealt_by_no_hand_shuffle(shipped: Shipped) -> None:
    """§ 651a.3(a): without the shuffler, a batch of 14 decks is none that may be shuffled by hand."""
    table = opened(with_rules(shipped(GAME), decks=14, shuffler="true"))
    table.press("floor-key", "4", "floor-key", "3", "enter")
    assert table.state.value == "shuffle"
    assert "§ 651a.3(a)" in table.last("refused").waiting_for
    table.press("floor-key", "6", "enter")
    assert table.state.value == "bets-open"


@pytest.mark.clause("651a.8(b)")
def test_a_new_dealer_is_prompted_to_burn_a_card(shipped: Shipped) -> None:
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
    machine.handle(DealerLoggedOn(0, 0, "1002"))
    assert "a new dealer: burn the first card, then press burn" in machine.waiting_for()


@pytest.mark.clause("651a.5(b)")
def test_the_cut_is_offered_as_the_cover_card_appeared(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "2", "6", "enter", "king", "cover-card", "3", "9", "enter", "done", "clear")
    assert "offer the cut to the player at position 6 first" in table.waiting_for
    table.press("enter", "no-more-bets", "king", "3", "cover-card", "9", "enter", "done", "clear")
    assert "offer the cut to the player farthest to your right first" in table.waiting_for
    table.press("enter", "no-more-bets", "9", "king", "9", "enter", "done", "done", "war")
    table.press("cover-card", "king", "2", "enter", "done", "clear")
    assert "offer the cut to the player at position 2 first" in table.waiting_for
    table.press("enter", "floor-key", "3")
    assert "offer the cut to the player farthest to your right first" in table.waiting_for
    table.press("floor-key", "5", "floor-key", "1", "done")
    assert "offer the cut to the first player at the table first" in table.waiting_for


@pytest.mark.clause("651a.4(a)", "651a.4(b)", "651a.4(e)")
def test_the_inspection_of_new_cards_is_on_record(war: Rig) -> None:
    """§ 651a.4(a), (b), (e): or that none was keyed, which preinspected and preshuffled cards do not need."""
    inspected, none = (
        "the dealer inspected the cards and spread them face up",
        "no inspection of these cards was keyed",
    )
    table = war
    assert none in notes_of(table)
    assert inspected not in notes_of(table)
    table.press("floor-key", "2")
    assert "inspect the cards, spread them face up for the first player" in table.waiting_for
    table.press("done")
    assert "offer the cut to the first player at the table first" in table.waiting_for
    table.press("enter")
    assert inspected in notes_of(table)
    assert notes_of(table).count(none) == 1
    table.press("floor-key", "3", "enter")
    assert notes_of(table).count(none) == 1  # The cards are the same, shuffled anew.
