"""A recording of a wheel, decoded: the one piece of code that turns edges into strikes and slips off the table.

Used by ``calibrate``, ``wheel-report`` and the self-test. Places are in counts, between the encoder's edges by
time: a coarse encoder places a strike as well as a fine one.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, pairwise
from statistics import median

from controller.tracking.quadrature import Quadrature
from controller.tracking.tracker import SWAP_A_B
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

NS_PER_S = 1_000_000_000
_ENCODER = (ENCODER_A + ENCODER_A.lower() + ENCODER_B + ENCODER_B.lower()).encode()
_AROUND = 4
"""A speed is taken over so many counts to each side."""
_INDEX_SLACK = 2
_ON_AN_EDGE = 0.15
"""An index that is joined with the encoder's lines changes within so many counts of an edge of theirs."""
_CLOSED_PART = 0.6


class MeasurementError(Exception):
    """The recording does not give the geometry. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Passing:
    """An edge of index or contact.

    Attributes:
        rises: whether the line rose.
        at_ns: its stamp.
        place: of the wheel, in counts.
        count: what the encoder read.
        direction: in which the wheel moved: +1, -1; 0 before it moved.
        speed: in counts a second, not negative.
    """

    rises: bool
    at_ns: int
    place: float
    count: int
    direction: int
    speed: float


class WheelRecording:
    """Edges as they come, and what is made of them.

    Args:
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
        backwards: whether the encoder counts backwards.

    Attributes:
        lost: edges that were lost, or did not fit the encoder's order.
        strikes: rising edges of the contact, chatter included.
    """

    def __init__(self, levels: Mapping[str, bool], backwards: bool) -> None:
        self.levels = dict(levels)
        self.batches: list[EdgeBatch] = []
        self.count = self.lost = self.strikes = 0
        self._backwards = backwards
        a, b = levels[ENCODER_A], levels[ENCODER_B]
        self._quadrature = Quadrature(b, a) if backwards else Quadrature(a, b)
        self._next_seqno: int | None = None
        self._stamps: list[int] = []
        self._entered: list[int] = []
        """Where the wheel was at each edge of the encoder, exactly."""
        self._ways: list[int] = []
        self._others: list[tuple[int, int, int]] = []

    @property
    def edges(self) -> int:
        """How many edges the encoder has given."""
        return len(self._ways)

    @property
    def end_ns(self) -> int:
        """The last stamp."""
        return self.batches[-1].timestamps_ns[-1] if self.batches else 0

    def feed(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        if not len(batch):
            return
        self.batches.append(batch)
        self.lost += bool(batch.lost(self._next_seqno))
        self._next_seqno = batch.seqnos[-1] + 1
        edges = batch.edges.translate(SWAP_A_B) if self._backwards else batch.edges
        for letter, at_ns in zip(edges, batch.timestamps_ns, strict=True):
            if letter in _ENCODER:
                self._turn(letter, at_ns)
            else:
                self._others.append((letter, at_ns, self.count))
                self.strikes += letter == ord(CLAPPER)

    def _turn(self, letter: int, at_ns: int) -> None:
        way = self._quadrature.edge(letter)
        self.lost += way == 0
        self.count += way
        self._stamps.append(at_ns)
        # A count is entered at its lower end from below, and at its upper end from above.
        self._entered.append(self.count + (way < 0))
        self._ways.append(way)

    # -- how the wheel was turned ----------------------------------------------------------------------------

    def runs(self, least: int, since: int = 0) -> list[tuple[int, int]]:
        """In which directions the wheel was turned, and by how many counts, in turn.

        Args:
            least: counts that make a run; a wheel that rocks by less does not turn back.
            since: the number of the encoder's edges that come before.
        """
        runs: list[tuple[int, int]] = []
        for way, edges in groupby(islice(self._ways, since, None)):
            counts = sum(1 for _ in edges)
            if runs and runs[-1][0] == way:
                runs[-1] = (way, runs[-1][1] + counts)
            elif way and counts >= least:
                runs.append((way, counts))
        return runs

    def sweeps(self, least: int, rest_ns: int) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
        """Movements in one direction without a pause: the direction, the place at each edge, and its stamp.

        Args:
            least: counts that such a movement has at least.
        """
        first = 0
        for place in range(1, len(self._ways) + 1):
            goes_on = place < len(self._ways) and self._ways[place] == self._ways[first]
            if goes_on and self._stamps[place] - self._stamps[place - 1] < rest_ns:
                continue
            if self._ways[first] and place - first >= least:
                yield self._ways[first], self._entered[first:place], self._stamps[first:place]
            first = place

    # -- index and contact -----------------------------------------------------------------------------------

    def index(self) -> Iterator[Passing]:
        """The edges of the index line."""
        return self._of(INDEX)

    def marks(self) -> list[Passing]:
        """The index mark's edge at position 0, each time that it was passed."""
        return [edge for edge in self.index() if edge.direction and edge.rises == (edge.direction > 0)]

    def contact(self) -> Iterator[Passing]:
        """The edges of the clapper's contact, chatter included."""
        return self._of(CLAPPER)

    def passes(self, debounce_ns: int) -> list[tuple[Passing, Passing | None]]:
        """Each strike, and where the contact opened after it; chatter is left out.

        Args:
            debounce_ns: how long the contact may chatter.
        """
        passes: list[tuple[Passing, Passing | None]] = []
        closed, changed_ns = self.levels[CLAPPER], -debounce_ns
        for edge in self.contact():
            if edge.rises and not closed and edge.at_ns - changed_ns >= debounce_ns:
                passes.append((edge, None))
            elif not edge.rises and passes:
                struck, opened = passes[-1]
                if opened is None or edge.at_ns - opened.at_ns > debounce_ns:
                    passes[-1] = struck, edge
            closed, changed_ns = edge.rises, edge.at_ns
        return passes

    def _of(self, line: str) -> Iterator[Passing]:
        both = (ord(line), ord(line.lower()))
        for letter, at_ns, count in self._others:
            if letter in both:
                yield self._passing(letter == both[0], at_ns, count)

    def _passing(self, rises: bool, at_ns: int, count: int) -> Passing:
        stamps, entered, ways = self._stamps, self._entered, self._ways
        after = bisect_right(stamps, at_ns)
        way = ways[after - 1] if after else 0
        if not after or after == len(stamps) or ways[after] != way:
            return Passing(rises, at_ns, count + 0.5, count, way, 0.0)
        span_ns = max(1, stamps[after] - stamps[after - 1])
        part = (at_ns - stamps[after - 1]) / span_ns
        place = entered[after - 1] + part * (entered[after] - entered[after - 1])
        low, high = max(0, after - 1 - _AROUND), min(len(stamps) - 1, after + _AROUND)
        moved = abs(entered[high] - entered[low]) * NS_PER_S / max(1, stamps[high] - stamps[low])
        return Passing(rises, at_ns, place, count, way, moved)


