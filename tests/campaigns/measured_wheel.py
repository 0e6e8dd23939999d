"""A simulated wheel whose spins are measured as ``wheel-health`` measures them, and which may wear and break.

Its calibration stays what it was when the wheel was new.
"""

import math
from array import array
from collections.abc import Iterator

from campaigns.fleet_wheel import FleetWheel, Spin

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.wheel_health.measures import SpinMeasures, measure
from hal.events import EdgeBatch
from hal.mock.settings import WheelSettings


def void_by_wear(spin: Spin) -> bool:
    """Whether a spin is void as a worn wheel's are: by what turns cost, or by the places of the contact's edges.

    A few new wheels' honest spins are void in other ways, about one in some hundreds: that is no wear.
    """
    return "turns after it was let go" in spin.detail or "clapper" in spin.detail


class MeasuredWheel(FleetWheel):
    """A wheel of the fleet whose edges are kept, spin by spin.

    Raises:
        MeasurementError: it cannot be calibrated.
    """

    def __init__(
        self, seed: int, settings: WheelSettings | None = None, calibrated: WheelGeometry | None = None
    ) -> None:
        self._kept: list[EdgeBatch] | None = None
        super().__init__(seed, settings=settings, calibrated=calibrated)

    def feed(self, batch: EdgeBatch) -> None:
        """Edges of the sensor head."""
        if self._kept is not None:
            self._kept.append(batch)
        super().feed(batch)

    def _locate(self, turns: float) -> None:
        self._kept = None
        super()._locate(turns)

    def recorded(self) -> tuple[Spin, dict[str, bool], bytes, "array[int]"]:
        """Throw the wheel: how the spin ended, the levels before it, its edges and their stamps."""
        levels, self._kept = dict(self.head.levels()), []
        kept = self._kept
        self.throw()
        return self.end(), levels, *_joined(kept)

    def measured(self) -> tuple[Spin, SpinMeasures | None]:
        """Throw the wheel, and measure the spin."""
        spin, levels, edges, stamps = self.recorded()
        return spin, measure(levels, edges, stamps, self.geometry)

    def led(self, turns: float) -> SpinMeasures | None:
        """Turn the wheel slowly by hand, and measure that."""
        levels, self._kept = dict(self.head.levels()), []
        kept = self._kept
        self.head.push(self.sections * turns, 12 * turns)
        self.end()
        return measure(levels, *_joined(kept), self.geometry)

    def spins(self, count: int) -> Iterator[tuple[Spin, SpinMeasures]]:
        """So many spins that could be measured."""
        while count:
            spin, measures = self.measured()
            if measures is not None:
                count -= 1
                yield spin, measures

    def worn(self, **options: object) -> "MeasuredWheel":
        """The same wheel with other settings, and the calibration that it has."""
        settings = WheelSettings.model_validate({**self.settings.model_dump(), **options})
        wheel = MeasuredWheel(self.settings.seed, settings, self.geometry)
        wheel.rng = self.rng
        return wheel

    def out_of_balance(self, share: float, heavy_at_deg: float) -> "MeasuredWheel":
        """The same wheel with a heavy spot, by which it rests so much more often in its best section.

        Where the wheel rests is as likely as what it loses there: the bearing's friction and the leather's work,
        and what lifts the heavy spot.
        """
        section_j = share * self.section_j
        torque = section_j * self.sections / (2 * math.pi)
        return self.worn(imbalance_nm=torque, heavy_at_deg=heavy_at_deg)


def _joined(kept: list[EdgeBatch]) -> tuple[bytes, "array[int]"]:
    stamps = array("q")
    for batch in kept:
        stamps.extend(batch.timestamps_ns)
    return b"".join(batch.edges for batch in kept), stamps
