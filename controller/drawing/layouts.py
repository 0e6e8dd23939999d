"""The drawing data of a game's wheel and layout."""

from hal.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A box of the layout, in any unit; x grows to the right, y upwards."""

    label: str
    left: float
    bottom: float
    right: float
    top: float
    colour: str = ""
    """``red``, ``black``, ``green``; empty for none."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A wheel, and the layout beside it.

    Attributes:
        rim: the labels around the wheel, clockwise, each with its colour.
        boxes: of the layout.
    """

    rim: tuple[tuple[str, str], ...]
    boxes: tuple[Box, ...]
