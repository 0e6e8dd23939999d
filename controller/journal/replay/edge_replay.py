"""Replay of a round's edges: a new tracker decodes them, and its events are compared with the recorded ones.

Each start of the table has a new tracker, and each boot of the computer its own monotonic time. So entries and
edges are only compared within a session, from one start to the next. If the edges are stored from the start on, the
new tracker is in the same state as the one at the table, and every event must match to the nanosecond. If older
edges are missing, it starts without a known position. Its events before it knows the position, and recorded events
of edges that are missing, are reported as open questions.
"""

import logging
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

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
from controller.journal.differences import Difference, of_events
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.replay.trace import EdgeStretch, LevelReading, Traces
from controller.journal.text import event_words
from controller.journal.versions import STARTS
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
    edge_replay = EdgeReplay()
    for session in _sessions(number, journal, traces):
        found = decode(session, sensors)
        comparison = _Comparison(session, sensors, found, edge_replay)
        for entry, record in session.entries:
            if sensors.of_head(record.event):
                comparison.recorded(entry, record.event, entry.round == number)
        began_ns = session.began_ns(number)
        comparison.extra(began_ns)
        stretches = tuple(stretch for of, stretch in session.stretches if of == number)
        if stretches:
            edge_replay.runs.append(Run(stretches, tuple(event for event in found if event.at_ns > began_ns)))
        edge_replay.lost += sum(stretch.lost for stretch in stretches)
        edge_replay.readings += (stretch.reading for stretch in stretches if stretch.reading is not None)
    return edge_replay


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
    for entry in journal.entries(round_=first, until_round=number):
        start = entry.kind in STARTS
        if start or not found:
            before = None if start else journal.entry(entry.seq - 1)
            found.append(Session(start, before.at_ns if before is not None else entry.at_ns))
        found[-1].entries.append((entry, of_entry(entry)))
    for of in range(first, number + 1):
        for stretch in traces.of(of):
            started = [one for one in found if one.entries[0][0].seq <= stretch.seq]
            (started or found)[-1 if started else 0].stretches.append((of, stretch))
    return [one for one in found if any(entry.round == number for entry, _ in one.entries)]


def _first_round(number: int, journal: Journal, traces: Traces) -> int:
    """The first of the rounds whose edges are stored without a gap, at most back to the last start of the table."""
    kept, first = set(traces.rounds()), number
    while number - first < LEAD_ROUNDS and first - 1 in kept:
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


class _Comparison:
    """Compares one session's recorded events with those of the new tracker."""

    def __init__(self, session: Session, sensors: Sensors, found: list[Event], result: EdgeReplay) -> None:
        self._session, self._quiet_ns, self._result = session, sensors.quiet_ns, result
        self._by_key: defaultdict[tuple[object, ...], list[Event]] = defaultdict(list)
        for event in found:
            self._by_key[_key(event)].append(event)
        self._last_ns = max((stretch.latest_ns for _, stretch in session.stretches), default=-_NEVER)
        turned = (event.at_ns for event in found if isinstance(event, RotorTurned))
        self._known_ns = -_NEVER if session.whole else next(turned, _NEVER)
        """Time from which the new tracker's events are comparable: for a rotor, after its first whole turn."""
        self._thrown = False
        self._closed, self._closed_ns = "", session.until_ns
        """Why later events cannot be compared, empty if they can; and from when on."""
        self._compared_ns = -_NEVER

    def recorded(self, entry: Entry, event: Event, counts: bool) -> None:
        """Take a recorded event; it counts if it belongs to the requested round."""
        alike, failed = self._by_key[_key(event)], isinstance(event, MachineFailed)
        if self._beyond(event, bool(alike)):
            self._close(_GONE, self._last_ns)
        found = alike.pop(0) if alike and not self._closed else None
        if failed:  # At an edge after the last event that it found, and it is not known at which.
            self._close(_BEGUN_ANEW, self._compared_ns)
        self._compared_ns = max(self._compared_ns, event.at_ns)
        located = _is_located(event) and _is_located(found)
        if counts:
            self._judge(entry, event, found, located)
        # After a rest that both trackers located, the new one knows the wheel's position.
        self._thrown = self._thrown or isinstance(found, WheelThrown)
        if located:
            self._known_ns = min(self._known_ns, event.at_ns)

    def _close(self, why: str, at_ns: int) -> None:
        if not self._closed:
            self._closed, self._closed_ns = why, at_ns

    def _beyond(self, event: Event, found: bool) -> bool:
        """Whether a recorded event depends on edges after the last stored one."""
        of_beam = isinstance(event, SensorHealth) and event.sensor.startswith("ball")
        # Time alone may tell that wheel or ball are at rest, or that something blocks a beam.
        by_time = isinstance(event, WheelRested | BallLeftTrack) or of_beam
        late = by_time and (found or self._session.flushed)
        return event.at_ns > self._last_ns + (self._quiet_ns if late else 0)

    def _judge(self, entry: Entry, event: Event, found: Event | None, located: bool) -> None:
        """Compare an event.

        A tracker that started later does not know earlier doubts, so its reports of a sensor's health are not
        compared. Two rests of a wheel are comparable even if the movement began at an unknown position, provided
        that both are located and that the throw was found: half a turn was reached at the same edge.
        """
        result, failed, whole = self._result, isinstance(event, MachineFailed), self._session.whole
        known = event.at_ns > self._known_ns or (self._thrown and located)
        if found is not None and _without_time(event) == _without_time(found):
            result.same += 1
        elif self._closed and not failed:
            result.open.append(OpenQuestion(entry.seq, event.kind, self._closed))
        elif not (whole or (known and not isinstance(event, SensorHealth))):
            result.open.append(OpenQuestion(entry.seq, event.kind, _NOT_KNOWN))
        elif found is None or failed:
            replayed = event_words(found) if found is not None else "nothing"
            result.differences.append(Difference(entry.seq, event.kind, "event", event_words(event), replayed))
        else:
            result.differences += of_events(entry.seq, event, found)

    def extra(self, since_ns: int) -> None:
        """Report events of the new tracker that are not on record."""
        entries = [entry for entry, _ in self._session.entries]
        for event in (event for events in self._by_key.values() for event in events):
            judged = self._session.whole or not isinstance(event, SensorHealth)
            if judged and max(since_ns, self._known_ns) < event.at_ns <= self._closed_ns:
                seq = max((entry.seq for entry in entries if entry.at_ns <= event.at_ns), default=entries[0].seq)
                self._result.differences.append(Difference(seq, event.kind, "event", "nothing", event_words(event)))


def _key(event: Event) -> tuple[object, ...]:
    """The fields by which a recorded event and a new one are matched."""
    if isinstance(event, MachineFailed):
        return (event.kind,)  # Its time is not that of an edge.
    return (event.kind, event.at_ns, event.sensor if isinstance(event, SensorHealth) else "")


def _without_time(event: Event) -> object:
    return event.cause if isinstance(event, MachineFailed) else event


def _is_located(event: Event | None) -> bool:
    return isinstance(event, WheelRested) and event.located
