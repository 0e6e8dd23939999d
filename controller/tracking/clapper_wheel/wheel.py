"""A wheel's sensor head: edges of encoder, index and clapper become events.

The table feeds every batch of edges to :meth:`WheelTracker.feed` and calls :meth:`WheelTracker.tick` when
:attr:`WheelTracker.due_ns` has come.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from operator import attrgetter

from controller.events.event import Event, Fault, Health, RevolutionCompleted, WheelThrown
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.rest import RestedWheel
from controller.tracking.clapper_wheel.trajectory import Contact, Trajectory
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.motion import Rest, Travel, direction_of
from controller.tracking.tracker import HeadTracker, ReportedHealth, sensor_fault
from hal.events import CLAPPER, INDEX

_CLAPPER = ord(CLAPPER)
_at_ns = attrgetter("at_ns")


class WheelTracker(HeadTracker):
    """One wheel.

    Args:
        geometry: how the wheel and its sensors are built.
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
    """

    def __init__(self, geometry: WheelGeometry, levels: Mapping[str, bool]) -> None:
        super().__init__(levels, geometry.reversed)
        self._geometry, self._places = geometry, geometry.places
        self._contact = Contact(levels[CLAPPER], geometry.debounce_ns)
        self._direction = 0
        """+1 or -1, as it moved last; 0 before it has moved."""
        self._path = 0
        """Edges of the encoder, in either direction."""
        self._travel = Travel(0, geometry.counts_per_turn, geometry.sections)
        self._rest = Rest(0, geometry.rest_ns)
        self._trajectory = Trajectory(geometry, 0, 0)
        self._trust = Trust(geometry, 0)
        self._rested = RestedWheel(geometry)
        self._health = ReportedHealth()

    # -- what a table asks -----------------------------------------------------------------------------------

    @property
    def _waits_ns(self) -> int:
        return self._rest.due_ns

    @property
    def position(self) -> int | None:
        """Position along the rim at the clapper, in counts from the first section's start; None if unknown."""
        if not self._trust.located:
            return None
        at = self._trust.position(self._count) + self._geometry.index_offset_counts
        return at % self._geometry.counts_per_turn

    @property
    def moving(self) -> bool:
        """The wheel has not come to rest."""
        return self._rest.moving

    def stands(self, now_ns: int) -> bool:
        """It has not moved for a while, though its rest is not certain yet."""
        return self._rest.stands(now_ns)

    @property
    def counts_per_turn(self) -> int:
        """Encoder counts in one turn of the wheel."""
        return self._geometry.counts_per_turn

    @property
    def travel_counts(self) -> int:
        """Counts in one direction since the last turning point of the present movement."""
        return self._travel.counts

    # -- edges -----------------------------------------------------------------------------------------------

    def look(self, levels: Mapping[str, bool], now_ns: int) -> list[Event]:
        """Compare the lines of a wheel that is about to be at rest with what their edges said.

        Edges that the kernel lost last are followed by none whose number would tell.
        """
        due_ns, contact = self._rest.due_ns, self._contact
        if due_ns > now_ns:
            return []
        encoder = self._encoder_levels(levels)
        index = self._aside[-1][1] == ord(INDEX) if self._aside else self._index_level
        for line, said, is_now in (
            ("encoder", self._quadrature.levels, encoder),
            ("clapper", contact.bent, levels[CLAPPER]),
            ("index", index, levels[INDEX]),
        ):
            if said != is_now:
                self._lost(sensor_fault("level", line, Health.LOSSY), due_ns - 1)
        self._quadrature.realign(*encoder)
        if not self._aside:
            self._index_level = levels[INDEX]
        contact.realign(levels[CLAPPER], now_ns)
        return self._proven()

    def _proven(self) -> list[Event]:
        events = super()._proven()
        events.sort(key=_at_ns)
        return events

    # -- the encoder -----------------------------------------------------------------------------------------

    def _lost(self, found: Fault, at_ns: int, gap: int = 0) -> None:
        if found.health is Health.STUCK:
            self._trust.line_stuck(found, self._travel.thrown)
        else:
            self._trust.lost_edges(found, gap)
            self._trajectory.lost_edges()
        # They may have come before a rest that is only noticed now.
        self._report(min(at_ns, self._rest.due_ns))
        self._wait(at_ns)

    def _come_to(self, stamps: Sequence[int], first: int, end: int) -> int:
        return max(first + 1, bisect_left(stamps, self._rest.runs_until_ns, first, end))

    def _run(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        rest, start = self._rest, self._count
        if stamps[first] >= rest.due_ns:
            self._wait(stamps[first])
        if direction != self._direction:
            self._trust.turned_back(start, direction)
            self._direction = direction
        rest.advance(start, edges, direction, stamps, first)
        self._trajectory.moved(start, edges, direction, stamps, first)
        if not rest.moving:
            self._trajectory.stands()
        if self._travel.advance(start + direction * edges, direction):
            self._marks(start, direction, stamps, first)
        aside, end = self._aside, first + edges
        while aside and (place := aside[0][0]) < end:
            if place > first:
                self._goes_on(place - first, stamps, first)
                first = place
            self._take_other()
        self._goes_on(end - first, stamps, first)

    def _goes_on(self, edges: int, stamps: Sequence[int], first: int) -> None:
        """The wheel comes so much further, and no other line changes meanwhile."""
        trust, start, direction = self._trust, self._count, self._direction
        self._path += edges
        self._count = count = start + direction * edges
        while not trust.lowest <= count <= trust.highest:
            beyond = trust.highest + 1 if count > trust.highest else trust.lowest - 1
            # The edge at which the wheel left the window: one of these, wherever the window has moved to.
            edge = min(edges, max(1, (beyond - start) * direction))
            trust.overdue(start + direction * edge, self._contact.bent)
            self._report(stamps[first + edge - 1])

    def _marks(self, start: int, direction: int, stamps: Sequence[int], first: int) -> None:
        turning = direction_of(direction)
        while mark := self._travel.take_mark():
            at, revolutions = mark
            at_ns = stamps[first + (at - start) * direction - 1]
            self._events.append(
                RevolutionCompleted(at_ns, revolutions, turning) if revolutions else WheelThrown(at_ns, turning)
            )

    # -- index and clapper -----------------------------------------------------------------------------------

    def _index(self, rises: bool, at_ns: int) -> None:
        self._wait(at_ns)
        self._unseen_index(rises, at_ns)
        # Either way round it is the same edge of the mark, the one at position 0, that counts.
        if self._direction and rises == (self._direction > 0):
            self._trust.index(self._count, self._direction, self._contact.bent)
        else:
            self._trust.index_end(self._count)
        self._report(at_ns)

    def _other(self, line: int, rises: bool, at_ns: int) -> None:
        if line != _CLAPPER:
            return
        if at_ns >= self._rest.due_ns:
            self._wait(at_ns)
        contact, trust, count = self._contact, self._trust, self._count
        if not rises:
            contact.releases(at_ns)
            trust.released(self._count_before(at_ns, self._places.release_delay_ns), count, self._path)
        elif contact.strikes(at_ns, self._direction):
            if not self._rest.moving:
                self._quadrature.rested()
            self._rest.stir(at_ns)
            at = self._count_before(at_ns, self._places.strike_delay_ns)
            if trust.strike(at, count, self._direction, self._path, contact.slow, contact.soon):
                passage = trust.passage
                if passage.peg is not None:
                    self._rested.measuring.struck(passage.peg, passage.direction, trust.position(at))
            else:
                if not trust.lowest <= count <= trust.highest:
                    trust.overdue(count, True)
                self._report(at_ns)
        else:
            trust.passage.chattered()

    def _count_before(self, at_ns: int, delay_ns: int) -> int:
        """Where the wheel was so long before a moment that is now, not further on in its run than it is."""
        if not delay_ns:
            return self._count
        count, direction = self._trajectory.count_at(at_ns - delay_ns), self._direction
        return self._count if (count - self._count) * direction > 0 else count

    # -- rest ------------------------------------------------------------------------------------------------

    def _wait(self, now_ns: int) -> None:
        rest, trust = self._rest, self._trust
        while now_ns >= (due_ns := rest.due_ns):
            if (self._contact.bent and rest.extend()) or rest.wait_for_next_count():
                continue
            self._events += self._rested.events(
                due_ns, self._count, self._travel, trust, self._contact, self._trajectory
            )
            trust.rested(self._count)
            self._quadrature.rested()
            rest.settle(self._count)
            self._travel.restart(self._count)
            self._trajectory.restart(self._count, trust.origin)
            self._report(due_ns)

    def _report(self, at_ns: int) -> None:
        """Make a change of the doubt an event."""
        found = self._trust.doubt
        if found is not None or self._trust.located:  # It is in order again once the position was found anew.
            self._events += self._health.change(found, at_ns)
