"""Three Dice Football by the rules alone (ch.

577, and the rulings), against the text of the regulation, written again here.
"""

from itertools import product

import pytest
from football_regulation import PAYTABLE, Spot, thrown_by_hand

from controller.games.three_dice_football.rules import (
    WAGERS,
    Dice,
    Drive,
    extra_point_wins,
    kind_of,
    single_play_wins,
    throw,
)
from controller.odds.wagers import Payouts, to_one

ROLLS: list[Dice] = list(product(range(1, 7), range(1, 7), range(1, 7)))
PAYOUTS = Payouts(WAGERS, {})


def every_spot() -> set[Spot]:
    """Every position of a game before a throw."""
    found: set[Spot] = set()
    todo: set[Spot] = {(20, 1, False, 1)}
    while todo:
        found |= todo
        nexts = (thrown_by_hand(spot, dice)[2] for spot in todo for dice in ROLLS)
        todo = {spot for spot in nexts if spot is not None} - found
    return found


# -- the layout ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.6(g)", "577.8(a)", "577.8(b)")
def test_the_odds_are_those_of_the_paytable() -> None:
    assert {wager.area: (wager.clause, tuple(map(to_one, wager.minimum))) for wager in WAGERS} == PAYTABLE


# -- throws --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.1", "577.6(c)", "577.6(c)(4)", "577.6(e)")
def test_all_216_throws_from_everywhere_on_the_field() -> None:
    spots = every_spot()
    assert {(20, 1, False, 1), (22, 3, False, 3), (11, 3, False, 3), (1, 3, True, 6), (12, 3, True, 6)} < spots
    for spot, dice in product(spots, ROLLS):
        found = throw(Drive(*spot), dice)
        kind, yards, following, ending = thrown_by_hand(spot, dice)
        assert (found.kind.value, found.yards) == (kind, yards), (spot, dice)
        assert found.drive == (None if following is None else Drive(*following)), (spot, dice)
        assert (None if found.ending is None else found.ending.value) == ending, (spot, dice)


@pytest.mark.parametrize(
    "dice", [(0, 3, 4), (7, 3, 4), (3, 0, 4), (3, 7, 4), (3, 4, 0), (3, 4, 7), (3, 4, -1), (7, 7, 7)]
)
def test_dice_that_do_not_exist_are_refused(dice: Dice) -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        throw(Drive(), dice)
    with pytest.raises(ValueError, match="1 to 6"):
        kind_of(dice)
    with pytest.raises(ValueError, match="1 to 6"):
        single_play_wins(dice, PAYOUTS)
    with pytest.raises(ValueError, match="1 to 6"):
        extra_point_wins(dice, PAYOUTS)
