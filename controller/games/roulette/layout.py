"""Roulette (58 Pa. Code ch. 617a): the wheels, the places of the wagers on the layout, and the wins of a pocket."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import combinations

from controller.drawing.layouts import Box, Drawing
from controller.events.effect import Win
from controller.odds.wagers import Payouts, Wager, to_one

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
"""The boxes in the order of the layout, which is also that of the numbers in a name: ``three-0-00-2``."""
_ZERO_TRIOS = frozenset(map(frozenset, (("0", "1", "2"), ("0", "00", "2"), ("00", "2", "3"))))
"""The only trios other than rows (§ 617a.3(e)(3)(i)); on a single zero layout, 0-2-3 is therefore not a wager."""
MINIMUM_ODDS = {1: 35, 2: 17, 3: 11, 4: 8, 5: 6, 6: 5, 12: 2, 18: 1}
"""Minimum odds to one by the number of numbers that a wager covers (§ 617a.4(a))."""


def _all(numbers: Iterable[int]) -> frozenset[Pocket]:
    return frozenset(map(str, numbers))


def _of_colour(colour: str) -> frozenset[Pocket]:
    return frozenset(pocket for pocket, its in COLOURS.items() if its == colour)


@dataclass(frozen=True, slots=True)
class LayoutPlace:
    """The place of a wager's chip.

    The grid: 1-2-3 to 34-35-36 at x = 1 to 12, with the rows of three across it at y = 1 to 3; the zeros at x = 0.
    """

    area: str
    numbers: frozenset[Pocket]
    """The numbers that the wager covers."""
    x: float
    y: float


# The order of these boxes along the table is the usual one; the regulation leaves it to the approved layout.
_OUTSIDE = (
    *(LayoutPlace(f"column-{n}", _all(_NUMBERS[n - 1 :: 3]), 13, n) for n in (1, 2, 3)),
    *(LayoutPlace(f"dozen-{n}", _all(_NUMBERS[12 * n - 12 : 12 * n]), 4 * n - 1.5, 0) for n in (1, 2, 3)),
    LayoutPlace("red", _of_colour("red"), 5.5, -1),
    LayoutPlace("black", _of_colour("black"), 7.5, -1),
    LayoutPlace("odd", _all(_NUMBERS[::2]), 9.5, -1),
    LayoutPlace("even", _all(_NUMBERS[1::2]), 3.5, -1),
    LayoutPlace("1-18", _all(_NUMBERS[:18]), 1.5, -1),
    LayoutPlace("19-36", _all(_NUMBERS[18:]), 11.5, -1),
)
"""The wagers of § 617a.3(e)(7) to (14), which are the same on every layout and which every zero loses."""
OUTSIDE = frozenset(place.area for place in _OUTSIDE)


def is_outside(area: str) -> bool:
    """Whether a wager has a lamp and a box of its own beside the numbers; the dealer's screen lists the others."""
    return area in OUTSIDE


