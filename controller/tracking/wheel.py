"""A wheel's sensor head: edges of encoder, index and clapper become facts.

The table feeds every batch of edges to :meth:`WheelTracker.feed` and calls :meth:`WheelTracker.tick` when
:attr:`WheelTracker.due_ns` has come. The facts do not depend on how the edges were cut into batches.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import sub

from controller.facts import (
    Direction,
    Fact,
    Fault,
    Health,
    RevolutionCompleted,
    SensorHealth,
    WheelRested,
    WheelThrown,
)
from controller.tracking.clapper import ClapperLevel
from controller.tracking.geometry import WheelGeometry
from controller.tracking.motion import Rest, Travel
from controller.tracking.quadrature import LONGEST, Quadrature
from controller.tracking.trust import Trust
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

_FEWEST_TO_SWEEP = 4
_ENCODER = b"ABab"
_OTHERS = (INDEX + INDEX.lower() + CLAPPER + CLAPPER.lower()).encode()
_OTHER_MASK = bytes(letter in _OTHERS for letter in range(256))
_INVERT = bytes((1, 0)) + bytes(254)
_SWAP_A_B = bytes.maketrans(b"AaBb", b"BbAa")
_RISES = ord(CLAPPER)
_Event = tuple[int, int, int]
"""A strike or an edge of the index: its place in the encoder's train, its time, its letter."""
_MDEG_NS = 360_000 * 1_000_000_000


