"""Replay of a round's edges: a new tracker decodes them, and its events are compared with the recorded ones.

Each start of the table has a new tracker, and each boot of the computer its own monotonic time. So entries and
edges are only compared within a session, from one start to the next. If the edges are stored from the start on, the
new tracker is in the same state as the one at the table, and every event must match to the nanosecond. If older
edges are missing, it starts without a known position. Its events before it knows the position, and recorded events
of edges that are missing, are reported as open questions.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from controller.events.effect import RoundOpened
from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    Event,
    MachineFailed,
    RevolutionCompleted,
    RotorTurned,
    SensorHealth,
    WheelRested,
    WheelThrown,
)
from controller.events.record import Record
from controller.journal.chain import Entry
from controller.journal.deciders import STARTS
from controller.journal.differences import Difference, of_events
from controller.journal.journal import Journal
from controller.journal.record import event_words, of_entry
from controller.journal.replay.trace import EdgeStretch, LevelReading, Traces
from controller.tracking.tracker import HeadTracker, MakeTracker
from hal.events import EdgeBatch

log = logging.getLogger(__name__)

LEAD_ROUNDS = 20
"""The most rounds before the requested one whose edges are used to find the wheel's position at its beginning."""
_TRACKING = "tracking: "
"""The prefix of the cause of a :class:`MachineFailed` that the tracker's code raised."""
_SENSED = (
    WheelThrown,
    RevolutionCompleted,
    WheelRested,
    RotorTurned,
    BallThrown,
    BallRevolution,
    BallLeftTrack,
)
_NEVER = 1 << 62
_GONE = "the edges that prove it are not kept"
_BEGUN_ANEW = "the tracker failed before it and was begun anew, at an edge that is not on record"
_NOT_KNOWN = "older edges are not kept, and so the tracker did not know what it knew then"


@dataclass(frozen=True, slots=True)
class Sensors:
    """The sensor head of a table, for a replay.

    Attributes:
        make: makes a tracker.
        devices: names of the other devices, whose health the tracker does not report.
        quiet_ns: how long after the last edge the tracker may still report an event.
    """

    make: MakeTracker
    devices: Collection[str]
    quiet_ns: int

    def of_head(self, event: Event) -> bool:
        """Whether a recorded event came from the tracker."""
        if isinstance(event, SensorHealth):
            return event.sensor not in self.devices
        if isinstance(event, MachineFailed):
            return event.cause.startswith(_TRACKING)
        return isinstance(event, _SENSED)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A recorded event that cannot be compared, and the reason."""

    seq: int
    kind: str
    why: str

    def __str__(self) -> str:
        return f"entry {self.seq} ({self.kind}) cannot be compared: {self.why}"


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive edges of the round, and the events that a new tracker finds in them."""

    stretches: tuple[EdgeStretch, ...]
    events: tuple[Event, ...]


@dataclass(slots=True)
class EdgeReplay:
    """The result of replaying a round's edges.

    Attributes:
        same: the number of events that match the record.
        differences: events that do not.
        open: events that cannot be compared.
        lost: the number of the round's edges that the kernel lost.
        readings: levels of the round that were read at rest and were not as its edges said.
        runs: for plots.
    """

    same: int = 0
    differences: list[Difference] = field(default_factory=list)
    open: list[OpenQuestion] = field(default_factory=list)
    lost: int = 0
    readings: list[LevelReading] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)


def replay_edges(number: int, journal: Journal, traces: Traces, sensors: Sensors) -> EdgeReplay:
    """Replay the edges of a round, of which some are stored, and compare its events."""
    result = EdgeReplay()
    for session in _sessions(number, journal, traces):
        found = decode(session, sensors)
        _compare(number, session, sensors, found, result)
        if stretches := tuple(stretch for of, stretch in session.stretches if of == number):
            began_ns = session.began_ns(number)
            result.runs.append(Run(stretches, tuple(event for event in found if event.at_ns > began_ns)))
        result.lost += sum(stretch.lost for stretch in stretches)
        result.readings += (stretch.reading for stretch in stretches if stretch.reading is not None)
    return result


