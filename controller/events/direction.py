"""Which way a wheel turns."""

from enum import Enum


class Direction(Enum):
    """Which way the wheel turns, as the players see it."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"
