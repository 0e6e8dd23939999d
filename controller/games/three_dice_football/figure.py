"""What the screens draw of the field. ``figure.js`` draws it."""

from typing import TypedDict


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
