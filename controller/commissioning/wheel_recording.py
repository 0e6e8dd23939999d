"""A recording of a wheel, decoded: where the wheel was, and how fast, at every edge of index and contact.

Places are in counts, between the encoder's edges by time: a coarse encoder places a strike as well as a fine one.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from controller.tracking.quadrature import Quadrature
from controller.tracking.tracker import SWAP_A_B
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

NS_PER_S = 1_000_000_000
_ENCODER = (ENCODER_A + ENCODER_A.lower() + ENCODER_B + ENCODER_B.lower()).encode()
_AROUND = 4
"""A speed is taken over so many counts to each side."""


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
    """

    def __init__(self, levels: Mapping[str, bool], backwards: bool) -> None:
        self.levels = dict(levels)
        self.batches: list[EdgeBatch] = []
        self.lost = 0
        """Edges that were lost, or did not fit the encoder's order."""
        self.count = 0
        self.direction = 0
        self.strikes = 0
        """Rising edges of the contact, chatter included."""
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
        if batch.lost(self._next_seqno):
            self.lost += 1
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
        self.direction = way or self.direction
        self._stamps.append(at_ns)
        # A count is entered at its lower end from below, and at its upper end from above.
        self._entered.append(self.count + (way < 0))
        self._ways.append(way)

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

    def index(self) -> Iterator[Passing]:
        """The edges of the index line."""
        return self._of(INDEX)

    def contact(self) -> Iterator[Passing]:
        """The edges of the clapper's contact, chatter included."""
        return self._of(CLAPPER)

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
