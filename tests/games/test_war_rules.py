"""Casino War by the rules alone (ch. 651a), against enumerations written here."""

from fractions import Fraction
from itertools import product

import pytest

from controller.games.casino_war.rules import (
    RANKS,
    WAGERS,
    HandOutcome,
    compare,
    holds,
    odds_of,
    returns,
    tie_chance,
    war_tie_chance,
)
from controller.odds.wagers import Payouts

PAYOUTS = Payouts(WAGERS, {})
ORDER = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
"""§ 651a.6, from the lowest."""


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


@pytest.mark.clause("651a.6")
def test_ranks_are_compared_and_suits_are_not() -> None:
    for card, dealer in product(ORDER, repeat=2):
        place, other = ORDER.index(card), ORDER.index(dealer)
        expected = HandOutcome.TIED if place == other else HandOutcome.WON if place > other else HandOutcome.LOST
        assert compare(card, dealer) is expected
    assert list(RANKS) == ORDER


def test_a_rank_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no rank '1'"):
        compare("1", "ace")


@pytest.mark.clause("651a.9(a)", "651a.9(g)", "651a.10")
def test_what_is_paid() -> None:
    paid = {
        (kind, outcome): odds_of(kind, outcome, PAYOUTS)
        for kind in ("initial", "tie", "war")
        for outcome in HandOutcome
    }
    assert {key: odds for key, odds in paid.items() if odds is not None} == {
        ("initial", HandOutcome.WON): 1,
        ("tie", HandOutcome.TIED): 10,
        ("war", HandOutcome.WON): 2,
        ("war", HandOutcome.TIED): 3,
    }


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


def test_the_chances_equal_an_enumeration_of_all_draws(
    enumerated: tuple[int, list[tuple[Fraction, tuple[int, int, int, int]]]],
) -> None:
    decks, chances = enumerated
    tied = sum(chance for chance, (a, b, _, _) in chances if a == b)
    tied_twice = sum(chance for chance, (a, b, c, d) in chances if a == b and c == d)
    assert tie_chance(decks) == tied
    assert war_tie_chance(decks) == tied_twice / tied


def test_going_to_war_is_better_than_surrender() -> None:
    found = {item.wager: float(item.house_advantage) for item in returns(PAYOUTS, 6)}
    assert found["initial-going-to-war"] < found["initial-surrendering"] < found["tie"]
    assert found["initial-surrendering"] == pytest.approx(0.03698, abs=1e-5)


def test_a_shoe_holds_four_of_each_rank_a_deck() -> None:
    seen = [0] * 12 + [23]
    assert holds("ace", seen, 6)
    seen[12] = 24
    assert not holds("ace", seen, 6)
    assert holds("king", seen, 6)
