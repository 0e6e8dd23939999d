"""What a wheel that has come to rest shows: its section, the boundary it stands on, or why neither can be told."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.events.event import Fault, Health, WheelRested
from controller.tracking.clapper_wheel.contact import ContactEdges
from controller.tracking.clapper_wheel.contact_line import ContactLine
from controller.tracking.clapper_wheel.ending import CountRun, impossible
from controller.tracking.clapper_wheel.geometry import MDEG_PER_TURN, NS_PER_S, WheelGeometry
from controller.tracking.clapper_wheel.hand import Hand
from controller.tracking.clapper_wheel.last_passes import (
    LastWay,
    PegPass,
    cannot_have_passed,
    cannot_have_turned,
)
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.motion import Travel, direction_of

_HELD = "stopped from a speed from which no wheel stops by itself: held, or the encoder died"
_WEAK = "went past a peg without the energy for it: pushed, or the encoder's lines are disturbed"
_AT_ONCE = "turned back before a peg had bent the clapper: by a hand, or the encoder's lines are disturbed"
_DEAD = Fault("clapper", Health.SILENT, "its contact is open where a peg closes it")
_TOO_SOON = Fault("clapper", Health.LOSSY, "its contact opened before the wheel can have turned back")


@dataclass(frozen=True, slots=True)
class RestedWheel:
    """What followed the wheel to its rest, asked when it stands."""

    geometry: WheelGeometry
    travel: Travel
    trust: Trust
    hand: Hand
    contact: ContactEdges
    line: ContactLine = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "line", ContactLine(self.geometry))

    def event(self, at_ns: int, count: int, step_ns: int, closed: bool) -> WheelRested:
        """The wheel's rest, as the table is told.

        Args:
            at_ns: since when it counts as standing.
            count: the encoder's count there.
            step_ns: the time between the last two edges of the encoder.
            closed: the contact is closed.
        """
        travel, trust = self.travel, self.trust
        fault = trust.doubt
        section = boundary = None
        if fault is None and trust.located:
            section, boundary, fault = trust.stand(count, closed)
        runs = self.hand.last_runs()
        way = LastWay(runs)
        passes = way.passes(self.contact, self.geometry.counts_per_turn) if fault is None else []
        if section is not None:
            free = self._numbered(section, count)
            fault = self._open_line(way, passes, free, count)
            section = section if fault is None else None
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
            touched=self._touched(abrupt, runs, way, passes) if fault is None else "",
        )

    def _numbered(self, section: int, count: int) -> int:
        """A section, numbered on over the turns."""
        geometry = self.geometry
        near = geometry.section_near(self.trust.position(count))
        return next((one for one in (near, near - 1, near + 1) if one % geometry.sections == section), near)

    def _open_line(self, way: LastWay, passes: Sequence[PegPass], section: int, count: int) -> Fault | None:
        """What is wrong with a contact that is open where the clapper seems to hang free."""
        trust = self.trust
        if trust.passage.backed_off and passes and self.line.opened_too_soon(way, passes[-1]):
            return _TOO_SOON
        dead = self.line.is_dead(way, passes, self.contact, (section, count, trust.origin))
        return _DEAD if dead else None

    def _touched(self, abrupt: bool, runs: Sequence[CountRun], way: LastWay, passes: Sequence[PegPass]) -> str:
        if not self.travel.thrown:
            return ""
        found = self.hand.found(self.travel.direction, self.trust.origin, runs) or self.trust.passage.pushed_on
        found = found or impossible(runs, self.contact, self.geometry.counts_per_turn)
        found = found or (_HELD if abrupt else "")
        return found or self._against_the_leather(way, passes)

    def _against_the_leather(self, way: LastWay, passes: Sequence[PegPass]) -> str:
        """It went past a peg, or turned back before one, and cannot have."""
        geometry = self.geometry
        passed = [one for one in passes if one.onward is not None and one.onward >= self._least(one.direction)]
        if self.trust.passage.slipped:
            passed += passes[-1:]
        if any(cannot_have_passed(one, geometry) for one in passed):
            return _WEAK
        turned = way.speeds_turned_in_the_open(self.contact, geometry.counts_per_turn)
        return _AT_ONCE if any(cannot_have_turned(*one, geometry) for one in turned) else ""

    def _least(self, direction: int) -> int:
        return max(1, self.geometry.slips_after(direction))

    def _abrupt(self, step_ns: int) -> bool:
        turned_mdeg_ns = 2 * MDEG_PER_TURN * NS_PER_S // self.geometry.counts_per_turn
        return self.travel.counts > 0 and turned_mdeg_ns > step_ns * self.geometry.final_speed_mdeg_s
