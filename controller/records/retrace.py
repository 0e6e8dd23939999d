"""The edges of a round go through a new tracker, and the facts that it finds are compared with those on record.

Where the edges are kept from the table's start on, the tracker comes to stand where it stood then, and every fact
must be found to the nanosecond. Where older edges are gone, it begins without knowing the position. What it says
before it knows that, and what the record says of edges that are not kept, is told and not judged.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from controller.facts import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    Fact,
    MachineFailed,
    RevolutionCompleted,
    RotorTurned,
    SensorHealth,
    WheelRested,
    WheelThrown,
)
from controller.records.chain import Entry
from controller.records.differences import Difference, of_facts
from controller.records.sessions import Session
from controller.records.trace import Stretch
from controller.records.words import fact_words
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
    """How a table's sensor head becomes facts.

    Attributes:
        make: makes a tracker.
        devices: names of what is no sensor of the head: what is said of their health comes from elsewhere.
        quiet_ns: so long after the last edge a fact may still follow from it.
    """

    make: MakeTracker
    devices: Collection[str]
    quiet_ns: int

    def of_head(self, fact: Fact) -> bool:
        """Whether a fact on record is the tracker's."""
        if isinstance(fact, SensorHealth):
            return fact.sensor not in self.devices
        if isinstance(fact, MachineFailed):
            return fact.cause.startswith(_TRACKING)
        return isinstance(fact, _SENSED)


@dataclass(frozen=True, slots=True)
class Open:
    """A fact on record that cannot be compared, and why."""

    seq: int
    kind: str
    why: str

    def __str__(self) -> str:
        return f"entry {self.seq} ({self.kind}) cannot be compared: {self.why}"


@dataclass(frozen=True, slots=True)
class Run:
    """Edges of the round in a row, and what a new tracker finds in them."""

    stretches: tuple[Stretch, ...]
    facts: tuple[Fact, ...]


@dataclass(slots=True)
class Retraced:
    """What became of the facts of a round's sensors.

    Attributes:
        same: facts that were found as they are on record.
        differences: facts that were not.
        open: facts that cannot be compared.
        lost: edges of the round that the kernel lost.
        runs: for whoever draws them.
    """

    same: int = 0
    differences: list[Difference] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    lost: int = 0
    runs: list[Run] = field(default_factory=list)


def retrace(number: int, sessions: Sequence[Session], sensors: Sensors) -> Retraced:
    """Let a new tracker take the edges of each session, and compare what it finds in the round."""
    retraced = Retraced()
    for session in sessions:
        found = _track(session, sensors.make)
        _compare(number, session, sensors, found, retraced)
        stretches = tuple(stretch for of, stretch in session.stretches if of == number)
        began_ns = session.began_ns(number)
        if stretches:
            retraced.runs.append(Run(stretches, tuple(fact for fact in found if fact.at_ns > began_ns)))
        retraced.lost += sum(sum(stretch.lost.values()) for stretch in stretches)
    return retraced


# -- edges to facts ------------------------------------------------------------------------------------------------


def _track(session: Session, make: MakeTracker) -> list[Fact]:
    """All facts that a new tracker finds in a session, up to the last moment on record."""
    stretches = session.edges()
    if not stretches:
        return []
    facts: list[Fact] = []
    try:
        tracker = make(stretches[0].levels)
        for batch in _batches(stretches):
            facts += tracker.tick(batch.timestamps_ns[0])  # A rest is told before edges that come after it.
            facts += tracker.feed(batch)
        facts += tracker.tick(session.until_ns)
    except Exception as error:
        log.debug("the tracker failed", exc_info=True)
        facts.append(MachineFailed(session.until_ns, f"{_TRACKING}{type(error).__name__}: {error}"))
    return facts


