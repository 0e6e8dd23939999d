"""The cards of Casino War: shoe, cut, inspection, shuffler, age, and the count."""

from itertools import takewhile

import pytest
from effects import alerts, effects, notes
from open_tables import Shipped, opened, with_rules
from war_table import asked, deal, parameter, settle

from controller.bench.rig import Rig
from controller.events.event import DealerLoggedOn
from controller.events.table_words import text_of
from controller.machine.game import words_of

GAME, TABLE = "casino-war", "war"


def burned(table: Rig) -> list[dict[str, str | int]]:
    """The notes of burned cards, in order."""
    return [one.parameters for one in effects(table, "note") if one.text in ("card-burned", "cards-to-burn")]


# -- the shoe ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.5(a)", "651a.5(g)", "651a.8(d)")
@pytest.mark.parametrize("comes", ["before the deal", "in the deal", "in the war"])
def test_after_the_cover_card_the_round_is_played_to_its_end_and_no_other_opens(table: Rig, comes: str) -> None:
    """§ 651a.5(a), (g), § 651a.8(d): whenever it comes, and whichever key ends the round."""
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
    table.press("no-more-bets")
    table.floor()
    table.press("no-more-bets", "done")
    assert (table.state.value, table.machine.round) == ("shuffle", 0)
    assert asked(table).code == "war-shuffle"
    assert "burn the first one" in table.waiting_for
    table.press("enter")
    assert table.state.value == "bets-open"
    assert notes(table)[-1] == "shoe-ready"


@pytest.mark.clause("651a.8(b)", "651a.9(f)", "651a.11(a)")
def test_burned_cards_are_on_record_by_their_place_in_the_shoe(table: Rig) -> None:
    """§ 651a.8(b), § 651a.9(f), § 651a.11(a): also one that is found face up while the cards are dealt."""
    table.press("burn", "no-more-bets", "1", "enter", "9", "burn", "9", "enter", "done", "done", "war", "burn")
    assert burned(table) == [{"card": 2}, {"card": 4}, {"first": 6, "last": 8}, {"card": 9}]
    table.press("king", "2", "enter")
    assert table.machine.data.dealt == 11
    assert table.lit() == {"war-1-won", "tie-1-lost"}


@pytest.mark.clause("651a.3(c)")
def test_two_batches_alternate_with_a_shuffler(shipped: Shipped) -> None:
    """§ 651a.3(c)(4): the one that was in play is never in the next shoe."""
    table = opened(with_rules(shipped(GAME), decks=12, shuffler="true"))
    first = table.machine.data.batch
    for batch in (1 - first, first, 1 - first):
        table.floor("reshuffle")
        assert (asked(table).code, parameter(table, "batch")) == ("war-shuffle", batch + 1)
        table.press("enter")
        assert table.machine.data.batch == batch
        assert (table.last("note").text, table.last("note").parameters) == ("batch-ready", {"batch": batch + 1})


@pytest.mark.clause("651a.4(d)")
def test_each_batch_is_spread_by_itself(shipped: Shipped, table: Rig) -> None:
    """§ 651a.4(d): with a shuffler there are two."""
    two = opened(with_rules(shipped(GAME), decks=12, shuffler="true"))
    for rig, batches in ((two, True), (table, False)):
        rig.floor("renew")
        assert asked(rig).code == "war-inspect"
        assert ("each batch separately" in rig.waiting_for) is batches


@pytest.mark.clause("651a.11(d)", "651a.11(e)")
def test_a_shuffler_that_fails_is_on_record_as_covered_before_cards_are_shuffled_by_hand(shipped: Shipped) -> None:
    """§ 651a.11(d), (e): also while it shuffles. Until then the prompt never asks for a shuffle by hand."""
    table = opened(with_rules(shipped(GAME), decks=12, shuffler="true"))
    batch = table.machine.data.batch
    by_hand = "Shuffle the cards"
    table.floor("reshuffle")
    assert parameter(table, "batch")
    assert by_hand not in table.waiting_for
    table.floor("shuffler-out")
    assert table.last("alert").text == "done-shuffler-out"
    assert "out of order and covered" in text_of(table.last("alert"), words_of(table.game))
    assert by_hand in table.waiting_for
    assert (asked(table).code, parameter(table, "batch")) == ("war-shuffle", 0)
    table.press("enter")
    table.floor("reshuffle")
    assert not parameter(table, "batch")
    table.press("enter")
    assert table.machine.data.batch == batch
    table.floor("shuffler-in")
    assert alerts(table)[-1] == "done-shuffler-in"
    table.floor("reshuffle")
    assert parameter(table, "batch")


