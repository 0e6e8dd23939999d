"""A wheel's sensor head: edges of encoder, index and clapper become events.

The table feeds every batch of edges to :meth:`WheelTracker.feed` and calls :meth:`WheelTracker.tick` when
:attr:`WheelTracker.due_ns` has come. The events do not depend on how the edges were cut into batches.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from operator import attrgetter, sub

from controller.events.event import (
    Event,
    Fault,
    Health,
    RevolutionCompleted,
    WheelRested,
    WheelThrown,
)
from controller.tracking.clapper_wheel.clapper import CHATTER, OPENS, STRIKE, ClapperLevel, ContactPace
from controller.tracking.clapper_wheel.energy import SpinRun
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.hand import Hand
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.motion import Rest, Travel, direction_of
from controller.tracking.quadrature import Quadrature
from controller.tracking.reading import OTHERS, SWAP_A_B, Reading, Stamps, read
from controller.tracking.reported_health import ReportedHealth
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

_SLOW_NS = 200_000_000
"""Strikes further apart are looked at one by one, with the openings between them."""
_NEVER_STRUCK_NS = -1 << 60
_HELD = "stopped from a speed from which no wheel stops by itself: held, or the encoder died"
_at_ns = attrgetter("at_ns")
_MDEG_NS = 360_000 * 1_000_000_000


class WheelTracker:
    """One wheel.

    Args:
        geometry: how the wheel and its sensors are built.
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
    """

    def __init__(self, geometry: WheelGeometry, levels: Mapping[str, bool]) -> None:
        self._geometry = geometry
        a, b = levels[ENCODER_A], levels[ENCODER_B]
        self._quadrature = Quadrature(b, a) if geometry.reversed else Quadrature(a, b)
        self._count = 0
        self._direction = 0
        self._path = 0
        self._travel = Travel(0, geometry.counts_per_turn, geometry.sections)
        self._rest = Rest(0, geometry.rest_ns)
        self._trust = Trust(geometry, 0)
        self._hand = Hand(geometry, 0)
        self._level = ClapperLevel(levels[CLAPPER], geometry.debounce_ns)
        self._trust.deflected = levels[CLAPPER]
        self._index_level = levels[INDEX]
        self._last_ns = 0
        self._moved_ns = 0
        self._struck_ns = _NEVER_STRUCK_NS
        self._pace = ContactPace()
        self._next_seqno: int | None = None
        self._health = ReportedHealth()
        self._events: list[Event] = []

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless edges come before; None while the wheel stands."""
        return self._rest.due_ns if self._rest.moving else None

    @property
    def located(self) -> bool:
        return self._trust.located

    @property
    def position(self) -> int | None:
        """Position along the rim at the clapper, in counts from the first section's start; None if unknown."""
        if not self._trust.located:
            return None
        at = self._trust.position(self._count) + self._geometry.index_offset_counts
        return at % self._geometry.counts_per_turn

    @property
    def run(self) -> SpinRun | None:
        """How fast the wheel was from mark to mark, between the last throw and its rest."""
        return self._hand.run

    @property
    def moving(self) -> bool:
        """The wheel has not come to rest."""
        return self._rest.moving

    def relearn(self) -> None:
        """Nothing that it has learned of its lines outlives a fault."""

    @property
    def counts_per_turn(self) -> int:
        """Encoder counts in one turn of the wheel."""
        return self._geometry.counts_per_turn

    @property
    def travel_counts(self) -> int:
        """Counts in one direction since the last turning point of the present movement."""
        return self._travel.counts

    def feed(self, batch: EdgeBatch) -> list[Event]:
        """Take a batch of edges; returns the events that they prove, in order of time."""
        if not len(batch):
            return []
        self._check_sequence(batch)
        edges = batch.edges.translate(SWAP_A_B) if self._geometry.reversed else batch.edges
        stamps = batch.timestamps_ns
        train = edges.translate(None, OTHERS)
        if len(train) == len(edges):
            self._encoder(train, stamps, 0)
        else:
            reading = read(edges, train, stamps)
            self._level.add(reading.others, reading.others_ns)
            self._read(reading, self._level.kinds())
        self._last_ns = stamps[-1]
        return self._take()

    def _read(self, reading: Reading, kinds: bytes) -> None:
        """Decode the encoder up to each other edge, or over many strikes at once where they come as they should."""
        places, times_ns = reading.places, reading.others_ns
        strikes = [i for i, kind in enumerate(kinds) if kind == STRIKE]
        done = i = ahead = 0
        while i < len(kinds):
            while ahead < len(strikes) and strikes[ahead] < i:
                ahead += 1
            kind = kinds[i]
            if ahead < len(strikes) and kind in (STRIKE, OPENS, CHATTER):
                swept = self._sweep(self._in_turn(strikes, ahead, kinds, i), reading, done)
                if swept:
                    i = strikes[ahead + swept - 1] + 1
                    done = places[i - 1]
                    continue
            if places[i] > done:
                self._encoder(reading.train[done : places[i]], reading.train_ns, done)
                done = places[i]
            self._rest_if_due(times_ns[i])
            self._other(kind, times_ns[i])
            i += 1
        if done < len(reading.train):
            self._encoder(reading.train[done:], reading.train_ns, done)

    def _other(self, kind: int, at_ns: int) -> None:
        """An edge of index or clapper, the encoder decoded up to it."""
        if kind == STRIKE:
            self._strike(at_ns)
        elif kind == OPENS:
            late = self._late(self._geometry.measured.opening_delay_ns, at_ns)
            self._trust.released(self._count, self._direction, self._path, late)
        elif kind == CHATTER:
            self._trust.passage.closed_again()
        else:
            self._index(kind < 0x60, at_ns)

    def _in_turn(self, strikes: Sequence[int], first: int, kinds: bytes, at: int) -> Sequence[int]:
        """The strikes before the next edge of the index, at most a turn of them."""
        ends = [end for end in (kinds.find(b"Z", at), kinds.find(b"z", at)) if end >= 0]
        most = strikes[first : first + self._geometry.sections]
        return most[: bisect_left(most, min(ends))] if ends else most

    def _sweep(self, strikes: Sequence[int], reading: Reading, done: int) -> int:
        """Take many strikes at once if every one is the next peg in turn; returns how many were taken."""
        times_ns = [reading.others_ns[i] for i in strikes]
        apart_ns = list(map(sub, times_ns, [self._struck_ns, *times_ns]))
        count = next((n for n, apart in enumerate(apart_ns) if apart >= _SLOW_NS), len(strikes))
        if not count or times_ns[0] >= self._rest.due_ns or not self._rest.moving:
            return 0
        places = [reading.places[i] for i in strikes[:count]]
        while count:
            run = reading.train[done : places[count - 1]]
            direction = self._quadrature.heading(run)
            if direction and self._come_in_turn(places[:count], apart_ns, direction, done):
                self._quadrature.follow(run, direction)
                self._advance(len(run), direction, reading.train_ns, done)
                self._struck_ns = times_ns[count - 1]
                self._pace.at(self._path, self._struck_ns)
                self._rest.stir(self._struck_ns)
                self._trust.sweep(count, self._path)
                return count
            count //= 2
        return 0

    def _come_in_turn(self, places: Sequence[int], apart_ns: Sequence[int], direction: int, done: int) -> bool:
        start = self._count - direction * done
        counts = [start + direction * place for place in places]
        delay_ns = self._geometry.measured.closing_delay_ns
        moved = delay_ns * self._geometry.counts_per_turn // self._geometry.sections
        late = [moved // apart for apart, _ in zip(apart_ns, counts, strict=False)] if delay_ns else ()
        return self._trust.sweeps(counts, late, direction)

    def _late(self, delay_ns: int, now_ns: int) -> int:
        """How many counts the wheel turns during a delay of the contact, at its present speed."""
        speed = self._pace.at(self._path, now_ns)
        if speed is None:  # It has only set out.
            speed = 2, max(self._rest.step_ns, now_ns - self._moved_ns)
        moved, within_ns = speed
        return moved * delay_ns // within_ns if within_ns > 0 else 0

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed without edges."""
        self._rest_if_due(now_ns)
        return self._take()

    def _take(self) -> list[Event]:
        events, self._events = self._events, []
        if len(events) > 1:
            events.sort(key=_at_ns)
        return events

    # -- the encoder ---------------------------------------------------------------------------------------

    def _encoder(self, letters: bytes, stamps: Stamps, first: int) -> None:
        direction = self._quadrature.heading(letters)
        if direction:
            self._quadrature.follow(letters, direction)
            self._run(len(letters), direction, stamps, first)
            return
        for i, letter in enumerate(letters, first):
            direction = self._quadrature.edge(letter)
            if direction:
                self._run(1, direction, stamps, i)
            else:
                self._lost_edge(stamps[i])
            if self._quadrature.stuck:
                self._suspect_line(stamps[i])

    def _lost_edges(self, fault: Fault, gap: int = 0) -> None:
        self._trust.lost_edges(fault, gap)
        self._hand.lost_edges()

    def _lost_edge(self, at_ns: int) -> None:
        """The edge that was never seen came before this one: perhaps before a rest that is only noticed now."""
        self._lost_edges(Fault("encoder", Health.LOSSY, "an edge was never seen"))
        self._report(min(at_ns, self._rest.due_ns))
        self._rest_if_due(at_ns)

    def _suspect_line(self, at_ns: int) -> None:
        line, self._quadrature.stuck = self._quadrature.stuck, None
        if line and self._rest.moving:
            self._lost_edges(Fault(line, Health.STUCK, "stands still while the other line changes"))
            self._report(at_ns)

    def _run(self, edges: int, direction: int, stamps: Stamps, first: int) -> None:
        """The wheel moved by this many counts in one direction."""
        rest, trust = self._rest, self._trust
        if edges == 1:
            self._rest_if_due(stamps[first])
        elif rest.spans_rest(stamps[first], stamps[first + edges - 1]):
            for i in range(first, first + edges):
                self._run(1, direction, stamps, i)
            return
        start = self._count
        self._advance(edges, direction, stamps, first)
        while not trust.lowest <= self._count <= trust.highest:
            beyond = trust.highest + 1 if self._count > trust.highest else trust.lowest - 1
            # The edge at which the wheel left the window: one of this run's, wherever the window has moved to.
            edge = min(edges, max(1, (beyond - start) * direction))
            at_ns = stamps[first + edge - 1]
            trust.deflected = self._level.at(at_ns)
            trust.overdue(start + direction * edge)
            self._report(at_ns)

    def _advance(self, edges: int, direction: int, stamps: Stamps, first: int) -> None:
        start = self._count
        self._rest.advance(start, edges, direction, stamps, first)
        if direction != self._direction:
            self._direction = direction
            self._trust.turned_back(start, direction)
        self._path += edges
        self._moved_ns = stamps[first + edges - 1]
        self._hand.moved(start, edges, direction, stamps, first)
        self._count = start + direction * edges
        if self._travel.advance(self._count, direction):
            self._marks(start, direction, stamps, first)

    def _marks(self, start: int, direction: int, stamps: Stamps, first: int) -> None:
        while mark := self._travel.take_mark():
            at, revolutions = mark
            at_ns = stamps[first + (at - start) * direction - 1]
            turning = direction_of(direction)
            if revolutions:
                self._events.append(RevolutionCompleted(at_ns, revolutions, turning))
            else:
                self._events.append(WheelThrown(at_ns, turning))

    # -- index and clapper ---------------------------------------------------------------------------------

    def _index(self, rises: bool, at_ns: int) -> None:
        self._trust.deflected = self._level.at(at_ns)
        if rises == self._index_level:
            self._lost_edges(Fault("index", Health.LOSSY, "an edge was never seen"))
        self._index_level = rises
        # Either way round it is the same edge of the mark, the one at position 0, that counts.
        if self._direction and rises == (self._direction > 0):
            self._trust.index(self._count, self._direction)
        else:
            self._trust.index_end(self._count)
        self._report(at_ns)

    def _strike(self, at_ns: int) -> None:
        if not self._rest.moving:
            self._quadrature.rested()
        self._rest.stir(at_ns)
        slow = at_ns - self._struck_ns >= _SLOW_NS
        self._struck_ns = at_ns
        late = self._late(self._geometry.measured.closing_delay_ns, at_ns)
        if self._trust.strike(self._count, self._direction, self._path, late, slow):
            return
        self._trust.deflected = True
        if not self._trust.lowest <= self._count <= self._trust.highest:
            self._trust.overdue(self._count)
        self._report(at_ns)

    # -- rest ----------------------------------------------------------------------------------------------

    def _rest_if_due(self, now_ns: int) -> None:
        due_ns = self._rest.due_ns
        if now_ns < due_ns:
            return
        self._trust.deflected = self._level.at(due_ns)
        if self._trust.deflected and self._rest.extend():
            self._rest_if_due(now_ns)
            return
        fault = self._trust.doubt
        section = boundary = None
        if fault is None and self._trust.located:
            section, boundary, fault = self._trust.stand(self._count)
        travel = self._travel
        self._events.append(
            WheelRested(
                due_ns,
                direction_of(travel.direction) if travel.direction else None,
                travel.counts,
                self._geometry.counts_per_turn,
                located=self._trust.located and fault is None,
                section=section,
                boundary=boundary,
                fault=fault,
                abrupt=self._stopped_abruptly(),
                touched=self._touched() if fault is None else "",
            )
        )
        self._trust.rested(self._count)
        self._pace = ContactPace()
        self._quadrature.rested()
        self._rest.settle(self._count)
        travel.restart(self._count)
        self._hand.restart(self._count, self._trust.origin)
        self._report(due_ns)

    def _touched(self) -> str:
        travel = self._travel
        if not travel.thrown:
            return ""
        found = self._hand.found(travel.direction, self._trust.origin) or self._trust.passage.pushed_on
        return found or (_HELD if self._stopped_abruptly() else "")

    def _stopped_abruptly(self) -> bool:
        step_ns = self._rest.step_ns
        turned_mdeg_ns = 2 * _MDEG_NS // self._geometry.counts_per_turn
        return self._travel.counts > 0 and turned_mdeg_ns > step_ns * self._geometry.final_speed_mdeg_s

    # -- health --------------------------------------------------------------------------------------------

    def _check_sequence(self, batch: EdgeBatch) -> None:
        seqnos = batch.seqnos
        first, last = seqnos[0], seqnos[-1]
        lost = last - first + 1 - len(seqnos)
        if self._next_seqno is not None:
            lost += first - self._next_seqno
        self._next_seqno = last + 1
        at_ns = batch.timestamps_ns[0]
        if lost:
            detail = f"{lost} edges lost in the kernel's buffer"
            self._lost_edges(Fault("encoder", Health.LOSSY, detail), lost)
        if at_ns < self._last_ns or batch.timestamps_ns[-1] < at_ns:
            self._lost_edges(Fault("encoder", Health.NOISY, "time stamps run backwards"))
        self._report(at_ns)

    def _report(self, at_ns: int) -> None:
        """Make a change of the doubt an event."""
        doubt = self._trust.doubt
        if doubt is not None or self._trust.located:  # It is in order again once the position was found anew.
            self._events += self._health.change(doubt, at_ns)
