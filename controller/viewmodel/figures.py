"""What each game adds to the documents of its pages: what is drawn once, and the figure at a moment.

Typed dictionaries, for they are JSON already: nothing is converted when a picture is made. ``python -m
tools.typescript`` writes them down for the scripts of the pages.
"""

from typing import Literal, TypedDict

# -- what is drawn once --------------------------------------------------------------------------------------------


class Section(TypedDict):
    """A section of a wheel with a clapper."""

    name: str
    label: str
    colour: int
    """The place of its area in the layout; -1 for a section that is no area."""


class Pocket(TypedDict):
    """A pocket of a roulette wheel."""

    label: str
    colour: str


class Box(TypedDict):
    """A box of a roulette layout, in any unit; x grows to the right, y upwards."""

    area: str
    """The lamp behind it; empty for none."""
    label: str
    left: float
    bottom: float
    right: float
    top: float
    colour: str
    """``red``, ``black``, ``green``; empty for none."""


class Row(TypedDict):
    """Areas of a layout that stand beside one another."""

    title: str
    areas: list[str]


class Equipment(TypedDict, total=False):
    """What a game adds to the description of a table."""

    wheel: list[Section] | None
    """Clockwise."""
    rim: list[Pocket] | None
    """Clockwise."""
    boxes: list[Box] | None
    rows: list[Row] | None


# -- figures at a moment -------------------------------------------------------------------------------------------

FigureName = Literal["dice", "football", "plain", "roulette", "war", "wheel"]
"""Which picture a screen draws."""


class NoFigure(TypedDict):
    """Of a wheel with a clapper, of a game without a picture, and of every table that is closed."""


class DiceFigure(TypedDict):
    """Three keyed-in dice."""

    dice: list[int]
    """Empty while no result stands."""
    total: int | None


BallState = Literal["none", "running", "left"]
"""Whether the ball is on the track."""


class RouletteFigure(TypedDict):
    """A roulette wheel."""

    pocket: str
    """Empty while no result stands."""
    colour: str
    ball: BallState
    direction: str
    """Which way the ball runs; empty if that is not seen."""


class Down(TypedDict):
    """A throw of the present game."""

    label: str
    yards: int


class FootballFigure(TypedDict):
    """The field of Three Dice Football."""

    yard: int
    """Of the way to the end zone, per cent."""
    to_goal: int
    """Yards to the end zone."""
    down: int
    """0 between two games."""
    goal: bool
    play: int
    quarterback: int
    dice: list[int]
    """The green ones, then the red one; empty while no result stands."""
    downs: list[Down]
    phase: str


class WarPosition(TypedDict):
    """A position of Casino War that plays this round."""

    position: int
    card: str
    """Empty until it is entered, as is ``war_card``."""
    war_card: str
    outcome: str


class Shoe(TypedDict):
    """How far the cards are dealt."""

    used: int
    of: int


class WarFigure(TypedDict):
    """A table of Casino War."""

    positions: list[WarPosition]
    dealer: str
    dealer_war: str
    deck: Shoe | None
    """None before the first card."""


GameFigure = NoFigure | DiceFigure | RouletteFigure | FootballFigure | WarFigure
"""A closed table shows ``NoFigure``, whatever its game."""
