"""Casino War by the rules alone (ch. 651a), against enumerations written here."""

from fractions import Fraction
from itertools import product

import pytest

from controller.games.casino_war.rules import (
    WAGERS,
    returns,
)
from controller.odds.wagers import Payouts

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
