"""Roulette (58 Pa. Code ch. 617a): the wheels, the places of the wagers on the layout, and the wins of a pocket."""

from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from functools import cache

from controller.drawing.layouts import Box, Drawing
from controller.events.effect import Win
from controller.odds.wagers import Payouts, Wager

Pocket = str
"""A pocket of the wheel: ``0``, ``00``, ``1`` to ``36``."""


class WheelType(Enum):
    """The wheel on the table, and how it is used."""

    SINGLE_ZERO = "single-zero"
    DOUBLE_ZERO = "double-zero"
    DOUBLE_ZERO_AS_SINGLE = "double-zero-as-single"
    """The layout's 00 is covered, and a ball in 00 is no spin (§ 617a.1(e), § 617a.4(c))."""


_SINGLE = tuple(
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26".split()
)
_DOUBLE = tuple(
    "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 "
    "00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2".split()
)
WHEEL_ORDER: dict[WheelType, tuple[Pocket, ...]] = {
    WheelType.SINGLE_ZERO: _SINGLE,
    WheelType.DOUBLE_ZERO: _DOUBLE,
    WheelType.DOUBLE_ZERO_AS_SINGLE: _DOUBLE,
}
"""The pockets clockwise around the rotor (§ 617a.1(c), (d))."""

# Zeros are green, and red and black alternate (§ 617a.1(c), (d)). The regulation does not say which comes first: as
# on commercial wheels, 32 beside the single zero is red, which fixes all the others.
COLOURS: dict[Pocket, str] = {
    "0": "green",
    "00": "green",
    **{pocket: "black" if place % 2 else "red" for place, pocket in enumerate(_SINGLE[1:])},
}

_NUMBERS = range(1, 37)
_ORDER: tuple[Pocket, ...] = ("0", "00", *map(str, _NUMBERS))
"""The order of the layout, which is also that of the numbers in a name: ``three-0-00-2``."""
MINIMUM_ODDS = {1: 35, 2: 17, 3: 11, 4: 8, 5: 6, 6: 5, 12: 2, 18: 1}
"""Minimum odds to one by the number of numbers that a wager covers (§ 617a.4(a))."""


def _all(numbers: Iterable[int]) -> frozenset[Pocket]:
    return frozenset(map(str, numbers))


def _of_colour(colour: str) -> frozenset[Pocket]:
    return frozenset(pocket for pocket, its in COLOURS.items() if its == colour)


OUTSIDE: dict[str, frozenset[Pocket]] = {
    **{f"column-{n}": _all(_NUMBERS[n - 1 :: 3]) for n in (1, 2, 3)},
    **{f"dozen-{n}": _all(_NUMBERS[12 * n - 12 : 12 * n]) for n in (1, 2, 3)},
    "red": _of_colour("red"),
    "black": _of_colour("black"),
    "odd": _all(_NUMBERS[::2]),
    "even": _all(_NUMBERS[1::2]),
    "1-18": _all(_NUMBERS[:18]),
    "19-36": _all(_NUMBERS[18:]),
}
"""The wagers of § 617a.3(e)(7) to (14), each with a lamp and a box of its own beside the numbers, and its numbers.

They are the same on every layout, and every zero loses them. The dealer's screen lists the other wagers.
"""
# A split is on a line between two boxes (§ 617a.3(e)(2)). Two zeros halve the end of the layout; covering 00 leaves
# half of it empty. Of the trios with a zero, only those of § 617a.3(e)(3)(i) are wagers: 0-2-3 is none.
_AT_ZEROS = {
    WheelType.SINGLE_ZERO: (("0-1", "0-2", "0-3"), ("0-1-2",)),
    WheelType.DOUBLE_ZERO: (("0-00", "0-1", "0-2", "00-2", "00-3"), ("0-00-2", "0-1-2", "00-2-3")),
    WheelType.DOUBLE_ZERO_AS_SINGLE: (("0-1", "0-2"), ("0-1-2",)),
}
"""The splits and the trios with a zero."""


def _inside(kind: str, sets: Iterable[Iterable[int]]) -> dict[str, frozenset[Pocket]]:
    return {"-".join((kind, *map(str, numbers))): _all(numbers) for numbers in map(tuple, sets)}


def _rows(kind: str, length: int) -> dict[str, frozenset[Pocket]]:
    """Runs of whole rows of three (§ 617a.3(e)(3), (6))."""
    return _inside(kind, (range(n, n + length) for n in range(1, 38 - length, 3)))


