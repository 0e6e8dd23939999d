"""A wheel that gains speed in its last sections: whole numbers rule it out only where the speeds themselves do."""

from bisect import bisect_left

import pytest
from endings import ended, said
from hypothesis import given
from hypothesis import strategies as st

from controller.events.words import NOTHING, Text, text
from controller.tracking.clapper_wheel.energy import LATE_NS
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.way import CountRun

TURN, SECTIONS = 1440, 54
GEOMETRY = WheelGeometry(TURN, 7, SECTIONS)
MS = 1_000_000
WHILE_NS = 100 * MS
LEATHER_GIVES = 1.5


def squared_speed(within_ns: int, counts: int) -> float:
    """(degrees/s)²."""
    return (abs(counts) * 360 * 1_000_000_000 / (TURN * max(1, within_ns))) ** 2


def gained(steps: list[tuple[int, int, int]], section: float) -> Text:
    """What the rule says, speed by speed."""
    least, rocks, stamps = float("inf"), False, [at_ns for at_ns, _, _ in steps]
    for place, (one_ns, one, way) in enumerate(steps):
        later = max(place + 4, bisect_left(stamps, one_ns + WHILE_NS))
        if later >= len(steps):
            return NOTHING
        other_ns, other, other_way = steps[later]
        if way != other_way:
            least, rocks = float("inf"), True
            continue
        speed = squared_speed(other_ns - one_ns + LATE_NS, other - one)
        if rocks and section and speed > LEATHER_GIVES * section:
            return text("gained", back=1, speed=round(speed**0.5))
        if rocks and any(GEOMETRY.bends(at, to) for at in (one, other) for to in (1, -1)):
            least = float("inf")
            continue
        if speed > 1.3 * least + 0.3 * section:
            return text("gained", back=0, speed=round(speed**0.5))
        least = min(least, squared_speed(other_ns - one_ns - LATE_NS, other - one))
    return NOTHING


def run(direction: int, first: int, begun_ns: int, waits_ms: list[int]) -> CountRun:
    """Counts one after the other, so many milliseconds apart, in a wheel's last sections."""
    stamps = [begun_ns]
    for wait_ms in waits_ms:
        stamps.append(stamps[-1] + wait_ms * MS)
    return CountRun(direction, first, stamps)


def found_in(geometry: WheelGeometry, runs: list[CountRun], section: float, origin: int) -> Text:
    return said(ended(geometry, runs, (), section, origin), "pushed-back", "moved-on", "gained")


WAITS = st.lists(st.sampled_from((3, 4, 5, 8, 12, 20, 40, 60, 90)), min_size=1, max_size=60)


@given(st.lists(WAITS, min_size=1, max_size=4), st.sampled_from((1, -1)), st.sampled_from((0.0, 1.0, 40.0, 300.0)))
def test_a_gain_of_speed_is_found_as_speed_by_speed(ways: list[list[int]], direction: int, section: float) -> None:
    runs, at, now_ns = list[CountRun](), 5000, 0
    for waits_ms in ways:
        runs.append(run(direction, at, now_ns, waits_ms))
        at, now_ns, direction = runs[-1].last, runs[-1].stamps[-1] + 30 * MS, -direction
    steps = [
        (at_ns, one.first + one.direction * count, one.direction)
        for one in runs
        for count, at_ns in enumerate(one.stamps)
    ]
    found = found_in(GEOMETRY, runs, section, 0)
    assert found == gained(steps, section) or found.code == "pushed-back"


@given(
    st.lists(WAITS, min_size=2, max_size=4), st.sampled_from((0.0, 40.0, 300.0)), st.integers(-2 * TURN, 2 * TURN)
)
def test_what_is_found_does_not_depend_on_the_count_at_the_index(
    ways: list[list[int]], section: float, origin: int
) -> None:
    """A wheel that rocks is judged by where its pegs are, wherever the counts began."""
    runs, direction, at, now_ns = list[CountRun](), 1, 5000, 0
    for waits_ms in ways:
        runs.append(run(direction, at, now_ns, waits_ms))
        at, now_ns, direction = runs[-1].last, runs[-1].stamps[-1] + 30 * MS, -direction
    moved = [CountRun(one.direction, one.first + origin, one.stamps) for one in runs]
    for geometry in (GEOMETRY, MEASURED):
        found = found_in(geometry, runs, section, 0)
        assert found_in(geometry, moved, section, origin) == found


_SIDE = PegSide(0, 800, 1200)
MEASURED = WheelGeometry(TURN, 7, SECTIONS, places=Places(_SIDE, _SIDE))
"""A wheel that was calibrated: of one that was not, no place is sure to be free."""
FREE = next(count for count in range(TURN) if not any(MEASURED.bends(count, way) for way in (1, -1)))
"""A count at which no peg bends the leather, whichever way the wheel came."""


def stands_and_goes_on(waits_ms: list[int], direction: int = 1) -> Text:
    """What is said of a wheel that creeps, stands for half a second where it is free, and then runs so."""
    runs = [run(direction, FREE - 3 * direction, 0, [100, 100, 100, 500, *waits_ms])]
    return found_in(MEASURED, runs, 40.0, 0)


@pytest.mark.parametrize("direction", [1, -1])
def test_a_wheel_that_stood_free_of_the_pegs_and_runs_on_was_moved_on(direction: int) -> None:
    assert stands_and_goes_on([10, 10, 10, 10], direction).code == "moved-on"


def test_a_wheel_that_moves_by_two_counts_after_it_stood_is_at_rest() -> None:
    assert stands_and_goes_on([10, 10]) == NOTHING
    assert stands_and_goes_on([10, 10, 10]).code == "moved-on"


@pytest.mark.parametrize(("counts", "said"), [(2, ""), (3, "pushed-back")])
def test_a_wheel_that_turns_back_where_no_peg_pushes_it_is_at_rest_for_two_counts(counts: int, said: str) -> None:
    """As far as a wheel at rest may tremble."""
    comes = run(1, FREE - 20, 0, [40 + count for count in range(20)])
    back = run(-1, comes.last - 1, comes.stamps[-1] + 60 * MS, [60] * counts)
    assert found_in(MEASURED, [comes, back], 0.0, 0).code == said
