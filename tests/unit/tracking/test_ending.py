"""What no wheel does by itself, whatever the places of its edges: from the times of its counts alone."""

import math

import pytest
from endings import ended, said
from hypothesis import given
from hypothesis import strategies as st

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.way import Contact, ContactEdge, CountRun

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


def test_a_stiff_leather_turns_a_wheel_with_a_coarse_encoder_at_once() -> None:
    """Counts of another simulation's wheel, 940 a turn: no hand was on it."""
    there = run(1, 0.000, 0.056, 0.150, 0.215, 0.316, 0.396, 0.518, 0.618)
    back = run(-1, 0.802, 0.927, 1.108, 1.236, 1.409, 1.527)
    assert impossible([there, back], QUIET, 940) == ""


@pytest.mark.parametrize(("section", "found"), [(225.0, True), (350.0, False), (0.0, False)])
def test_no_leather_turns_a_wheel_that_has_more_energy_than_a_section_takes(section: float, found: bool) -> None:
    """Lines that were crossed at 18 degrees/s, with 800 counts a turn: found by the campaign (wheel 500062)."""
    there = run(1, 0.000, 0.0247, 0.0496, 0.0745, 0.0996, 0.1255)
    back = run(-1, 0.1529, 0.1844, 0.2247, 0.2678, 0.3164)
    assert bool(said(ended(WheelGeometry(800, 0, 54), [there, back], QUIET, section), "turned-at-speed")) is found


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


def test_lines_that_came_back_as_the_wheel_had_turned_are_no_rest() -> None:
    there, back = run(1, 0.0, 0.016, 0.033, 0.045), run(-1, 0.996, 0.996, 1.245, 1.336, 1.407, 1.470)
    assert impossible([there, back], QUIET, 1600) == "counted-at-once"


@given(st.lists(st.floats(0.5, 1.5), min_size=8, max_size=8), st.floats(0.001, 0.5), st.integers(0, 7))
def test_uneven_lines_and_a_late_stamp_are_no_counts_at_once(widths: list[float], step: float, late: int) -> None:
    stamps = [round(step * sum(widths[:count]) * SECOND) for count in range(8)]
    stamps[late] = min([stamps[late] + 3_000_000, *stamps[late + 1 : late + 2]])
    assert impossible([CountRun(1, 0, stamps)], QUIET, TURN) == ""


def test_an_opening_that_was_only_chatter_ends_no_passage() -> None:
    contact = Contact(False, 0)
    contact.closes(0, 0, 1)
    contact.opens(SECOND // 5, 0)
    contact.chatters(SECOND // 5 + 1)
    contact.opens(2 * SECOND // 5, 0)
    assert list(contact.edges) == [(0, 1), (2 * SECOND // 5, 0)]
