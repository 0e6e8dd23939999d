"""A throw's energy from section to section: what the wheel loses, and whether it is out of balance.

Used by ``calibrate`` and ``wheel-report``. A heavy spot adds the same to the squared speed at every speed, for it
is an energy. An encoder out of centre adds a part of the squared speed. A throw passes each place of the rim at
several speeds, so least squares tell the two apart.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import mul
from statistics import median

from controller.commissioning.wheel_recording import NS_PER_S, WheelRecording
from controller.tracking.clapper_wheel.energy import (
    NEVER_LET_GO_TURNS,
    SingularError,
    SpinLoss,
    SpinRun,
    least_squares,
)
from controller.tracking.clapper_wheel.geometry import WheelGeometry

THROWN_DEG_S = 110.0
"""A wheel that was this fast was thrown."""
_LEAST_TURNS = 2
_CYCLE = 4
"""From mark to mark are whole cycles of A and B: the lines of an encoder are not all alike."""
_LET_GO = 9
"""After a ninth of a turn more the hand has let go."""
_SLOWEST_SECTIONS = 6.0
"""Below so many sections' loss a mean speed between marks says too little of the energy."""
_FEWEST = 12
_FAR_OFF = 6.0
"""A squared speed so many times the usual residue away had a late stamp."""


@dataclass(frozen=True, slots=True)
class SpinEnergy:
    """Squared speeds of a throw, and where on the rim (radians from the first section's start) each was taken."""

    run: SpinRun
    angles: Sequence[float]

    def more_than(self, loss: SpinLoss) -> float | None:
        """By what part sections took more than calibrated; None for a wheel that a hand led."""
        return median(self.run.unlike(loss)) / self.run.sections if self._own_loss() else None

    def heavy(self) -> complex | None:
        """By what part a heavy spot makes sections take more; its angle is where the rim is fastest."""
        section, run = self._own_loss(), self.run
        if not section:
            return None
        first = run.fastest + run.per_turn // _LET_GO
        last = next((i for i in range(first, len(run.speeds)) if run.speeds[i] < _SLOWEST_SECTIONS * section), None)
        once = _once_around(run.speeds[first:last], self.angles[first:last], run.per_turn)
        return None if once is None else once * 2 * math.pi / run.sections / section

    def _own_loss(self) -> float:
        run = self.run
        led = len(run.speeds) <= run.per_turn or run.fastest > NEVER_LET_GO_TURNS * run.per_turn
        line = None if led else run.line()
        return 0.0 if line is None else line.section


def throws(recording: WheelRecording, origin: int, geometry: WheelGeometry) -> Iterator[SpinEnergy]:
    """The throws of two turns or more.

    Args:
        origin: the count at the index mark.
    """
    turn, per_turn = geometry.counts_per_turn, geometry.sections
    cycle = _CYCLE if turn >= 2 * _CYCLE * per_turn else 1
    for direction, entered, stamps in recording.sweeps(_LEAST_TURNS * turn, geometry.rest_ns):
        low, high = sorted((entered[0] - origin, entered[-1] - origin))
        marks = range(low * per_turn // turn, high * per_turn // turn + 2)
        counts = {mark: math.ceil(mark * turn / per_turn / cycle) * cycle for mark in marks}
        passed = [(mark, count) for mark, count in counts.items() if low <= count <= high][::direction]
        speeds, angles = [], []
        for (one, begins), (other, ends) in pairwise(passed):
            one_ns, other_ns = (stamps[abs(count + origin - entered[0])] for count in (begins, ends))
            factor = geometry.runout[min(one, other) % per_turn] if geometry.runout else 1.0
            turned = abs(ends - begins) * 360 / turn * factor
            speeds.append((turned * NS_PER_S / max(1, other_ns - one_ns)) ** 2)
            angles.append(2 * math.pi * ((begins + ends) / 2 + geometry.index_offset_counts) / turn)
        if max(speeds, default=0.0) > THROWN_DEG_S**2:
            yield SpinEnergy(SpinRun(direction, speeds, per_turn, geometry.sections), angles)


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