# -- by degrees from the index mark --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edge:
    """A strike or a slip: degrees from the index mark, degrees a second, and the peg, once that is known."""

    at_deg: float
    speed: float
    direction: int
    peg: int = 0


@dataclass(frozen=True, slots=True)
class SeenEdges:
    """What a recording has of its wheel.

    Attributes:
        origin: the count at the index mark.
        spread_deg: how far the crossings of the mark lie apart.
        on_edge: the index changes with an edge of the encoder's: it may be either of two counts'.
        strikes: where pegs closed the contact.
        slips: where the leather slipped off, and the contact opened.
    """

    origin: int
    spread_deg: float
    on_edge: bool
    strikes: Sequence[Edge]
    slips: Sequence[Edge]


def seen_edges(
    recording: WheelRecording, counts_per_turn: int, debounce_ns: int, from_edge: bool = False
) -> SeenEdges:
    """The edges of index and contact, by degrees.

    Args:
        from_edge: where the index is on an edge of the encoder's, its count is always the one that begins there;
            else the one that was seen more often.

    Raises:
        MeasurementError: the index was not seen often enough, its crossings do not agree, or the contact cannot be
            right.
    """
    degree = 360 / counts_per_turn
    usual, spread, edge_at = _origin(recording.marks(), counts_per_turn)
    origin = edge_at if from_edge and edge_at is not None else usual
    _check_contact(list(recording.contact()))

    def edge(passing: Passing) -> Edge:
        return Edge((passing.place - origin) * degree, passing.speed * degree, passing.direction)

    passes = recording.passes(debounce_ns)
    slips = [
        edge(opened)
        for struck, opened in passes
        if opened is not None and opened.direction == struck.direction and struck.speed and opened.speed
        if (opened.place - struck.place) * struck.direction > 0
    ]
    return SeenEdges(
        origin, spread * degree, edge_at is not None, [edge(one) for one, _ in passes if one.speed], slips
    )


def _origin(marks: Sequence[Passing], turn: int) -> tuple[int, int, int | None]:
    """The count at the index mark, how many counts its crossings lie apart, and the edge that it is on."""
    if len(marks) < 2:
        raise MeasurementError("the index was not seen in two turns; look at its line, and record again")
    apart = Counter(
        abs(other.count - one.count) for one, other in pairwise(marks) if one.direction == other.direction
    )
    usual = apart.most_common(1)[0][0] if apart else 0
    if abs(usual - turn) > _INDEX_SLACK:
        raise MeasurementError(
            f"the encoder gave {usual} counts in a turn, and counts_per_turn says {turn}; correct it, "
            "or see that no pulse is lost"
        )
    base = marks[0].count
    off = Counter((mark.count - base + turn // 2) % turn - turn // 2 for mark in marks)
    spread = max(off) - min(off)
    if spread > _INDEX_SLACK:
        raise MeasurementError(
            f"{spread} counts went astray between two turns; look at the encoder's lines and its "
            "coupling, and record again"
        )
    place = base + median((mark.place - base + turn / 2) % turn - turn / 2 for mark in marks)
    on = round(place) if abs(place - round(place)) < _ON_AN_EDGE else None
    return base + off.most_common(1)[0][0], spread, on


def _check_contact(edges: Sequence[Passing]) -> None:
    if not edges:
        raise MeasurementError("the clapper's contact never changed; look at its line and at the leather")
    # By the way that the wheel made: it may stand on a peg for as long as anybody likes.
    ways = [(one.rises, abs(other.place - one.place)) for one, other in pairwise(edges)]
    if sum(way for closed, way in ways if closed) > _CLOSED_PART * sum(way for _, way in ways):
        raise MeasurementError(
            "the clapper's contact is closed most of the time: it works the wrong way round (use its other "
            "terminal), or the leather rests against the pegs"
        )


def recorded(levels: Mapping[str, bool], batches: Sequence[EdgeBatch], backwards: bool) -> WheelRecording:
    """A recording of which all is known."""
    recording = WheelRecording(levels, backwards)
    for batch in batches:
        recording.feed(batch)
    return recording