@cache
def layout(wheel: WheelType) -> dict[str, frozenset[Pocket]]:
    """Every wager of § 617a.3(e) and its numbers, in the order of the layout.

    Four numbers need a corner where their four boxes meet (§ 617a.3(e)(4)), so 0-1-2-3 is not a wager. A Five
    Adjacent Number Wager is five straight wagers (§ 617a.3(e)(1)(iii)), without an area of its own.
    """
    splits, trios = (
        {f"{kind}-{name}": frozenset(name.split("-")) for name in names}
        for kind, names in zip(("split", "three"), _AT_ZEROS[wheel], strict=True)
    )
    pairs = ((n, n + apart) for n in _NUMBERS for apart in (1, 3) if n + apart in _NUMBERS and (apart > 1 or n % 3))
    first_five = {"first-five": frozenset(("0", "00", "1", "2", "3"))}
    return {
        **{f"straight-{pocket}": frozenset((pocket,)) for pocket in _ORDER if playable(wheel, pocket)},
        **splits,
        **_inside("split", pairs),
        **trios,
        **_rows("three", 3),
        **_inside("four", ((n, n + 1, n + 3, n + 4) for n in _NUMBERS[:32] if n % 3)),
        **(first_five if playable(wheel, "00") else {}),
        **_rows("six", 6),
        **OUTSIDE,
    }


def wagers(wheel: WheelType) -> tuple[Wager, ...]:
    """Every wager of a layout with its minimum odds, in the order of the layout."""
    return tuple(
        Wager(area, (Fraction(MINIMUM_ODDS[len(numbers)]),), "§ 617a.4(a)")
        for area, numbers in layout(wheel).items()
    )


def winning(wheel: WheelType, pocket: Pocket, payouts: Payouts) -> tuple[Win, ...]:
    """Every wager that wins when the ball rests in a pocket, in the order of the layout, each with what it pays.

    Raises:
        ValueError: the wheel has no such pocket, or the ball in it is no spin (§ 617a.4(c)(2)).
    """
    if pocket not in WHEEL_ORDER[wheel]:
        raise ValueError(f"the {wheel.value} wheel has no pocket '{pocket}'")
    if not playable(wheel, pocket):
        raise ValueError(f"{pocket} is no spin on the {wheel.value} wheel")
    return payouts.wins({area: 1 for area, numbers in layout(wheel).items() if pocket in numbers})


def playable(wheel: WheelType, pocket: Pocket) -> bool:
    """Whether wagers may be placed on a pocket: on 00 only with two zeros (§ 617a.1(e)(1))."""
    return wheel is WheelType.DOUBLE_ZERO if pocket == "00" else pocket in COLOURS


def five_adjacent(wheel: WheelType, pocket: Pocket) -> tuple[Pocket, ...]:
    """The centres of the Five Adjacent Number Wagers that a pocket wins, clockwise (§ 617a.3(e)(1)(i) to (iii)).

    They are the pocket and two neighbours on either side. A 00 on which no wager may be placed is skipped.
    """
    order = [number for number in WHEEL_ORDER[wheel] if playable(wheel, number)]
    place = order.index(pocket)
    return tuple(order[(place + apart) % len(order)] for apart in (-2, -1, 0, 1, 2))


def panel(wheel: WheelType) -> tuple[str, ...]:
    """Every lamp: the numbers, and the outside wagers."""
    return tuple(area for area in layout(wheel) if area.startswith("straight-") or area in OUTSIDE)


def drawing(wheel: WheelType) -> Drawing:
    """The wheel, and the boxes of the layout: 1-2-3 to 34-35-36 at x = 1 to 12. A covered 00 is not drawn.

    The order of the outside boxes is the usual one; the regulation leaves it to the approved layout.
    """
    rim = tuple((pocket, COLOURS[pocket]) for pocket in WHEEL_ORDER[wheel])
    zeros = {"0": (-0.5, 0.5, 0.5, 3.5 if wheel is WheelType.SINGLE_ZERO else 2.0), "00": (-0.5, 2.0, 0.5, 3.5)}
    places = {pocket: place for pocket, place in zeros.items() if playable(wheel, pocket)}
    for number in _NUMBERS:
        left, bottom = (number - 1) // 3 + 0.5, (number - 1) % 3 + 0.5
        places[str(number)] = (left, bottom, left + 1, bottom + 1)
    for n in (1, 2, 3):
        places[f"column-{n}"] = (12.5, n - 0.5, 13.5, n + 0.5)
    for n in (1, 2, 3):
        places[f"dozen-{n}"] = (4 * n - 3.5, -0.5, 4 * n + 0.5, 0.5)
    for n, area in enumerate(("1-18", "even", "red", "black", "odd", "19-36")):
        places[area] = (2 * n + 0.5, -1.5, 2 * n + 2.5, -0.5)
    colours = COLOURS | {"red": "red", "black": "black"}
    return Drawing(rim, tuple(Box(label, *place, colours.get(label, "")) for label, place in places.items()))