def _batches(stretches: Sequence[Stretch]) -> Iterator[EdgeBatch]:
    """The edges as the kernel numbered them.

    Facts do not depend on batches, but what is told of losses, and of stamps that run backwards, is told where a
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


# -- facts to facts ------------------------------------------------------------------------------------------------


@dataclass
class _Comparison:
    """One session's facts, on record and found."""

    session: Session
    sensors: Sensors
    found: list[Fact]
    retraced: Retraced

    def __post_init__(self) -> None:
        self._by_key: defaultdict[tuple[object, ...], list[Fact]] = defaultdict(list)
        for fact in self.found:
            self._by_key[_key(fact)].append(fact)
        self._last_ns = max((max(stretch.stamps_ns) for stretch in self.session.edges()), default=-_NEVER)
        turned = (fact.at_ns for fact in self.found if isinstance(fact, RotorTurned))
        self._known_ns = -_NEVER if self.session.whole else next(turned, _NEVER)
        """Since when the tracker knows what it knew then; a rotor's direction, after its first whole turn."""
        self._thrown = False
        self._closed = ""
        """Why nothing more can be compared."""
        self._closed_ns = self.session.until_ns
        self._compared_ns = -_NEVER

    def recorded(self, entry: Entry, fact: Fact, counts: bool) -> None:
        """A fact on record; it counts if it is of the round that is asked for."""
        alike = self._by_key[_key(fact)]
        if self._beyond(fact, bool(alike)):
            self._close(_GONE, self._last_ns)
        found = alike.pop(0) if alike and not self._closed else None
        if isinstance(fact, MachineFailed):
            # It failed at an edge after the last fact that it found, and it is not known at which.
            self._close(_BEGUN_ANEW, self._compared_ns)
        self._compared_ns = max(self._compared_ns, fact.at_ns)
        if counts:
            self._judge(entry, fact, found)
        self._learn(fact, found)

    def _close(self, why: str, at_ns: int) -> None:
        if not self._closed:
            self._closed, self._closed_ns = why, at_ns

    def _judge(self, entry: Entry, fact: Fact, found: Fact | None) -> None:
        told = self.retraced
        if found is not None and _alike(fact, found):
            told.same += 1
        elif self._closed and not isinstance(fact, MachineFailed):
            told.open.append(Open(entry.seq, fact.kind, self._closed))
        elif not self._comparable(fact, found):
            told.open.append(Open(entry.seq, fact.kind, _NOT_KNOWN))
        elif found is None or isinstance(fact, MachineFailed):
            is_now = fact_words(found) if found is not None else "nothing"
            told.differences.append(Difference(entry.seq, fact.kind, "fact", fact_words(fact), is_now))
        else:
            told.differences.extend(of_facts(entry.seq, fact, found))

    def extra(self, since_ns: int) -> None:
        """Facts that were found in the round and are not on record."""
        since_ns = max(since_ns, self._known_ns)
        for fact in (fact for facts in self._by_key.values() for fact in facts):
            judged = self.session.whole or not isinstance(fact, SensorHealth)
            if judged and since_ns < fact.at_ns <= self._closed_ns:
                before = [entry.seq for entry, _ in self.session.entries if entry.at_ns <= fact.at_ns]
                seq = before[-1] if before else self.session.entries[0][0].seq
                difference = Difference(seq, fact.kind, "fact", "nothing", fact_words(fact))
                self.retraced.differences.append(difference)

    def _beyond(self, fact: Fact, found: bool) -> bool:
        """Whether a fact on record follows from edges after the last one that is kept."""
        by_time = isinstance(fact, WheelRested | BallLeftTrack) or _of_beam(fact)
        if not by_time or (not found and not self.session.flushed):
            return fact.at_ns > self._last_ns
        return fact.at_ns > self._last_ns + self.sensors.quiet_ns

    def _comparable(self, fact: Fact, found: Fact | None) -> bool:
        """Whether the tracker knew what it knew then.

        One that began later does not know what was in doubt before, and what it says of a sensor's health is not
        judged. Two stands of a wheel can be compared though it knew nothing when the movement began, if neither is
        in doubt and that began where the record says: half a turn was reached at the same edge.
        """
        if self.session.whole:
            return True
        if isinstance(fact, SensorHealth):
            return False
        return fact.at_ns > self._known_ns or (self._thrown and _both_located(fact, found))

    def _learn(self, fact: Fact, found: Fact | None) -> None:
        """After a stand that both know, the tracker knows the wheel's position as it did then."""
        self._thrown = self._thrown or isinstance(found, WheelThrown)
        if _both_located(fact, found):
            self._known_ns = min(self._known_ns, fact.at_ns)


def _compare(number: int, session: Session, sensors: Sensors, found: list[Fact], retraced: Retraced) -> None:
    comparison = _Comparison(session, sensors, found, retraced)
    for entry, record in session.entries:
        if sensors.of_head(record.fact):
            comparison.recorded(entry, record.fact, entry.round == number)
    comparison.extra(session.began_ns(number))


def _key(fact: Fact) -> tuple[object, ...]:
    """What makes two facts the same one, whatever else they say."""
    if isinstance(fact, MachineFailed):
        return (fact.kind,)  # Its time is that of the processor, not of an edge.
    return (fact.kind, fact.at_ns, fact.sensor if isinstance(fact, SensorHealth) else "")


def _of_beam(fact: Fact) -> bool:
    """What is told of a beam may come of time that passes: something stands in it."""
    return isinstance(fact, SensorHealth) and fact.sensor.startswith("ball")


def _both_located(fact: Fact, found: Fact | None) -> bool:
    return isinstance(fact, WheelRested) and isinstance(found, WheelRested) and fact.located and found.located


def _alike(fact: Fact, found: Fact) -> bool:
    if isinstance(fact, MachineFailed) and isinstance(found, MachineFailed):
        return fact.cause == found.cause
    return fact == found
