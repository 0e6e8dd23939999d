"""From index to index a rotor has its encoder's counts, and the same line changes within the pulse."""

from array import array

import pytest

from controller.events.event import Event, Fault, RotorTurned
from controller.events.words import text
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import EdgeBatch

TURN, COUNT_NS = 100, 10_000_000
LEVELS = dict.fromkeys("ABZPQ", False)


class Rotor:
    """Turns evenly, 10 ms a count.

    Args:
        pulse: the edges, counted from where the rotor stood at first, at which the index changes.
        index_ns: how long after such an edge it does; below 0: before it.
        line: the encoder's line that changes at the first edge.
    """

    def __init__(self, pulse: tuple[int, int] = (20, 23), index_ns: int = -COUNT_NS // 2, line: str = "A") -> None:
        self.tracker = RouletteTracker(RotorGeometry(TURN), LEVELS)
        self.pulse, self.turn, self._index_ns = pulse, TURN, index_ns
        self.train = b"ABab" if line == "A" else b"BAba"
        self.at, self.now_ns, self._number = 0, COUNT_NS, 0
        self.events: list[Event] = []

    def go(self, to: int) -> None:
        """Turn to a count, either way."""
        while self.at != to:
            forward = to > self.at
            edge = self.at if forward else self.at - 1
            letter = self.train[edge % 4 : edge % 4 + 1]
            edges = [(self.now_ns, letter if forward else letter.swapcase())]
            if edge % self.turn in self.pulse:
                rises = forward == (edge % self.turn == self.pulse[0])
                edges.append((self.now_ns + self._index_ns, b"Z" if rises else b"z"))
            stamps, letters = zip(*sorted(edges), strict=True)
            numbers = range(self._number + 1, self._number + 1 + len(edges))
            self.events += self.tracker.feed(EdgeBatch(b"".join(letters), array("q", stamps), numbers))
            self._number += len(edges)
            self.at += 1 if forward else -1
            self.now_ns += COUNT_NS

    def index(self, letter: str) -> None:
        """The index alone changes: the rotor moves by less than a count."""
        self._number += 1
        self.events += self.tracker.feed(EdgeBatch(letter.encode(), [self.now_ns], [self._number]))
        self.now_ns += COUNT_NS

    @property
    def turning(self) -> int:
        return self.tracker.rotor.turning(self.now_ns - COUNT_NS)

    @property
    def doubt(self) -> Fault | None:
        return self.tracker.rotor.doubt


@pytest.mark.parametrize("line", ["A", "B"])
@pytest.mark.parametrize(("off", "believed"), [(-3, False), (-2, True), (0, True), (2, True), (3, False)])
def test_two_counts_more_or_less_from_index_to_index_are_a_turn_and_three_are_not(
    line: str, off: int, believed: bool
) -> None:
    rotor = Rotor(line=line)
    rotor.turn = TURN + off
    rotor.go(TURN + off + 24)
    assert rotor.turning == ((1 if line == "A" else -1) if believed else 0)
    assert (rotor.doubt is None) is believed
    if rotor.doubt is not None:  # One that comes too late was missed by then.
        named = text("no-index", turns=1) if off > 0 else text("index-counts", counts=TURN + off)
        assert rotor.doubt.found == named


@pytest.mark.parametrize("index_ns", [-300, 300])
@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("back_at", range(17, 29))
def test_a_rotor_that_turns_back_anywhere_at_the_index_raises_no_doubt(
    back_at: int, way: int, index_ns: int
) -> None:
    """Where the index is gated with A and changes before it, only A tells that the rotor has turned back.

    ``python -m campaigns.roulette_campaign`` found a doubt there: wheel 770000972, honest spins alone.
    """
    rotor = Rotor((20, 22), index_ns)
    if way < 0:
        rotor.go(TURN * 5)
    beyond = (3 if way > 0 else 2) * TURN + back_at
    rotor.go(beyond)
    assert rotor.turning == way
    for turns in (3, 1, 4):
        way = -way
        beyond += way * (turns * TURN)
        rotor.go(beyond)
        assert rotor.doubt is None
    assert rotor.turning == way


@pytest.mark.parametrize("wide", [2, 3, 4, 6])
@pytest.mark.parametrize("touched", ["", "zZ", "zZzZ"])
def test_a_rotor_that_turns_back_within_the_count_at_the_end_of_a_pulse_raises_no_doubt(
    wide: int, touched: str
) -> None:
    """No count between the two edges of the index tells which way the rotor then turns: only the next one does."""
    end = TURN + 20 + wide
    rotor = Rotor((20, 20 + wide), COUNT_NS // 2)
    rotor.go(5 * TURN)
    assert rotor.turning == 1
    rotor.go(end)
    for letter in f"{touched}z":
        rotor.index(letter)
    rotor.pulse = 20, -1
    rotor.go(end + 1)
    rotor.pulse = 20, 20 + wide
    rotor.go(9 * TURN)
    assert rotor.doubt is None
    assert all(isinstance(event, RotorTurned) for event in rotor.events), rotor.events
    assert rotor.turning == 1


@pytest.mark.parametrize(("first", "line"), [(20, "B"), (21, "A")])
def test_lines_that_were_crossed_are_named_by_the_line_that_changes_within_the_index(first: int, line: str) -> None:
    """From the first pulse on: crossed before the second, they would turn the picture around for good."""
    rotor = Rotor((first, first + 1))
    rotor.go(TURN + 10)
    assert rotor.doubt is None
    rotor.pulse = (first + 1, first + 2)  # As if the other line were this one.
    for turns in (2, 3, 4):
        rotor.go(turns * TURN + 10)
        assert rotor.doubt is not None
        assert rotor.doubt.found == text("crossed-lines", line=line)
        assert rotor.turning == 0


@pytest.mark.clause("617a.5(a)")
@pytest.mark.parametrize("back", [1, 2])
def test_a_rotor_that_goes_back_by_a_count_has_turned_back(back: int) -> None:
    rotor = Rotor()
    rotor.go(450)
    since_ns = rotor.now_ns - 50 * COUNT_NS
    assert rotor.tracker.rotor.turned_since(since_ns, rotor.now_ns - COUNT_NS) == 1
    rotor.go(450 - back)
    rotor.go(760)
    assert rotor.tracker.rotor.turned_since(since_ns, rotor.now_ns - COUNT_NS) == 0