@pytest.mark.clause("651a.3(a)")
def test_seven_decks_are_dealt_by_no_hand_shuffle(shipped: Shipped) -> None:
    """§ 651a.3(a): without the shuffler, a batch of 14 decks is none that may be shuffled by hand."""
    table = opened(with_rules(shipped(GAME), decks=14, shuffler="true"))
    table.floor("shuffler-out")
    table.floor("reshuffle")
    table.press("enter")
    assert table.state.value == "shuffle"
    assert table.last("refused").waiting_for == "war-no-hand-shuffle"
    table.press("floor-key", "burn", "clear")
    assert "7 decks" in text_of(table.last("refused"), words_of(table.game)), "and why it was refused"
    table.floor("shuffler-in")
    table.press("enter")
    assert table.state.value == "bets-open"


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
        assert (table.last("refused").control, table.last("refused").why) == (control, "shoe-empty")


# -- the shoe's count ----------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.5(e)")
def test_the_table_warns_past_three_quarters_of_the_shoe(table: Rig) -> None:
    """§ 651a.5(e): the cover card lies a quarter from the end, so it was overlooked."""
    table.press(*["burn"] * 233)
    assert table.machine.data.dealt == 234  # Of 312: 78 are left.
    assert "left" not in asked(table).parameters
    table.press("burn")
    assert (table.last("alert").text, table.last("alert").parameters) == (
        "cover-overlooked",
        {"left": 77, "of": 312},
    )
    assert parameter(table, "left") == 77
    table.press("cover-card")
    assert "left" not in asked(table).parameters


def test_the_count_orders_a_shuffle_before_the_shoe_is_empty(table: Rig) -> None:
    table.press(*["burn"] * 294)
    deal(table, "1", "king 9")
    settle(table)
    table.press("clear")
    assert table.state.value == "shuffle"


@pytest.mark.clause("651a.8(b)")
def test_a_new_dealer_is_prompted_to_burn_a_card(table: Rig) -> None:
    def logs_on(number: str) -> bool:
        table.table.take([DealerLoggedOn(table.clock.now_ns(), 0, number)])
        return bool(parameter(table, "burn"))

    assert not parameter(table, "burn")
    assert logs_on("1001")
    table.press("burn")
    assert not parameter(table, "burn")
    assert [logs_on(number) for number in ("", "1001", "1002")] == [False, False, True]


@pytest.mark.clause("651a.5(b)")
def test_the_cut_is_offered_as_the_cover_card_appeared(table: Rig) -> None:
    table.press("no-more-bets", "2", "6", "enter", "king", "cover-card", "3", "9", "enter", "done", "clear")
    assert parameter(table, "cut") == "6"
    assert "Offer the cut to the player at position 6." in table.waiting_for
    table.press("enter", "no-more-bets", "king", "3", "cover-card", "9", "enter", "done", "clear")
    assert parameter(table, "cut") == "rightmost"
    assert "Offer the cut to the player farthest to your right." in table.waiting_for
    table.press("enter", "no-more-bets", "9", "king", "9", "enter", "done", "done", "war")
    table.press("cover-card", "king", "2", "enter", "done", "clear")
    assert parameter(table, "cut") == "2"
    table.press("enter")
    table.floor("reshuffle")
    assert parameter(table, "cut") == "rightmost"
    table.floor("close")
    table.floor()
    table.press("done")
    assert parameter(table, "cut") == "first-player"
    assert "Offer the cut to the first player." in table.waiting_for


@pytest.mark.clause("651a.4(a)", "651a.4(b)", "651a.4(e)")
def test_new_cards_are_on_record_as_inspected_before_they_are_used(table: Rig) -> None:
    """§ 651a.4(a), (b), (e): here, or before they came to the table; a shuffle of the same cards needs neither."""

    def inspected(*keys: str) -> list[str]:
        before = len(notes(table))
        table.press(*keys)
        return list(takewhile(lambda code: code != "shoe-ready", notes(table)[before:]))

    assert "cards-preinspected" in notes(table)
    table.floor("renew")
    assert "Inspect the cards. Spread them face up for the first player" in table.waiting_for
    assert inspected("done", "enter") == ["cards-inspected"]
    table.floor("renew")
    assert inspected("enter") == ["cards-preinspected"]
    table.floor("reshuffle")
    assert inspected("enter") == []
