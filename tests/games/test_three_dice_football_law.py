"""The law of Three Dice Football (ch. 577): throws, wagers, returns, and whole games on the field, by hand."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from football_regulation import (
    FULL_GAME,
    LAMPS,
    PAYTABLE,
    SINGLE_PLAY,
    Spot,
    field_by_hand,
    games_by_hand,
    single_plays_by_hand,
    thrown_by_hand,
)
from football_table import machine_with_open_wagers, play, settle, steps
from open_tables import Shipped

from controller.bench.rig import Rig
from controller.events.effect import Light, Result, Win
from controller.events.event import Press
from controller.games.three_dice_football.play import lost_before
from controller.games.three_dice_football.rules import (
    WAGERS,
    Dice,
    Drive,
    Ending,
    extra_point_wins,
    game_wins,
    returns,
    single_play_wins,
    throw,
    touchdown_win,
)
from controller.machine.registry import find_game
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, to_one
from controller.viewmodel.description import describe

ROLLS: list[Dice] = list(product(range(1, 7), range(1, 7), range(1, 7)))
PAYOUTS = Payouts(WAGERS, {})
START: Spot = (20, 1, False, 1)


def to_fraction(pays: str) -> Fraction:
    won, staked = pays.split(" to ")
    return Fraction(won) / Fraction(staked)


def extra_point_by_hand(dice: Dice) -> dict[str, str]:
    """§ 577.3(b)(3)."""
    if dice in {(n, n, n) for n in (2, 3, 4, 5, 6)}:
        return {"extra-point": "10 to 1"}
    ones = dice.count(1)
    return {"extra-point": ("1 to 1", "10 to 1", "50 to 1")[ones - 1]} if ones else {}


def mean_return(wager: str, won_on: Callable[[Dice], dict[str, str]]) -> Fraction:
    """Of a wager of 1 that is decided by one throw."""
    back = (1 + to_fraction(won[wager]) for won in map(won_on, ROLLS) if wager in won)
    return sum(back, Fraction(0)) / len(ROLLS)


@cache
def worth(wager: str, spot: Spot) -> Fraction:
    """The mean return of a full game wager of 1, from a position of the game."""
    back = Fraction(0)
    for dice in ROLLS:
        _, _, following, ending = thrown_by_hand(spot, dice)
        back += worth(wager, following) if following is not None else comes_back(wager, str(ending), spot[3])
    return back / len(ROLLS)


def comes_back(wager: str, ending: str, plays: int) -> Fraction:
    won = games_by_hand(ending, plays)
    if ending in ("touchdown", "trips-td"):
        if wager == "extra-point":
            return mean_return(wager, extra_point_by_hand)
        won |= {"touchdown": "1 to 1"}
    return 1 + to_fraction(won[wager]) if wager in won else Fraction(0)


@cache
def exact() -> dict[str, WagerReturn]:
    return {item.wager: item for item in returns(PAYOUTS)}


def won(wins: tuple[Win, ...]) -> dict[str, str]:
    return {win.area: win.pays for win in wins}


@pytest.mark.clause("577.3(d)", "577.8(b)")
def test_single_plays_of_all_216_throws() -> None:
    for dice in ROLLS:
        wins = single_play_wins(dice, PAYOUTS)
        assert won(wins) == single_plays_by_hand(*dice), dice
        assert [win.area for win in wins] == [area for area in SINGLE_PLAY if area in won(wins)]


@pytest.mark.clause("577.3(b)(3)")
def test_the_extra_point_on_all_216_rolls() -> None:
    for dice in ROLLS:
        assert won(extra_point_wins(dice, PAYOUTS)) == extra_point_by_hand(dice), dice


@pytest.mark.clause("577.3(b)(4)", "577.3(b)(5)")
def test_every_wager_returns_what_the_throws_say() -> None:
    for wager in FULL_GAME:
        assert exact()[wager].return_to_player == worth(wager, START), wager
    for wager in SINGLE_PLAY:
        by_hand = mean_return(wager, lambda dice: single_plays_by_hand(*dice))
        assert exact()[wager].return_to_player == by_hand, wager


@pytest.mark.clause("577.8(a)")
def test_the_odds_are_fixed() -> None:
    """§ 577.8 names the odds, and no least ones."""
    payouts = Payouts(WAGERS, {"defense": Fraction(1), "over-four-yards": Fraction(2), "touchdown": Fraction(3, 2)})
    assert won(game_wins(Ending.DOWNS, 3, payouts))["defense"] == "4 to 5"
    assert won(single_play_wins((6, 6, 1), payouts))["over-four-yards"] == "1 to 1"
    assert touchdown_win(payouts).pays == "1 to 1"


def every_spot() -> set[Spot]:
    """Every position of a game before a throw."""
    found: set[Spot] = set()
    todo: set[Spot] = {(20, 1, False, 1)}
    while todo:
        found |= todo
        nexts = (thrown_by_hand(spot, dice)[2] for spot in todo for dice in ROLLS)
        todo = {spot for spot in nexts if spot is not None} - found
    return found


@pytest.mark.clause("577.3(b)(4)", "577.3(b)(5)")
def test_a_wager_has_lost_when_no_throws_win_it() -> None:
    """For example game length 5 at the first down of the goal series on the second play."""
    for spot in every_spot():
        lost = {wager for wager in FULL_GAME if worth(wager, spot) == 0}
        assert set(lost_before(Drive(*spot))) == lost, spot


@pytest.mark.clause("577.6(g)", "577.8(a)", "577.8(b)")
def test_the_odds_are_those_of_the_paytable() -> None:
    assert {wager.area: (wager.clause, tuple(map(to_one, wager.minimum))) for wager in WAGERS} == PAYTABLE


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


GAME, TABLE = "three-dice-football", "football"
ANNOUNCED = {
    "trips-td": "Trips TD",
    "touchdown": "touchdown",
    "turnover": "turnover, the game is over",
    "downs": "out of downs, the game is over",
}


@pytest.mark.clause("577.2(b)(2)", "577.2(b)(4)", "577.2(b)(5)", "577.2(b)(6)")
def test_the_layout_has_what_the_regulation_names() -> None:
    """§ 577.2(b)(2), (4) to (6): every area, place and puck is demanded of a table's panel."""
    assert sorted(find_game(GAME).lamps({})) == sorted(LAMPS)


