"""A wheel's geometry from its strikes and releases: places in each direction, delays, pegs, run-out.

Used by ``calibrate`` and ``wheel-report``, with the figures that both show. The index gives every turn the same
beginning. Strikes of both directions lie around each peg. What moves them with the wheel's speed is the contact's
delay. What all strikes of a peg share is the peg's own error, and what goes once around the wheel
is the encoder's run-out.
"""

import cmath
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from statistics import fmean, median
from typing import Self

from pydantic import ValidationError

from config.schema import MeasuredClapper, PerDirection, WheelSection
from controller.commissioning.wheel_recording import WAYS, Edge, MeasurementError, SeenPass
from controller.tracking.clapper_wheel.geometry import WheelGeometry

SLOW_DEG_S = 90.0
"""Below this a wheel was turned slowly, by hand."""
_CONCENTRATED = 0.75
_FEWEST_PART = 0.97
_RELEASE_MARGIN_DEG = 0.1


@dataclass(frozen=True, slots=True)
class Measured:
    """The geometry, in degrees from the index mark.

    Attributes:
        first_deg: where the even places of the pegs begin. Which section that is, a recording does not tell.
        pegs_deg: how far each peg is from its even place, run-out included; None for one that did not open the
            contact each way.
        strikes_deg: strikes past the peg, by direction, of those in which the wheel was turned.
        strike_delay_s: how much later than that the contact opens.
        releases_deg: releases past the peg, the least and the greatest; not of a direction in which
            the contact was hardly seen to close.
        left_over_deg: how far the worst strike lies from its place.
    """

    first_deg: float
    pegs_deg: Sequence[float | None]
    strikes_deg: Mapping[int, float]
    strike_delay_s: float = 0.0
    releases_deg: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    release_delay_s: float = 0.0
    left_over_deg: float = 0.0

    @classmethod
    def calibrated(cls, geometry: WheelGeometry) -> Self:
        """The strikes of a wheel that was measured before."""
        places = geometry.places
        return cls(
            -geometry.index_offset_counts * 360 / geometry.counts_per_turn,
            [error / 1000 for error in places.pegs_mdeg],
            {way: places.side(way).strikes_mdeg / 1000 for way in WAYS},
            places.strike_delay_ns / 1e9,
        )

    def place(self, peg: int) -> float:
        """Where a peg is; they are numbered on over the turns."""
        sections = len(self.pegs_deg)
        return self.first_deg + peg * 360 / sections + (self.pegs_deg[peg % sections] or 0.0)

    def struck(self, one: SeenPass) -> tuple[int, float]:
        """Which peg struck, and how much later than its place, in degrees."""
        (at, speed), way = one.struck, one.direction
        at -= way * (self.strikes_deg[way] + self.strike_delay_s * speed)
        peg = round((at - self.first_deg) * len(self.pegs_deg) / 360)
        return peg, (at - self.place(peg)) * way

    def shifted(self, shift_deg: float) -> Self:
        """As if the pegs were so far back along the rim: the places past them differ by direction."""
        return replace(
            self,
            strikes_deg={way: at + way * shift_deg for way, at in self.strikes_deg.items()},
            releases_deg={
                way: (a + way * shift_deg, b + way * shift_deg) for way, (a, b) in self.releases_deg.items()
            },
        )

    @property
    def missing(self) -> list[int]:
        """The pegs that did not open the contact."""
        return [peg for peg, error in enumerate(self.pegs_deg) if error is None]

    def numbered(self, first: int) -> Self:
        """With the first peg as this one, so that pegs have the numbers of the sections that they begin."""
        sections = len(self.pegs_deg)
        pegs = [self.pegs_deg[(peg - first) % sections] for peg in range(sections)]
        return replace(self, first_deg=self.first_deg - first * 360 / sections, pegs_deg=pegs)

    def in_file(self, wheel: WheelSection, spread_deg: float, day: str) -> WheelSection:
        """The wheel's section of the table's file.

        Args:
            spread_deg: how far the crossings of the index mark lie apart.
            day: of the measurement.

        Raises:
            MeasurementError: a value is beyond those of any wheel.
        """
        degree = 360 / wheel.counts_per_turn
        offset = round(-self.first_deg / degree) % wheel.counts_per_turn
        rest = (self.first_deg + offset * degree + 180) % 360 - 180
        own, once = run_out([error or 0.0 for error in self.pegs_deg])
        releases = dict.fromkeys(WAYS, (0.0, 0.0)) | dict(self.releases_deg)

        def both(values: Mapping[int, float]) -> PerDirection:
            return PerDirection(
                clockwise=rounded(values.get(-1, 0.0)), counterclockwise=rounded(values.get(1, 0.0))
            )

        try:
            clapper = MeasuredClapper(
                measured=day,
                strikes_deg=both(self.strikes_deg),
                releases_from_deg=both({way: least - _RELEASE_MARGIN_DEG for way, (least, _) in releases.items()}),
                releases_to_deg=both({way: most + _RELEASE_MARGIN_DEG for way, (_, most) in releases.items()}),
                strike_delay_ms=rounded(self.strike_delay_s * 1000),
                release_delay_ms=rounded(self.release_delay_s * 1000),
                pegs_deg=[rounded(error + rest) for error in own],
                runout_deg=rounded(abs(once)),
                runout_at_deg=rounded(math.degrees(cmath.phase(once)) % 360) % 360,
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


def measure(passes: Sequence[SeenPass], expected: Measured) -> Measured:
    """The geometry.

    Args:
        expected: which strikes belong to which peg: as :func:`even` pegs have it, or as the wheel was calibrated.

    Raises:
        MeasurementError: no peg struck each way.
    """
    sections = len(expected.pegs_deg)
    struck: dict[tuple[int, int], list[Edge]] = defaultdict(list)
    slipped: dict[tuple[int, int], list[Edge]] = defaultdict(list)
    for one in passes:
        peg, _ = expected.struck(one)
        for seen, edge in ((struck, one.struck), (slipped, one.slipped)):
            if edge is not None:
                past = (edge[0] - expected.place(peg)) * one.direction
                seen[peg % sections, one.direction].append((past, edge[1]))
    delay = _delay(struck.values())
    off = {key: [past - delay * speed for past, speed in edges] for key, edges in struck.items()}
    ways = {way for _, way in off}
    whole = [peg for peg in range(sections) if all((peg, way) in off for way in ways)]
    if not whole:
        raise MeasurementError("no peg opened the contact each way; turn the wheel farther, or check the contact")
    usual = {key: median(places) * key[1] for key, places in off.items()}
    middles = {way: fmean(usual[peg, way] for peg in whole) for way in ways}
    strikes = {way: (middles[way] - fmean(middles.values())) * way for way in ways}
    moved = {peg: fmean(usual[peg, way] - way * strikes[way] for way in ways) for peg in whole}
    shift = median(moved.values())  # A bent peg changes the mean.
    residues = sorted(
        abs(place - moved[peg] * way - strikes[way])
        for (peg, way), places in off.items()
        if peg in moved
        for place in places
    )
    # Of releases each direction is compared as a whole: of a single peg there are few.
    by_way: dict[int, list[Edge]] = {way: [] for way in ways}
    for (peg, way), edges in slipped.items():
        by_way[way] += [(past - moved.get(peg, shift) * way, speed) for past, speed in edges]
    release_delay, releases = _delay(by_way.values()), {}
    for way, edges in by_way.items():
        if len(edges) >= sections * _FEWEST_PART / 2:
            places, cut = sorted(past - release_delay * speed for past, speed in edges), len(edges) // 200
            releases[way] = places[cut], places[-1 - cut]
    pegs = [
        (was or 0.0) + moved[peg] - shift if peg in moved else None for peg, was in enumerate(expected.pegs_deg)
    ]
    left_over = residues[int(len(residues) * 0.995)]
    return Measured(expected.first_deg + shift, pegs, strikes, delay, releases, release_delay, left_over)


def even(passes: Sequence[SeenPass], sections: int) -> Measured:
    """A wheel with even pegs where strikes are; of one direction alone they are at the pegs.

    Raises:
        MeasurementError: the strikes do not lie on so many pegs.
    """
    pitch, phases = 360 / sections, dict[int, float]()
    for way in {one.direction for one in passes}:
        strikes = [one.struck for one in passes if one.direction == way]
        places = [at_deg for at_deg, speed in strikes if speed < SLOW_DEG_S] or [at_deg for at_deg, _ in strikes]
        mean = sum((cmath.exp(2j * math.pi * at_deg / pitch) for at_deg in places), 0j) / len(places)
        if abs(mean) < _CONCENTRATED:
            raise MeasurementError(
                f"the strikes do not lie {sections} to a turn; see that the encoder does not slip, that "
                "the contact does not chatter, and that counts_per_turn is right"
            )
        phases[way] = cmath.phase(mean) / (2 * math.pi) * pitch
    before, after = phases.get(-1, phases.get(1, 0.0)), phases.get(1, phases.get(-1, 0.0))
    past = ((after - before + pitch / 2) % pitch - pitch / 2) / 2
    return Measured(before + past, [0.0] * sections, dict.fromkeys(WAYS, past))


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

    @property
    def change(self) -> float:
        return (self.now or 0.0) - (self.before or 0.0)

    def __str__(self) -> str:
        return f"{self.name:<38}{self._value(self.now):>9}{self._value(self.before):>12}"

    def _value(self, value: float | None) -> str:
        if value is None:
            return "–"
        return f"{value:.2f}{self.unit}" if self.unit else f"{value:.1%}"


def compared(before: MeasuredClapper | None, now: MeasuredClapper) -> Iterator[Figure]:
    """The figures of a clapper, beside those that were measured before."""
    old = {} if before is None else _values(before)
    for name, (unit, value) in _values(now).items():
        yield Figure(name, unit, float(old[name][1]) if old else None, float(value))


def _values(clapper: MeasuredClapper) -> dict[str, tuple[str, Decimal]]:
    """Unit and value of each figure."""
    values: dict[str, tuple[str, Decimal]] = {}
    for way in WAYS.values():
        least, most = getattr(clapper.releases_from_deg, way), getattr(clapper.releases_to_deg, way)
        values |= {
            f"strike {way}": ("°", getattr(clapper.strikes_deg, way)),
            f"release {way}": ("°", (least + most) / 2),
        }
    return values | {
        "strike delay": (" ms", clapper.strike_delay_ms),
        "release delay": (" ms", clapper.release_delay_ms),
        "strikes scatter by": ("°", clapper.left_over_deg),
        "encoder is out of centre by": ("°", clapper.runout_deg),
    }


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
