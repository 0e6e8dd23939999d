"""A throw's energy from section to section: what the wheel loses, and whether it is out of balance.

Used by ``calibrate`` and ``wheel-report``. A heavy spot adds the same to the squared speed at every speed, for it
is an energy. An encoder out of centre adds a part of the squared speed. A throw passes each place of the rim at
several speeds, so least squares tell the two apart.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import mul
from statistics import median

from controller.commissioning.wheel_recording import WheelRecording
from controller.tracking.clapper_wheel.energy import (
    AROUND,
    NEVER_LET_GO_TURNS,
    SingularError,
    SpinLoss,
    SpinRun,
    evened,
    middles,
    solved,
)
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.way import Way

THROWN_DEG_S = 110.0
"""A wheel that was this fast was thrown."""
_LEAST_TURNS = 2
_LET_GO = 9
"""After a ninth of a turn more the hand has let go."""
_SLOWEST_SECTIONS = 6.0
"""Below so many sections' loss a mean speed between marks says too little of the energy."""
_FEWEST = 12
_PASSES = 5.0
"""A turn's passes of pegs may add up to so many times the usual difference from other turns."""
_MEDIAN_OF_SPREAD = 0.6745
"""The middle one of deviations that are distributed normally, over their spread."""
_LESS_UNEXPLAINED = 0.85
"""A wheel has a loss in proportion to its speed if so little of what was unexplained is left with it."""
_FAR_OFF = 6.0
"""A squared speed so many times the usual residue away had a late stamp."""


def throws(recording: WheelRecording, origin: int, geometry: WheelGeometry) -> Iterator[tuple[SpinRun, float]]:
    """The throws of two turns or more, and the count from the index on at which the last speed of each was taken.

    Args:
        origin: the count at the index mark.
    """
    for direction, entered, stamps in recording.sweeps(_LEAST_TURNS * geometry.counts_per_turn, geometry.rest_ns):
        start = entered[0] - (direction > 0) - origin
        way = Way(geometry, start)
        way.moved(start, len(stamps), direction, stamps, 0)
        run, middle = way.run(direction)
        if max(run.speeds, default=0.0) > THROWN_DEG_S**2:
            yield run, middle


def heavy_spot(run: SpinRun, last: float, geometry: WheelGeometry) -> complex | None:
    """By what part a heavy spot makes sections take more; its angle is where the rim is fastest.

    Args:
        last: the count from the index on at which the last speed was taken.
    """
    line = None if run.fastest > NEVER_LET_GO_TURNS * run.sections else run.line()
    if line is None:
        return None
    first = run.fastest + run.sections // _LET_GO
    slow = _SLOWEST_SECTIONS * line.section
    end = next((i for i in range(first, len(run.speeds)) if run.speeds[i] < slow), len(run.speeds))
    at = 2 * math.pi * (last + geometry.index_offset_counts) / geometry.counts_per_turn
    step = 2 * math.pi * run.direction / run.sections
    angles = [at - (len(run.speeds) - 1 - i) * step for i in range(first, end)]
    once = _once_around(run.speeds[first:end], angles, run.sections)
    return None if once is None else once * 2 * math.pi / run.sections / line.section


def fit(run: SpinRun) -> SpinLoss | None:
    """What a throw lost, and by how much its turns differ; None for too short a run."""
    line = run.line()
    if line is None:
        return None
    loss = _with_drag(run, line) or line
    return replace(loss, spread=max(map(abs, middles(evened(run, loss), AROUND)[:-1])))


def _with_drag(run: SpinRun, line: SpinLoss) -> SpinLoss | None:
    """The losses that explain the costs better than a line does; None if these do not."""
    speeds, costs = zip(*run.costs, strict=True)
    ones, means = [1.0] * len(costs), [mean / 100 for mean in run.means()]
    try:
        section, drag, air = least_squares((ones, means, [speed / 1e4 for speed in speeds]), costs)
        if air < 0:
            (section, drag), air = least_squares((ones, means), costs), 0.0
    except SingularError:
        return None
    if section <= 0 or drag <= 0:
        return None
    loss = SpinLoss(section / run.sections, air / 1e4, drag=drag / 100)
    left = math.hypot(*run.unlike(loss)) * loss.section
    return loss if left < _LESS_UNEXPLAINED * math.hypot(*run.unlike(line)) * line.section else None


def pass_spread(run: SpinRun, section: float) -> float:
    """By how much a turn may differ from others, because the leather is not bent alike at each pass; sections.

    The loss from mark to mark is compared with the one a turn later, at the same pegs.
    """
    slow = run.speeds[len(run.speeds) // 3 :]  # Where a stamp's error is small.
    losses = [one - other for one, other in pairwise(slow)]
    apart = sorted(abs(one - other) for one, other in zip(losses, losses[run.sections :], strict=False))
    if not apart:
        return 0.0
    of_pass = apart[len(apart) // 2] / section / (_MEDIAN_OF_SPREAD * math.sqrt(2))
    return _PASSES * of_pass * math.sqrt(run.sections)


def _once_around(speeds: Sequence[float], angles: Sequence[float], per_turn: int) -> complex | None:
    """The first harmonic of the squared speeds; None if there are too few, or they do not tell."""
    if len(speeds) < _FEWEST or len(speeds) < 1.5 * per_turn:
        return None
    scale = max(speeds)
    values = [speed / scale for speed in speeds]
    rows = []
    for i, (value, at) in enumerate(zip(values, angles, strict=True)):
        way, cos, sin = i / per_turn / 3, math.cos(at), math.sin(at)
        rows.append((1.0, way, way**2, way**3, cos, sin, value * cos, value * sin))
    found = _fitted(rows, values)
    if found is None:
        return None
    off = [abs(value - sum(map(mul, row, found))) for row, value in zip(rows, values, strict=True)]
    near = [i for i, residue in enumerate(off) if residue <= _FAR_OFF * median(off)]
    if _FEWEST <= len(near) < len(rows):
        found = _fitted([rows[i] for i in near], [values[i] for i in near]) or found
    return complex(found[4], found[5]) * scale


def _fitted(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float] | None:
    try:
        return least_squares(list(zip(*rows, strict=True)), values)
    except SingularError:
        return None


def imbalance(heavy: complex, sections: int) -> str:
    """A heavy spot and its remedy, in words."""
    at_deg = math.degrees(math.atan2(heavy.imag, heavy.real))
    favoured = {way: _section(at_deg + way * 90, sections) for way in (1, -1)}
    return (
        f"The wheel is out of balance: it rests {abs(heavy):.0%} more often around section #{favoured[1]} turning "
        f"counterclockwise, and around #{favoured[-1]} turning clockwise. Level the wheel, see that it hangs true, "
        f"and take weight from the rim near section #{_section(at_deg + 180, sections)} or add it opposite, if the "
        "clapper is at the top; if it is below, the other way about."
    )


def _section(along_deg: float, sections: int) -> int:
    return int(along_deg % 360 * sections / 360) % sections + 1


def least_squares(columns: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """The factors of the columns whose sum is nearest to the values.

    Raises:
        SingularError: the columns do not differ enough.
    """
    size = len(values)

    def product(one: Sequence[float], other: Sequence[float]) -> float:
        return sum([x * y for x, y in zip(one, other, strict=True)]) / size

    return solved([[*(product(one, other) for other in columns), product(one, values)] for one in columns])
