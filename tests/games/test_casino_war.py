"""Casino War as dealer, players and floorperson see it (ch. 651a, and the rulings)."""

from collections.abc import Callable
from itertools import product

from open_tables import opened
from retirement import AGE_S, WAYS, reach_age
from war_table import settle, with_rules

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Light, Note, Result
from controller.events.event import Press, TableStarted
from controller.games.casino_war.rules import RANKS
from controller.statechart.registry import find_game

GAME = "casino-war"
HOUR_S = 3600
ORDER = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
Shipped = Callable[[str], TableConfig]


def deal(table: Rig, seats: str, cards: str) -> None:
    """The positions with a wager, their cards, and the dealer's last."""
    table.press("no-more-bets", *seats, "enter", *cards.split(), "enter")


# -- a round -------------------------------------------------------------------------------------------------------


def test_winners_and_losers_of_the_original_deal(war: Rig) -> None:
    """§ 651a.9(a)(1), (2) and (b)."""
    table = war
    deal(table, "147", "king 2 9 8")
    assert table.lit() == {
        *("initial-1-won", "initial-4-lost", "initial-7-won"),
        *("tie-1-lost", "tie-4-lost", "tie-7-lost"),
    }
    collect, pay = settle(table)
    assert "collect losing initial and tie wagers" in collect
    assert "initial-1 1 to 1, initial-7 1 to 1" in pay
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()


def test_a_tie_is_surrendered_or_goes_to_war(war: Rig) -> None:
    """§ 651a.9(a)(3), (c) to (g): each tied position in turn; a war that is won pays 2 to 1."""
    table = war
    deal(table, "135", "9 ace 9 9")
    assert {"initial-1-tied", "tie-1-won", "initial-3-won", "tie-3-lost", "initial-5-tied"} <= table.lit()
    assert "tie-1 10 to 1" in settle(table)[-1]
    assert "a tie at position 1" in table.waiting_for
    table.press("surrender")
    assert "a tie at position 5" in table.waiting_for
    assert "initial-1-lost" in table.lit()
    table.press("war")
    assert "take half the initial wager at position 1" in table.waiting_for
    assert "burn 3 cards" in table.waiting_for
    table.press("5", "4", "enter")
    assert table.lit() == {"war-5-won", "tie-5-lost"}
    assert "war-5 2 to 1" in settle(table)[-1]
    assert table.state.value == "settled"


def test_a_tied_war_pays_3_to_1_and_the_tie_wager_again(war: Rig) -> None:
    """§ 651a.9(g)(3), § 651a.10(3)."""
    table = war
    deal(table, "2", "9 9")
    settle(table)
    table.press("war", "king", "king", "enter")
    assert table.lit() == {"war-2-tied", "tie-2-won"}
    assert [(win.area, win.pays) for win in table.last("result").wins] == [
        ("war-2", "3 to 1"),
        ("tie-2", "10 to 1"),
    ]


def test_a_lost_war(war: Rig) -> None:
    table = war
    deal(table, "2", "9 9")
    settle(table)
    table.press("war", "2", "king", "enter")
    assert table.lit() == {"war-2-lost", "tie-2-lost"}
    assert settle(table) == ["collect losing war and tie wagers, then press done"]


def test_everybody_surrenders(war: Rig) -> None:
    table = war
    deal(table, "26", "9 9 9")
    settle(table)
    table.press("surrender", "surrender")
    (words,) = settle(table)
    assert "take half the initial wager at positions 2, 6" in words
    assert table.state.value == "settled"


def test_every_pair_of_ranks_lights_what_the_regulation_says(shipped: Shipped) -> None:
    """All 169 original deals and all 169 war deals of one position, § 651a.6 and § 651a.9 read by hand."""
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
        assert lit_by(machine, mine, theirs, "enter") == {
            f"{wager}-3-{how}",
            f"tie-3-{'won' if how == 'tied' else 'lost'}",
        }
    machine.restore(before)


def lit_by(machine: object, *controls: str) -> set[str]:
    decisions = [machine.handle(Press(0, control)) for control in controls]  # type: ignore[attr-defined]
    (lit,) = [set(effect.areas) for effect in decisions[-1].effects if isinstance(effect, Light)]
    return lit


# -- entries -------------------------------------------------------------------------------------------------------


def test_positions_are_keyed_and_taken_back(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "enter")
    assert table.last("refused").control == "enter"
    table.press("5", "2", "5", "7", "8", "ace")
    assert table.machine.data.seats == (2, 7)
    assert table.last("refused").control == "ace"
    table.press("clear", "1", "enter")
    assert table.machine.data.seats == (1,)


def test_without_any_wager_the_wagers_are_opened_again(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "4", "clear", "clear")
    assert table.state.value == "bets-open"
    assert table.machine.round == 1


def test_a_position_that_the_table_does_not_have_is_refused(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), positions=5))
    table.press("no-more-bets", "6", "7", "5")
    assert table.machine.data.seats == (5,)
    assert table.last("refused").control == "7"


def test_a_card_is_taken_back_and_a_surplus_card_refused(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "1", "enter", "king", "clear", "queen", "enter")
    assert table.last("refused").control == "enter"
    assert table.machine.data.seen[RANKS.index("king")] == 0
    table.press("4", "5")
    assert table.machine.data.cards == ("queen", "4")
    assert table.last("refused").control == "5"


def test_more_cards_than_the_shoe_holds_are_refused(war: Rig) -> None:
    """24 aces lie in six decks."""
    table = war
    for _ in range(3):
        table.press("no-more-bets", *"1234567", "enter", *["ace"] * 7, "2", "enter")
        settle(table)
        table.press("clear")
    table.press("no-more-bets", *"1234", "enter", "ace", "ace", "ace", "ace")
    assert table.machine.data.cards == ("ace", "ace", "ace")
    assert table.last("refused").control == "ace"
    table.press("king")
    assert table.machine.data.cards[-1] == "king"


def test_a_position_that_was_dealt_no_card_gets_its_wagers_back(war: Rig) -> None:
    """§ 651a.11(c)."""
    table = war
    table.press("no-more-bets", *"136", "enter", "king", "void", "2", "7", "enter")
    assert table.machine.data.seats == (1, 6)
    assert {"initial-1-won", "initial-6-lost"} <= table.lit()
    assert not [lamp for lamp in table.lit() if "-3-" in lamp]
    notes = [e.text for record in table.records() for e in record.effects if isinstance(e, Note)]
    assert "position 3 was dealt no card: its wagers are void and go back" in notes


def test_a_round_in_which_nobody_was_dealt_a_card(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "4", "enter", "void")
    assert table.state.value == "settled"
    assert table.last("wagers-returned").reason == "no-card"


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
