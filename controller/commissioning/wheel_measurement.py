"""A wheel's geometry, measured from a recording: two slow turns each way, and a throw each way.

The index gives every turn the same beginning. Strikes of both directions lie around each peg; what moves them with
the wheel's speed is the contact's delay; what all strikes of a peg share is the peg's own error, and what goes once
around the wheel is the encoder's run-out. Only a person can say which section is which.
"""

import cmath
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from controller.commissioning.wheel_edges import Edge, MeasurementError, RecordedEdges
from controller.commissioning.wheel_fit import contact_delay, deviation, mean_of_circle, slope
from controller.commissioning.wheel_recording import WheelRecording

SLOW_DEG_S = 90.0
"""Below this a wheel was turned slowly, by hand."""
_THROWN_DEG_S = 110.0
_TURNS_NEEDED = 1.5
_BENT_DEG = 0.6
_MOST_BENT_DEG = 1.5
_LOOSE_DEG = 0.8
_CONCENTRATED = 0.75
_FEWEST_PART = 0.97


@dataclass(frozen=True, slots=True)
class ContactSide:
    """One direction's places, degrees past the peg."""

    closes: float
    slips_from: float
    slips_to: float


@dataclass(frozen=True, slots=True)
class Measured:
    """The geometry, in degrees from the index mark; which peg begins which section is not known yet.

    Attributes:
        first_deg: where the even places of the pegs begin.
        pegs_deg: each peg's own error.
        runout_deg: the encoder's, and where it is largest, from the index.
        left_over_deg: how far the worst strike lies from its place.
        warnings: what a person should look at.
    """

    first_deg: float
    sides: Mapping[int, ContactSide]
    pegs_deg: tuple[float, ...]
    closing_delay_s: float
    opening_delay_s: float
    runout_deg: float
    runout_at_deg: float
    left_over_deg: float
    origin: int
    warnings: tuple[str, ...]


