"""An index mark that passes while a peg bends the leather, and one that says nothing."""

from array import array

from controller.events.event import Fault, Health, SensorHealth, WheelRested
from controller.events.words import text
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

TURN, SECTIONS, WIDE = 3600, 36, 100
"""Ten counts a degree, a hundred a section."""
CLOSES, OPENS = -15, 20
"""Counts past a peg, of a wheel that turns counterclockwise: a thick peg closes the contact before it is there."""
SIDE = PegSide(-1500, 1800, 2200)
TOLERANCE = 3
"""Counts by which an edge of the contact may be off its place."""
LEVELS = ((0, 0), (1, 0), (1, 1), (0, 1))
S = 1_000_000_000


class EvenWheel:
    """Turns counterclockwise and slows down evenly.

    Args:
        offset: counts from the beginning of section 0 to the index mark.
        off: by so many counts each peg closes the contact later than it was measured.
    """

    def __init__(self, offset: int = 0, off: int = 0) -> None:
        self._offset, self._off = offset, off
        self._at, self._now_ns = 33, 0
        """Counts from the beginning of section 0."""
        self._seen = 1
        geometry = WheelGeometry(TURN, offset, SECTIONS, places=Places(SIDE, SIDE))
        a, b = LEVELS[self._at % 4]
        self._tracker = WheelTracker(geometry, {"A": bool(a), "B": bool(b), "Z": False, "C": False})

    def turn(self, to: int, seconds: float, index: bool = True) -> list[object]:
        """Turn to a count, come to rest there, and wait; gives what the tracker says.

        Args:
            index: whether the index pulses.
        """
        edges, counts, begun_ns = list[tuple[int, str]](), to - self._at, self._now_ns
        for count in range(1, counts + 1):
            left = 1 - (count - 0.5) / counts
            self._now_ns = begun_ns + round(seconds * (1 - left**0.5) * S)
            edges += [(self._now_ns, letter) for letter in self._entered(index)]
        self._now_ns += 10 * S
        letters = "".join(letter for _, letter in edges).encode()
        batch = EdgeBatch(letters, array("q", [at for at, _ in edges]), range(self._seen, self._seen + len(edges)))
        self._seen += len(edges)
        return [*self._tracker.feed(batch), *self._tracker.tick(self._now_ns)]

    def _entered(self, index: bool) -> str:
        """The edges of the next count."""
        before = LEVELS[self._at % 4]
        self._at += 1
        after = LEVELS[self._at % 4]
        line = 0 if before[0] != after[0] else 1
        letters = "AB"[line] if after[line] else "ab"[line]
        from_mark, past_peg = (self._at - self._offset) % TURN, (self._at + WIDE // 2) % WIDE - WIDE // 2
        if index and from_mark < 2:
            letters += "Zz"[from_mark]
        if past_peg == CLOSES + self._off:
            letters += "C"
        return letters + "c" * (past_peg == OPENS)


def rest(events: list[object]) -> WheelRested:
    return [event for event in events if isinstance(event, WheelRested)][-1]


def located(wheel: EvenWheel) -> EvenWheel:
    """Turned twice around, so that its position is known."""
    assert rest(wheel.turn(2 * TURN + 40, 20)).located
    return wheel


def test_where_it_passes_under_a_peg_the_next_strike_is_the_second_by_the_count_and_may_be_late() -> None:
    wheel = EvenWheel(offset=5 * WIDE - 4, off=TOLERANCE)
    events = [*wheel.turn(2 * TURN + 40, 20), *wheel.turn(6 * TURN + 40, 12)]
    assert not [event for event in events if isinstance(event, SensorHealth)]
    assert rest(events).section == 0


def test_an_index_line_that_says_nothing_is_named_after_one_turn_of_a_wheel_whose_position_is_known() -> None:
    wheel = located(EvenWheel())
    events = wheel.turn(4 * TURN - 300, 10, index=False)
    assert [event.sensor for event in events if isinstance(event, SensorHealth)] == ["index"]
    assert rest(events).fault == Fault("index", Health.SILENT, text("no-index", turns=1))
    assert rest(events).section is None
