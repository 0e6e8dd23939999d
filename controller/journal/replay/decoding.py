"""Stored edges decoded again: a new tracker takes a session's edges as the one at the table took them."""

import logging
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter

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
from controller.journal.replay.sessions import Session
from controller.journal.replay.trace import EdgeStretch, LevelReading
from controller.tracking.tracker import HeadTracker, MakeTracker
from hal.events import EdgeBatch

log = logging.getLogger(__name__)

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


@dataclass(frozen=True, slots=True)
class Sensors:
    """The sensor head of a table, for a replay.

    Attributes:
        make: makes a tracker.
        devices: names of the other devices, whose health the tracker does not report.
        quiet_ns: how long after the last edge the tracker may still report an event.
        inspecting: states in which people try the sensors after work on them.
    """

    make: MakeTracker
    devices: Collection[str]
    quiet_ns: int
    inspecting: frozenset[str] = frozenset()

    def of_head(self, event: Event) -> bool:
        """Whether a recorded event came from the tracker."""
        if isinstance(event, SensorHealth):
            return event.sensor not in self.devices
        if isinstance(event, MachineFailed):
            return event.cause.startswith(_TRACKING)
        return isinstance(event, _SENSED)


def decode(session: Session, sensors: Sensors) -> list[Event]:
    """All events that a new tracker finds in a session, up to its last entry."""
    stretches = session.edges()
    if not stretches:
        return []
    events: list[Event] = []
    try:
        tracker = sensors.make(stretches[0].levels)
        inspections = _inspections_ns(session, sensors.inspecting)
        for batch in _batches(stretches, inspections):
            if isinstance(batch, LevelReading):
                events += _look(tracker, batch)
                continue
            while inspections and inspections[0] < batch.timestamps_ns[0]:
                inspections.pop(0)
                tracker.relearn()
            events += tracker.tick(batch.timestamps_ns[0])  # A rest is reported before later edges.
            events += tracker.feed(batch)
        events += tracker.tick(session.until_ns)
    except Exception as error:
        log.debug("the tracker failed", exc_info=True)
        events.append(MachineFailed(session.until_ns, f"{_TRACKING}{type(error).__name__}: {error}"))
    return events


def _look(tracker: HeadTracker, reading: LevelReading) -> list[Event]:
    """Give the tracker the levels that were read, when it has done what it had done then."""
    events: list[Event] = []
    while (due_ns := tracker.due_ns) is not None and due_ns < reading.due_ns:
        events += tracker.tick(due_ns)
    return events + tracker.look(reading.levels, reading.at_ns)


def _inspections_ns(session: Session, inspecting: frozenset[str]) -> list[int]:
    """When people began to try the sensors."""
    states = ["", *(record.state for _, record in session.entries)]
    begun = (state != before and state in inspecting for before, state in pairwise(states))
    return [entry.at_ns for (entry, _), begins in zip(session.entries, begun, strict=True) if begins]


def _batches(stretches: Sequence[EdgeStretch], inspections_ns: Sequence[int]) -> Iterator[EdgeBatch | LevelReading]:
    """The edges as batches, with the kernel's sequence numbers, and the levels that were read between them.

    Events do not depend on how edges are divided into batches, but a loss, and a stamp that is older than the one
    before it, can only be expressed at the beginning of a batch; and between two batches sensors are learned anew.
    """
    seqno = 1
    for stretch in stretches:
        stamps = stretch.stamps_ns
        backwards = (place for place, (one, other) in enumerate(pairwise(stamps), 1) if other < one)
        tried = (bisect_right(stamps, at_ns) for at_ns in inspections_ns)
        read = {place: list(readings) for place, readings in groupby(stretch.readings, attrgetter("place"))}
        for first, end in pairwise(sorted({0, *stretch.lost, *backwards, *tried, *read, len(stamps)})):
            yield from read.get(first, ())
            seqno += stretch.lost.get(first, 0)
            yield EdgeBatch(stretch.edges[first:end], stamps[first:end], range(seqno, seqno + end - first))
            seqno += end - first
        yield from read.get(len(stamps), ())
