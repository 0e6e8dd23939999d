"""The drawing data of a game's wheel and layout."""

from typing import NamedTuple


class Box(NamedTuple):
    """A box of the layout, in any unit; x grows to the right, y upwards."""

    label: str
    left: float
    bottom: float
    right: float
    top: float
    colour: str = ""
    """``red``, ``black``, ``green``; empty for none."""


class Drawing(NamedTuple):
    """A wheel, and the layout beside it.

    Attributes:
        rim: the labels around the wheel, clockwise, each with its colour.
        boxes: of the layout.
    """

    rim: tuple[tuple[str, str], ...]
    boxes: tuple[Box, ...]
