"""A wheel's sensor head: edges of encoder, index and clapper become events.

The table feeds every batch of edges to :meth:`WheelTracker.feed` and calls :meth:`WheelTracker.tick` when
:attr:`WheelTracker.due_ns` has come. The events do not depend on how the edges were cut into batches.
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from controller.events.event import Event, Fault, Health
from controller.tracking.clapper_wheel.clapper import OPENS, STRIKE
from controller.tracking.clapper_wheel.contact import SLOW_NS, Contact, Speed, late_counts
from controller.tracking.clapper_wheel.edge_numbers import EdgeNumbers
from controller.tracking.clapper_wheel.energy import SpinRun
from controller.tracking.clapper_wheel.free_run import FreeRun
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.rested import RestedWheel
from controller.tracking.clapper_wheel.single_edge import SingleEdge
from controller.tracking.clapper_wheel.together import (
    INDEX_FALLS,
    INDEX_RISES,
    TrailingIndex,
    in_order,
    next_index,
)
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.clapper_wheel.wheel_motion import WheelMotion
from controller.tracking.motion import NEVER
from controller.tracking.reading import OTHERS, SWAP_A_B, Stamps, read
from controller.tracking.reported_health import ReportedHealth
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

_at_ns = attrgetter("at_ns")


class WheelTracker:
    """One wheel.

    Args:
        geometry: how the wheel and its sensors are built.
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
    """

    def __init__(self, geometry: WheelGeometry, levels: Mapping[str, bool]) -> None:
        self._geometry = geometry
        self._motion = WheelMotion(geometry, levels[ENCODER_A], levels[ENCODER_B])
        self._trust = Trust(geometry, 0)
        self._contact = Contact(levels[CLAPPER], geometry.debounce_ns)
        self._trust.deflected = levels[CLAPPER]
        self._index_level = levels[INDEX]
        motion, trust, contact = self._motion, self._trust, self._contact
        self._free_run = FreeRun(geometry, motion, trust, contact)
        self._rested = RestedWheel(geometry, motion.travel, trust, motion.hand, contact.edges)
        self._trailing = TrailingIndex()
        self._numbers = EdgeNumbers()
        self._single = SingleEdge(geometry, motion, trust, self._numbers)
        self._health = ReportedHealth()
        self._events = motion.events

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless edges come before; None while the wheel stands."""
        due_ns = self._motion.rest.due_ns
        if self._trailing.held:
            due_ns = min(due_ns, self._trailing.due_ns)
        return due_ns if due_ns != NEVER else None

    @property
    def located(self) -> bool:
        return self._trust.located

    @property
    def position(self) -> int | None:
        """Position along the rim at the clapper, in counts from the first section's start; None if unknown."""
        if not self._trust.located:
            return None
        at = self._trust.position(self._motion.count) + self._geometry.index_offset_counts
        return at % self._geometry.counts_per_turn

    @property
    def run(self) -> SpinRun | None:
        """How fast the wheel was from mark to mark, between the last throw and its rest."""
        return self._motion.hand.run

    @property
    def moving(self) -> bool:
        """The wheel has not come to rest."""
        return self._motion.rest.moving

    def stands(self, now_ns: int) -> bool:
        """It has not moved for a while, though its rest is not certain yet."""
        return self._motion.rest.stands(now_ns)

    def relearn(self) -> None:
        """Nothing that it has learned of its lines outlives a fault."""

    @property
    def counts_per_turn(self) -> int:
        """Encoder counts in one turn of the wheel."""
        return self._geometry.counts_per_turn

    @property
    def travel_counts(self) -> int:
        """Counts in one direction since the last turning point of the present movement."""
        return self._motion.travel.counts

    def feed(self, batch: EdgeBatch) -> list[Event]:
        """Take a batch of edges; returns the events that they prove, in order of time."""
        edges, stamps = batch.edges, batch.timestamps_ns
        if not edges:
            return []
        if len(edges) == 1 and not self._trailing.held and self._single.goes_on(edges[0], stamps, batch.seqnos[0]):
            return self._proven() if self._events else []
        if wrong := self._numbers.check(batch):
            for fault, lost in wrong:
                self._lost_edges(fault, lost)
            self._report(stamps[0])
        if self._geometry.reversed:
            edges = edges.translate(SWAP_A_B)
        if self._trailing.held or INDEX_RISES in edges or INDEX_FALLS in edges:
            self._take(*self._trailing.before(edges, stamps))
        else:
            self._between(edges, stamps, 0, len(edges))
        return self._proven() if self._events else []

    def _take(self, edges: bytes, stamps: Sequence[int]) -> None:
        """Edges, from one of the index to the next."""
        place = 0
        edges, stamps = in_order(edges, stamps)
        while (index := next_index(edges, place)) < len(edges):
            self._between(edges, stamps, place, index)
            self._rest_if_due(stamps[index])
            self._index(edges[index] < 0x60, stamps[index])
            place = index + 1
        self._between(edges, stamps, place, len(edges))

    def _between(self, edges: bytes, stamps: Sequence[int], place: int, end: int) -> None:
        """Edges of encoder and clapper, many at once where the wheel runs freely, else one by one."""
        free_run = self._free_run
        while place < end:
            place = free_run.takes(edges, stamps, place, end)
            if free_run.few == 1 and place < end:
                self._slow_strike(stamps[place])
                place += 1
            elif free_run.few and place < end:
                stop = min(end, place + free_run.few)
                self._one_by_one(edges[place:stop], stamps[place:stop])
                place = stop

    def _one_by_one(self, edges: bytes, stamps: Sequence[int]) -> None:
        """Decode the encoder up to each edge of the contact."""
        train = edges.translate(None, OTHERS)
        if len(train) == len(edges):
            self._encoder(train, stamps, 0)
            return
        reading = read(edges, train, stamps)
        kinds = self._contact.level.kinds(reading.others, reading.others_ns)
        done = 0
        for kind, place, at_ns in zip(kinds, reading.places, reading.others_ns, strict=True):
            if place > done:
                self._encoder(train[done:place], reading.train_ns, done)
                done = place
            self._rest_if_due(at_ns)
            self._other(kind, at_ns)
        if done < len(train):
            self._encoder(train[done:], reading.train_ns, done)

    def _other(self, kind: int, at_ns: int) -> None:
        """An edge of the contact, the encoder decoded up to it."""
        if kind == STRIKE:
            self._strike(at_ns)
        elif kind == OPENS:
            motion = self._motion
            speed = self._contact.opens(at_ns, motion.path)
            late = self._late(speed, self._geometry.measured.opening_delay_ns, at_ns)
            self._trust.released(motion.count, motion.direction, motion.path, late)
        else:
            self._contact.edges.chatters()
            self._trust.passage.closed_again()

    def _slow_strike(self, at_ns: int) -> None:
        """The free run ended at a strike that is slow."""
        self._contact.level.closes(at_ns)
        self._rest_if_due(at_ns)
        self._strike(at_ns)

    def _late(self, speed: Speed | None, delay_ns: int, now_ns: int) -> int:
        """How many counts the wheel turns during a delay of the contact, at its present speed."""
        if not delay_ns:
            return 0
        if speed is None:  # It has only set out.
            speed = 2, max(self._motion.rest.step_ns, now_ns - self._motion.moved_ns)
        return late_counts(speed, delay_ns)

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed without edges."""
        if self._trailing.due_ns <= now_ns:
            self._take(*self._trailing.take())
        self._rest_if_due(now_ns)
        return self._proven()

    def look(self, levels: Mapping[str, bool], now_ns: int) -> list[Event]:
        """Compare the lines of a wheel that is about to be at rest with what their edges said.

        Edges that the kernel lost last are followed by none whose number would tell.
        """
        motion, level, reversed_ = self._motion, self._contact.level, self._geometry.reversed
        due_ns = motion.rest.due_ns
        if due_ns > now_ns:
            return []
        a, b = (levels[ENCODER_B], levels[ENCODER_A]) if reversed_ else (levels[ENCODER_A], levels[ENCODER_B])
        said_now = ("encoder", motion.quadrature.levels, (a, b)), ("clapper", level.closed, levels[CLAPPER])
        for line, said, is_now in (*said_now, ("index", self._trailing.level(self._index_level), levels[INDEX])):
            if said != is_now:
                self._lost_edges(Fault(line, Health.LOSSY, "its level at rest is not what its last edge said"))
                self._report(due_ns)
        motion.quadrature.realign(a, b)
        self._index_level = self._index_level if self._trailing.held else levels[INDEX]
        if level.closed != levels[CLAPPER]:
            level.passed(levels[CLAPPER], now_ns)
        return self._proven()

    def _proven(self) -> list[Event]:
        events = self._events[:]
        self._events.clear()
        if len(events) > 1:
            events.sort(key=_at_ns)
        return events

    # -- the encoder ---------------------------------------------------------------------------------------

    def _encoder(self, letters: bytes, stamps: Stamps, first: int) -> None:
        quadrature = self._motion.quadrature
        direction = quadrature.heading(letters)
        if direction:
            quadrature.follow(letters, direction)
            self._run(len(letters), direction, stamps, first)
            return
        for i, letter in enumerate(letters, first):
            direction = quadrature.edge(letter)
            if direction:
                self._run(1, direction, stamps, i)
            else:
                self._lost_edge(stamps[i])
            if quadrature.stuck:
                self._suspect_line(stamps[i])

    def _lost_edges(self, fault: Fault, gap: int = 0) -> None:
        self._trust.lost_edges(fault, gap)
        self._motion.hand.lost_edges()

    def _lost_edge(self, at_ns: int) -> None:
        """The edge that was never seen came before this one: perhaps before a rest that is only noticed now."""
        self._lost_edges(Fault("encoder", Health.LOSSY, "an edge was never seen"))
        self._report(min(at_ns, self._motion.rest.due_ns))
        self._rest_if_due(at_ns)

    def _suspect_line(self, at_ns: int) -> None:
        quadrature = self._motion.quadrature
        line, quadrature.stuck = quadrature.stuck, None
        if line and self._motion.rest.moving:
            self._lost_edges(Fault(line, Health.STUCK, "stands still while the other line changes"))
            self._report(at_ns)

    def _run(self, edges: int, direction: int, stamps: Stamps, first: int) -> None:
        """The wheel moved by this many counts in one direction."""
        motion, trust = self._motion, self._trust
        if edges == 1:
            self._rest_if_due(stamps[first])
        elif motion.rest.spans_rest(stamps[first], stamps[first + edges - 1]):
            for i in range(first, first + edges):
                self._run(1, direction, stamps, i)
            return
        start = motion.count
        if direction != motion.direction:
            trust.turned_back(start, direction)
        motion.advance(edges, direction, stamps, first)
        while not trust.lowest <= motion.count <= trust.highest:
            beyond = trust.highest + 1 if motion.count > trust.highest else trust.lowest - 1
            # The edge at which the wheel left the window: one of this run's, wherever the window has moved to.
            edge = min(edges, max(1, (beyond - start) * direction))
            at_ns = stamps[first + edge - 1]
            trust.deflected = self._contact.level.at(at_ns)
            trust.overdue(start + direction * edge)
            self._report(at_ns)

    # -- index and clapper ---------------------------------------------------------------------------------

    def _index(self, rises: bool, at_ns: int) -> None:
        count, direction = self._motion.count, self._motion.direction
        self._trust.deflected = self._contact.level.at(at_ns)
        if rises == self._index_level:
            self._lost_edges(Fault("index", Health.LOSSY, "an edge was never seen"))
        self._index_level = rises
        # Either way round it is the same edge of the mark, the one at position 0, that counts.
        if direction and rises == (direction > 0):
            self._trust.index(count, direction)
        else:
            self._trust.index_end(count)
        self._report(at_ns)

    def _strike(self, at_ns: int) -> None:
        motion, trust, contact = self._motion, self._trust, self._contact
        if not motion.rest.moving:
            motion.quadrature.rested()
        motion.rest.stir(at_ns)
        slow = at_ns - contact.struck_ns >= SLOW_NS
        speed = contact.closes(at_ns, motion.path, motion.direction)
        late = self._late(speed, self._geometry.measured.closing_delay_ns, at_ns)
        if trust.strike(motion.count, motion.direction, motion.path, late, slow):
            return
        trust.deflected = True
        if not trust.lowest <= motion.count <= trust.highest:
            trust.overdue(motion.count)
        self._report(at_ns)

    # -- rest ----------------------------------------------------------------------------------------------

    def _rest_if_due(self, now_ns: int) -> None:
        motion, trust = self._motion, self._trust
        due_ns = motion.rest.due_ns
        if now_ns < due_ns:
            return
        trust.deflected = self._contact.level.at(due_ns)
        if (trust.deflected and motion.rest.extend()) or motion.rest.wait_for_next_count():
            self._rest_if_due(now_ns)
            return
        self._events.append(self._rested.event(due_ns, motion.count, motion.rest.step_ns))
        trust.rested(motion.count)
        self._contact.rests()
        motion.settle(trust.origin)
        self._report(due_ns)

    # -- health --------------------------------------------------------------------------------------------

    def _report(self, at_ns: int) -> None:
        """Make a change of the doubt an event."""
        doubt = self._trust.doubt
        if doubt is not None or self._trust.located:  # It is in order again once the position was found anew.
            self._events += self._health.change(doubt, at_ns)
