"""What a game adds to the documents of its pages: what is drawn once, and the figure at a moment.

The figure is the game's own: its model is ``figure.py`` in the game's folder, beside ``figure.js``, which draws it.

Typed dictionaries are JSON already, so nothing is converted when a picture is made. ``python -m tools.typescript``
generates their TypeScript types for the scripts of the pages.
"""

from collections.abc import Mapping
from typing import TypedDict

# -- what is drawn once --------------------------------------------------------------------------------------------


class Section(TypedDict):
    """A section of a wheel with a clapper."""

    name: str
    label: str
    colour: int
    """The index of its area in the layout; -1 for a section without an area."""


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
    """A row of adjacent areas of a layout."""

    title: str
    areas: list[str]


class Equipment(TypedDict, total=False):
    """A game's part of the description of a table."""

    wheel: list[Section] | None
    """Clockwise."""
    rim: list[Pocket] | None
    """Clockwise."""
    boxes: list[Box] | None
    rows: list[Row] | None


# -- the figure at a moment ----------------------------------------------------------------------------------------

GameFigure = Mapping[str, object]
"""What ``figure.js`` of the table's game draws; empty for a game without a figure and for a closed table."""
