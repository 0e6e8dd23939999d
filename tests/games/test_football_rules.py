"""Three Dice Football by the rules alone (ch. 577, and the rulings), against readings of the law written here."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from controller.events.effect import Win
from controller.games.three_dice_football.rules import (
    WAGERS,
    Dice,
    Drive,
    Ending,
    Kind,
    PlayResult,
    extra_point_wins,
    game_wins,
    kind_of,
    returns,
    single_play_wins,
    throw,
    touchdown_win,
)
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts

FULL_GAME = [
    "touchdown",
    "defense",
    "extra-point",
    "quick-strike-td",
    "game-changer",
    *(f"game-length-{plays}" for plays in range(1, 7)),
]
SINGLE_PLAY = [
    "trips-td",
    "penalty",
    "turnover",
    "cover-three",
    "no-gain",
    "big-play",
    "over-four-yards",
    "under-four-yards",
]
ROLLS: list[Dice] = list(product(range(1, 7), range(1, 7), range(1, 7)))
PAYOUTS = Payouts(WAGERS, {})
Spot = tuple[int, int, bool, int]
"""Yards, down, goal series, play."""


@cache
def exact() -> dict[str, WagerReturn]:
    return {item.wager: item for item in returns(PAYOUTS)}


def won(wins: tuple[Win, ...]) -> dict[str, str]:
    return {win.area: win.pays for win in wins}


def play(*throws: Dice) -> PlayResult:
    """A game from the 20 yard line; the last throw's play."""
    *before, last = throws
    drive: Drive | None = Drive()
    for dice in before:
        assert drive is not None, "the game has ended"
        drive = throw(drive, dice).drive
    assert drive is not None, "the game has ended"
    return throw(drive, last)


# -- readings of the law, with nothing of the program's ---------------------------------------------------------


def thrown_by_hand(spot: Spot, dice: Dice) -> tuple[str, int, Spot | None, str | None]:
    """§ 577.6(c) and (e): the kind, the yards, the next spot, the ending."""
    yards, down, goal, number = spot
    a, b, red = dice
    if dice in {(n, n, n) for n in (1, 2, 3, 4, 5, 6)}:
        return "trips-td", 0, None, "trips-td"
    if dice in {(1, 1, 6), (1, 2, 6), (2, 1, 6)}:
        return "turnover", 0, None, "turnover"
    if a + b > red:
        kind, moved = "gain", a + b - red
    elif a + b < red:
        kind, moved = "penalty", -1
    else:
        kind, moved = "no-gain", 0
    left = yards - moved
    if left < 1:
        return kind, moved, None, "touchdown"
    if not goal and left < 11:
        return kind, moved, (left, 1, True, number + 1), None
    if down < 3:
        return kind, moved, (left, down + 1, goal, number + 1), None
    return kind, moved, None, "downs"


def single_plays_by_hand(a: int, b: int, red: int) -> dict[str, str]:
    """§ 577.3(d) and § 577.8(b)."""
    if a == b == red:
        return {"trips-td": "30 to 1", "cover-three": "7 to 1", "big-play": "4 to 1", "over-four-yards": "7 to 1"}
    wins: dict[str, str] = {}
    green = a + b
    if green < red:
        wins |= {"penalty": "9 to 1", "cover-three": "7 to 1"}
    if red == 6 and green <= 3:
        wins["turnover"] = "60 to 1"
    if green <= red:
        wins["no-gain"] = "5 to 1"
    if green >= red + 7:
        wins["big-play"] = "4 to 1"
    if green >= red + 5:
        wins["over-four-yards"] = "1 to 1"
    if green <= red + 3:
        wins["under-four-yards"] = "1 to 1"
    return wins


