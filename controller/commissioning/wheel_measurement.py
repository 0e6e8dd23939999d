"""A wheel's geometry from its strikes and releases: places in each direction, delays, pegs, run-out.

Used by ``calibrate`` and ``wheel-report``. The index gives every turn the same beginning. Strikes of both
directions lie around each peg. What moves them with the wheel's speed is the contact's delay. What all strikes of a
peg share is the peg's own error, and what goes once around the wheel is the encoder's run-out.
"""

import cmath
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from controller.commissioning.wheel_recording import Edge, MeasurementError, SeenPass

SLOW_DEG_S = 90.0
"""Below this a wheel was turned slowly, by hand."""
_CONCENTRATED = 0.75
_FEWEST_PART = 0.97


@dataclass(frozen=True, slots=True)
class Measured:
    """The geometry, in degrees from the index mark; which peg begins which section is not known here.

    Attributes:
        first_deg: where the even places of the pegs begin.
        strikes_deg: strikes past the peg, by direction, of those in which the wheel was turned.
        releases_deg: releases past the peg, the least and the greatest; not of a direction in which
            the contact was hardly seen to close.
        pegs_deg: how far each peg is from its even place, run-out included; None for one that did not open the
            contact each way.
        left_over_deg: how far the worst strike lies from its place.
    """

    first_deg: float
    strikes_deg: Mapping[int, float]
    releases_deg: Mapping[int, tuple[float, float]]
    pegs_deg: Sequence[float | None]
    strike_delay_s: float
    release_delay_s: float
    left_over_deg: float

    @property
    def missing(self) -> list[int]:
        """The pegs that did not open the contact."""
        return [peg for peg, error in enumerate(self.pegs_deg) if error is None]


def measure(passes: Sequence[SeenPass], sections: int) -> Measured:
    """The geometry.

    Raises:
        MeasurementError: the strikes do not lie on so many pegs.
    """
    pitch = 360 / sections
    first, half = _phases(passes, pitch)
    struck: dict[tuple[int, int], list[Edge]] = defaultdict(list)
    slipped: dict[tuple[int, int], list[Edge]] = defaultdict(list)
    for way, edge, slip in passes:
        peg = round((edge[0] - first - way * half) / pitch)
        for seen, one in ((struck, edge), (slipped, slip)):
            if one is not None:
                seen[peg % sections, way].append(((one[0] - first - peg * pitch) * way, one[1]))
    delay = _delay(struck.values())
    off = {key: [past - delay * speed for past, speed in edges] for key, edges in struck.items()}
    ways = {way for _, way in off}
    whole = [peg for peg in range(sections) if all((peg, way) in off for way in ways)]
    if not whole:
        raise MeasurementError("no peg opened the contact each way; turn the wheel farther, or check the contact")
    usual = {key: median(places) * key[1] for key, places in off.items()}
    middles = {way: fmean(usual[peg, way] for peg in whole) for way in ways}
    strikes = {way: (middles[way] - fmean(middles.values())) * way for way in ways}
    pegs = {peg: fmean(usual[peg, way] - way * strikes[way] for way in ways) for peg in whole}
    residues = sorted(
        abs(place - pegs[peg] * way - strikes[way])
        for (peg, way), places in off.items()
        if peg in pegs
        for place in places
    )
    # Of releases each direction is compared as a whole: of a single peg there are few.
    by_way = {
        way: [
            (past - pegs.get(peg, 0.0) * way, speed)
            for (peg, one), edges in slipped.items()
            for past, speed in edges
            if one == way
        ]
        for way in ways
    }
    release_delay, releases = _delay(by_way.values()), {}
    for way, edges in by_way.items():
        if len(edges) >= sections * _FEWEST_PART / 2:
            places, cut = sorted(past - release_delay * speed for past, speed in edges), len(edges) // 200
            releases[way] = places[cut], places[-1 - cut]
    errors = [pegs.get(peg) for peg in range(sections)]
    return Measured(first, strikes, releases, errors, delay, release_delay, residues[int(len(residues) * 0.995)])


def run_out(values: Sequence[float]) -> tuple[list[float], complex]:
    """Values around the wheel without the part that goes once around; and that part, largest at its angle."""
    turns = [cmath.exp(2j * math.pi * place / len(values)) for place in range(len(values))]
    once = 2 / len(values) * sum((value * turn for value, turn in zip(values, turns, strict=True)), 0j)
    return [value - (once / turn).real for value, turn in zip(values, turns, strict=True)], once


def peg_name(peg: int, sections: int) -> str:
    """A peg by the sections on either side, in the wheel's order from 1."""
    return f"the peg between sections #{(peg - 1) % sections + 1} and #{peg % sections + 1}"


def _phases(passes: Sequence[SeenPass], pitch: float) -> tuple[float, float]:
    """Where the pegs begin, and how far past them strikes are; of one direction alone 0 past them."""
    phases = {}
    for way in {one.direction for one in passes}:
        strikes = [one.struck for one in passes if one.direction == way]
        places = [at_deg for at_deg, speed in strikes if speed < SLOW_DEG_S] or [at_deg for at_deg, _ in strikes]
        mean = sum((cmath.exp(2j * math.pi * at_deg / pitch) for at_deg in places), 0j) / len(places)
        if abs(mean) < _CONCENTRATED:
            raise MeasurementError(
                f"the strikes do not lie {round(360 / pitch)} to a turn; see that the encoder does not slip, that "
                "the contact does not chatter, and that counts_per_turn is right"
            )
        phases[way] = cmath.phase(mean) / (2 * math.pi) * pitch
    if len(phases) < 2:
        return next(iter(phases.values())), 0.0
    apart = (phases[1] - phases[-1] + pitch / 2) % pitch - pitch / 2
    return phases[-1] + apart / 2, apart / 2


def _delay(groups: Iterable[Sequence[Edge]]) -> float:
    """The contact's delay in seconds: by how much edges of a group are later, the faster the wheel.

    Args:
        groups: how far past the peg each edge is, and how fast the wheel was.
    """
    covariance = variance = 0.0
    edges = 0
    for group in filter(None, groups):
        place, speed = fmean(p for p, _ in group), fmean(v for _, v in group)
        covariance += sum((v - speed) * (p - place) for p, v in group)
        variance += sum((v - speed) ** 2 for _, v in group)
        edges += len(group)
    return max(0.0, covariance / variance) if variance > edges else 0.0