@pytest.mark.clause("577.2(b)(3)")
def test_the_board_has_the_odds_of_every_wager(table: Rig) -> None:
    shown = {area["area"]: area["pays"] for area in describe(table.config)["areas"]}
    assert shown == {area: " or ".join(", ".join(pays).rsplit(", ", 1)) for area, (_, pays) in PAYTABLE.items()}


def a_game(chance: random.Random) -> Iterator[tuple[Spot, tuple[int, int, int]]]:
    """Throws from the 20 yard line until the game ends, each with the spot before it."""
    spot: Spot | None = START
    while spot is not None:
        # Slow games, too: two throws in three gain little.
        faces = (1, 2, 3) if chance.random() < 0.66 else (1, 2, 3, 4, 5, 6)
        dice = (chance.choice(faces), chance.choice(faces), chance.randint(1, 6))
        yield spot, dice
        spot = thrown_by_hand(spot, dice)[2]


def lit_by_hand(spot: Spot, dice: tuple[int, int, int]) -> set[str]:
    """The lamps after a throw."""
    _, moved, following, ending = thrown_by_hand(spot, dice)
    singles = set(single_plays_by_hand(*dice))
    if following is not None:
        return singles | field_by_hand(following)
    assert ending is not None
    lit = singles | set(games_by_hand(ending, spot[3])) | {f"play-{spot[3]}"}
    if ending == "downs":
        return lit | {f"yard-{spot[0] - moved}"}
    return lit | ({"end-zone"} if ending != "turnover" else set())


@pytest.mark.clause("577.2(b)(4)", "577.2(b)(5)", "577.2(b)(6)", "577.3(b)(1)", "577.3(b)(2)", "577.3(b)(4)")
@pytest.mark.clause("577.3(b)(5)", "577.3(b)(6)", "577.3(d)", "577.6(a)", "577.6(c)", "577.6(c)(4)", "577.6(d)")
@pytest.mark.clause("577.6(e)", "577.6(g)")
def test_any_game_is_lit_announced_and_paid_by_the_regulation(shipped: Shipped) -> None:
    """§§ 577.6(c) to (g): pucks and marker move with every throw, to the last; the dice decide what is paid."""
    machine = machine_with_open_wagers(shipped(GAME))
    ready, chance, longest = machine.snapshot(), random.Random(577), 0
    for _ in range(400):
        machine.restore(ready)
        for spot, dice in a_game(chance):
            if spot != START:
                machine.handle(Press(0, "done", 1))
                machine.handle(Press(0, "clear", 1))
            assert {*machine.lit} == field_by_hand(spot)
            yards, down, goal, number = spot
            said = {"down": down, "goal": int(goal), "yards": yards, "play": number}
            assert machine.instruction().parameters == said
            for control in ("no-more-bets", *map(str, dice)):
                machine.handle(Press(0, control, 1))
            effects = machine.handle(Press(0, "enter", 1)).effects
            (lit,) = [set(effect.areas) for effect in effects if isinstance(effect, Light)]
            (result,) = [effect for effect in effects if isinstance(effect, Result)]
            kind, _, _, ending = thrown_by_hand(spot, dice)
            assert lit == lit_by_hand(spot, dice), (spot, dice)
            paid = single_plays_by_hand(*dice) | (games_by_hand(ending, spot[3]) if ending else {})
            assert {win.area: win.pays for win in result.wins} == paid, (spot, dice)
            assert result.label.endswith(ANNOUNCED[ending] if ending else kind.replace("-", " "))
            longest = max(longest, spot[3])
    assert longest == 6


@pytest.mark.clause("577.6(f)(2)")
@pytest.mark.parametrize(
    ("throws", "singles", "rest"),
    [
        (
            ["126"],
            "penalty 9 to 1,turnover 60 to 1,cover-three 7 to 1,no-gain 5 to 1,under-four-yards 1 to 1",
            "game-changer 5 to 1,game-length-1 22 to 1",
        ),
        (["145", "145", "145"], "no-gain 5 to 1,under-four-yards 1 to 1", "game-length-3 6 to 5"),
    ],
    ids=["turnover", "downs"],
)
def test_a_game_without_a_score_is_settled_in_the_order_of_the_regulation(
    table: Rig, throws: list[str], singles: str, rest: str
) -> None:
    """§ 577.6(f)(2): touchdown and extra point, defense, single plays, and then what is left of the game's."""
    play(table, *throws[:-1])
    if len(throws) > 1:
        table.press("clear")
    table.press("no-more-bets", *throws[-1], "enter")
    assert steps(settle(table)) == [
        ("defense-paid", "defense 4 to 5"),
        ("single-plays", singles),
        ("full-game", rest),
    ]
    assert table.state.value == "settled"