def every_spot() -> set[Spot]:
    """Every place where a game can stand before a throw."""
    found: set[Spot] = set()
    todo: set[Spot] = {(20, 1, False, 1)}
    while todo:
        found |= todo
        nexts = (thrown_by_hand(spot, dice)[2] for spot in todo for dice in ROLLS)
        todo = {spot for spot in nexts if spot is not None} - found
    return found


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
def worth(
    wager: str, yards: int = 20, throws_left: int = 3, series: int = 1, played: int = 0, at_once: bool = True
) -> Fraction:
    """The mean that comes back for a full game wager of 1, from where the game stands (§§ 577.3(b), 577.8(a)).

    Args:
        at_once: a 1st & goal starts at the next throw, and not when the first series is played out.
    """
    if yards <= 0:
        return comes_back(wager, "touchdown", played)
    if series == 1 and yards <= 10 and (at_once or throws_left == 0):
        return worth(wager, yards, 3, 2, played, at_once)
    if throws_left == 0:
        return comes_back(wager, "downs", played)
    mean = Fraction(0)
    for move, chance in MOVES.items():
        if isinstance(move, str):
            mean += chance * comes_back(wager, move, played + 1)
        else:
            mean += chance * worth(wager, yards - move, throws_left - 1, series, played + 1, at_once)
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
    """The mean that comes back for a single play wager of 1."""
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


# -- the layout -------------------------------------------------------------------------------------------------


def test_the_wagers_stand_in_the_order_of_the_layout() -> None:
    assert [wager.area for wager in WAGERS] == FULL_GAME + SINGLE_PLAY
    clauses = {wager.area: wager.clause for wager in WAGERS}
    assert {clauses[area] for area in FULL_GAME} == {"§ 577.8(a)"}
    assert {clauses[area] for area in SINGLE_PLAY} == {"§ 577.8(b)"}


def test_the_least_odds() -> None:
    assert {wager.area: wager.minimum for wager in WAGERS} == {
        "touchdown": (1,),
        "defense": (Fraction(4, 5),),
        "extra-point": (1, 10, 50, 10),
        "quick-strike-td": (8, 5, 3, 1),
        "game-changer": (5,),
        "game-length-1": (22,),
        "game-length-2": (22,),
        "game-length-3": (Fraction(6, 5),),
        "game-length-4": (5,),
        "game-length-5": (3,),
        "game-length-6": (6,),
        "trips-td": (30,),
        "penalty": (9,),
        "turnover": (60,),
        "cover-three": (7,),
        "no-gain": (5,),
        "big-play": (4,),
        "over-four-yards": (1, 7),
        "under-four-yards": (1,),
    }


# -- throws -----------------------------------------------------------------------------------------------------


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


def test_equal_dice_lose_the_down_only() -> None:
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


# -- wagers -----------------------------------------------------------------------------------------------------


def test_single_plays_of_all_216_throws() -> None:
    """§ 577.3(d)."""
    for dice in ROLLS:
        wins = single_play_wins(dice, PAYOUTS)
        assert won(wins) == single_plays_by_hand(*dice), dice
        assert [win.area for win in wins] == [area for area in SINGLE_PLAY if area in won(wins)]


@pytest.mark.parametrize("face", range(1, 7))
def test_a_trips_td_loses_under_four_yards_and_no_gain(face: int) -> None:
    """§ 577.3(d)(8), and the ruling; 1-1-1 would be one yard, 2-2-2 two."""
    assert won(single_play_wins((face, face, face), PAYOUTS)) == {
        "trips-td": "30 to 1",
        "cover-three": "7 to 1",
        "big-play": "4 to 1",
        "over-four-yards": "7 to 1",
    }


@pytest.mark.parametrize("dice", [(1, 4, 1), (3, 6, 5), (4, 6, 6)])
def test_exactly_four_yards_loses_over_and_under(dice: Dice) -> None:
    assert single_play_wins(dice, PAYOUTS) == ()


def test_a_turnover_wins_the_penalty_wager_but_a_penalty_not_the_turnover_wager() -> None:
    """§ 577.3(d)(2), (3)."""
    penalty = {"penalty", "cover-three", "no-gain", "under-four-yards"}
    assert set(won(single_play_wins((1, 2, 6), PAYOUTS))) == penalty | {"turnover"}
    assert set(won(single_play_wins((2, 2, 6), PAYOUTS))) == penalty


