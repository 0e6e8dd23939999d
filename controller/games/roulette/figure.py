"""What the screens draw of a roulette table. ``figure.js`` draws it."""

from typing import Literal, NotRequired, TypedDict

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
    rotor_turn_ms: NotRequired[int]
    """What the rotor takes for a turn, positive counterclockwise; left out while none is beyond doubt."""
    ball_turn_ms: NotRequired[int]
    """The same of the ball; left out while none runs, and where its direction is not known."""
