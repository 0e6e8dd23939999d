"""What a wheel that has come to rest shows: its section, the boundary it stands on, or why neither can be told."""

from dataclasses import dataclass

from controller.events.event import WheelRested
from controller.tracking.clapper_wheel.ending import ContactEdges, impossible
from controller.tracking.clapper_wheel.geometry import MDEG_PER_TURN, NS_PER_S, WheelGeometry
from controller.tracking.clapper_wheel.hand import Hand
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.motion import Travel, direction_of

_HELD = "stopped from a speed from which no wheel stops by itself: held, or the encoder died"


@dataclass(frozen=True, slots=True)
class RestedWheel:
    """What followed the wheel to its rest, asked when it stands."""

    geometry: WheelGeometry
    travel: Travel
    trust: Trust
    hand: Hand
    contact: ContactEdges

    def event(self, at_ns: int, count: int, step_ns: int) -> WheelRested:
        """The wheel's rest, as the table is told.

        Args:
            at_ns: since when it counts as standing.
            count: the encoder's count there.
            step_ns: the time between the last two edges of the encoder.
        """
        travel, trust = self.travel, self.trust
        fault = trust.doubt
        section = boundary = None
        if fault is None and trust.located:
            section, boundary, fault = trust.stand(count)
        abrupt = self._abrupt(step_ns)
        return WheelRested(
            at_ns,
            direction_of(travel.direction) if travel.direction else None,
            travel.counts,
            self.geometry.counts_per_turn,
            located=trust.located and fault is None,
            section=section,
            boundary=boundary,
            fault=fault,
            abrupt=abrupt,
            touched=self._touched(abrupt) if fault is None else "",
        )

    def _touched(self, abrupt: bool) -> str:
        if not self.travel.thrown:
            return ""
        runs = self.hand.last_runs()
        found = self.hand.found(self.travel.direction, self.trust.origin, runs) or self.trust.passage.pushed_on
        found = found or impossible(runs, self.contact, self.geometry.counts_per_turn)
        return found or (_HELD if abrupt else "")

    def _abrupt(self, step_ns: int) -> bool:
        turned_mdeg_ns = 2 * MDEG_PER_TURN * NS_PER_S // self.geometry.counts_per_turn
        return self.travel.counts > 0 and turned_mdeg_ns > step_ns * self.geometry.final_speed_mdeg_s
