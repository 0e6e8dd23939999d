"""A wheel's health over its spins: each spin is added, and new findings are returned.

False alarms are bounded for looking after every spin, without end:

- Each of the :data:`WATCHES` watches (:mod:`controller.wheel_health.change_watch`) warns at odds of WATCHES /
  ALPHA: the probability that any of them ever warns falsely of a wheel is at most ALPHA.
- A bent peg is named by one spin alone. Under the hypothesis a strike's place from those of the other pegs is at
  most PEG_ALLOWED_DEG off in the mean, and scatters no more than normally with PEG_SPREAD_DEG. The evidence is then
  at most 1 on average (Chernoff). It is needed so large that over a million spins of all pegs the probability of a
  false warning is at most ALPHA.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import field, replace

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.wheel_health import findings
from controller.wheel_health.change_watch import ChangeWatch
from controller.wheel_health.findings import WheelFinding
from controller.wheel_health.measures import SpinMeasures
from hal.lazy_dataclass import dataclass

ALPHA = 0.001
PLACES_ALLOWED_DEG = 0.1
"""Calibrations of one wheel differ by less in the mean of all strikes."""
LOSSES_ALLOWED = 0.04
"""Beyond 0.08 the tracker no longer takes it for one of the day's differences."""
HEAVY_ALLOWED = 0.03
"""Part by which a wheel in good balance may favour a section."""
HEAVY_BEARINGS = 12
PEG_ALLOWED_DEG = 0.1
PEG_SPREAD_DEG = 0.05
PEG_SPINS = 1_000_000
WATCHES = 4 + 4 + 4 + HEAVY_BEARINGS
_LOSSES_VOID = 0.08
_REACH_DEG = 0.5
_LOSSES_REACH = 0.12
_HEAVY_REACH = 0.08
_SLIP_MARGIN_DEG = 0.1
_MOST_MISSED = 6
"""If more than one in so many pegs was missed, it is not the pegs."""
_to_json = json.JSONEncoder(separators=(",", ":")).encode
_PEG_BETS = tuple(more / PEG_SPREAD_DEG**2 for more in (0.1, 0.2, 0.4, 0.8))
_MEMORY = 50
"""Spins over which the mean is taken that a finding names."""


@dataclass(slots=True)
class _Mean:
    """Of about the last spins."""

    value: float = 0.0
    spins: int = 0

    def add(self, value: float) -> None:
        self.spins = min(self.spins + 1, _MEMORY)
        self.value += (value - self.value) / self.spins


@dataclass(slots=True)
class _Both:
    """A quantity that may become too large or too small, and its mean."""

    more: ChangeWatch
    less: ChangeWatch
    mean: _Mean = field(default_factory=_Mean)

    @staticmethod
    def of(allowed: float, reach: float) -> "_Both":
        return _Both(ChangeWatch(allowed, reach), ChangeWatch(allowed, reach))

    def add(self, value: float) -> None:
        self.mean.add(value)
        self.more.add(value)
        self.less.add(-value)

    @property
    def odds(self) -> float:
        return max(self.more.odds, self.less.odds)


_Known = tuple[str, int, int | None]
"""A finding's sign, direction and peg: it is found once."""


def _known(finding: WheelFinding) -> _Known:
    return finding.sign.value, finding.direction, finding.peg


