"""Three Dice Football by the rules alone (ch. 577): each throw, each wager, and its exact return."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from football_regulation import FULL_GAME, PAYTABLE, SINGLE_PLAY, Spot, single_plays_by_hand, thrown_by_hand

from controller.events.effect import Win
from controller.games.three_dice_football.rules import (
    WAGERS,
    Dice,
    Drive,
    Ending,
    extra_point_wins,
    game_wins,
    kind_of,
    returns,
    single_play_wins,
    throw,
    touchdown_win,
)
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, to_one

ROLLS: list[Dice] = list(product(range(1, 7), range(1, 7), range(1, 7)))
PAYOUTS = Payouts(WAGERS, {})


@cache
def exact() -> dict[str, WagerReturn]:
    return {item.wager: item for item in returns(PAYOUTS)}


def won(wins: tuple[Win, ...]) -> dict[str, str]:
    return {win.area: win.pays for win in wins}


def moves() -> dict[str | int, Fraction]:
    """The chance of a Trips TD, of a turnover and of each number of yards, counted over the green dice's totals."""
    chances: dict[str | int, Fraction] = {}
    for total, red in product(range(2, 13), range(1, 7)):
        ways = 6 - abs(7 - total)
        what: str | int = max(total - red, -1)
        if total == 2 * red:
            chances["trips-td"] = chances.get("trips-td", Fraction(0)) + Fraction(1, 216)
            ways -= 1
        if red == 6 and total < 4:
            what = "turnover"
        chances[what] = chances.get(what, Fraction(0)) + Fraction(ways, 216)
    return chances


MOVES = moves()


@cache
def worth(wager: str, yards: int = 20, throws_left: int = 3, series: int = 1, played: int = 0) -> Fraction:
    """The mean return of a full game wager of 1, from a position of the game (§§ 577.3(b), 577.6(e), 577.8(a))."""
    if yards <= 0:
        return comes_back(wager, "touchdown", played)
    if series == 1 and yards <= 10:
        return worth(wager, yards, 3, 2, played)
    if throws_left == 0:
        return comes_back(wager, "downs", played)
    mean = Fraction(0)
    for move, chance in MOVES.items():
        if isinstance(move, str):
            mean += chance * comes_back(wager, move, played + 1)
        else:
            mean += chance * worth(wager, yards - move, throws_left - 1, series, played + 1)
    return mean


def comes_back(wager: str, how: str, plays: int) -> Fraction:
    scored = how in ("touchdown", "trips-td")
    back = {
        "touchdown": Fraction(2 if scored else 0),
        "defense": Fraction(0) if scored else Fraction(9, 5),
        # 75 rolls show one 1, 15 show two, 1 shows three; 5 are another triple
        "extra-point": Fraction(75 * 2 + 15 * 11 + 1 * 51 + 5 * 11, 216) * scored,
        "quick-strike-td": Fraction((9, 6, 4, 2, 0, 0)[plays - 1] * scored),
        "game-changer": Fraction(6 if how in ("trips-td", "turnover") else 0),
    }
    for length, odds in enumerate(("22", "22", "6/5", "5", "3", "6"), start=1):
        back[f"game-length-{length}"] = (1 + Fraction(odds)) * (plays == length)
    return back[wager]


def single_play_worth(wager: str) -> Fraction:
    """The mean return of a single play wager of 1."""
    trips, turnover = MOVES["trips-td"], MOVES["turnover"]
    yards = {yards: chance for yards, chance in MOVES.items() if isinstance(yards, int)}
    over = sum(yards[n] for n in range(5, 12))
    return {
        "trips-td": 31 * trips,
        "penalty": 10 * (yards[-1] + turnover),
        "turnover": 61 * turnover,
        "cover-three": 8 * (trips + yards[-1] + turnover),
        "no-gain": 6 * (yards[0] + yards[-1] + turnover),
        "big-play": 5 * (sum(yards[n] for n in range(7, 12)) + trips),
        "over-four-yards": 2 * over + 8 * trips,
        "under-four-yards": 2 * (sum(yards[n] for n in range(-1, 4)) + turnover),
    }[wager]


# -- wagers -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.3(d)", "577.8(b)")
def test_single_plays_of_all_216_throws() -> None:
    for dice in ROLLS:
        wins = single_play_wins(dice, PAYOUTS)
        assert won(wins) == single_plays_by_hand(*dice), dice
        assert [win.area for win in wins] == [area for area in SINGLE_PLAY if area in won(wins)]


@pytest.mark.clause("577.3(b)(3)")
def test_the_extra_point_on_all_216_rolls() -> None:
    pays = {1: "1 to 1", 2: "10 to 1", 3: "50 to 1"}
    for dice in ROLLS:
        ones = sum(die == 1 for die in dice)
        expected = "10 to 1" if dice in {(n, n, n) for n in (2, 3, 4, 5, 6)} else pays.get(ones)
        assert won(extra_point_wins(dice, PAYOUTS)) == ({} if expected is None else {"extra-point": expected}), dice


@pytest.mark.clause("577.8(a)")
def test_the_odds_are_fixed() -> None:
    """§ 577.8 names the odds, and no least ones."""
    payouts = Payouts(WAGERS, {"defense": Fraction(1), "over-four-yards": Fraction(2), "touchdown": Fraction(3, 2)})
    assert won(game_wins(Ending.DOWNS, 3, payouts))["defense"] == "4 to 5"
    assert won(single_play_wins((6, 6, 1), payouts))["over-four-yards"] == "1 to 1"
    assert touchdown_win(payouts).pays == "1 to 1"


# -- exact returns ----------------------------------------------------------------------------------------------


@pytest.mark.clause("577.3(b)(4)", "577.3(b)(5)")
@pytest.mark.parametrize("wager", FULL_GAME)
def test_a_full_game_wager_returns_what_the_game_tree_says(wager: str) -> None:
    assert exact()[wager].return_to_player == worth(wager)


@pytest.mark.parametrize("wager", SINGLE_PLAY)
def test_a_single_play_wager_returns_what_the_totals_say(wager: str) -> None:
    assert exact()[wager].return_to_player == single_play_worth(wager)


# -- throws --------------------------------------------------------------------------------------------------------


ROLLS: list[Dice] = list(product(range(1, 7), range(1, 7), range(1, 7)))


def every_spot() -> set[Spot]:
    """Every position of a game before a throw."""
    found: set[Spot] = set()
    todo: set[Spot] = {(20, 1, False, 1)}
    while todo:
        found |= todo
        nexts = (thrown_by_hand(spot, dice)[2] for spot in todo for dice in ROLLS)
        todo = {spot for spot in nexts if spot is not None} - found
    return found


# -- the layout -------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.6(g)", "577.8(a)", "577.8(b)")
def test_the_odds_are_those_of_the_paytable() -> None:
    assert {wager.area: (wager.clause, tuple(map(to_one, wager.minimum))) for wager in WAGERS} == PAYTABLE


# -- throws -----------------------------------------------------------------------------------------------------


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