@pytest.mark.parametrize(
    ("ending", "plays", "wins"),
    [
        (Ending.TRIPS_TD, 1, {"quick-strike-td": "8 to 1", "game-changer": "5 to 1", "game-length-1": "22 to 1"}),
        (Ending.TURNOVER, 1, {"defense": "4 to 5", "game-changer": "5 to 1", "game-length-1": "22 to 1"}),
        (Ending.TOUCHDOWN, 2, {"quick-strike-td": "5 to 1", "game-length-2": "22 to 1"}),
        (Ending.TOUCHDOWN, 3, {"quick-strike-td": "3 to 1", "game-length-3": "6 to 5"}),
        (Ending.DOWNS, 3, {"defense": "4 to 5", "game-length-3": "6 to 5"}),
        (Ending.TOUCHDOWN, 4, {"quick-strike-td": "1 to 1", "game-length-4": "5 to 1"}),
        (Ending.TOUCHDOWN, 5, {"game-length-5": "3 to 1"}),
        (Ending.TRIPS_TD, 6, {"game-changer": "5 to 1", "game-length-6": "6 to 1"}),
        (Ending.TURNOVER, 6, {"defense": "4 to 5", "game-changer": "5 to 1", "game-length-6": "6 to 1"}),
    ],
)
def test_full_game_wagers_at_the_end_of_the_game(ending: Ending, plays: int, wins: dict[str, str]) -> None:
    """§ 577.3(b), without touchdown and extra point, which wait for the extra point roll (§ 577.6(f)(1))."""
    found = game_wins(ending, plays, PAYOUTS)
    assert won(found) == wins
    assert [win.area for win in found] == list(wins)


def test_the_extra_point_on_all_216_rolls() -> None:
    """§ 577.3(b)(3)."""
    pays = {1: "1 to 1", 2: "10 to 1", 3: "50 to 1"}
    for dice in ROLLS:
        ones = sum(die == 1 for die in dice)
        expected = "10 to 1" if dice in {(n, n, n) for n in (2, 3, 4, 5, 6)} else pays.get(ones)
        assert won(extra_point_wins(dice, PAYOUTS)) == ({} if expected is None else {"extra-point": expected}), dice


def test_the_touchdown_wager_pays_even_money() -> None:
    assert touchdown_win(PAYOUTS) == Win("touchdown", "1 to 1")


def test_the_odds_are_fixed() -> None:
    """§ 577.8 names the odds, and no least ones."""
    payouts = Payouts(WAGERS, {"defense": Fraction(1), "over-four-yards": Fraction(2), "touchdown": Fraction(3, 2)})
    assert won(game_wins(Ending.DOWNS, 3, payouts))["defense"] == "4 to 5"
    assert won(single_play_wins((6, 6, 1), payouts))["over-four-yards"] == "1 to 1"
    assert touchdown_win(payouts).pays == "1 to 1"


# -- exact returns ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wager", FULL_GAME)
def test_a_full_game_wager_returns_what_the_game_tree_says(wager: str) -> None:
    assert exact()[wager].return_to_player == worth(wager)


@pytest.mark.parametrize("wager", SINGLE_PLAY)
def test_a_single_play_wager_returns_what_the_totals_say(wager: str) -> None:
    assert exact()[wager].return_to_player == single_play_worth(wager)


def test_no_wager_returns_more_than_it_takes() -> None:
    assert list(exact()) == FULL_GAME + SINGLE_PLAY
    assert all(Fraction(4, 5) < item.return_to_player < 1 for item in exact().values())


def test_the_touchdown_wager_tells_the_readings_of_the_law_apart() -> None:
    """§ 577.6(e): below 100% if a 1st & goal starts at once; above it if the first series were played out."""
    assert f"{float(exact()['touchdown'].return_to_player):.4%}" == "96.3827%"
    assert worth("touchdown", at_once=False) > 1


def test_the_chances_of_the_game_add_up() -> None:
    chances = {wager: item.probability for wager, item in exact().items()}
    assert sum(MOVES.values()) == 1
    assert chances["touchdown"] + chances["defense"] == 1
    assert sum(chances[f"game-length-{plays}"] for plays in range(1, 7)) == 1
    assert chances["game-length-1"] == Fraction(6 + 3, 216)
    assert chances["extra-point"] == chances["touchdown"] * Fraction(75 + 15 + 1 + 5, 216)
    assert all(item.pays == PAYOUTS.all_odds(wager) for wager, item in exact().items())
