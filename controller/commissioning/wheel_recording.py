"""A recording of a wheel: its edges as the tracker decodes them, and by degrees from the index mark.

Used by ``calibrate``, ``wheel-report`` and the self-test.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from config.schema import NS_PER_S, WheelSection
from controller.errors import UserError
from controller.events.event import Fault, Health
from controller.tracking.clapper_wheel.trajectory import Contact, CountRun, LastSections
from controller.tracking.tracker import HeadEdges
from hal.events import CLAPPER, EdgeBatch

WAYS = {-1: "clockwise", 1: "counterclockwise"}
_AROUND = 4
"""A speed is taken over so many counts to each side."""
_INDEX_SLACK = 2
_ON_AN_EDGE = 0.15
"""An index that is joined with the encoder's lines changes within so many counts of an edge of theirs."""
_BENT_PART = 0.6
_ROCKS_TURNS = 0.05
"""A wheel that rocks by less does not turn back."""


class MeasurementError(UserError):
    """The recording does not give the geometry. The message says why, and what to do."""


class WheelRecording(HeadEdges):
    """Edges as they come.

    Args:
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
        wheel: the wheel's section of the table's file.

    Attributes:
        lost: how often edges were lost, or did not fit the encoder's order.
        runs: how the wheel moved.
        marks: when the index mark's edge at position 0 was passed.
        contact: its edges, without chatter.
    """

    def __init__(self, levels: Mapping[str, bool], wheel: WheelSection, batches: Sequence[EdgeBatch] = ()) -> None:
        super().__init__(levels, wheel.reversed)
        self.contact = Contact(levels[CLAPPER], wheel.debounce_ns, kept=None)
        self.levels, self.wheel = dict(levels), wheel
        self.batches: list[EdgeBatch] = []
        self.lost = 0
        self.runs: list[CountRun] = []
        self.marks: list[int] = []
        for batch in batches:
            self.feed(batch)

    @property
    def count(self) -> int:
        """What the encoder read last."""
        return self._count

    @property
    def end_ns(self) -> int:
        """The last stamp."""
        return self.batches[-1].timestamps_ns[-1] if self.batches else 0

    @property
    def last_deg_s(self) -> float:
        """The speed in the last count, in degrees a second; 0 if the wheel turned by less than two."""
        stamps = self.runs[-1].stamps[-2:] if self.runs else ()
        if len(stamps) < 2:
            return 0.0
        return 360 * NS_PER_S / (self.wheel.counts_per_turn * max(1, stamps[1] - stamps[0]))

    def feed(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        if len(batch):
            self.batches.append(batch)
            self._take(batch)

    def turned(self, since_ns: int = -1) -> list[float]:
        """By how many turns the wheel was turned at a time, after a moment; clockwise is negative."""
        turned: list[float] = []
        for run in self.runs:
            turns = (
                run.direction * (len(run.stamps) - bisect_right(run.stamps, since_ns)) / self.wheel.counts_per_turn
            )
            if turned and turned[-1] * turns > 0:
                turned[-1] += turns
            elif abs(turns) >= _ROCKS_TURNS:
                turned.append(turns)
        return turned

    # -- from the decoder --------------------------------------------------------------------------------------

    def _lost(self, found: Fault, at_ns: int, gap: int = 0) -> None:
        self.lost += found.health is not Health.STUCK  # A wheel at rest may tremble on an edge.

    def _come_to(self, stamps: Sequence[int], first: int, end: int) -> int:
        return end

    def _run(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        if not self.runs or self.runs[-1].direction != direction:
            self.runs.append(CountRun(direction, self._count + direction))
        self.runs[-1].stamps += stamps[first : first + edges]
        self._count += direction * edges
        self._others_until(first + edges - 1)

    def _index(self, rises: bool, at_ns: int) -> None:
        if self.runs and rises == (self.runs[-1].direction > 0):
            self.marks.append(at_ns)

    def _other(self, line: int, rises: bool, at_ns: int) -> None:
        if line != ord(CLAPPER):
            return
        if rises:
            self.contact.strikes(at_ns, self.runs[-1].direction if self.runs else 1)
        else:
            self.contact.releases(at_ns)


# -- by degrees from the index mark --------------------------------------------------------------------------------


Edge = tuple[float, float]
"""Degrees from the index mark, and degrees a second."""


class SeenPass(NamedTuple):
    """A strike and its release.

    Attributes:
        direction: in which the wheel moved.
        struck: where the contact opened.
        slipped: where the leather slipped off and the contact closed; None if the wheel turned before.
    """

    direction: int
    struck: Edge
    slipped: Edge | None


@dataclass(frozen=True, slots=True)
class SeenEdges:
    """The edges of index and contact.

    Attributes:
        origin: the count at the index mark.
        spread_deg: how far the crossings of the mark lie apart.
        on_edge: the index changes with an edge of the encoder's: it may be either of two counts'.
        passes: those whose place is known.
    """

    origin: int
    spread_deg: float
    on_edge: bool
    passes: Sequence[SeenPass]


def seen_edges(recording: WheelRecording, from_edge: bool = False) -> SeenEdges:
    """The edges of index and contact, placed between the encoder's edges by time, so that a coarse one will do.

    Args:
        from_edge: where the index is on an edge of the encoder's, its count is always the one that begins there;
            else the one that was seen more often.

    Raises:
        MeasurementError: the index was not seen often enough, its crossings do not agree, or the contact cannot be
            right.
    """
    turn = recording.wheel.counts_per_turn
    degree, trajectory = 360 / turn, LastSections(recording.runs, recording.contact.edges, turn)
    marks = [place for at_ns in recording.marks if (place := trajectory.place(at_ns)) is not None]
    usual, spread, edge_at = _origin(marks, turn)
    origin = edge_at if from_edge and edge_at is not None else usual

    def edge(at_ns: int, count: float) -> Edge:
        return (count - origin) * degree, trajectory.speed(at_ns, _AROUND) * degree

    passes: list[SeenPass] = []
    bent = free = last = 0.0
    for one in trajectory.passes:
        struck, released = trajectory.place(one.struck_ns), trajectory.place(one.released_ns)
        if struck is None:
            continue
        at, direction = struck
        slipped = None
        if released is not None:
            # By distance, not time: the wheel may stand on a peg for as long as anybody likes.
            free, bent, last = free + abs(at - last) * bool(passes), bent + abs(released[0] - at), released[0]
            if released[1] == direction and (released[0] - at) * direction > 0:
                slipped = edge(one.released_ns, released[0])
        passes.append(SeenPass(direction, edge(one.struck_ns, at), slipped))
    if not passes:
        raise MeasurementError("the clapper's contact never changed; look at its line and at the leather")
    if bent > _BENT_PART * (bent + free):
        raise MeasurementError(
            "the clapper's contact is open most of the time: it works the wrong way round (use its other "
            "terminal), or the leather rests against the pegs"
        )
    return SeenEdges(origin, spread * degree, edge_at is not None, passes)


def _origin(marks: Sequence[tuple[float, int]], turn: int) -> tuple[int, int, int | None]:
    """The count at the index mark, how many counts its crossings lie apart, and the edge that it is on.

    Args:
        marks: the places of the crossings, in counts, and their directions.
    """
    if len(marks) < 2:
        raise MeasurementError("the index was not seen in two turns; look at its line, and record again")
    apart = Counter(round(abs(other - one)) for (one, way), (other, back) in pairwise(marks) if way == back)
    usual = apart.most_common(1)[0][0] if apart else 0
    if abs(usual - turn) > _INDEX_SLACK:
        raise MeasurementError(
            f"the encoder gave {usual} counts in a turn, and counts_per_turn says {turn}; correct it, "
            "or see that no pulse is lost"
        )
    base = math.floor(marks[0][0])
    places = [(place - base + turn / 2) % turn - turn / 2 for place, _ in marks]
    off = Counter(math.floor(place) for place in places)
    spread = max(off) - min(off)
    if spread > _INDEX_SLACK:
        raise MeasurementError(
            f"{spread} counts went astray between two turns; look at the encoder's lines and its "
            "coupling, and record again"
        )
    middle = median(places)
    edge_at = base + round(middle) if abs(middle - round(middle)) < _ON_AN_EDGE else None
    return base + off.most_common(1)[0][0], spread, edge_at
