"""What a wheel that has come to rest shows: its section, the boundary it stands on, or why neither can be told.

A dead contact is closed, as that of a clapper that hangs free. The calibration knows where each peg opens
the contact, and the last pegs show to a part of a count by how much the leather has drifted since. A wheel that
came beyond that place with the contact closed has a dead contact, wherever it rests then. So has one whose contact
closed, as if it rocked back, while the wheel went on.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from statistics import fmean, median
from typing import Final

from controller.events.event import Event, Health, SensorHealth, SpinMeasure, WheelRested
from controller.events.words import NOTHING, text
from controller.tracking.clapper_wheel.energy import SpinRun
from controller.tracking.clapper_wheel.geometry import MDEG_PER_TURN, WheelGeometry
from controller.tracking.clapper_wheel.hand import Ending, touch
from controller.tracking.clapper_wheel.passage import RestPosition
from controller.tracking.clapper_wheel.trajectory import Contact, LastSections, PegPass, Trajectory
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.motion import Travel, direction_of
from controller.tracking.tracker import sensor_fault

_FEWEST, _MOST = 4, 9
"""Pegs that tell how far the leather has drifted, in one direction."""
_SURE_COUNTS, _SURE_MDEG, _SPREADS = 0.1, 10, 4
"""So exactly the last pegs tell where the next one strikes; and by so many times what they differ by."""
_ONE_COUNT: Final = 1
"""By so much a wheel may be beyond the border of the count at which it rests."""
_UNSURE_COUNTS, _OWN_MDEG = 0.5, 200
"""As long as too few pegs have told, the calibration says it: less exactly, for a leather drifts."""
_BACK_COUNTS, _BACK_MDEG = 0.35, 40
"""So exactly it is known that the contact, rocking back, closes no further than it opened."""
_STOOD_NS: Final = 200_000_000
"""A wheel whose contact closes so long after its last count stood, or crept."""
_NEAR_PEG: Final = 4
"""A strike that lies farther from its peg than this part of a section is no peg's."""
_DEAD = sensor_fault("dead-contact", "clapper", Health.SILENT)
_TOO_SOON = sensor_fault("released-too-soon", "clapper", Health.LOSSY)

_EDGE: Final = 0.7
"""Beyond this part of what is allowed a strike is at the edge: whole counts take the rest."""
_IN_A_ROW: Final = 3
"""So many spins with a strike at the edge are no chance."""


class SpinMeasuring:
    """Measures one wheel from rest to rest; of a wheel that was not calibrated nothing."""

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        self._allowed_mdeg = geometry.spread_mdeg if geometry.calibrated else 0
        self._late: dict[int, list[float]] = {1: [], -1: []}
        self._row = 0

    def struck(self, peg: int, direction: int, at: int) -> None:
        """A peg struck where it may, at this count from the index mark."""
        if self._allowed_mdeg:
            self._late[direction].append((at + 0.5 - self._geometry.strike_place(peg, direction)) * direction)

    def rested(self, run: SpinRun | None, at_ns: int) -> tuple[SpinMeasure | None, list[SensorHealth]]:
        """The measure of a spin, and what is said of a wheel whose next spins may be void; the next one begins.

        Args:
            run: the throw; None for a movement that was none, or that is in doubt.
        """
        late, self._late = self._late, {1: [], -1: []}
        if run is None or not self._allowed_mdeg:
            return None, []
        mdeg = MDEG_PER_TURN / self._geometry.counts_per_turn
        means = {way: round(fmean(of_way) * mdeg) if of_way else None for way, of_way in late.items()}
        widest = max((*late[1], *late[-1]), key=abs, default=0.0)
        taken = taken_of_calibrated(run, self._geometry)
        loss = None if taken is None else round(1000 * taken)
        measure = SpinMeasure(loss, means[-1], means[1], round(widest * mdeg))
        self._row = self._row + 1 if abs(measure.widest_mdeg) > _EDGE * self._allowed_mdeg else 0
        return measure, [self._drifted(measure, at_ns)] if self._row == _IN_A_ROW else []

    def _drifted(self, measure: SpinMeasure, at_ns: int) -> SensorHealth:
        found = text("peg-drifted", mdeg=measure.widest_mdeg, allowed_mdeg=self._allowed_mdeg)
        return SensorHealth(at_ns, "clapper", Health.DEGRADED, found)


def taken_of_calibrated(run: SpinRun, geometry: WheelGeometry) -> float | None:
    """What sections took, over what they took in the calibration; None if either is not known."""
    if geometry.losses is None or not run.costs or run.fastest > run.long_led:
        return None
    return 1 + median(run.unlike(geometry.losses[run.direction < 0])) / run.sections


