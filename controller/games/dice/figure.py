"""What the screens draw of three keyed-in dice. ``figure.js`` draws it."""

from typing import TypedDict


class DiceFigure(TypedDict):
    """Three keyed-in dice."""

    dice: list[int]
    """Empty while no result stands."""
    total: int | None
