"""What a spin tells of a calibrated wheel: how late pegs closed the contact, and what sections took.

The measure is recorded with each rest. A spin is void once a strike lies outside its window, so strikes at the
window's edge in several spins in a row announce that.
"""

from statistics import fmean, median
from typing import Final

from controller.events.event import Health, SensorHealth, SpinMeasure
from controller.tracking.clapper_wheel.energy import NEVER_LET_GO_TURNS, SpinRun
from controller.tracking.clapper_wheel.geometry import MDEG_PER_TURN, WheelGeometry

_NEAR: Final = 0.7
"""Beyond this part of what is allowed a strike is at the edge: whole counts take the rest."""
_IN_A_ROW: Final = 3


class SpinMeasuring:
    """Measures one wheel from rest to rest; of a wheel that was not calibrated nothing."""

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        self._allowed_mdeg = 0
        if geometry.places is not None:
            count_mdeg = MDEG_PER_TURN // geometry.counts_per_turn
            self._allowed_mdeg = geometry.tolerance_mdeg + geometry.places.spread_mdeg + count_mdeg
        self._late: dict[int, list[float]] = {1: [], -1: []}
        self._row = 0

    def struck(self, peg: int, direction: int, at: int, late: float) -> None:
        """A peg closed the contact where it may.

        Args:
            at: the count, from the index mark.
            late: so many counts later than the peg came, by the contact's delay.
        """
        if self._allowed_mdeg:
            self._late[direction].append((at + 0.5 - self._geometry.closes_at(peg, direction)) * direction - late)

    def rested(self, run: SpinRun | None) -> SpinMeasure | None:
        """The measure of a spin; the next one begins.

        Args:
            run: the throw; None for a movement that was none, or that is in doubt.
        """
        late, self._late = self._late, {1: [], -1: []}
        if run is None or not self._allowed_mdeg:
            return None
        mdeg = MDEG_PER_TURN / self._geometry.counts_per_turn
        means = {way: round(fmean(of_way) * mdeg) if of_way else None for way, of_way in late.items()}
        widest = max((*late[1], *late[-1]), key=abs, default=0.0)
        taken = taken_of_calibrated(run, self._geometry)
        loss = None if taken is None else round(1000 * taken)
        return SpinMeasure(loss, means[-1], means[1], round(widest * mdeg))

    def drifted(self, measure: SpinMeasure | None, at_ns: int) -> SensorHealth | None:
        """The event of a wheel whose next spins may be void."""
        if measure is None:
            return None
        self._row = self._row + 1 if abs(measure.widest_mdeg) > _NEAR * self._allowed_mdeg else 0
        if self._row != _IN_A_ROW:
            return None
        off, allowed = measure.widest_mdeg / 1000, self._allowed_mdeg / 1000
        detail = (
            f"a peg closes it {off:+.2f} degrees from the calibrated place; beyond {allowed:.2f} spins are void"
        )
        return SensorHealth(at_ns, "clapper", Health.DEGRADED, detail)


def taken_of_calibrated(run: SpinRun, geometry: WheelGeometry) -> float | None:
    """What sections took, over what they took in the calibration; None if either is not known."""
    if geometry.losses is None or not run.costs or run.fastest > NEVER_LET_GO_TURNS * run.per_turn:
        return None
    return 1 + median(run.unlike(geometry.losses[run.direction < 0])) / run.sections
