"""From index to index a rotor has its encoder's counts, and the same line changes within the pulse."""

import pytest

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
            self.tracker.run(letter, [self.now_ns], 0)
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
    assert rotor.tracker.direction == (way if believed else 0)
    assert (rotor.tracker.doubt is None) is believed
    if not believed:  # One that comes too late was missed by then.
        named = "no pulse in a whole turn" if off > 0 else f"{TURN + off} counts between two index pulses"
        assert named in str(rotor.tracker.doubt)


@pytest.mark.parametrize(("first", "line"), [(20, "A"), (21, "B")])
def test_lines_that_were_crossed_are_named_by_the_line_that_changes_within_the_index(first: int, line: str) -> None:
    """From the first pulse on: crossed before the second, they would turn the picture around for good."""
    rotor = Rotor()
    rotor.turn(first)
    rotor.round(TURN, wide=1)
    assert rotor.tracker.doubt is None
    rotor.turn(1)  # As if the other line were this one.
    named = f"{'B' if line == 'A' else 'A'} changes at the index: lines A and B are crossed"
    for _ in range(3):
        rotor.round(TURN, wide=1)
        assert named in str(rotor.tracker.doubt)
        assert rotor.tracker.turning(rotor.now_ns) == 0