@dataclass(frozen=True, slots=True)
class _Box:
    """The box of a number on the grid."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def centre(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        return tuple((x, y) for x in (self.left, self.right) for y in (self.bottom, self.top))

    def touches(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def line_to(self, other: "_Box") -> tuple[float, float] | None:
        """The middle of the line between two boxes; None if they do not touch, or only in a point."""
        shared = _Box(
            max(self.left, other.left),
            min(self.right, other.right),
            max(self.bottom, other.bottom),
            min(self.top, other.top),
        )
        width, height = shared.right - shared.left, shared.top - shared.bottom
        return shared.centre if min(width, height) == 0 < max(width, height) else None


def _boxes(wheel: WheelType) -> dict[Pocket, _Box]:
    """Every box that takes wagers. Two zeros halve the end of the layout; a covered 00 leaves its half empty."""
    if wheel is WheelType.SINGLE_ZERO:
        boxes = {"0": _Box(-0.5, 0.5, 0.5, 3.5)}
    else:
        boxes = {"0": _Box(-0.5, 0.5, 0.5, 2)}
    if wheel is WheelType.DOUBLE_ZERO:
        boxes["00"] = _Box(-0.5, 0.5, 2, 3.5)
    for number in _NUMBERS:
        x, y = (number + 2) // 3, (number - 1) % 3 + 1
        boxes[str(number)] = _Box(x - 0.5, x + 0.5, y - 0.5, y + 0.5)
    return boxes


def _inside(kind: str, numbers: Iterable[Pocket], x: float, y: float) -> LayoutPlace:
    ordered = sorted(numbers, key=_ORDER.index)
    return LayoutPlace("-".join((kind, *ordered)), frozenset(ordered), x, y)


def _in_order(places: Iterable[LayoutPlace]) -> list[LayoutPlace]:
    return sorted(places, key=lambda place: sorted(map(_ORDER.index, place.numbers)))


def _splits(boxes: dict[Pocket, _Box]) -> list[LayoutPlace]:
    """Two boxes with a line between them (§ 617a.3(e)(2)). A second place of 0-00, by the dozens, is not drawn."""
    lines = ((pair, boxes[pair[0]].line_to(boxes[pair[1]])) for pair in combinations(boxes, 2))
    return [_inside("split", pair, *line) for pair, line in lines if line is not None]


def _crossings(boxes: dict[Pocket, _Box], kind: str, count: int) -> list[LayoutPlace]:
    """The points where this number of boxes meet."""
    points = {corner for box in boxes.values() for corner in box.corners}
    meeting = (([pocket for pocket, box in boxes.items() if box.touches(*point)], point) for point in points)
    return [_inside(kind, pockets, *point) for pockets, point in meeting if len(pockets) == count]


def _rows(kind: str, length: int) -> list[LayoutPlace]:
    """Runs of whole rows of three, at the foot of the layout (§ 617a.3(e)(3), (6))."""
    firsts = range(1, 38 - length, 3)
    return [_inside(kind, _all(range(n, n + length)), (2 * n + length + 1) / 6, 0.5) for n in firsts]


@cache
def layout(wheel: WheelType) -> tuple[LayoutPlace, ...]:
    """One place for each wager of § 617a.3(e), in the order of the layout.

    Four numbers need a corner where their four boxes meet (§ 617a.3(e)(4)), so 0-1-2-3 is not a wager. A Five
    Adjacent Number Wager is five straight wagers (§ 617a.3(e)(1)(iii)), without an area of its own.
    """
    boxes = _boxes(wheel)
    trios = (place for place in _crossings(boxes, "three", 3) if place.numbers in _ZERO_TRIOS)
    corner = boxes["1"]
    first_five = LayoutPlace("first-five", frozenset(("0", "00", "1", "2", "3")), corner.left, corner.bottom)
    return (
        *(_inside("straight", [pocket], *box.centre) for pocket, box in boxes.items()),
        *_splits(boxes),
        *_in_order([*trios, *_rows("three", 3)]),
        *_in_order(_crossings(boxes, "four", 4)),
        *([first_five] if "00" in boxes else []),
        *_rows("six", 6),
        *_OUTSIDE,
    )


def wagers(wheel: WheelType) -> tuple[Wager, ...]:
    """Every wager of a layout with its minimum odds, in the order of the layout."""
    return tuple(
        Wager(place.area, (Fraction(MINIMUM_ODDS[len(place.numbers)]),), "§ 617a.4(a)") for place in layout(wheel)
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
    won = (place.area for place in layout(wheel) if pocket in place.numbers)
    return tuple(Win(area, to_one(payouts.odds(area))) for area in won)


def playable(wheel: WheelType, pocket: Pocket) -> bool:
    """Whether wagers may be placed on a pocket: not on the 00 of a converted wheel (§ 617a.1(e)(1))."""
    return pocket in _boxes(wheel)


def five_adjacent(wheel: WheelType, pocket: Pocket) -> tuple[Pocket, ...]:
    """The centres of the Five Adjacent Number Wagers that a pocket wins, clockwise (§ 617a.3(e)(1)(i) to (iii)).

    They are the pocket and two neighbours on either side. A 00 on which no wager may be placed is skipped.
    """
    order = [number for number in WHEEL_ORDER[wheel] if playable(wheel, number)]
    place = order.index(pocket)
    return tuple(order[(place + apart) % len(order)] for apart in (-2, -1, 0, 1, 2))


def panel(wheel: WheelType) -> tuple[str, ...]:
    """Every lamp: the numbers, and the outside wagers."""
    return tuple(
        place.area for place in layout(wheel) if place.area.startswith("straight-") or is_outside(place.area)
    )


def drawing(wheel: WheelType) -> Drawing:
    """The wheel, and the boxes of the layout. A covered 00 is not drawn."""
    rim = tuple((pocket, COLOURS[pocket]) for pocket in WHEEL_ORDER[wheel])
    numbers = (
        Box(pocket, box.left, box.bottom, box.right, box.top, COLOURS[pocket])
        for pocket, box in _boxes(wheel).items()
    )
    # A box is the wider, the more numbers it covers.
    sizes = {12: (4, 1), 18: (2, 1)}
    beside = []
    for place in _OUTSIDE:
        width, height = (1, 1) if place.area.startswith("column") else sizes[len(place.numbers)]
        colour = place.area if place.area in ("red", "black") else ""
        left, bottom = place.x - width / 2, place.y - height / 2
        beside.append(Box(place.area, left, bottom, left + width, bottom + height, colour))
    return Drawing(rim, (*numbers, *beside))
