"""A wheel that gains speed in its last sections: whole numbers rule it out only where the speeds themselves do."""

from bisect import bisect_left

from hypothesis import given
from hypothesis import strategies as st

from controller.tracking.clapper_wheel.ending import CountRun
from controller.tracking.clapper_wheel.energy import LATE_NS
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.last_counts import LastCounts

TURN, SECTIONS = 1440, 54
GEOMETRY = WheelGeometry(TURN, 7, SECTIONS)
MS = 1_000_000
WHILE_NS = 100 * MS
LEATHER_GIVES = 1.5


def squared_speed(within_ns: int, counts: int) -> float:
    """(degrees/s)²."""
    return (abs(counts) * 360 * 1_000_000_000 / (TURN * max(1, within_ns))) ** 2


def gained(steps: list[tuple[int, int, int]], section: float) -> str:
    """What the rule says, speed by speed."""
    least, rocks, stamps = float("inf"), False, [at_ns for at_ns, _, _ in steps]
    for place, (one_ns, one, way) in enumerate(steps):
        later = max(place + 4, bisect_left(stamps, one_ns + WHILE_NS))
        if later >= len(steps):
            return ""
        other_ns, other, other_way = steps[later]
        if way != other_way:
            least, rocks = float("inf"), True
            continue
        speed = squared_speed(other_ns - one_ns + LATE_NS, other - one)
        if rocks and section and speed > LEATHER_GIVES * section:
            return f"pushed on after it had turned back, to {speed**0.5:.0f} degrees/s"
        if rocks and any(GEOMETRY.bends(at, to) for at in (one, other) for to in (1, -1)):
            least = float("inf")
            continue
        if speed > 1.3 * least + 0.3 * section:
            return f"pushed in the last sections, to {speed**0.5:.0f} degrees/s"
        least = min(least, squared_speed(other_ns - one_ns - LATE_NS, other - one))
    return ""


def run(direction: int, first: int, begun_ns: int, waits_ms: list[int]) -> CountRun:
    """Counts one after the other, so many milliseconds apart, in a wheel's last sections."""
    stamps = [begun_ns]
    for wait_ms in waits_ms:
        stamps.append(stamps[-1] + wait_ms * MS)
    return CountRun(direction, first, stamps)


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
    found = LastCounts(GEOMETRY).found(runs, section, 0)
    assert found == gained(steps, section) or found == "pushed back after it had stopped"


def test_a_wheel_that_only_slows_down_gained_nothing() -> None:
    runs = [run(1, 0, 0, [4 + count // 4 for count in range(200)])]
    assert LastCounts(GEOMETRY).found(runs, 40.0, 0) == ""


def test_a_wheel_that_is_pushed_in_its_last_sections_is_named() -> None:
    runs = [run(1, 0, 0, [20] * 60 + [8] * 60)]
    assert LastCounts(GEOMETRY).found(runs, 40.0, 0).startswith("pushed in the last sections")