class WheelMeasurement:
    """What a recording says of its wheel.

    Args:
        counts_per_turn: as the table's file has it.
        sections: how many the game's wheel has.
        debounce_ns: how long the contact may chatter.
        section: the one at the clapper when the recording ends, by which pegs are named.
    """

    def __init__(
        self, recording: WheelRecording, counts_per_turn: int, sections: int, debounce_ns: int, section: int
    ) -> None:
        self._recording = recording
        self._turn = counts_per_turn
        self._sections = sections
        self._edges = RecordedEdges(recording, counts_per_turn, debounce_ns)
        self._pitch = 360 / sections
        self._section = section
        self._rests_in = 0
        """The section at the end, as the pegs are numbered before anybody named it."""

    def measure(self) -> Measured:
        """The wheel's geometry.

        Raises:
            MeasurementError: the recording does not give it.
        """
        if self._recording.lost:
            raise MeasurementError(
                "edges were lost while it was recorded; look at the encoder's lines, record again"
            )
        origin, index_spread = self._edges.origin()
        strikes, slips = self._edges.contact(origin)
        strikes = self._numbered(strikes)
        first, half = self._phases(strikes)
        at_end = (self._recording.count + 0.5 - origin) * 360 / self._turn
        self._rests_in = math.floor((at_end - first) / self._pitch)
        strikes = [self._at_peg(edge, first + edge.direction * half) for edge in strikes]
        delay = contact_delay(strikes, first, self._pitch)
        pegs, closes, left_over = self._pegs(strikes, first, delay)
        own, runout, at = self._without_runout(pegs)
        warnings = self._bent(pegs)
        slips = [self._at_peg(edge, first + edge.direction * (half + 1.5)) for edge in slips]
        opening, places = self._slips(slips, first, pegs)
        sides = {way: ContactSide(closes[way], *places[way]) for way in (1, -1)}
        return Measured(
            first, sides, own, delay, opening, runout, at, left_over + index_spread, origin, tuple(warnings)
        )

    # -- the pegs --------------------------------------------------------------------------------------------

    def _numbered(self, strikes: Sequence[Edge]) -> list[Edge]:
        for way, name in ((1, "counterclockwise"), (-1, "clockwise")):
            turned = sum(edge.direction == way for edge in strikes) / self._sections
            if turned < _TURNS_NEEDED * 0.5:
                if any(edge.direction == -way for edge in strikes) and self._turned(way) > 1:
                    raise MeasurementError(
                        f"turning {name}, no peg closes the contact: it is on the wrong side of the leather"
                    )
                raise MeasurementError(
                    f"the wheel was not turned {name} far enough: twice around, slowly, then a throw; record again"
                )
        if 2 * sum(edge.speed > _THROWN_DEG_S for edge in strikes) < self._sections:
            raise MeasurementError(
                "the wheel was not thrown: what the contact's delay does to a fast wheel was not seen; record "
                "again, with a throw each way"
            )
        return list(strikes)

    def _turned(self, way: int) -> float:
        marks = [edge for edge in self._recording.index() if edge.direction == way]
        return len(marks) / 2

    def _phases(self, strikes: Sequence[Edge]) -> tuple[float, float]:
        """Where the pegs begin, and how far past them the contact closes, in degrees."""
        phases = {}
        for way in (1, -1):
            of_way = [edge for edge in strikes if edge.direction == way]
            slow = [edge for edge in of_way if edge.speed < SLOW_DEG_S] or of_way
            mean = mean_of_circle([edge.at_deg / self._pitch for edge in slow])
            if abs(mean) < _CONCENTRATED:
                raise MeasurementError(
                    f"the strikes do not lie {self._sections} to a turn; see that the encoder does not slip, that "
                    "the contact does not chatter, and that counts_per_turn is right"
                )
            phases[way] = cmath.phase(mean) / (2 * math.pi) * self._pitch
        apart = (phases[1] - phases[-1] + self._pitch / 2) % self._pitch - self._pitch / 2
        return phases[-1] + apart / 2, apart / 2

    def _at_peg(self, edge: Edge, first_deg: float) -> Edge:
        """The edge with the peg that is nearest to it, and its place within its turn."""
        peg = round((edge.at_deg - first_deg) / self._pitch)
        return Edge(edge.at_deg, edge.speed, edge.direction, peg)

    def _pegs(
        self, strikes: Sequence[Edge], first: float, delay: float
    ) -> tuple[list[float], dict[int, float], float]:
        """Each peg's error, where the contact closes by direction, and the largest residue."""
        off: dict[tuple[int, int], list[float]] = defaultdict(list)
        for edge in strikes:
            off[edge.peg % self._sections, edge.direction].append(deviation(edge, first, self._pitch, delay))
        missing = sorted(peg for peg in range(self._sections) if not all(off.get((peg, way)) for way in (1, -1)))
        if missing:
            raise MeasurementError(self._missing(missing, off))
        means = {key: median(values) for key, values in off.items()}
        sides = {way: fmean(means[peg, way] for peg in range(self._sections)) for way in (1, -1)}
        middle = (sides[1] + sides[-1]) / 2
        closes = {1: sides[1] - middle, -1: middle - sides[-1]}
        pegs = [fmean((means[peg, 1] - closes[1], means[peg, -1] + closes[-1])) for peg in range(self._sections)]
        residues = sorted(
            abs(value - pegs[peg] - way * closes[way]) for (peg, way), values in off.items() for value in values
        )
        worst = residues[int(len(residues) * 0.995)]
        if worst > _LOOSE_DEG:
            raise MeasurementError(
                f"the same peg closes the contact at places {2 * worst:.1f} degrees apart: the clapper is too "
                "loose, or the encoder slips"
            )
        return pegs, closes, worst

    def _missing(self, missing: Sequence[int], off: Mapping[tuple[int, int], Sequence[float]]) -> str:
        where = ", ".join(self._name(peg) for peg in missing[:4])
        if len(missing) > self._sections // 6:
            return (
                f"only {self._sections - len(missing)} of {self._sections} pegs closed the contact both ways: the "
                "clapper is too loose, or its contact sits wrong"
            )
        return f"a peg is missing, or does not reach the leather: {where}. Repair it, and record again"

    def _name(self, peg: int) -> str:
        section = (peg - self._rests_in + self._section) % self._sections
        return f"the peg between sections #{(section - 1) % self._sections + 1} and #{section + 1}"

    def _bent(self, pegs: Sequence[float]) -> list[str]:
        smooth, _, _ = self._without_runout(pegs)
        bent = [(self._name(peg), error) for peg, error in enumerate(smooth) if abs(error) > _BENT_DEG]
        if any(abs(error) > _MOST_BENT_DEG for _, error in bent):
            raise MeasurementError(
                "; ".join(f"{name} is bent by {error:+.1f} degrees" for name, error in bent)
                + ": straighten it, and record again"
            )
        return [f"{name} is bent by {error:+.1f} degrees" for name, error in bent]

    def _without_runout(self, pegs: Sequence[float]) -> tuple[tuple[float, ...], float, float]:
        """What goes once around, taken out of the pegs' errors: it is the encoder's."""
        once = sum((error * cmath.exp(-2j * math.pi * peg / self._sections) for peg, error in enumerate(pegs)), 0j)
        once *= 2 / self._sections
        size, at = abs(once), -cmath.phase(once)
        own = tuple(
            error - size * math.cos(2 * math.pi * peg / self._sections - at) for peg, error in enumerate(pegs)
        )
        return own, size, math.degrees(at) % 360

    # -- where the leather slips off -------------------------------------------------------------------------

    def _slips(
        self, slips: Sequence[Edge], first: float, pegs: Sequence[float]
    ) -> tuple[float, dict[int, tuple[float, float]]]:
        placed = self._past_pegs(slips, first, pegs)
        delay = max(0.0, slope([(edge.direction, edge.speed, place) for edge, place in placed]))
        places = {}
        for way in (1, -1):
            values = sorted(place - delay * edge.speed for edge, place in placed if edge.direction == way)
            if len(values) < self._sections * _FEWEST_PART / 2:
                raise MeasurementError(
                    "the contact did not open again behind the pegs; look at it, and record again"
                )
            cut = len(values) // 200
            places[way] = values[cut], values[-1 - cut]
        return delay, places

    def _past_pegs(self, slips: Sequence[Edge], first: float, pegs: Sequence[float]) -> list[tuple[Edge, float]]:
        """How far past its peg each of them lies, in its direction: a bent peg is nearer to another's place."""

        def place(edge: Edge, peg: int) -> float:
            at_peg = Edge(edge.at_deg, edge.speed, edge.direction, peg)
            return (deviation(at_peg, first, self._pitch, 0.0) - pegs[peg % self._sections]) * edge.direction

        usual = {
            way: median([place(edge, edge.peg) for edge in slips if edge.direction == way] or [0.0])
            for way in (1, -1)
        }
        placed = []
        for edge in slips:
            pasts = [place(edge, edge.peg + more) for more in (-1, 0, 1)]
            off = [abs(past - usual[edge.direction]) for past in pasts]
            placed.append((edge, pasts[off.index(min(off))]))
        return placed
