"""What the screens draw of a roulette table. ``python -m tools.typescript`` writes it down for ``figure.js``."""

from typing import Literal, TypedDict

BallState = Literal["none", "running", "left"]
"""Whether the ball is on the track."""


class RouletteFigure(TypedDict):
    """A roulette wheel."""

    pocket: str
    """Empty while no result stands."""
    colour: str
    ball: BallState
    direction: str
    """The ball's direction; empty if unknown."""
