"""From index to index a rotor has its encoder's counts, and the same line changes within the pulse."""

import pytest

from controller.events.words import text
from controller.tracking.roulette.rotor import RotorGeometry, RotorTracker

TURN, COUNT_NS = 100, 10_000_000


class Rotor:
    """Turns evenly, 10 ms a count; its index pulse is a count wide, or three."""

    def __init__(self, way: int = 1) -> None:
        self.tracker = RotorTracker(RotorGeometry(TURN), False, False, False)
        self._train, self._way = (b"ABab" if way > 0 else b"BAba"), way
        self._made, self.now_ns = 0, COUNT_NS

    def turn(self, counts: int) -> None:
        for _ in range(counts):
            letter = self._train[self._made % 4 : self._made % 4 + 1]
            self.tracker.edge(letter[0], self.now_ns)
            self._made += 1
            self.now_ns += COUNT_NS

    def pulse(self, counts: int) -> None:
        """The index rises and falls amid counts, so many counts later."""
        for rises in (True, False):
            self.tracker.index(rises, self.now_ns - COUNT_NS // 2)
            if rises:
                self.turn(counts)

    def round(self, counts: int, wide: int = 3) -> None:
        """A pulse, and the rest of so many counts from one to the next."""
        self.pulse(wide)
        self.turn(counts - wide)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize(("off", "believed"), [(-3, False), (-2, True), (0, True), (2, True), (3, False)])
def test_two_counts_more_or_less_from_index_to_index_are_a_turn_and_three_are_not(
    way: int, off: int, believed: bool
) -> None:
    rotor = Rotor(way)
    rotor.turn(20)
    rotor.round(TURN + off)
    rotor.pulse(3)
    assert rotor.tracker.turning(rotor.now_ns) == (way if believed else 0)
    rotor.turn(1)  # Until then the pulse may be one that it passed on the way back.
    assert rotor.tracker.direction == (way if believed else 0)
    assert (rotor.tracker.doubt is None) is believed
    if not believed:  # One that comes too late was missed by then.
        named = text("no-index", turns=1) if off > 0 else text("index-counts", counts=TURN + off)
        assert rotor.tracker.doubt.found == named


class GatedRotor:
    """Its index is gated with A: it changes within 300 ns of an edge of A, before it or after it.

    Args:
        index_ns: how long after an edge of A the index changes; below 0: before it.
    """

    BEGINS, ENDS = 20, 22
    """The edges, counted from where the rotor stood at first, between which the pulse lies."""

    def __init__(self, index_ns: int) -> None:
        self.tracker = RotorTracker(RotorGeometry(TURN), False, False, False)
        self._index_ns, self._at, self.now_ns = index_ns, 0, COUNT_NS

    def go(self, to: int) -> None:
        """Turn to a count, either way."""
        while self._at != to:
            forward = to > self._at
            edge = self._at if forward else self._at - 1
            letter = b"ABab"[edge % 4 : edge % 4 + 1]
            within = {self.BEGINS: forward, self.ENDS: not forward}.get(edge % TURN)
            if within is not None and self._index_ns < 0:
                self.tracker.index(within, self.now_ns + self._index_ns)
            self.tracker.edge((letter if forward else letter.swapcase())[0], self.now_ns)
            if within is not None and self._index_ns > 0:
                self.tracker.index(within, self.now_ns + self._index_ns)
            self._at += 1 if forward else -1
            self.now_ns += COUNT_NS


@pytest.mark.parametrize("index_ns", [-300, 300])
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("back_at", range(17, 29))
def test_a_rotor_that_turns_back_anywhere_at_the_index_raises_no_doubt(
    back_at: int, forward: bool, index_ns: int
) -> None:
    """Where the index changes before A, only A tells that the rotor has turned back.

    ``python -m campaigns.roulette_campaign`` found a doubt there: wheel 770000972, honest spins alone.
    """
    rotor, way = GatedRotor(index_ns), 1 if forward else -1
    if not forward:
        rotor.go(TURN * 5)
    beyond = (3 * TURN if forward else 2 * TURN) + back_at
    rotor.go(beyond)
    assert rotor.tracker.turning(rotor.now_ns - COUNT_NS) == way
    for turns in (3, 1, 4):
        way = -way
        beyond += way * (turns * TURN)
        rotor.go(beyond)
        assert rotor.tracker.doubt is None
    assert rotor.tracker.turning(rotor.now_ns - COUNT_NS) == way


@pytest.mark.parametrize(("first", "line"), [(20, "A"), (21, "B")])
def test_lines_that_were_crossed_are_named_by_the_line_that_changes_within_the_index(first: int, line: str) -> None:
    """From the first pulse on: crossed before the second, they would turn the picture around for good."""
    rotor = Rotor()
    rotor.turn(first)
    rotor.round(TURN, wide=1)
    assert rotor.tracker.doubt is None
    rotor.turn(1)  # As if the other line were this one.
    named = text("crossed-lines", line="B" if line == "A" else "A")
    for _ in range(3):
        rotor.round(TURN, wide=1)
        assert rotor.tracker.doubt.found == named
        assert rotor.tracker.turning(rotor.now_ns) == 0