def direction_of(step: int) -> Direction:
    """Counts grow along the rim in the order of the sections, so the wheel turns counterclockwise."""
    return Direction.COUNTERCLOCKWISE if step > 0 else Direction.CLOCKWISE


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
        self._level = ClapperLevel(levels[CLAPPER], geometry.debounce_ns)
        self._trust.deflected = levels[CLAPPER]
        self._index_level = levels[INDEX]
        self._last_ns = 0
        self._next_seqno: int | None = None
        self._reported: Fault | None = None
        self._facts: list[Fact] = []

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
    def travel_counts(self) -> int:
        """Counts in one direction since the last turning point of the present movement."""
        return self._travel.counts

    def feed(self, batch: EdgeBatch) -> list[Fact]:
        """Take a batch of edges; returns the facts that they prove, in order of time."""
        if not len(batch):
            return []
        self._check_sequence(batch)
        edges = batch.edges.translate(_SWAP_A_B) if self._geometry.reversed else batch.edges
        stamps = batch.timestamps_ns
        train = edges.translate(None, _OTHERS)
        if len(train) == len(edges):
            self._encoder(train, stamps, 0)
        else:
            self._mixed(edges, stamps, train)
        self._last_ns = stamps[-1]
        return self._take()

    def _mixed(self, edges: bytes, stamps: Sequence[int], train: bytes) -> None:
        """Edges of the encoder with edges of index and clapper among them.

        The encoder is decoded up to each strike and each edge of the index, or over many strikes at once where
        they come as they should. The other edges of the clapper, where its contact chatters and opens, only
        tell its level.
        """
        others = edges.translate(_OTHER_MASK)
        train_ns = list(compress(stamps, others.translate(_INVERT)))
        where = list(compress(range(len(edges)), others))
        self._level.add(edges.translate(None, _ENCODER), [stamps[i] for i in where])
        events = [(where[k] - k, stamps[where[k]], edges[where[k]]) for k in self._level.events()]
        done = i = 0
        while i < len(events):
            swept = self._sweep(events, i, train, train_ns, done)
            if swept:
                i += swept
                done = events[i - 1][0]
                continue
            at, at_ns, letter = events[i]
            if at > done:
                self._encoder(train[done:at], train_ns, done)
                done = at
            self._rest_if_due(at_ns)
            if letter == _RISES:
                self._strike(at_ns)
            else:
                self._index(letter < 0x60, at_ns)
            i += 1
        if done < len(train):
            self._encoder(train[done:], train_ns, done)

    def _sweep(self, events: Sequence[_Event], i: int, train: bytes, train_ns: Sequence[int], done: int) -> int:
        """Take many strikes at once if every one is the next peg in turn; returns how many were taken."""
        end = i
        while end < len(events) and events[end][2] == _RISES and events[end][0] - done <= LONGEST:
            end += 1
        while end - i >= _FEWEST_TO_SWEEP:
            strikes = events[i:end]
            last, last_ns, _ = strikes[-1]
            direction = self._quadrature.heading(train[done:last])
            if direction and self._come_in_turn(strikes, direction, done):
                self._quadrature.follow(train[done:last], direction)
                self._advance(last - done, direction, train_ns, done)
                self._rest.stir(last_ns)
                self._trust.sweep(len(strikes), self._path)
                return len(strikes)
            end = i + len(strikes) // 2
        return 0

    def _come_in_turn(self, strikes: Sequence[_Event], direction: int, done: int) -> bool:
        counts = [self._count + direction * (at - done) for at, _, _ in strikes]
        return self._without_pause([at_ns for _, at_ns, _ in strikes]) and self._trust.sweeps(counts, direction)

    def _without_pause(self, strikes_ns: Sequence[int]) -> bool:
        """The wheel cannot have come to rest before or between these strikes."""
        if strikes_ns[0] >= self._rest.due_ns or not self._rest.moving:
            return False
        pauses = map(sub, strikes_ns[1:], strikes_ns)
        return all(pause < self._geometry.rest_ns for pause in pauses)

    def tick(self, now_ns: int) -> list[Fact]:
        """Time has passed without edges."""
        self._rest_if_due(now_ns)
        return self._take()

    def _take(self) -> list[Fact]:
        facts, self._facts = self._facts, []
        return facts

    # -- the encoder ---------------------------------------------------------------------------------------

    def _encoder(self, letters: bytes, stamps: Sequence[int], first: int) -> None:
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
                self._trust.lost_edges(Fault("encoder", Health.LOSSY, "an edge was never seen"))
                self._report(stamps[i])
            if self._quadrature.stuck:
                self._suspect_line(stamps[i])

    def _suspect_line(self, at_ns: int) -> None:
        line, self._quadrature.stuck = self._quadrature.stuck, None
        if line and self._rest.moving:
            self._trust.lost_edges(Fault(line, Health.STUCK, "stands still while the other line changes"))
            self._report(at_ns)

    def _run(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
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

    def _advance(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        start = self._count
        self._rest.advance(start, edges, direction, stamps, first)
        if direction != self._direction:
            self._direction = direction
            self._trust.turned_back()
        self._path += edges
        self._count = start + direction * edges
        if self._travel.advance(self._count, direction):
            self._marks(start, direction, stamps, first)

    def _marks(self, start: int, direction: int, stamps: Sequence[int], first: int) -> None:
        while mark := self._travel.take_mark():
            at, revolutions = mark
            at_ns = stamps[first + (at - start) * direction - 1]
            turning = direction_of(direction)
            if revolutions:
                self._facts.append(RevolutionCompleted(at_ns, revolutions, turning))
            else:
                self._facts.append(WheelThrown(at_ns, turning))

    # -- index and clapper ---------------------------------------------------------------------------------

    def _index(self, rises: bool, at_ns: int) -> None:
        self._trust.deflected = self._level.at(at_ns)
        if rises == self._index_level:
            self._trust.lost_edges(Fault("index", Health.LOSSY, "an edge was never seen"))
        self._index_level = rises
        # Either way round it is the same edge of the mark, the one at position 0, that counts.
        if self._direction and rises == (self._direction > 0):
            self._trust.index(self._count, self._direction)
        self._report(at_ns)

    def _strike(self, at_ns: int) -> None:
        self._rest.stir(at_ns)
        if self._trust.strike(self._count, self._direction, self._path):
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
        fault = self._trust.doubt
        self._trust.deflected = self._level.at(due_ns)
        section = boundary = None
        if fault is None and self._trust.located:
            section, boundary, fault = self._trust.stand(self._count)
        travel = self._travel
        self._facts.append(
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
            )
        )
        self._trust.rested(self._count)
        self._rest.settle(self._count)
        travel.restart(self._count)
        self._report(due_ns)

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
            self._trust.lost_edges(Fault("encoder", Health.LOSSY, detail))
        if at_ns < self._last_ns or batch.timestamps_ns[-1] < at_ns:
            self._trust.lost_edges(Fault("encoder", Health.NOISY, "time stamps run backwards"))
        self._report(at_ns)

    def _report(self, at_ns: int) -> None:
        """Make a change of the doubt a fact."""
        doubt = self._trust.doubt
        if doubt is self._reported or (doubt is None and not self._trust.located):
            return  # After a fault, a sensor is in order again once the position was found anew.
        if self._reported is not None and (doubt is None or doubt.sensor != self._reported.sensor):
            self._facts.append(SensorHealth(at_ns, self._reported.sensor, Health.OK))
        if doubt is not None and (
            self._reported is None or (doubt.sensor, doubt.health) != (self._reported.sensor, self._reported.health)
        ):
            self._facts.append(SensorHealth(at_ns, doubt.sensor, doubt.health, doubt.detail))
        self._reported = doubt