class WheelHealth:
    """One wheel since its calibration.

    Args:
        geometry: calibrated.

    Attributes:
        spins: how many were added.
        findings: all so far, in the order in which they were found.

    Raises:
        ValueError: the geometry was not calibrated.
    """

    def __init__(self, geometry: WheelGeometry) -> None:
        places = geometry.places
        if places is None:
            raise ValueError("a wheel that was not calibrated has no places to compare with")
        self.spins = 0
        self.findings: list[WheelFinding] = []
        self._sections = geometry.sections
        self._count_deg = 360 / geometry.counts_per_turn
        self.index_shift: int | None = None
        """By how many counts the index was taken elsewhere in the calibration: 0, or 1 either way. None unless it
        changes on an edge of the encoder's."""
        self._known: set[_Known] = set()
        self._most_deg = (geometry.tolerance_mdeg + places.spread_mdeg) / 1000
        self._strikes = {way: _Both.of(PLACES_ALLOWED_DEG, _REACH_DEG) for way in (1, -1)}
        self._releases = {}
        for way in (1, -1):
            side = places.side(way)
            scatter = (side.slips_to_mdeg - side.slips_from_mdeg) / 2000 - _SLIP_MARGIN_DEG
            allowed = PLACES_ALLOWED_DEG + min(0.5, max(0.0, scatter))
            self._releases[way] = _Both.of(allowed, allowed + _REACH_DEG)
        self._losses = {way: _Both.of(LOSSES_ALLOWED, _LOSSES_REACH) for way in (1, -1)}
        self._heavy = [ChangeWatch(HEAVY_ALLOWED, _HEAVY_REACH) for _ in range(HEAVY_BEARINGS)]
        self._heavy_mean = _Mean(), _Mean()

    def placed(self, measures: SpinMeasures) -> SpinMeasures:
        """A spin's measures with the index taken as in the calibration.

        An index that changes on an edge of the encoder's may have been taken for either count there. The first spin
        says which it was.
        """
        if not measures.index_on_edge:
            return measures
        if self.index_shift is None:
            counts = round(measures.strike_deg * measures.direction / self._count_deg)
            self.index_shift = min(1, max(-1, counts))
        off = self.index_shift * self._count_deg * measures.direction
        return replace(
            measures,
            strike_deg=measures.strike_deg - off,
            release_deg=measures.release_deg - off,
            index_on_edge=False,
        )

    def add(self, measures: SpinMeasures, touched: bool = False) -> list[WheelFinding]:
        """Take a spin; returns what is newly found.

        Args:
            touched: the spin is void as touched by a hand: it says nothing of the balance. What it lost counts: a
                wheel whose losses have changed much has honest spins voided as touched.
        """
        self.spins += 1
        measures = self.placed(measures)
        self._strikes[measures.direction].add(measures.strike_deg)
        self._releases[measures.direction].add(measures.release_deg)
        if measures.loss_ratio:
            self._losses[measures.direction].add(measures.loss_ratio - 1)
        if not touched and (measures.heavy_cosine or measures.heavy_sine):
            self._add_balance(measures)
        new = [one for one in self._found(measures) if _known(one) not in self._known]
        self._known.update(map(_known, new))
        self.findings += new
        return new

    # -- from one start of the table to the next -----------------------------------------------------------------

    def state(self) -> str:
        """What the watches stand at, as JSON, for :meth:`resume`."""
        watches, means = self._watches()
        return _to_json(
            {
                "spins": self.spins,
                "shift": self.index_shift,
                "watches": [watch.state() for watch in watches],
                "means": [[mean.value, mean.spins] for mean in means],
                "known": sorted(self._known, key=repr),
            }
        )

    def resume(self, state: str) -> None:
        """Go on from where the watches over the same wheel, with the same calibration, stood.

        What was found before is not found again; :attr:`findings` holds what is found from now on.

        Raises:
            ValueError: it is no such state, or of another version's watches. Some of the watches may be changed.
        """
        try:
            stood = json.loads(state)
            watches, means = self._watches()
            for watch, of_watch in zip(watches, stood["watches"], strict=True):
                watch.resume(of_watch)
            for mean, (value, spins) in zip(means, stood["means"], strict=True):
                mean.value, mean.spins = float(value), int(spins)
            self._known = {(str(sign), int(way), peg) for sign, way, peg in stood["known"]}
            self.spins, self.index_shift = int(stood["spins"]), stood["shift"]
        except (KeyError, TypeError) as error:
            raise ValueError(f"this is no state of watches over a wheel: {error!r}") from error

    def _watches(self) -> tuple[list[ChangeWatch], list[_Mean]]:
        """All of them, and all means, always in the same order."""
        pairs = [of[way] for of in (self._strikes, self._releases, self._losses) for way in (1, -1)]
        watches = [*(watch for pair in pairs for watch in (pair.more, pair.less)), *self._heavy]
        return watches, [*(pair.mean for pair in pairs), *self._heavy_mean]

    def _add_balance(self, measures: SpinMeasures) -> None:
        for mean, value in zip(self._heavy_mean, (measures.heavy_cosine, measures.heavy_sine), strict=True):
            mean.add(value)
        for bearing, watch in enumerate(self._heavy):
            at = 2 * math.pi * bearing / HEAVY_BEARINGS
            watch.add(measures.heavy_cosine * math.cos(at) + measures.heavy_sine * math.sin(at))

    def _found(self, measures: SpinMeasures) -> Iterator[WheelFinding]:
        """All that is to say after this spin."""
        enough, spin = WATCHES / ALPHA, self.spins
        for way in (1, -1):
            strikes, releases, losses = self._strikes[way], self._releases[way], self._losses[way]
            if strikes.odds >= enough:
                yield findings.strikes(spin, way, strikes.mean.value, self._most_deg)
            if releases.odds >= enough:
                yield findings.releases(spin, way, releases.mean.value, self._most_deg + _SLIP_MARGIN_DEG)
            if losses.odds >= enough:
                other = self._losses[-way].mean.value
                yield findings.losses(spin, way, losses.mean.value, other, _LOSSES_VOID)
        if max(watch.odds for watch in self._heavy) >= enough:
            cosine, sine = (mean.value for mean in self._heavy_mean)
            at = math.degrees(math.atan2(sine, cosine))
            yield findings.imbalance(spin, math.hypot(cosine, sine), at, self._sections)
        yield from self._pegs(measures)

    def _pegs(self, measures: SpinMeasures) -> Iterator[WheelFinding]:
        missed, sections = measures.missed, self._sections
        if len(missed) * _MOST_MISSED > sections:
            yield findings.contact(self.spins, len(missed), sections)
            return
        for peg in missed:
            yield findings.missing_peg(self.spins, peg, sections)
        enough = math.log(2 * sections * PEG_SPINS / ALPHA)
        for peg, off in enumerate(measures.pegs_deg):
            if _peg_evidence(off, measures.passages[peg]) >= enough:
                yield findings.bent_peg(self.spins, peg, off * measures.direction, sections)


def _peg_evidence(off_deg: float, passages: int) -> float:
    """The logarithm of the evidence that a peg is out of its place: of a mixture of bets on how far."""
    more = abs(off_deg) - PEG_ALLOWED_DEG
    if not passages or not more > 0:
        return 0.0
    logs = [passages * (bet * more - (bet * PEG_SPREAD_DEG) ** 2 / 2) for bet in _PEG_BETS]
    return max(logs) + math.log(sum(math.exp(one - max(logs)) for one in logs) / len(logs))
