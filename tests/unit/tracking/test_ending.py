"""What no wheel does by itself, whatever the places of its edges: from the times of its counts alone."""

import math

from endings import ended, said
from hypothesis import given
from hypothesis import strategies as st

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.way import ContactEdge, CountRun

TURN = 2880
SECOND = 1_000_000_000
QUIET: list[ContactEdge] = []


def impossible(runs: list[CountRun], contact: list[ContactEdge], turn: int) -> str:
    ending = ended(WheelGeometry(turn, 0, 54), runs, contact)
    return said(ending, "turned-at-speed", "counted-at-once").code


def run(direction: int, *seconds: float) -> CountRun:
    return CountRun(direction, 0, [round(at * SECOND) for at in seconds])


def thrown_against(force: float, back: float, into: float, counts: int) -> list[CountRun]:
    """A wheel that turns ``into`` a count (0 to 1), slowed down by ``force`` and pushed back by a part of it."""
    there = [math.sqrt(2 * (count + into) / force) for count in range(counts)]
    return [
        run(1, *(-at for at in reversed(there))),
        run(-1, *(math.sqrt(2 * (count + into) / (force * back)) for count in range(counts))),
    ]


@given(st.floats(2, 4000), st.floats(0.2, 1), st.floats(0, 1), st.integers(1, 40))
def test_a_wheel_that_a_force_turns_back_can_do_that(force: float, back: float, into: float, counts: int) -> None:
    assert impossible(thrown_against(force, back, into, counts), QUIET, TURN) == ""


@given(st.floats(0.004, 0.2), st.integers(8, 40), st.integers(4, 40))
def test_a_wheel_that_turns_back_at_full_speed_cannot(step: float, before: int, after: int) -> None:
    """So it looks when A and B are crossed while it turns."""
    runs = [
        run(1, *(step * count for count in range(before))),
        run(-1, *(step * (before + count) for count in range(after))),
    ]
    assert impossible(runs, QUIET, TURN) == "turned-at-speed"


@given(st.integers(0, 15))
def test_a_single_late_stamp_is_not_a_turn_at_speed(which: int) -> None:
    runs = thrown_against(40.0, 0.8, 0.5, 12)
    runs[which % 2].stamps[which // 2] += 3_000_000
    assert impossible(runs, QUIET, TURN) == ""


@given(st.floats(0.03, 1), st.floats(0.03, 1), st.floats(0, 0.0005), st.integers(1, 6), st.integers(1, 6))
def test_two_counts_at_once_of_a_slow_wheel_are_lines_that_came_back(
    before: float, after: float, apart: float, earlier: int, later: int
) -> None:
    """A plug that was out for a while: both lines change as it is put in."""
    back = [before * earlier, before * earlier + apart]
    onward = [back[-1] + after * (count + 1) for count in range(later)]
    runs = [run(1, *(before * count for count in range(earlier)), *back, *onward)]
    assert impossible(runs, QUIET, 1600) == "counted-at-once"


@given(st.lists(st.floats(0.5, 1.5), min_size=8, max_size=8), st.floats(0.001, 0.5), st.integers(0, 7))
def test_uneven_lines_and_a_late_stamp_are_no_counts_at_once(widths: list[float], step: float, late: int) -> None:
    stamps = [round(step * sum(widths[:count]) * SECOND) for count in range(8)]
    stamps[late] = min([stamps[late] + 3_000_000, *stamps[late + 1 : late + 2]])
    assert impossible([CountRun(1, 0, stamps)], QUIET, TURN) == ""
