"""A matrix keypad reports which keys are down, and nothing of keys that cannot be distinguished."""

from itertools import pairwise

import pytest
from gpio_benches import joined_columns, reads
from hypothesis import given
from hypothesis import strategies as st

from hal.gpiozero.keypad import Crossing, Matrix

ROWS, COLUMNS, SCANS = 4, 4, 2
KEYS = [Crossing(row, at) for row in range(ROWS) for at in range(COLUMNS)]
A, B, C, D = Crossing(0, 0), Crossing(0, 1), Crossing(1, 0), Crossing(1, 1)
"""The corners of a rectangle: A beside B, over C and D."""


class Keypad:
    """A keypad that is scanned, and its reports."""

    def __init__(self, scans: int = SCANS) -> None:
        self.matrix = Matrix(scans)
        self.at_ns = 0
        self.reported: list[tuple[Crossing, bool]] = []
        self.stamps: list[int] = []

    def scan(self, low: frozenset[Crossing]) -> list[tuple[Crossing, bool]]:
        self.at_ns += 10
        changes = self.matrix.scan(low, self.at_ns)
        self.stamps += [change.at_ns for change in changes]
        reported = [(change.key, change.down) for change in changes]
        self.reported += reported
        return reported

    def hold(self, *down: Crossing, scans: int = SCANS) -> list[tuple[Crossing, bool]]:
        """Its reports while these keys are down."""
        return [change for _ in range(scans) for change in self.scan(reads(down, ROWS))]


@st.composite
def holdings(draw: st.DrawFn, most: int) -> list[frozenset[Crossing]]:
    """Which keys are down, one after the other: a key more or a key less each time, never more than so many."""
    down: frozenset[Crossing] = frozenset()
    steps = [down]
    for key in draw(st.lists(st.sampled_from(KEYS), max_size=30)):
        if key in down or len(down) < most:
            down ^= {key}
            steps.append(down)
    return steps


def torn(before: frozenset[Crossing], after: frozenset[Crossing], row: int) -> frozenset[Crossing]:
    """A scan during which keys moved: the rows from this one on were read after it."""
    return frozenset(
        Crossing(number, at)
        for number in range(ROWS)
        for at in joined_columns(before if number < row else after, number)
    )


@given(holdings(most=2), st.data())
def test_of_two_keys_at_once_every_press_and_release_is_reported_in_order(
    steps: list[frozenset[Crossing]], data: st.DataObject
) -> None:
    keypad = Keypad()
    for before, after in pairwise(steps):
        keypad.scan(torn(before, after, data.draw(st.integers(0, ROWS))))
        keypad.hold(*after, scans=data.draw(st.integers(SCANS, SCANS + 2)))
    moved = [next(iter(before ^ after)) for before, after in pairwise(steps)]
    assert keypad.reported == [(key, key in after) for key, after in zip(moved, steps[1:], strict=True)]
    assert keypad.stamps == sorted(keypad.stamps)


@given(st.data(), st.integers(SCANS, SCANS + 2))
def test_however_many_keys_are_down_no_other_key_is_reported(data: st.DataObject, scans: int) -> None:
    keypad = Keypad(scans)
    held: frozenset[Crossing] = frozenset()
    for down in data.draw(st.lists(st.frozensets(st.sampled_from(KEYS), max_size=8), max_size=12)):
        reported = keypad.scan(torn(held, down, data.draw(st.integers(0, ROWS))))
        assert {key for key, pressed in reported if pressed} <= held
        for _ in range(data.draw(st.integers(1, 4))):  # Some are not held for as long as a key must be to count.
            reported = keypad.hold(*down, scans=1)
            assert {key for key, pressed in reported if pressed} <= down
            assert not {key for key, pressed in reported if not pressed} & down
        held = down


@pytest.mark.parametrize("third", [B, C, D])
def test_of_three_corners_no_third_key_is_guessed_until_one_is_released(third: Crossing) -> None:
    keypad = Keypad()
    first, second = [key for key in (A, B, C, D) if key != third][:2]
    assert keypad.hold(first, second) == [(first, True), (second, True)]
    assert keypad.hold(first, second, third, scans=20) == []
    assert keypad.hold(second, third) == [(first, False), (third, True)]


def test_a_key_must_read_the_same_in_several_scans_and_is_stamped_with_the_first() -> None:
    keypad = Keypad(scans=3)
    assert keypad.hold(A, scans=2) == []
    assert keypad.hold(scans=1) == []
    first_ns = keypad.at_ns + 10
    assert keypad.hold(A, scans=3) == [(A, True)]
    assert keypad.stamps == [first_ns]
    assert keypad.hold(scans=2) == []
    assert keypad.hold(scans=1) == [(A, False)]
