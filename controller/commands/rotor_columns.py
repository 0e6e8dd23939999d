"""The health of a roulette wheel in columns, as JSON and as plots, for ``wheel-health``."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from statistics import median

from controller.commands.columns import columns
from controller.commands.local_time import local_day, local_minute
from controller.drawing.plots import Curve, Mark, Plot
from controller.runtime.colours import Colour, paint
from controller.runtime.rotor_history import RotorHistory, RotorSpin
from controller.runtime.wheel_record import seconds
from controller.wheel_health.findings import WheelFinding
from controller.wheel_health.report import MeasuredSpin

_HEADERS = ("since", "spins", "ball_1 to ball_2", "rotor loses")
_RIGHT = frozenset({1, 2, 3})
_AVERAGED = 20
"""A point of the plot of drops is the part of so many spins."""


def left_out(reasons: Counter[str]) -> str:
    """How many were not measured and why, in brackets; empty if all were."""
    words = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return f" (left out: {words})" if words else ""


def finding_lines(findings: Sequence[WheelFinding], spins: Sequence[MeasuredSpin | RotorSpin]) -> list[str]:
    """A line for each finding, with the spin at which it was found."""
    found = [(finding, spins[finding.spin - 1]) for finding in findings]
    lines = [
        f"{at}. {finding} (round {spin.round}, {local_day(spin.utc)})"
        for at, (finding, spin) in enumerate(found, 1)
    ]
    return [paint(line, Colour.WARNING, sys.stdout) for line in lines]


def rotor_text(table: str, history: RotorHistory, size: int | None) -> str:
    """A row for each day, or for every ``size`` spins, and the findings."""
    many = len(history.spins)
    angle_deg = history.geometry.beam_angle_mdeg / 1000
    lines = [
        f"the wheel of {table}: {many} spin{'' if many == 1 else 's'} measured{left_out(history.left_out)}",
        "",
        columns(_HEADERS, [_row(name, spins) for name, spins in _groups(history.spins, size)], right=_RIGHT),
        "",
        f"ball_1 to ball_2: part of the balls that came down within these {angle_deg:g} degrees, clockwise; "
        f"{angle_deg / 360:.0%} on\na level wheel; rotor loses: turns a second, each second",
        "",
    ]
    lines += finding_lines(history.findings, history.spins)
    return "\n".join([*lines, "" if history.findings else "nothing found"]).rstrip()


def _groups(spins: Sequence[RotorSpin], size: int | None) -> list[tuple[str, list[RotorSpin]]]:
    if size is None:
        return [(day, list(of_day)) for day, of_day in groupby(spins, key=lambda spin: local_day(spin.utc))]
    firsts = range(0, len(spins), size)
    return [(local_minute(spins[first].utc), list(spins[first : first + size])) for first in firsts]


def _row(name: str, spins: Sequence[RotorSpin]) -> list[str]:
    share, loss = _share(spins), _loss(spins)
    return [
        name,
        str(len(spins)),
        "–" if share is None else f"{share:.0%}",
        "–" if loss is None else f"{loss:.4f}",
    ]


def _share(spins: Sequence[RotorSpin]) -> float | None:
    known = [spin.health.between_beams for spin in spins if spin.health.between_beams is not None]
    return sum(known) / len(known) if known else None


def _loss(spins: Sequence[RotorSpin]) -> float | None:
    known = [spin.health.rotor_slows_rev_s2 for spin in spins if spin.health.rotor_slows_rev_s2 is not None]
    return median(known) if known else None


def rotor_data(table: str, history: RotorHistory) -> dict[str, object]:
    """All of it for programs; angles in degrees, losses in turns a second, each second."""
    return {
        "table": table,
        "beam_angle_deg": history.geometry.beam_angle_mdeg / 1000,
        "usual_loss_rev_s2": history.usual_rev_s2,
        "findings": [
            {
                **asdict(one),
                "sign": one.sign.value,
                "round": history.spins[one.spin - 1].round,
                "utc": history.spins[one.spin - 1].utc,
            }
            for one in history.findings
        ],
        "spins": [
            {
                "round": spin.round,
                "utc": spin.utc,
                "between_beams": spin.health.between_beams,
                "drops_from_deg": spin.health.drops_from_mdeg / 1000,
                "drops_within_deg": spin.health.drops_within_mdeg / 1000,
                "rotor_loss_rev_s2": spin.health.rotor_slows_rev_s2,
            }
            for spin in history.spins
        ],
        "left_out": dict(history.left_out),
    }


def rotor_plots(table: str, history: RotorHistory) -> list[Plot]:
    """Drops and losses over time, with the findings."""
    spins = history.spins
    began_s = seconds(spins[0].utc)
    hours = [(seconds(spin.utc) - began_s) / 3600 for spin in spins]
    found = tuple(Mark(str(number), hours[one.spin - 1]) for number, one in enumerate(history.findings, 1))
    losses = [(hour, spin.health.rotor_slows_rev_s2) for hour, spin in zip(hours, spins, strict=True)]
    shares = [(hour, _share(spins[max(0, place - _AVERAGED + 1) : place + 1])) for place, hour in enumerate(hours)]
    curves = {
        "drops": (f"part of the last {_AVERAGED} balls that came down from ball_1 to ball_2", shares),
        "rotor": ("turns a second that the rotor loses each second", losses),
    }
    return [
        Plot(f"{table}: {title}", max(hours[-1], 1e-3), (_curve(label, points),), (), found, None, "hours", "found")
        for title, (label, points) in curves.items()
    ]


def _curve(label: str, points: Sequence[tuple[float, float | None]]) -> Curve:
    return Curve(label, tuple((at, value) for at, value in points if value is not None))
