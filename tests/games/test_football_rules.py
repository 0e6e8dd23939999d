"""Three Dice Football by the rules alone (ch.

577, and the rulings), against the text of the regulation, written again here.
"""

from itertools import product

import pytest
from football_regulation import FULL_GAME, PAYTABLE, SINGLE_PLAY, Spot, play, thrown_by_hand

from controller.games.three_dice_football.rules import (
    WAGERS,
    Dice,
    Drive,
    Ending,
    Kind,
    PlayResult,
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


def test_the_wagers_are_in_the_order_of_the_layout() -> None:
    assert [wager.area for wager in WAGERS] == FULL_GAME + SINGLE_PLAY
    clauses = {wager.area: wager.clause for wager in WAGERS}
    assert {clauses[area] for area in FULL_GAME} == {"§ 577.8(a)"}
    assert {clauses[area] for area in SINGLE_PLAY} == {"§ 577.8(b)"}


def test_the_odds_are_those_of_the_paytable() -> None:
    """§ 577.8."""
    assert {wager.area: (wager.clause, tuple(map(to_one, wager.minimum))) for wager in WAGERS} == PAYTABLE


# -- throws --------------------------------------------------------------------------------------------------------


def test_all_216_throws_from_everywhere_on_the_field() -> None:
    """§ 577.6(c), (e)."""
    spots = every_spot()
    assert {(20, 1, False, 1), (22, 3, False, 3), (11, 3, False, 3), (1, 3, True, 6), (12, 3, True, 6)} < spots
    for spot, dice in product(spots, ROLLS):
        found = throw(Drive(*spot), dice)
        kind, yards, following, ending = thrown_by_hand(spot, dice)
        assert (found.kind.value, found.yards) == (kind, yards), (spot, dice)
        assert found.drive == (None if following is None else Drive(*following)), (spot, dice)
        assert (None if found.ending is None else found.ending.value) == ending, (spot, dice)


def test_the_kinds_of_all_216_throws() -> None:
    counts = {kind: sum(kind_of(dice) is kind for dice in ROLLS) for kind in Kind}
    assert counts == {Kind.GAIN: 175, Kind.NO_GAIN: 15, Kind.PENALTY: 17, Kind.TURNOVER: 3, Kind.TRIPS_TD: 6}


def test_a_gain_moves_the_marker_by_the_dice() -> None:
    """§ 577.6(c)(1): greens of 10 and a red 2 are eight yards."""
    assert play((4, 6, 2)) == PlayResult(Kind.GAIN, 8, Drive(12, 2, False, 2), None)


def test_equal_dice_cost_only_the_down() -> None:
    """§ 577.6(c)(3)."""
    assert play((1, 4, 5)) == PlayResult(Kind.NO_GAIN, 0, Drive(20, 2, False, 2), None)


def test_penalties_push_the_marker_behind_the_20() -> None:
    """§ 577.6(c)(2): one yard each, whatever the difference; the field is labelled to 23 (§ 577.2(b)(4))."""
    assert play((1, 1, 3)) == PlayResult(Kind.PENALTY, -1, Drive(21, 2, False, 2), None)
    assert play((1, 1, 3), (1, 3, 6)) == PlayResult(Kind.PENALTY, -1, Drive(22, 3, False, 3), None)
    assert play((1, 1, 3), (1, 3, 6), (1, 2, 5)) == PlayResult(Kind.PENALTY, -1, None, Ending.DOWNS)
    assert max(yards for yards, *_ in every_spot()) == 22


@pytest.mark.parametrize("dice", [(1, 1, 6), (1, 2, 6), (2, 1, 6)])
def test_a_turnover_ends_the_game_at_once(dice: Dice) -> None:
    """§ 577.6(c)(4)."""
    assert play(dice) == PlayResult(Kind.TURNOVER, 0, None, Ending.TURNOVER)
    assert play((6, 6, 2), dice) == PlayResult(Kind.TURNOVER, 0, None, Ending.TURNOVER)


@pytest.mark.parametrize("dice", [(1, 1, 5), (1, 2, 5), (2, 2, 6), (3, 1, 6)])
def test_other_losing_throws_are_penalties(dice: Dice) -> None:
    assert kind_of(dice) is Kind.PENALTY


@pytest.mark.parametrize("face", range(1, 7))
def test_a_triple_is_a_trips_td_whatever_its_yards(face: int) -> None:
    """§ 577.6(c)(5)."""
    assert play((face, face, face)) == PlayResult(Kind.TRIPS_TD, 0, None, Ending.TRIPS_TD)
    assert play((1, 1, 3), (1, 1, 3), (face, face, face)).ending is Ending.TRIPS_TD


def test_the_10_yard_line_earns_a_first_and_goal_at_the_next_throw() -> None:
    """§ 577.6(e), by the ruling: the downs that are left of the first series are lost."""
    assert play((6, 6, 3)).drive == Drive(11, 2, False, 2)
    assert play((6, 6, 2)).drive == Drive(10, 1, True, 2)
    assert play((1, 4, 5), (6, 6, 1)).drive == Drive(9, 1, True, 3)
    assert play((1, 4, 5), (1, 4, 5), (6, 6, 2)).drive == Drive(10, 1, True, 4)


def test_three_downs_short_of_the_10_yard_line_end_the_game() -> None:
    """§ 577.6(e)(1)."""
    assert play((1, 4, 5), (1, 4, 5), (6, 6, 3)) == PlayResult(Kind.GAIN, 9, None, Ending.DOWNS)


def test_a_penalty_behind_the_10_yard_line_leaves_the_goal_series() -> None:
    assert play((6, 6, 2), (1, 1, 3)).drive == Drive(11, 2, True, 3)
    assert play((6, 6, 2), (1, 1, 3), (1, 2, 4)).drive == Drive(12, 3, True, 4)
    assert play((6, 6, 2), (1, 1, 3), (5, 2, 1)).drive == Drive(5, 3, True, 4)


def test_reaching_or_passing_the_end_zone_is_a_touchdown() -> None:
    """§ 577.1, by the ruling: no yards left is enough."""
    assert play((6, 6, 2), (6, 6, 2)) == PlayResult(Kind.GAIN, 10, None, Ending.TOUCHDOWN)
    assert play((6, 6, 2), (6, 6, 1)) == PlayResult(Kind.GAIN, 11, None, Ending.TOUCHDOWN)
    assert play((6, 6, 2), (6, 6, 3)).drive == Drive(1, 2, True, 3)
    assert play((6, 6, 3), (6, 6, 1)).ending is Ending.TOUCHDOWN


def test_the_longest_game_has_six_plays() -> None:
    """§ 577.2(b)(6)."""
    slow: list[Dice] = [(1, 4, 5), (1, 4, 5), (6, 6, 2), (1, 4, 5), (1, 4, 5)]
    assert play(*slow).drive == Drive(10, 3, True, 6)
    assert play(*slow, (1, 4, 5)) == PlayResult(Kind.NO_GAIN, 0, None, Ending.DOWNS)
    assert play(*slow, (6, 6, 2)).ending is Ending.TOUCHDOWN
    assert {number for *_, number in every_spot()} == {1, 2, 3, 4, 5, 6}


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