# -- sessions ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Session:
    """Entries and edges since one start of the table, of the requested round and of rounds before it.

    Attributes:
        whole: whether the edges begin with the table's start; if not, earlier ones are missing.
        since_ns: monotonic time of the start, or of the entry before the first one.
        entries: with their records, in order.
        stretches: with their rounds, in order.
    """

    whole: bool
    since_ns: int
    entries: list[tuple[Entry, Record]] = field(default_factory=list)
    stretches: list[tuple[int, EdgeStretch]] = field(default_factory=list)

    @property
    def until_ns(self) -> int:
        """The time of the last entry."""
        return max((entry.at_ns for entry, _ in self.entries), default=self.since_ns)

    @property
    def flushed(self) -> bool:
        """Whether all its edges were stored: they are when a round opens, and may be lost in a power cut."""
        return any(isinstance(effect, RoundOpened) for effect in self.entries[-1][1].effects)

    def began_ns(self, number: int) -> int:
        """When a round began in this session; events up to then belong to the round before."""
        before = self.since_ns
        for entry, _ in self.entries:
            if entry.round == number:
                break
            before = entry.at_ns
        return before


def _sessions(number: int, journal: Journal, traces: Traces) -> list[Session]:
    """The sessions of a round, in order; the first one begins as far back as there are edges."""
    first, found = _first_round(number, journal, traces), list[Session]()
    for entry in takewhile(lambda entry: entry.round <= number, journal.entries(journal.before_round(first))):
        start = entry.kind in STARTS
        if start or not found:
            before = None if start else journal.entry(entry.seq - 1)
            found.append(Session(start, before.at_ns if before is not None else entry.at_ns))
        found[-1].entries.append((entry, of_entry(entry)))
    for of in range(first, number + 1):
        for stretch in traces.of(of):
            begun = [one for one in found if one.entries[0][0].seq <= stretch.seq or not one.whole]
            if begun:  # If not, a start of the table came after it, and no entry of the round came before that.
                begun[-1].stretches.append((of, stretch))
    return [one for one in found if any(entry.round == number for entry, _ in one.entries)]


def _first_round(number: int, journal: Journal, traces: Traces) -> int:
    """The first of the rounds whose edges are stored, at most back to the last start of the table.

    The oldest are deleted first: a later round without edges is one without a movement.
    """
    oldest, first = min(traces.rounds(), default=number), number
    while number - first < LEAD_ROUNDS and first > oldest:
        starts = [entry.kind in STARTS for entry in journal.entries(round_=first)]
        if starts[:1] == [True] or (first < number and any(starts)):
            break
        first -= 1
    return first


# -- decoding ------------------------------------------------------------------------------------------------------


def decode(session: Session, sensors: Sensors) -> list[Event]:
    """All events that a new tracker finds in a session, up to its last entry.

    Events do not depend on how edges are divided into batches, but each stretch begins one: only there a batch can
    express a loss, and a stamp that is older than the one before it.
    """
    stretches = [stretch for _, stretch in session.stretches]
    events: list[Event] = []
    try:
        tracker = sensors.make(stretches[0].levels_before) if stretches else None
        seqno = 1
        for stretch in stretches:
            assert tracker is not None
            if stretch.reading is not None:
                events += _look(tracker, stretch.reading, stretch.levels)
            if stretch.anew:
                tracker.relearn()
            seqno, first = seqno + stretch.lost + len(stretch.edges), seqno + stretch.lost
            if stretch.edges:
                events += tracker.tick(stretch.stamps_ns[0])  # A rest is reported before later edges.
                events += tracker.feed(EdgeBatch(stretch.edges, stretch.stamps_ns, range(first, seqno)))
        if tracker is not None:
            events += tracker.tick(session.until_ns)
    except Exception as error:
        log.debug("the tracker failed", exc_info=True)
        events.append(MachineFailed(session.until_ns, f"{_TRACKING}{type(error).__name__}: {error}"))
    return events


def _look(tracker: HeadTracker, reading: LevelReading, levels: dict[str, bool]) -> list[Event]:
    """Give the tracker the levels that were read, when it has done what it had done then."""
    events: list[Event] = []
    while (due_ns := tracker.due_ns) is not None and due_ns < reading.due_ns:
        events += tracker.tick(due_ns)
    return events + tracker.look(levels, reading.at_ns)


# -- comparison ----------------------------------------------------------------------------------------------------


