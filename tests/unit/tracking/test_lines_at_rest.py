"""Edges that the kernel lost last are followed by none: where the wheel rests, the levels of its lines tell."""

import pytest
from campaigns.fleet_wheel import FleetWheel

from controller.events.event import WheelRested
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

AFTER_NS = 10_000_000_000


@pytest.fixture
def wheel() -> FleetWheel:
    return FleetWheel(62028)


def rest_of(tracker: WheelTracker, levels: dict[str, bool], at_ns: int) -> WheelRested:
    events = [*tracker.look(levels, at_ns), *tracker.tick(at_ns)]
    (rested,) = [event for event in events if isinstance(event, WheelRested)]
    return rested


def thrown(wheel: FleetWheel) -> tuple[WheelTracker, int]:
    """A tracker whose wheel stands after a turn and a bit, and the moment at which it is at rest."""
    tracker = WheelTracker(wheel.geometry, wheel.head.levels())
    batches: list[EdgeBatch] = []
    wheel.head.start(batches.append)
    wheel.throw()
    wheel.end()
    wheel.head.start(wheel.feed)
    for batch in batches:
        tracker.feed(batch)
    return tracker, batches[-1].timestamps_ns[-1] + AFTER_NS


def test_levels_that_are_as_the_last_edges_said_change_nothing(wheel: FleetWheel) -> None:
    tracker, at_ns = thrown(wheel)
    assert rest_of(tracker, dict(wheel.head.levels()), at_ns).fault is None


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize(
    ("line", "named"), [(ENCODER_A, "encoder"), (ENCODER_B, "encoder"), (INDEX, "index"), (CLAPPER, "clapper")]
)
def test_a_level_that_no_edge_explains_is_a_fault(wheel: FleetWheel, line: str, named: str) -> None:
    tracker, at_ns = thrown(wheel)
    levels = dict(wheel.head.levels())
    levels[line] = not levels[line]
    rested = rest_of(tracker, levels, at_ns)
    assert rested.fault is not None
    assert rested.fault.sensor == named
    assert rested.section is None
    assert tracker.look(levels, at_ns) == []


def test_levels_say_nothing_while_the_wheel_may_move(wheel: FleetWheel) -> None:
    tracker, at_ns = thrown(wheel)
    assert (
        tracker.look({line: not level for line, level in wheel.head.levels().items()}, at_ns - AFTER_NS + 1) == []
    )
