"""The wheels, wagers and odds of Roulette (ch. 617a), against sums over numbers written here."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from controller.games.roulette.layout import (
    COLOURS,
    OUTSIDE,
    WHEEL_ORDER,
    WheelType,
    five_adjacent,
    layout,
    wagers,
    winning,
)
from controller.games.roulette.rules import five_adjacent_return, returns
from controller.odds.wagers import Payouts

SINGLE, DOUBLE, AS_SINGLE = WheelType.SINGLE_ZERO, WheelType.DOUBLE_ZERO, WheelType.DOUBLE_ZERO_AS_SINGLE
REDS = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
NUMBERS = [str(n) for n in range(1, 37)]
ZEROS = {SINGLE: ["0"], DOUBLE: ["0", "00"], AS_SINGLE: ["0"]}
ZERO_WAGERS = {
    SINGLE: ["split-0-1", "split-0-2", "split-0-3", "three-0-1-2"],
    DOUBLE: [
        *("split-0-00", "split-0-1", "split-0-2", "split-00-2", "split-00-3"),
        *("three-0-00-2", "three-0-1-2", "three-00-2-3"),
    ],
    AS_SINGLE: ["split-0-1", "split-0-2", "three-0-1-2"],
}
"""Every wager on a zero and some numbers: those whose boxes meet, and of the trios those of § 617a.3(e)(3)(i)."""
KINDS = ["straight", "split", "three", "four", "first-five", "six", "column", "dozen"]
PAYS = {"straight": 35, "split": 17, "three": 11, "four": 8, "first-five": 6, "six": 5, "column": 2, "dozen": 2}
"""§ 617a.4(a); the rest pay 1 to 1."""

every_wheel = pytest.mark.parametrize("wheel", WheelType, ids=lambda wheel: wheel.value)


def named(kind: str, *numbers: int) -> str:
    return "-".join([kind, *map(str, numbers)])


def runs_of_rows(length: int) -> list[tuple[int, ...]]:
    """Sets of consecutive numbers that fill whole rows of three."""
    runs = (tuple(range(n, n + length)) for n in range(1, 37) if n + length <= 37)
    return [run for run in runs if run[0] % 3 == 1]


def squares() -> list[tuple[int, ...]]:
    """Four numbers of two neighbouring rows and two neighbouring columns, among all pairs of pairs."""
    pairs = [(a, b) for a, b in combinations(range(1, 37), 2) if b == a + 1 and a % 3]
    return [low + high for low, high in combinations(pairs, 2) if high[0] - low[0] == 3]


def inside_by_hand(wheel: WheelType) -> dict[str, set[str]]:
    """Every wager on the numbers, by arithmetic; nothing here knows of boxes and lines."""
    numbers = {f"straight-{pocket}": {pocket} for pocket in [*ZEROS[wheel], *NUMBERS]}
    numbers |= {name: set(name.split("-")[1:]) for name in ZERO_WAGERS[wheel]}
    if wheel is DOUBLE:
        numbers["first-five"] = {"0", "00", "1", "2", "3"}
    for a, b in combinations(range(1, 37), 2):
        if b - a == 3 or (b - a == 1 and (a - 1) // 3 == (b - 1) // 3):
            numbers[named("split", a, b)] = {str(a), str(b)}
    for kind, sets in (("three", runs_of_rows(3)), ("four", squares()), ("six", runs_of_rows(6))):
        numbers |= {named(kind, *chosen): {str(n) for n in chosen} for chosen in sets}
    return numbers


def won_by_hand(wheel: WheelType, pocket: str) -> set[str]:
    """The areas that win, straight from  617a.3(e)."""
    won = {area for area, numbers in inside_by_hand(wheel).items() if pocket in numbers}
    if pocket in ("0", "00"):
        return won
    n = int(pocket)
    won |= {f"column-{n % 3 or 3}", f"dozen-{1 if n <= 12 else 2 if n <= 24 else 3}"}
    return won | {
        "red" if n in REDS else "black",
        "odd" if n % 2 else "even",
        "1-18" if n < 19 else "19-36",
    }


def kind_of(area: str) -> str:
    return next((kind for kind in KINDS if area.startswith(kind)), area)


def least_odds(area: str) -> int:
    return PAYS.get(kind_of(area), 1)


def playable(wheel: WheelType) -> list[str]:
    return [*ZEROS[wheel], *NUMBERS]


def minimum(wheel: WheelType) -> Payouts:
    return Payouts(wagers(wheel), {})


@pytest.mark.clause("617a.1(f)(2)", "617a.3(e)", "617a.3(e)(1)")
@every_wheel
def test_the_wagers_on_numbers_are_those_found_by_arithmetic(wheel: WheelType) -> None:
    inside = {area: set(numbers) for area, numbers in layout(wheel).items() if area not in OUTSIDE}
    assert inside == inside_by_hand(wheel)


@pytest.mark.clause("617a.4(a)")
@every_wheel
def test_the_minimum_odds_of_every_wager(wheel: WheelType) -> None:
    assert all(wager.minimum == (least_odds(wager.area),) for wager in wagers(wheel))
    assert {wager.clause for wager in wagers(wheel)} == {"§ 617a.4(a)"}


@pytest.mark.clause("617a.1(e)(2)", "617a.3(e)", "617a.4(b)", "617a.4(c)(3)")
@every_wheel
def test_every_pocket_wins_what_the_regulation_says(wheel: WheelType) -> None:
    payouts = minimum(wheel)
    for pocket in playable(wheel):
        wins = winning(wheel, pocket, payouts)
        areas = [win.area for win in wins]
        assert set(areas) == won_by_hand(wheel, pocket), pocket
        assert areas == [area for area in payouts.areas if area in areas]
        assert all(win.pays == f"{least_odds(win.area)} to 1" for win in wins)


@every_wheel
def test_returns_equal_a_count_of_pockets(wheel: WheelType) -> None:
    pockets = playable(wheel)
    counts = Counter(area for pocket in pockets for area in won_by_hand(wheel, pocket))
    found = {item.wager: (item.probability, item.return_to_player) for item in returns(wheel, minimum(wheel))}
    assert found == {
        area: (Fraction(count, len(pockets)), Fraction(count * (1 + least_odds(area)), len(pockets)))
        for area, count in counts.items()
    }


@pytest.mark.clause("617a.3(e)(1)")
@every_wheel
def test_five_adjacent_numbers_return_what_five_straight_wagers_do(wheel: WheelType) -> None:
    """§ 617a.3(e)(1)(i) to (iii), by playing every pocket against every centre."""
    order = [pocket for pocket in WHEEL_ORDER[wheel] if not (pocket == "00" and wheel.value.endswith("single"))]
    payouts = Payouts(wagers(wheel), {})
    staked = won = 0
    for centre in range(len(order)):
        covered = {order[(centre + apart) % len(order)] for apart in range(-2, 3)}
        for pocket in order:
            staked += 5
            won += 36 * (pocket in covered)
            assert (order[centre] in five_adjacent(wheel, pocket)) == (pocket in covered)
    found = five_adjacent_return(wheel, payouts)
    assert found.return_to_player == Fraction(won, staked)
    assert found.probability == Fraction(5, len(order))
    assert found.pays == (Fraction(31, 5),)


@pytest.mark.clause("617a.1(c)")
def test_the_single_zero_wheel() -> None:
    """§ 617a.1(c): from the zero both ways, to 5 and 10 opposite it."""
    right = [0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10]
    left = [26, 3, 35, 12, 28, 7, 29, 18, 22, 9, 31, 14, 20, 1, 33, 16, 24, 5]
    assert [int(pocket) for pocket in WHEEL_ORDER[SINGLE]] == right + left[::-1]


@pytest.mark.clause("617a.1(d)")
@pytest.mark.parametrize("wheel", [DOUBLE, AS_SINGLE])
def test_the_double_zero_wheel(wheel: WheelType) -> None:
    """§ 617a.1(d): half of it in order, and opposite each odd number the next even one."""
    order = WHEEL_ORDER[wheel]
    assert order[:19] == tuple("0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1".split())
    opposite = {order[i]: order[(i + 19) % 38] for i in range(38)}
    assert opposite.pop("0") == "00"
    assert all(opposite[str(n)] == str(n + 1) for n in range(1, 37, 2))


@pytest.mark.clause("617a.1(c)", "617a.1(d)")
def test_colours() -> None:
    assert {pocket for pocket, colour in COLOURS.items() if colour == "green"} == {"0", "00"}
    assert {int(pocket) for pocket, colour in COLOURS.items() if colour == "red"} == REDS
    assert Counter(COLOURS.values()) == {"red": 18, "black": 18, "green": 2}