def _compare(number: int, session: Session, sensors: Sensors, found: Sequence[Event], result: EdgeReplay) -> None:
    """Compare the session's recorded events of a round with those of the new tracker.

    A tracker that started later does not know earlier doubts, and counts from another place, between which it takes
    speeds. So its reports of a sensor's health are not compared, nor what speeds alone say; and other events only
    once it knows the position as the tracker at the table did.
    """
    left: defaultdict[tuple[object, ...], list[Event]] = defaultdict(list)
    for event in found:
        left[_key(event)].append(event)
    known_ns = -_NEVER if session.whole else _known_ns(session, found)
    last_ns = max((stretch.latest_ns for _, stretch in session.stretches), default=-_NEVER)
    compared_ns, closed, closed_ns = -_NEVER, "", session.until_ns
    for entry, event in ((entry, record.event) for entry, record in session.entries):
        if not sensors.of_head(event):
            continue
        alike, failed = left[_key(event)], isinstance(event, MachineFailed)
        late_ns = sensors.quiet_ns if _by_time(event) and (alike or session.flushed) else 0
        if not closed and event.at_ns > last_ns + late_ns:
            closed, closed_ns = _GONE, last_ns
        other = alike.pop(0) if alike and not closed else None
        told = not isinstance(event, SensorHealth) and not _by_speeds(event, other)
        judged = session.whole or (event.at_ns >= known_ns and told)
        if entry.round == number:
            if other is not None and _without_time(event) == _without_time(other):
                result.same += 1
            elif not judged or (closed and not failed):
                result.open.append(OpenQuestion(entry.seq, event.kind, closed or _NOT_KNOWN))
            elif other is None or failed:
                replayed = event_words(other) if other is not None else "nothing"
                result.differences.append(Difference(entry.seq, event.kind, "event", event_words(event), replayed))
            else:
                result.differences += of_events(entry.seq, event, other)
        if failed and not closed:  # At an edge after the last event that it found, and it is not known at which.
            closed, closed_ns = _BEGUN_ANEW, compared_ns
        compared_ns = max(compared_ns, event.at_ns)
    since_ns = max(session.began_ns(number), known_ns - 1)
    for event in (event for events in left.values() for event in events):
        judged = session.whole or not isinstance(event, SensorHealth)
        if judged and since_ns < event.at_ns <= closed_ns:  # It is not on record.
            before = [entry.seq for entry, _ in session.entries if entry.at_ns <= event.at_ns]
            seq = max(before, default=session.entries[0][0].seq)
            result.differences.append(Difference(seq, event.kind, "event", "nothing", event_words(event)))


def _known_ns(session: Session, found: Sequence[Event]) -> int:
    """From when on a tracker that began without a position has the same as the one at the table.

    From the first rest that both located: including it, if the new one found the throw before, too. Of a rotor,
    after its first whole turn.
    """
    events = (record.event for _, record in session.entries)
    recorded = {_key(event) for event in events if not isinstance(event, WheelRested) or event.located}
    thrown = False
    for event in found:
        if isinstance(event, RotorTurned):
            return event.at_ns + 1
        known = _key(event) in recorded
        thrown = thrown or (known and isinstance(event, WheelThrown))
        if known and isinstance(event, WheelRested) and event.located:
            return event.at_ns + (not thrown)
    return _NEVER


def _by_time(event: Event) -> bool:
    """Whether time alone may tell it, after the last edge: a rest, or something that blocks a beam."""
    of_beam = isinstance(event, SensorHealth) and event.sensor.startswith("ball")
    return isinstance(event, WheelRested | BallLeftTrack) or of_beam


def _by_speeds(event: Event, other: Event | None) -> bool:
    """Whether two rests differ by nothing but what is taken from speeds: a hand's touch, and the measure."""
    if not isinstance(event, WheelRested) or not isinstance(other, WheelRested):
        return False
    return replace(event, touched=other.touched, measure=other.measure) == other


def _key(event: Event) -> tuple[object, ...]:
    """The fields by which a recorded event and a new one are matched."""
    if isinstance(event, MachineFailed):
        return (event.kind,)  # Its time is not that of an edge.
    return (event.kind, event.at_ns, event.sensor if isinstance(event, SensorHealth) else "")


def _without_time(event: Event) -> object:
    return event.cause if isinstance(event, MachineFailed) else event
