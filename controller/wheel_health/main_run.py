"""One spin's edges, decoded: its longest run in one direction, and where each other edge lies in it.

Places are in counts along the rim, between the encoder's edges by time, so that a coarse encoder places a strike as
well as a fine one. No edge's place is computed that nobody asks for.
"""

from collections.abc import Iterator, Mapping, Sequence

from controller.tracking.quadrature import LONGEST, Quadrature
from controller.tracking.reading import OTHERS, SWAP_A_B, Reading, read
from hal.events import ENCODER_A, ENCODER_B
from hal.lazy_dataclass import dataclass

_AROUND = 4
"""A speed is taken over so many counts to each side."""


@dataclass(frozen=True, slots=True)
class MainRun:
    """The longest run in one direction of a spin.

    Attributes:
        direction: +1 counterclockwise, -1 clockwise.
        first: how many of the encoder's edges come before it.
        start: the count at its beginning; the spin's first is 0.
        edges: how many of the encoder's edges it has.
        reading: the spin's edges, taken apart.
    """

    direction: int
    first: int
    start: int
    edges: int
    reading: Reading

    def holds(self, other: int) -> bool:
        """Whether the edge of another line lies well within the run, so that it has a place and a speed."""
        return self.first + _AROUND < self.reading.places[other] < self.first + self.edges - _AROUND

    def place(self, other: int) -> float:
        """Where the wheel was at the edge of another line, in counts; only for edges that the run holds."""
        before = self.reading.places[other]
        stamps = self.reading.train_ns
        since, until = stamps[before - 1], stamps[before]
        part = min(1.0, max(0.0, (self.reading.others_ns[other] - since) / max(1, until - since)))
        count = self.start + self.direction * (before - self.first)
        # A count is entered at its lower end from below, and at its upper end from above.
        return count + part if self.direction > 0 else count + 1 - part

    def speed(self, other: int) -> float:
        """The wheel's speed at the edge of another line, in counts a nanosecond."""
        before, stamps = self.reading.places[other], self.reading.train_ns
        return 2 * _AROUND / max(1, stamps[before - 1 + _AROUND] - stamps[before - 1 - _AROUND])

    def passed_ns(self, count: int) -> int | None:
        """When the wheel passed the lower end of a count; None if that is not in the run."""
        edge = count - self.start - 1 if self.direction > 0 else self.start - count
        return self.reading.train_ns[self.first + edge] if 0 <= edge < self.edges else None


def main_run(levels: Mapping[str, bool], edges: bytes, stamps: Sequence[int], backwards: bool) -> MainRun | None:
    """Decode a spin; None if edges were lost, or there are none of the encoder.

    Args:
        levels: of each line before the first edge, by letter (see :mod:`hal.events`).
        edges: one letter each, as in :class:`hal.events.EdgeBatch`.
        stamps: of each, in nanoseconds.
        backwards: whether the encoder counts backwards.
    """
    edges = edges.translate(SWAP_A_B) if backwards else edges
    train = edges.translate(None, OTHERS)
    reading = read(edges, train, stamps)
    a, b = levels[ENCODER_A], levels[ENCODER_B]
    longest = (0, 0, 0, 0)
    first = start = count = run = 0
    for place, length, direction in _moves(
        train, reading.places, Quadrature(b, a) if backwards else Quadrature(a, b)
    ):
        if not direction:
            return None
        if direction != run:
            first, start, run = place, count, direction
        count += direction * length
        longest = max(longest, (place + length - first, first, start, run))
    return MainRun(longest[3], longest[1], longest[2], longest[0], reading) if longest[0] else None


def _moves(train: bytes, places: Sequence[int], quadrature: Quadrature) -> Iterator[tuple[int, int, int]]:
    """Where a move begins, its edges, and its direction; 0 for an edge that does not fit."""
    done = 0
    for end in (*places, len(train)):
        while done < end:
            piece = train[done : min(end, done + LONGEST)]
            direction = quadrature.heading(piece)
            if direction:
                quadrature.follow(piece, direction)
                yield done, len(piece), direction
            else:
                for i, letter in enumerate(piece, done):
                    yield i, 1, quadrature.edge(letter)
            done += len(piece)
