"""A throw's energy from section to section: what the wheel loses, and whether it is out of balance.

Used by ``calibrate`` and ``wheel-report``. A heavy spot adds the same to the squared speed at every speed, for it
is an energy. An encoder out of centre adds a part of the squared speed. A throw passes each place of the rim at
several speeds, so least squares tell the two apart.
"""

import cmath
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.commissioning.wheel_recording import WheelRecording
from controller.tracking.clapper_wheel.energy import SpinLoss, SpinRun
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.trajectory import Trajectory

Floats = NDArray[np.float64]

THROWN_DEG_S = 110.0
"""A wheel that was this fast was thrown."""
_LEAST_TURNS = 2
_LET_GO = 9
"""After a ninth of a turn more the hand has let go."""
_SLOWEST_SECTIONS = 6.0
"""Below so many sections' loss a mean speed between marks says too little of the energy."""
_FEWEST = 12
_LESS_UNEXPLAINED = 0.85
"""A wheel has a loss in proportion to its speed if so little of what was unexplained is left with it."""
_FAR_OFF = 6.0
"""A squared speed so many times the usual residue away had a late stamp."""


class Throw(NamedTuple):
    """A throw's speeds, and the count from the index on at which the last of them was taken."""

    run: SpinRun
    last: float


def throws(recording: WheelRecording, origin: int, geometry: WheelGeometry) -> Iterator[Throw]:
    """The throws of two turns or more, without turns by hand, which may be as fast.

    Args:
        origin: the count at the index mark.
    """
    for moved in recording.runs:
        way, stamps = moved.direction, moved.stamps
        waits = enumerate((other - one for one, other in pairwise(stamps)), 1)
        pauses = [place for place, wait_ns in waits if wait_ns >= geometry.rest_ns]
        for first, end in pairwise([0, *pauses, len(stamps)]):
            if end - first >= _LEAST_TURNS * geometry.counts_per_turn:
                start = moved.first + way * (first - 1) - origin
                trajectory = Trajectory(geometry, start, 0)
                trajectory.moved(start, end - first, way, stamps, first)
                run, last = trajectory.run(way)
                if max(run.speeds, default=0.0) > THROWN_DEG_S**2 and run.fastest <= run.long_led:
                    yield Throw(run, last)


def imbalance(throws: Sequence[Throw], geometry: WheelGeometry) -> tuple[complex, int]:
    """By what part a heavy spot makes sections take more, with where the rim is fastest as its angle; and how many
    throws show it."""
    found = [at for throw in throws if (at := _heavy_spot(throw, geometry)) is not None]
    return sum(found) / max(1, len(found)), len(found)


def _heavy_spot(throw: Throw, geometry: WheelGeometry) -> complex | None:
    run, line = throw.run, throw.run.line()
    if line is None:
        return None
    first, per_turn = run.fastest + run.sections // _LET_GO, run.sections
    slow = _SLOWEST_SECTIONS * line.section
    end = next((i for i in range(first, len(run.speeds)) if run.speeds[i] < slow), len(run.speeds))
    speeds = np.array(run.speeds[first:end])
    if len(speeds) < max(_FEWEST, 1.5 * per_turn):
        return None
    fastest, marks = float(speeds.max()), np.arange(first, end)
    speeds /= fastest
    at = 2 * math.pi * (throw.last + geometry.index_offset_counts) / geometry.counts_per_turn
    angles = at - 2 * math.pi * run.direction * (len(run.speeds) - 1 - marks) / per_turn
    turns, cos, sin = (marks - first) / per_turn / 3, np.cos(angles), np.sin(angles)
    columns = np.column_stack((np.vander(turns, 4), cos, sin, speeds * cos, speeds * sin))
    found = least_squares(columns, speeds)
    off = abs(speeds - columns @ found)
    near = off <= _FAR_OFF * np.median(off)
    if near.sum() >= _FEWEST:
        found = least_squares(columns[near], speeds[near])
    return complex(found[4], found[5]) * fastest * 2 * math.pi / per_turn / line.section


def imbalance_words(heavy: complex, sections: int) -> str:
    """A heavy spot and its remedy."""

    def section(more_deg: float) -> int:
        return int((math.degrees(cmath.phase(heavy)) + more_deg) % 360 * sections / 360) % sections + 1

    return (
        f"The wheel is out of balance: it rests {abs(heavy):.0%} more often around section #{section(90)} turning "
        f"counterclockwise, and around #{section(-90)} turning clockwise. Level the wheel, see that it hangs true, "
        f"and take weight from the rim near section #{section(180)} or add it opposite, if the "
        "clapper is at the top; if it is below, the other way about."
    )


def fit(run: SpinRun) -> SpinLoss | None:
    """What a throw lost; None for too short a run."""
    line = run.line()
    return line and (_with_drag(run, line) or line)


def _with_drag(run: SpinRun, line: SpinLoss) -> SpinLoss | None:
    """The losses that explain the costs better than a line does; None if these do not."""
    speeds, costs = np.array(run.costs).T
    columns = np.column_stack((np.ones(len(costs)), np.array(run.means()) / 100, speeds / 1e4))
    section, drag, air = least_squares(columns, costs)
    if air < 0:
        (section, drag), air = least_squares(columns[:, :2], costs), 0.0
    if section <= 0 or drag <= 0:
        return None
    loss = SpinLoss(section / run.sections, air / 1e4, drag=drag / 100)
    left = math.hypot(*run.unlike(loss)) * loss.section
    return loss if left < _LESS_UNEXPLAINED * math.hypot(*run.unlike(line)) * line.section else None


def least_squares(columns: Floats, values: Floats) -> list[float]:
    """The factors of the columns whose sum is nearest to the values."""
    found: list[float] = np.linalg.lstsq(columns, values, rcond=None)[0].tolist()
    return found