class RestedWheel:
    """Judges one wheel's rests, and learns from them where its pegs strike now.

    Attributes:
        measuring: of the spin that goes on.
    """

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        degrees = geometry.counts_per_turn / MDEG_PER_TURN
        self._sure = _SURE_COUNTS + _SURE_MDEG * degrees
        off_mdeg = geometry.tolerance_mdeg + max(_OWN_MDEG, geometry.places.spread_mdeg)
        self._unsure = _UNSURE_COUNTS + off_mdeg * degrees
        self._back = _BACK_COUNTS + _BACK_MDEG * degrees
        self._near = geometry.counts_per_turn / geometry.sections / _NEAR_PEG
        self.measuring = SpinMeasuring(geometry)
        self._forget(0)

    def _forget(self, origin: int) -> None:
        self._origin = origin
        self._off: dict[int, deque[float]] = {way: deque(maxlen=_MOST) for way in (1, -1)}

    def events(
        self, at_ns: int, count: int, travel: Travel, trust: Trust, contact: Contact, trajectory: Trajectory
    ) -> list[Event]:
        """The wheel's rest, as the table is told.

        Args:
            at_ns: since when it counts as standing.
            count: the encoder's count there.
        """
        geometry, turn = self._geometry, self._geometry.counts_per_turn
        section = boundary = found = measured = None
        touched, passage = NOTHING, trust.passage
        if trust.located:
            section, boundary, found = passage.rest_position(trust.position(count), contact.bent)
        last = LastSections(trajectory.last_runs(), tuple(contact.edges), turn)
        run, ended = trajectory.run(travel.direction)
        ending = Ending(geometry, run, ended, trajectory.lossy, last, trust.origin, passage.slipped, travel.back)
        if ending.trembled:
            trust.no_line_stuck()
        if trust.doubt is not None:
            section, boundary, found = None, None, trust.doubt
        elif section is not None:
            section, boundary, found = self._with_closed_contact(last, section, count, trust)
        if found is None and travel.thrown:
            measured, touched = None if ending.lossy else run, touch(ending)
        direction = direction_of(travel.direction) if travel.direction else None
        located = trust.located and found is None
        measure, drifted = self.measuring.rested(measured, at_ns)
        where = section, boundary, found
        rested = WheelRested(at_ns, direction, travel.counts, turn, located, *where, touched, measure)
        return [rested, *drifted]

    # -- a clapper that seems to hang free: its contact may be dead ----------------------------------------------

    def _with_closed_contact(self, last: LastSections, section: int, count: int, trust: Trust) -> RestPosition:
        """Where the wheel is at rest, if the clapper seems to hang free in a section."""
        if trust.passage.backed_off and last.passes and self._released_too_soon(last, last.passes[-1]):
            return None, None, _TOO_SOON
        if trust.origin != self._origin:  # The position was found anew.
            self._forget(trust.origin)
        sections, near = self._geometry.sections, self._geometry.section_near(trust.position(count))
        here = next((one for one in (near, near - 1, near + 1) if one % sections == section), near)
        released_ns = last.contact[-1][0] if last.contact else 0
        struck = {way: dict(self._last_off(last, way)) for way in self._off}
        boundary, held_by = None, trust.passage.peg
        if not self._geometry.calibrated and held_by is not None and last.stood_ns(released_ns) > _STOOD_NS:
            boundary = held_by % sections
        for peg, direction in ((here + 1, 1), (here, -1)):
            place, within = self._place(peg, direction, struck[direction])
            if place is None:
                continue
            beyond = (last.farthest(direction, released_ns, count) - trust.origin - place) * direction
            if beyond > within:
                return None, None, _DEAD
            if beyond + _ONE_COUNT > -within and not self._geometry.calibrated:
                boundary = peg % sections
        for way, learned in self._off.items():
            learned.extend(struck[way].values())
        return (section, None, None) if boundary is None else (None, boundary, None)

    def _released_too_soon(self, last: LastSections, passed: PegPass) -> bool:
        """Whether the contact cannot have closed because the wheel rocked back."""
        if passed.goes_on:
            return True
        delays = self._geometry.places
        struck = last.place(passed.struck_ns - delays.strike_delay_ns)
        released = last.place(passed.released_ns - delays.release_delay_ns)
        if struck is None or released is None or struck[1] != passed.direction:
            return False  # That was not seen exactly.
        return (released[0] - struck[0]) * passed.direction > self._back

    def _last_off(self, last: LastSections, direction: int) -> Iterator[tuple[int, float]]:
        """The pegs that struck last in a direction, and by how many counts beside their places."""
        geometry = self._geometry
        for passed in last.passes:
            place = last.place(passed.struck_ns - geometry.places.strike_delay_ns)
            if place is None or not place[1] == passed.direction == direction:
                continue
            at = place[0] - self._origin
            near = geometry.section_near(int(at))
            off = ((at - geometry.strike_place(peg, direction), peg) for peg in range(near - 1, near + 3))
            how_far, peg = min(off, key=lambda one: abs(one[0]))
            if abs(how_far) < self._near:
                yield peg, how_far

    def _place(self, peg: int, direction: int, struck: Mapping[int, float]) -> tuple[float | None, float]:
        """Where this peg strikes, and how exactly that is known, by how far off the last pegs struck.

        Without a calibration, only the pegs themselves tell it: None if there were too few.
        """
        place = self._geometry.strike_place(peg, direction)
        if peg in struck:  # The wheel has just rocked back from it: slightly bent or not, it strikes there.
            return place + struck[peg], self._sure
        off = [*self._off[direction], *struck.values()]
        if len(off) < _FEWEST:
            return place if self._geometry.calibrated else None, self._unsure
        usual = median(off)
        return place + usual, self._sure + _SPREADS * median(abs(one - usual) for one in off)
