"""Levels that are read at rest and are as the last edges said change nothing: so no record need keep them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.events.event import Event, SensorHealth
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

MS = 1_000_000
PAUSES_MS = (1, 2, 300, 1400, 1600, 4000)
LOW = dict.fromkeys("ABZC", False)
Edges = list[tuple[int, str]]
BENT = [(2, letter) for letter in "ABab" * 10 + "ABC" + "aA"]
"""A wheel turns until a peg bends the leather, and rocks there."""
STUCK = [*BENT, (1600, "a"), (2, "A"), (2, "a")]


def found(edges: Edges, looks: bool) -> list[Event]:
    """The events of a wheel, whose levels are read wherever a table would read them.

    Args:
        edges: each with the time since the one before, in milliseconds.
        looks: whether the tracker is given what was read.
    """
    tracker, levels, now_ns = WheelTracker(WheelGeometry(1440, 7, 54), LOW), dict(LOW), 0
    events: list[Event] = []
    for number, (step_ms, letter) in enumerate([*edges, (60_000, "")], 1):
        now_ns += step_ms * MS
        while (due_ns := tracker.due_ns) is not None and due_ns <= now_ns:
            if looks and tracker.stands(due_ns):
                events += tracker.look(levels, due_ns)
            events += tracker.tick(due_ns)
        if letter:
            events += tracker.feed(EdgeBatch(letter.encode(), [now_ns], [number]))
            levels[letter.upper()] = letter.isupper()
    return events


@given(
    turned=st.integers(0, 60), edges=st.lists(st.tuples(st.sampled_from(PAUSES_MS), st.sampled_from("AaBbZzCc")))
)
@example(turned=0, edges=STUCK)
@pytest.mark.campaign
def test_levels_that_are_as_the_edges_said_change_nothing(turned: int, edges: Edges) -> None:
    train = [(2, "ABab"[count % 4]) for count in range(turned)]
    assert found([*train, *edges], looks=True) == found([*train, *edges], looks=False)


def test_a_line_that_stands_still_is_found_wherever_levels_were_read_before() -> None:
    faults = [event.found.code for event in found(STUCK, looks=True) if isinstance(event, SensorHealth)]
    assert "stuck-line" in faults
