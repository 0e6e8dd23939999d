"""Spins in groups, a day's or so many at a time, as rows of a table and as points of plots."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

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


def group(name: str, spins: Sequence[SpinMeasures]) -> SpinGroup:
    """The means of spins, of which there is one at least."""

    def both(of: Callable[[SpinMeasures], float], known: bool = False) -> tuple[float | None, float | None]:
        ways = [[of(one) for one in spins if one.direction == way and (of(one) or not known)] for way in (1, -1)]
        forwards, backwards = (fmean(way) if way else None for way in ways)
        return forwards, backwards

    measured = [one for one in spins if one.section_loss]
    cosine, sine = _mean(spins, lambda one: one.heavy_cosine), _mean(spins, lambda one: one.heavy_sine)
    pegs = pegs_along_rim(spins)
    odd = max(range(len(pegs)), key=lambda peg: 0.0 if math.isnan(pegs[peg]) else abs(pegs[peg]))
    return SpinGroup(
        name, len(spins), both(lambda one: one.loss_ratio, known=True), both(lambda one: one.strike_deg),
        both(lambda one: one.release_deg), both(lambda one: one.width_deg),
        _mean(measured, lambda one: one.section_loss) if measured else None,
        _mean(measured, lambda one: one.air_loss) if measured else None,
        math.hypot(cosine, sine), math.degrees(math.atan2(sine, cosine)) % 360, odd, pegs[odd],
        _mean(spins, lambda one: one.chatter),
    )  # fmt: skip


def _mean(spins: Sequence[SpinMeasures], of: Callable[[SpinMeasures], float]) -> float:
    return fmean(map(of, spins))


def pegs_along_rim(spins: Sequence[SpinMeasures]) -> list[float]:
    """By peg, its mean distance from its calibrated place, in degrees along the rim; NaN if never struck."""
    pegs: list[list[float]] = [[] for _ in spins[0].pegs_deg]
    for one in spins:
        for off, values in zip(one.pegs_deg, pegs, strict=True):
            if not math.isnan(off):
                values.append(off * one.direction)
    return [fmean(values) if values else math.nan for values in pegs]


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
