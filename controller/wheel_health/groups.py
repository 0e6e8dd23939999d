"""Spins in groups, a day's or so many at a time, as rows of a table and as points of plots."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from controller.drawing.plots import Curve, Mark, Plot
from controller.wheel_health.measures import SpinMeasures


@dataclass(frozen=True, slots=True)
class SpinGroup:
    """The means of some spins. Attributes as of :class:`SpinMeasures`; ``None`` where no spin says.

    Attributes:
        name: of the group: a day, or its first spin.
        spins: how many.
        loss_ratio: by direction: counterclockwise, clockwise; so are those that follow.
        favours: by how much more often the wheel rests where it rests most.
        fastest_at_deg: where along the rim it is fastest by a heavy spot.
        odd_peg: the peg that is farthest off in the mean.
        odd_deg: by how much, in degrees along the rim.
    """

    name: str
    spins: int
    loss_ratio: tuple[float | None, float | None]
    strike_deg: tuple[float | None, float | None]
    release_deg: tuple[float | None, float | None]
    width_deg: tuple[float | None, float | None]
    section_loss: float | None
    air_loss: float | None
    favours: float
    fastest_at_deg: float
    odd_peg: int
    odd_deg: float
    chatter: float


@dataclass(slots=True)
class SpinSums:
    """Sums over some spins, of which :meth:`group` makes means: those of more spins are added at any time.

    Attributes:
        spins: how many.
        ways: by direction, counterclockwise and clockwise: the spins, those whose loss is known, and sums of losses
            over the calibrated one, of strikes, releases and widths.
        losses: spins whose losses are known, and sums of a section's loss and the air's part.
        heavy: sums of cosines and sines.
        chatter: bounces of the contact.
        pegs: by peg, the spins in which it struck, and the sum of its distances, in degrees along the rim.
    """

    spins: int = 0
    ways: tuple[list[float], list[float]] = field(default_factory=lambda: ([0.0] * 6, [0.0] * 6))
    losses: list[float] = field(default_factory=lambda: [0.0] * 3)
    heavy: list[float] = field(default_factory=lambda: [0.0] * 2)
    chatter: int = 0
    pegs: list[list[float]] = field(default_factory=list)

    def add(self, one: SpinMeasures, sign: int = 1) -> None:
        """Take a spin; with a sign of -1 take it out again."""
        self.spins += sign
        places = (one.strike_deg, one.release_deg, one.width_deg)
        _add(self.ways[one.direction < 0], sign, 1, bool(one.loss_ratio), one.loss_ratio, *places)
        if one.section_loss:
            _add(self.losses, sign, 1, one.section_loss, one.air_loss)
        _add(self.heavy, sign, one.heavy_cosine, one.heavy_sine)
        self.chatter += sign * one.chatter
        self.pegs += ([0.0, 0.0] for _ in range(len(self.pegs), len(one.pegs_deg)))
        for peg, off in zip(self.pegs, one.pegs_deg, strict=True):
            if not math.isnan(off):
                _add(peg, sign, 1, off * one.direction)

    def pegs_along_rim(self) -> list[float]:
        """By peg, its mean distance from its calibrated place, in degrees along the rim; NaN if never struck."""
        return [off / spins if spins else math.nan for spins, off in self.pegs]

    def group(self, name: str) -> SpinGroup:
        """The means, of one spin at least."""
        loss, strike, release, width = (self._both(of, by) for of, by in ((2, 1), (3, 0), (4, 0), (5, 0)))
        measured, section, air = self.losses
        cosine, sine = (total / self.spins for total in self.heavy)
        pegs = self.pegs_along_rim()
        odd = max(range(len(pegs)), key=lambda peg: 0.0 if math.isnan(pegs[peg]) else abs(pegs[peg]))
        return SpinGroup(
            name, self.spins, loss, strike, release, width,
            section / measured if measured else None, air / measured if measured else None,
            math.hypot(cosine, sine), math.degrees(math.atan2(sine, cosine)) % 360, odd, pegs[odd],
            self.chatter / self.spins,
        )  # fmt: skip

    def _both(self, of: int, by: int) -> tuple[float | None, float | None]:
        forwards, backwards = (way[of] / way[by] if way[by] else None for way in self.ways)
        return forwards, backwards


def _add(sums: list[float], sign: int, *values: float) -> None:
    for place, value in enumerate(values):
        sums[place] += sign * value


def summed(spins: Iterable[SpinMeasures]) -> SpinSums:
    """The sums of spins."""
    sums = SpinSums()
    for one in spins:
        sums.add(one)
    return sums


def over_time(
    table: str, groups: Sequence[SpinGroup], at: Sequence[float], axis: str, found: Sequence[Mark]
) -> list[Plot]:
    """Plots of groups.

    Args:
        at: where each group lies on the time axis, growing from 0.
        axis: its unit.
        found: findings, where they were found.
    """
    panels = {title: [_curve(label, of, groups, at) for label, of in curves] for title, curves in _PANELS.items()}
    end = max(at[-1], 1e-3)
    return [
        Plot(f"{table}: {title}", end, tuple(curves), (), tuple(found), None, axis=axis, marked="found")
        for title, curves in panels.items()
    ]


_Value = Callable[[SpinGroup], float | None]


def _curve(label: str, of: _Value, groups: Sequence[SpinGroup], at: Sequence[float]) -> Curve:
    values = ((when, of(one)) for when, one in zip(at, groups, strict=True))
    return Curve(label, tuple((when, value) for when, value in values if value is not None))


_LATER = "degrees later than calibrated, turning"
_LOSS = "loss of a section over the calibrated one, turning"
_PANELS: dict[str, list[tuple[str, _Value]]] = {
    "strikes": [
        (f"{_LATER} counterclockwise", lambda one: one.strike_deg[0]),
        (f"{_LATER} clockwise", lambda one: one.strike_deg[1]),
    ],
    "releases": [
        (f"{_LATER} counterclockwise", lambda one: one.release_deg[0]),
        (f"{_LATER} clockwise", lambda one: one.release_deg[1]),
    ],
    "losses": [
        (f"{_LOSS} counterclockwise", lambda one: one.loss_ratio[0]),
        (f"{_LOSS} clockwise", lambda one: one.loss_ratio[1]),
    ],
    "balance and pegs": [
        ("percent by which the best section is favoured", lambda one: 100 * one.favours),
        ("degrees by which the oddest peg is off", lambda one: one.odd_deg),
        ("bounces of the contact in a spin", lambda one: one.chatter),
    ],
}
