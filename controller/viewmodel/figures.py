"""What a game adds to the documents of its pages: what is drawn once, and the figure at a moment.

The figure is the game's own: ``figure.js`` in the game's folder draws it.

Typed dictionaries are JSON already, so nothing is converted when a picture is made.
"""

from collections.abc import Mapping
from typing import TypedDict

# -- what is drawn once --------------------------------------------------------------------------------------------


class ClapperSection(TypedDict):
    """A section of a wheel with a clapper."""

    name: str
    label: str
    colour: int
    """The index of its area in the layout; -1 for a section without an area."""


class RimPocket(TypedDict):
    """A pocket of a roulette wheel."""

    label: str
    colour: str


class FigureBox(TypedDict):
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


class AreaRow(TypedDict):
    """A row of adjacent areas of a layout."""

    title: str
    areas: list[str]


class Equipment(TypedDict, total=False):
    """A game's part of the description of a table."""

    wheel: list[ClapperSection] | None
    """Clockwise."""
    rim: list[RimPocket] | None
    """Clockwise."""
    boxes: list[FigureBox] | None
    rows: list[AreaRow] | None


# -- the figure at a moment ----------------------------------------------------------------------------------------

GameFigure = Mapping[str, object]
"""What ``figure.js`` of the table's game draws; empty for a game without a figure and for a closed table."""
