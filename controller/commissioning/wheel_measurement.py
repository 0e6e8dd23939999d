"""A wheel's geometry from its strikes and releases: places in each direction, delays, pegs, run-out.

Used by ``calibrate`` and ``wheel-report``, with the figures that both show. The index gives every turn the same
beginning. Strikes of both directions lie around each peg. What moves them with the wheel's speed is the contact's
delay. What all strikes of a peg share is the peg's own error, and what goes once around the wheel
is the encoder's run-out.
"""

import cmath
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean, median

from pydantic import ValidationError

from config.schema import MeasuredClapper, PerDirection, WheelSection
from controller.commissioning.wheel_recording import WAYS, Edge, MeasurementError, SeenPass

SLOW_DEG_S = 90.0
"""Below this a wheel was turned slowly, by hand."""
_CONCENTRATED = 0.75
_FEWEST_PART = 0.97
_RELEASE_MARGIN_DEG = 0.1


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

    def in_file(self, wheel: WheelSection, spread_deg: float, first: int, day: str) -> WheelSection:
        """The wheel's section of the table's file.

        Args:
            spread_deg: how far the crossings of the index mark lie apart.
            first: the number of the first measured peg.
            day: of the measurement.

        Raises:
            MeasurementError: a value is beyond those of any wheel.
        """
        sections = len(self.pegs_deg)
        pitch, degree = 360 / sections, 360 / wheel.counts_per_turn
        offset = round((first * pitch - self.first_deg) / degree) % wheel.counts_per_turn
        rest = (self.first_deg + offset * degree - first * pitch + 180) % 360 - 180
        own, once = run_out([error or 0.0 for error in self.pegs_deg])

        def both(value: Callable[[int], float]) -> PerDirection:
            return PerDirection(clockwise=rounded(value(-1)), counterclockwise=rounded(value(1)))

        def release(way: int, end: int) -> float:
            return self.releases_deg.get(way, (0.0, 0.0))[end]

        try:
            clapper = MeasuredClapper(
                measured=day,
                strikes_deg=both(lambda way: self.strikes_deg.get(way, 0.0)),
                releases_from_deg=both(lambda way: release(way, 0) - _RELEASE_MARGIN_DEG),
                releases_to_deg=both(lambda way: release(way, 1) + _RELEASE_MARGIN_DEG),
                strike_delay_ms=rounded(self.strike_delay_s * 1000),
                release_delay_ms=rounded(self.release_delay_s * 1000),
                pegs_deg=[rounded(own[(peg - first) % sections] + rest) for peg in range(sections)],
                runout_deg=rounded(abs(once)),
                runout_at_deg=rounded((math.degrees(cmath.phase(once)) + first * pitch) % 360) % 360,
                left_over_deg=rounded(self.left_over_deg + spread_deg),
            )
        except ValidationError as error:
            beyond = sorted({f"{one['loc'][0]} {one['input']}" for one in error.errors()})
            raise MeasurementError(
                f"no wheel has such a clapper: {', '.join(beyond)}; look at contact, leather and encoder, and "
                "record again"
            ) from error
        return wheel.model_copy(update={"index_offset_counts": offset, "clapper": clapper})


def rounded(value: float, digits: int = 3) -> Decimal:
    """As the file has it."""
    scale = 10**digits
    return Decimal(round(value * scale)) / scale if math.isfinite(value) else Decimal(0)


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


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the wheel.

    Attributes:
        name: what it is, with the direction.
        unit: of the values; empty for a part of 1.
        before: as calibrated, or measured before; None if it was not.
        now: as measured; None if it cannot be.
        remedy: what to do, if it has drifted; else empty.
    """

    name: str
    unit: str
    before: float | None
    now: float | None
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.name:<38}{self._value(self.now):>9}{self._value(self.before):>12}"

    def _value(self, value: float | None) -> str:
        if value is None:
            return "–"
        return f"{value:.2f}{self.unit}" if self.unit else f"{value:.1%}"


def clapper_values(clapper: MeasuredClapper) -> dict[tuple[str, int], tuple[str, float]]:
    """Unit and value of each figure, by name and direction, 0 for both."""
    values: dict[tuple[str, int], tuple[str, float]] = {}
    for way, name in WAYS.items():
        strikes, *releases = (
            float(getattr(places, name))
            for places in (clapper.strikes_deg, clapper.releases_from_deg, clapper.releases_to_deg)
        )
        values |= {("strike", way): ("°", strikes), ("release", way): ("°", sum(releases) / 2)}
    return values | {
        ("strike delay", 0): (" ms", float(clapper.strike_delay_ms)),
        ("release delay", 0): (" ms", float(clapper.release_delay_ms)),
        ("strikes scatter by", 0): ("°", float(clapper.left_over_deg)),
        ("encoder is out of centre by", 0): ("°", float(clapper.runout_deg)),
    }


def figure_name(name: str, way: int) -> str:
    return f"{name} {WAYS[way]}" if way else name


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
