"""The edges of a round go through a new tracker, and the events that it finds are compared with those on record.

Where the edges are kept from the table's start on, the tracker comes to stand where it stood then, and every event
must be found to the nanosecond. Where older edges are gone, it begins without knowing the position. What it says
before it knows that, and what the record says of edges that are not kept, is told and not judged.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

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
from controller.journal.chain import Entry
from controller.journal.replay.differences import Difference, of_events
from controller.journal.replay.sessions import Session
from controller.journal.replay.trace import EdgeStretch
from controller.journal.text import event_words
from controller.tracking.tracker import MakeTracker
from hal.events import EdgeBatch

log = logging.getLogger(__name__)

_TRACKING = "tracking: "
"""With this begins the cause of a :class:`MachineFailed` of the tracker's code."""
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
    """How a table's sensor head becomes events.

    Attributes:
        make: makes a tracker.
        devices: names of what is no sensor of the head: what is said of their health comes from elsewhere.
        quiet_ns: so long after the last edge an event may still follow from it.
    """

    make: MakeTracker
    devices: Collection[str]
    quiet_ns: int

    def of_head(self, event: Event) -> bool:
        """Whether an event on record is the tracker's."""
        if isinstance(event, SensorHealth):
            return event.sensor not in self.devices
        if isinstance(event, MachineFailed):
            return event.cause.startswith(_TRACKING)
        return isinstance(event, _SENSED)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An event on record that cannot be compared, and why."""

    seq: int
    kind: str
    why: str

    def __str__(self) -> str:
        return f"entry {self.seq} ({self.kind}) cannot be compared: {self.why}"


@dataclass(frozen=True, slots=True)
class Run:
    """Edges of the round in a row, and what a new tracker finds in them."""

    stretches: tuple[EdgeStretch, ...]
    events: tuple[Event, ...]


@dataclass(slots=True)
class EdgeReplay:
    """What became of the events of a round's sensors.

    Attributes:
        same: events that were found as they are on record.
        differences: events that were not.
        open: events that cannot be compared.
        lost: edges of the round that the kernel lost.
        runs: for whoever draws them.
    """

    same: int = 0
    differences: list[Difference] = field(default_factory=list)
    open: list[OpenQuestion] = field(default_factory=list)
    lost: int = 0
    runs: list[Run] = field(default_factory=list)


def replay_edges(number: int, sessions: Sequence[Session], sensors: Sensors) -> EdgeReplay:
    """Let a new tracker take the edges of each session, and compare what it finds in the round."""
    edge_replay = EdgeReplay()
    for session in sessions:
        found = _track(session, sensors.make)
        _compare(number, session, sensors, found, edge_replay)
        stretches = tuple(stretch for of, stretch in session.stretches if of == number)
        began_ns = session.began_ns(number)
        if stretches:
            edge_replay.runs.append(Run(stretches, tuple(event for event in found if event.at_ns > began_ns)))
        edge_replay.lost += sum(sum(stretch.lost.values()) for stretch in stretches)
    return edge_replay


# -- edges to events
# ------------------------------------------------------------------------------------------------


def _track(session: Session, make: MakeTracker) -> list[Event]:
    """All events that a new tracker finds in a session, up to the last moment on record."""
    stretches = session.edges()
    if not stretches:
        return []
    events: list[Event] = []
    try:
        tracker = make(stretches[0].levels)
        for batch in _batches(stretches):
            events += tracker.tick(batch.timestamps_ns[0])  # A rest is told before edges that come after it.
            events += tracker.feed(batch)
        events += tracker.tick(session.until_ns)
    except Exception as error:
        log.debug("the tracker failed", exc_info=True)
        events.append(MachineFailed(session.until_ns, f"{_TRACKING}{type(error).__name__}: {error}"))
    return events


def _batches(stretches: Sequence[EdgeStretch]) -> Iterator[EdgeBatch]:
    """The edges as the kernel numbered them.

    Events do not depend on batches, but what is told of losses, and of stamps that run backwards, is told where a
    batch begins; within one they never do.
    """
    seqno = 1
    for stretch in stretches:
        stamps = stretch.stamps_ns
        backwards = (place for place, (one, other) in enumerate(pairwise(stamps), 1) if other < one)
        for first, end in pairwise(sorted({0, *stretch.lost, *backwards, len(stamps)})):
            seqno += stretch.lost.get(first, 0)
            yield EdgeBatch(stretch.edges[first:end], stamps[first:end], range(seqno, seqno + end - first))
            seqno += end - first


# -- events to events
# ------------------------------------------------------------------------------------------------


@dataclass
class _Comparison:
    """One session's events, on record and found."""

    session: Session
    sensors: Sensors
    found: list[Event]
    edge_replay: EdgeReplay

    def __post_init__(self) -> None:
        self._by_key: defaultdict[tuple[object, ...], list[Event]] = defaultdict(list)
        for event in self.found:
            self._by_key[_key(event)].append(event)
        self._last_ns = max((max(stretch.stamps_ns) for stretch in self.session.edges()), default=-_NEVER)
        turned = (event.at_ns for event in self.found if isinstance(event, RotorTurned))
        self._known_ns = -_NEVER if self.session.whole else next(turned, _NEVER)
        """Since when the tracker knows what it knew then; a rotor's direction, after its first whole turn."""
        self._thrown = False
        self._closed = ""
        """Why nothing more can be compared."""
        self._closed_ns = self.session.until_ns
        self._compared_ns = -_NEVER

    def recorded(self, entry: Entry, event: Event, counts: bool) -> None:
        """An event on record; it counts if it is of the round that is asked for."""
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
        told = self.edge_replay
        if found is not None and _alike(event, found):
            told.same += 1
        elif self._closed and not isinstance(event, MachineFailed):
            told.open.append(OpenQuestion(entry.seq, event.kind, self._closed))
        elif not self._comparable(event, found):
            told.open.append(OpenQuestion(entry.seq, event.kind, _NOT_KNOWN))
        elif found is None or isinstance(event, MachineFailed):
            is_now = event_words(found) if found is not None else "nothing"
            told.differences.append(Difference(entry.seq, event.kind, "fact", event_words(event), is_now))
        else:
            told.differences.extend(of_events(entry.seq, event, found))

    def extra(self, since_ns: int) -> None:
        """Events that were found in the round and are not on record."""
        since_ns = max(since_ns, self._known_ns)
        for event in (event for events in self._by_key.values() for event in events):
            judged = self.session.whole or not isinstance(event, SensorHealth)
            if judged and since_ns < event.at_ns <= self._closed_ns:
                before = [entry.seq for entry, _ in self.session.entries if entry.at_ns <= event.at_ns]
                seq = before[-1] if before else self.session.entries[0][0].seq
                difference = Difference(seq, event.kind, "fact", "nothing", event_words(event))
                self.edge_replay.differences.append(difference)

    def _beyond(self, event: Event, found: bool) -> bool:
        """Whether an event on record follows from edges after the last one that is kept."""
        by_time = isinstance(event, WheelRested | BallLeftTrack) or _of_beam(event)
        if not by_time or (not found and not self.session.flushed):
            return event.at_ns > self._last_ns
        return event.at_ns > self._last_ns + self.sensors.quiet_ns

    def _comparable(self, event: Event, found: Event | None) -> bool:
        """Whether the tracker knew what it knew then.

        One that began later does not know what was in doubt before, and what it says of a sensor's health is not
        judged. Two stands of a wheel can be compared though it knew nothing when the movement began, if neither is
        in doubt and that began where the record says: half a turn was reached at the same edge.
        """
        if self.session.whole:
            return True
        if isinstance(event, SensorHealth):
            return False
        return event.at_ns > self._known_ns or (self._thrown and _both_located(event, found))

    def _learn(self, event: Event, found: Event | None) -> None:
        """After a stand that both know, the tracker knows the wheel's position as it did then."""
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
    """What makes two events the same one, whatever else they say."""
    if isinstance(event, MachineFailed):
        return (event.kind,)  # Its time is that of the processor, not of an edge.
    return (event.kind, event.at_ns, event.sensor if isinstance(event, SensorHealth) else "")


def _of_beam(event: Event) -> bool:
    """What is told of a beam may come of time that passes: something stands in it."""
    return isinstance(event, SensorHealth) and event.sensor.startswith("ball")


def _both_located(event: Event, found: Event | None) -> bool:
    return isinstance(event, WheelRested) and isinstance(found, WheelRested) and event.located and found.located


def _alike(event: Event, found: Event) -> bool:
    if isinstance(event, MachineFailed) and isinstance(found, MachineFailed):
        return event.cause == found.cause
    return event == found
