"""What goes once around the wheel in its squared speed: a heavy spot, as distinct from an encoder out of centre.

A heavy spot adds the same to the squared speed at every speed, for it is an energy. An encoder out of centre adds a
part of the squared speed. So a spin, which passes each place at several speeds, distinguishes the two: both are
fitted at once, together with what the wheel loses on its way, by least squares.
"""

import math
from collections.abc import Sequence
from statistics import median

from controller.tracking.linear import SingularError, solved
from hal.lazy_dataclass import dataclass

_FEWEST = 12
_FAR_OFF = 6.0
"""A squared speed so many times the usual residue away had a late stamp: it is left out."""


@dataclass(frozen=True, slots=True)
class Ripple:
    """The first harmonic of a wheel's squared speed around the turn.

    Attributes:
        cosine: its part that is largest where the rim's angle is 0, (degrees/s)².
        sine: its part that is largest a quarter of a turn on.
    """

    cosine: float
    sine: float


def ripple(speeds: Sequence[float], angles: Sequence[float], turns: Sequence[float]) -> Ripple | None:
    """Fit a spin's squared speeds; None if there are too few, or they do not tell.

    Args:
        speeds: squared, (degrees/s)², after the hand let go.
        angles: where on the rim each was taken, in radians.
        turns: how far each is from the first, in turns, growing.
    """
    if len(speeds) < _FEWEST or turns[-1] < 1.5:
        return None
    scale = max(speeds)
    rows = [_row(speed / scale, at, turn) for speed, at, turn in zip(speeds, angles, turns, strict=True)]
    values = [speed / scale for speed in speeds]
    found = _least_squares(rows, values)
    if found is None:
        return None
    off = [abs(value - _dot(row, found)) for row, value in zip(rows, values, strict=True)]
    most = _FAR_OFF * median(off)
    near = [i for i, residue in enumerate(off) if residue <= most]
    if _FEWEST <= len(near) < len(rows):
        found = _least_squares([rows[i] for i in near], [values[i] for i in near]) or found
    return Ripple(found[4] * scale, found[5] * scale)


def _row(speed: float, at: float, turn: float) -> tuple[float, ...]:
    """What the squared speed is made of: the way so far, to the third power; a heavy spot; run-out."""
    cos, sin, way = math.cos(at), math.sin(at), turn / 3
    return 1.0, way, way * way, way * way * way, cos, sin, speed * cos, speed * sin


def _dot(row: Sequence[float], weights: Sequence[float]) -> float:
    return sum(map(float.__mul__, row, weights))


def _least_squares(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float] | None:
    """The weights of the columns by the normal equations; None if the columns do not differ enough."""
    columns = list(zip(*rows, strict=True))
    try:
        return solved([[*(_dot(one, other) for other in columns), _dot(one, values)] for one in columns])
    except SingularError:
        return None
