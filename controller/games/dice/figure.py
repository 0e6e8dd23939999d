"""What the screens draw of three keyed-in dice. ``python -m tools.typescript`` writes it down for ``figure.js``."""

from typing import TypedDict


class DiceFigure(TypedDict):
    """Three keyed-in dice."""

    dice: list[int]
    """Empty while no result stands."""
    total: int | None
