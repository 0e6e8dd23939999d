"""A wheel's geometry from its strikes and slips: places in each direction, delays, pegs, run-out.

Used by ``calibrate`` and ``wheel-report``. The index gives every turn the same beginning. Strikes of both
directions lie around each peg. What moves them with the wheel's speed is the contact's delay. What all strikes of a
peg share is the peg's own error, and what goes once around the wheel is the encoder's run-out.
"""

import cmath
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median

from controller.commissioning.wheel_recording import Edge, MeasurementError

SLOW_DEG_S = 90.0
"""Below this a wheel was turned slowly, by hand."""
_CONCENTRATED = 0.75
_FEWEST_PART = 0.97
_SLIPS_PAST_DEG = 1.5
"""The leather slips off about so far behind the place of the strike."""


@dataclass(frozen=True, slots=True)
class ContactSide:
    """One direction's places, degrees past the peg. ``slips`` is where the leather slips off, the least, the middle
    and the greatest such place; None if the contact was hardly seen to open."""

    closes: float
    slips: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Measured:
    """The geometry, in degrees from the index mark; which peg begins which section is not known here.

    Attributes:
        first_deg: where the even places of the pegs begin.
        sides: by direction, of those in which the wheel was turned.
        pegs_deg: how far each peg is from its even place, run-out included; None for one that did not close the
            contact each way.
        left_over_deg: how far the worst strike lies from its place.
    """

    first_deg: float
    sides: Mapping[int, ContactSide]
    pegs_deg: Sequence[float | None]
    closing_delay_s: float
    opening_delay_s: float
    left_over_deg: float

    @property
    def missing(self) -> list[int]:
        """The pegs that did not close the contact."""
        return [peg for peg, error in enumerate(self.pegs_deg) if error is None]


def measure(strikes: Sequence[Edge], slips: Sequence[Edge], sections: int) -> Measured:
    """The geometry.

    Raises:
        MeasurementError: the strikes do not lie on so many pegs.
    """
    pitch = 360 / sections
    first, half = _phases(strikes, pitch)
    strikes = [_at_peg(edge, first + edge.direction * half, pitch) for edge in strikes]
    delay = _delay(((edge.direction, edge.peg % sections), edge, _past(edge, first, pitch)) for edge in strikes)
    off: dict[tuple[int, int], list[float]] = defaultdict(list)
    for edge in strikes:
        past = _past(edge, first, pitch) - delay * edge.speed
        off[edge.peg % sections, edge.direction].append(past * edge.direction)
    means = {key: median(values) for key, values in off.items()}
    ways = {edge.direction for edge in strikes}
    whole = [peg for peg in range(sections) if all((peg, way) in means for way in ways)]
    if not whole:
        raise MeasurementError("no peg closed the contact each way; turn the wheel farther, or look at the contact")
    middles = {way: fmean(means[peg, way] for peg in whole) for way in ways}
    closes = {way: (middles[way] - fmean(middles.values())) * way for way in ways}
    pegs = {peg: fmean(means[peg, way] - way * closes[way] for way in ways) for peg in whole}
    residues = sorted(
        abs(value - pegs[peg] - way * closes[way])
        for (peg, way), values in off.items()
        if peg in pegs
        for value in values
    )
    slips = [_at_peg(edge, first + edge.direction * (half + _SLIPS_PAST_DEG), pitch) for edge in slips]
    opening, ranges = _slips(slips, first, [pegs.get(peg, 0.0) for peg in range(sections)])
    return Measured(
        first,
        {way: ContactSide(closes[way], ranges.get(way)) for way in ways},
        [pegs.get(peg) for peg in range(sections)],
        delay,
        opening,
        residues[int(len(residues) * 0.995)],
    )


def once_around(values: Sequence[float]) -> complex:
    """The part of values around the wheel that goes once around: its size, and where it is largest as its angle."""
    turn = 2j * math.pi / len(values)
    return 2 / len(values) * sum((value * cmath.exp(turn * place) for place, value in enumerate(values)), 0j)


def without(once: complex, values: Sequence[float]) -> list[float]:
    """Values around the wheel without what goes once around."""
    turn = 2j * math.pi / len(values)
    return [value - (once * cmath.exp(-turn * place)).real for place, value in enumerate(values)]


def peg_name(peg: int, sections: int) -> str:
    """A peg by the sections on either side, in the wheel's order from 1."""
    return f"the peg between sections #{(peg - 1) % sections + 1} and #{peg % sections + 1}"


def _phases(strikes: Sequence[Edge], pitch: float) -> tuple[float, float]:
    """Where the pegs begin, and how far past them the contact closes; of one direction alone 0 past them."""
    if not strikes:
        raise MeasurementError("no peg closed the contact while the wheel turned; look at it, and turn again")
    phases = {}
    for way in (1, -1):
        of_way = [edge for edge in strikes if edge.direction == way]
        slow = [edge for edge in of_way if edge.speed < SLOW_DEG_S] or of_way
        if not slow:
            continue
        mean = sum((cmath.exp(2j * math.pi * edge.at_deg / pitch) for edge in slow), 0j) / len(slow)
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


def _at_peg(edge: Edge, first: float, pitch: float) -> Edge:
    """The edge with the peg that is nearest to it."""
    return replace(edge, peg=round((edge.at_deg - first) / pitch))


def _past(edge: Edge, first: float, pitch: float) -> float:
    """How far past its peg's even place an edge lies, in its direction."""
    return (edge.at_deg - first - edge.peg * pitch) * edge.direction


def _delay(edges: Iterable[tuple[object, Edge, float]]) -> float:
    """The contact's delay: by how much edges lie later, the faster the wheel; in seconds.

    Args:
        edges: the group within which edges are compared, the edge, and its place in its direction.
    """
    groups: dict[object, list[tuple[float, float]]] = defaultdict(list)
    for group, edge, place in edges:
        groups[group].append((edge.speed, place))
    covariance = variance = 0.0
    for values in groups.values():
        speed, place = fmean(v for v, _ in values), fmean(p for _, p in values)
        covariance += sum((v - speed) * (p - place) for v, p in values)
        variance += sum((v - speed) ** 2 for v, _ in values)
    return max(0.0, covariance / variance) if variance > sum(map(len, groups.values())) else 0.0


def _slips(
    slips: Sequence[Edge], first: float, pegs: Sequence[float]
) -> tuple[float, dict[int, tuple[float, float, float]]]:
    """The delay of the opening contact, and by direction where the leather slips off."""
    sections = len(pegs)
    pitch = 360 / sections

    def place(edge: Edge, peg: int) -> float:
        return _past(replace(edge, peg=peg), first, pitch) - pegs[peg % sections] * edge.direction

    placed: list[tuple[Edge, float]] = []
    for way in (1, -1):
        of_way = [edge for edge in slips if edge.direction == way]
        usual = median([place(edge, edge.peg) for edge in of_way] or [0.0])
        for edge in of_way:  # A bent peg is nearer to another's place.
            pasts = [place(edge, edge.peg + more) for more in (-1, 0, 1)]
            placed.append((edge, min(pasts, key=lambda past: abs(past - usual))))
    delay = _delay((edge.direction, edge, past) for edge, past in placed)
    ranges = {}
    for way in (1, -1):
        values = sorted(past - delay * edge.speed for edge, past in placed if edge.direction == way)
        if len(values) >= sections * _FEWEST_PART / 2:
            cut = len(values) // 200
            ranges[way] = values[cut], median(values), values[-1 - cut]
    return delay, ranges
