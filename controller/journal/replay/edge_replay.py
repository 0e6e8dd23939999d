"""Replay of a round's edges: a new tracker decodes them, and its events are compared with the recorded ones.

If the edges are stored from the table's start on, the tracker is in the same state as the one at the table, and
every event must match to the nanosecond. If older edges are missing, it starts without a known position. Its events
before it knows the position, and recorded events of edges that are missing, are reported as open questions.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.events.event import (
    BallLeftTrack,
    Event,
    MachineFailed,
    RotorTurned,
    SensorHealth,
    WheelRested,
    WheelThrown,
)
from controller.journal.chain import Entry
from controller.journal.differences import Difference, of_events
from controller.journal.replay.decoding import Sensors, decode
from controller.journal.replay.sessions import Session
from controller.journal.replay.trace import EdgeStretch, LevelReading
from controller.journal.text import event_words

_NEVER = 1 << 62
_GONE = "the edges that prove it are not kept"
_BEGUN_ANEW = "the tracker failed before it and was begun anew, at an edge that is not on record"
_NOT_KNOWN = "older edges are not kept, and so the tracker did not know what it knew then"


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


def replay_edges(number: int, sessions: Sequence[Session], sensors: Sensors) -> EdgeReplay:
    """Replay the edges of each session, and compare the events of the round."""
    edge_replay = EdgeReplay()
    for session in sessions:
        found = decode(session, sensors)
        _compare(number, session, sensors, found, edge_replay)
        stretches = tuple(stretch for of, stretch in session.stretches if of == number)
        began_ns = session.began_ns(number)
        if stretches:
            edge_replay.runs.append(Run(stretches, tuple(event for event in found if event.at_ns > began_ns)))
        edge_replay.lost += sum(sum(stretch.lost.values()) for stretch in stretches)
        edge_replay.readings += (reading for stretch in stretches for reading in stretch.readings)
    return edge_replay


@dataclass
class _Comparison:
    """Compares one session's recorded events with those of the new tracker."""

    session: Session
    sensors: Sensors
    found: list[Event]
    edge_replay: EdgeReplay

    def __post_init__(self) -> None:
        self._by_key: defaultdict[tuple[object, ...], list[Event]] = defaultdict(list)
        for event in self.found:
            self._by_key[_key(event)].append(event)
        self._last_ns = max((stretch.latest_ns for stretch in self.session.edges()), default=-_NEVER)
        turned = (event.at_ns for event in self.found if isinstance(event, RotorTurned))
        self._known_ns = -_NEVER if self.session.whole else next(turned, _NEVER)
        """Time from which the new tracker's events are comparable: for a rotor, after its first whole turn."""
        self._thrown = False
        self._closed = ""
        """Why later events cannot be compared; empty if they can."""
        self._closed_ns = self.session.until_ns
        self._compared_ns = -_NEVER

    def recorded(self, entry: Entry, event: Event, counts: bool) -> None:
        """Take a recorded event; it counts if it belongs to the requested round."""
        alike = self._by_key[_key(event)]
        if self._beyond(event, bool(alike)):
            self._close(_GONE, self._last_ns)
        found = alike.pop(0) if alike and not self._closed else None
        if isinstance(event, MachineFailed):
            # It failed at an edge after the last event that it found, and it is not known at which.
            self._close(_BEGUN_ANEW, self._compared_ns)
        self._compared_ns = max(self._compared_ns, event.at_ns)
        if counts:
            self._judge(entry, event, found)
        self._learn(event, found)

    def _close(self, why: str, at_ns: int) -> None:
        if not self._closed:
            self._closed, self._closed_ns = why, at_ns

    def _judge(self, entry: Entry, event: Event, found: Event | None) -> None:
        result = self.edge_replay
        if found is not None and _alike(event, found):
            result.same += 1
        elif self._closed and not isinstance(event, MachineFailed):
            result.open.append(OpenQuestion(entry.seq, event.kind, self._closed))
        elif not self._comparable(event, found):
            result.open.append(OpenQuestion(entry.seq, event.kind, _NOT_KNOWN))
        elif found is None or isinstance(event, MachineFailed):
            replayed = event_words(found) if found is not None else "nothing"
            result.differences.append(Difference(entry.seq, event.kind, "event", event_words(event), replayed))
        else:
            result.differences.extend(of_events(entry.seq, event, found))

    def extra(self, since_ns: int) -> None:
        """Report events of the new tracker that are not on record."""
        since_ns = max(since_ns, self._known_ns)
        for event in (event for events in self._by_key.values() for event in events):
            judged = self.session.whole or not isinstance(event, SensorHealth)
            if judged and since_ns < event.at_ns <= self._closed_ns:
                before = [entry.seq for entry, _ in self.session.entries if entry.at_ns <= event.at_ns]
                seq = before[-1] if before else self.session.entries[0][0].seq
                difference = Difference(seq, event.kind, "event", "nothing", event_words(event))
                self.edge_replay.differences.append(difference)

    def _beyond(self, event: Event, found: bool) -> bool:
        """Whether a recorded event depends on edges after the last stored one."""
        by_time = isinstance(event, WheelRested | BallLeftTrack) or _of_beam(event)
        if not by_time or (not found and not self.session.flushed):
            return event.at_ns > self._last_ns
        return event.at_ns > self._last_ns + self.sensors.quiet_ns

    def _comparable(self, event: Event, found: Event | None) -> bool:
        """Whether the new tracker had the same knowledge as the one at the table.

        A tracker that started later does not know earlier doubts, so its reports of a sensor's health are not
        compared. Two rests of a wheel are comparable even if the movement began at an unknown position, provided
        that both are located and that the throw was found: half a turn was reached at the same edge.
        """
        if self.session.whole:
            return True
        if isinstance(event, SensorHealth):
            return False
        return event.at_ns > self._known_ns or (self._thrown and _both_located(event, found))

    def _learn(self, event: Event, found: Event | None) -> None:
        """After a rest that both trackers located, the new one knows the wheel's position."""
        self._thrown = self._thrown or isinstance(found, WheelThrown)
        if _both_located(event, found):
            self._known_ns = min(self._known_ns, event.at_ns)


def _compare(number: int, session: Session, sensors: Sensors, found: list[Event], edge_replay: EdgeReplay) -> None:
    comparison = _Comparison(session, sensors, found, edge_replay)
    for entry, record in session.entries:
        if sensors.of_head(record.event):
            comparison.recorded(entry, record.event, entry.round == number)
    comparison.extra(session.began_ns(number))


def _key(event: Event) -> tuple[object, ...]:
    """The fields by which a recorded event and a new one are matched."""
    if isinstance(event, MachineFailed):
        return (event.kind,)  # Its time is not that of an edge.
    return (event.kind, event.at_ns, event.sensor if isinstance(event, SensorHealth) else "")


def _of_beam(event: Event) -> bool:
    """Whether an event is about a beam; it may result from elapsed time, if something blocks the beam."""
    return isinstance(event, SensorHealth) and event.sensor.startswith("ball")


def _both_located(event: Event, found: Event | None) -> bool:
    return isinstance(event, WheelRested) and isinstance(found, WheelRested) and event.located and found.located


def _alike(event: Event, found: Event) -> bool:
    if isinstance(event, MachineFailed) and isinstance(found, MachineFailed):
        return event.cause == found.cause
    return event == found
