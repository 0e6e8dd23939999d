"""Edges that the kernel lost last are followed by none: where the wheel rests, the levels of its lines tell."""

import pytest
from campaigns.fleet_wheel import FleetWheel

from controller.events.event import WheelRested
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import CLAPPER, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

AFTER_NS = 10_000_000_000


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize(
    ("line", "named"),
    [("", None), (ENCODER_A, "encoder"), (ENCODER_B, "encoder"), (INDEX, "index"), (CLAPPER, "clapper")],
)
def test_a_level_that_no_edge_explains_is_a_fault(line: str, named: str | None) -> None:
    wheel, batches = FleetWheel(62028), list[EdgeBatch]()
    tracker = WheelTracker(wheel.geometry, wheel.head.levels())
    wheel.head.start(batches.append)
    wheel.throw()
    wheel.end()
    for batch in batches:
        tracker.feed(batch)
    last_ns, levels = batches[-1].timestamps_ns[-1], dict(wheel.head.levels())
    assert tracker.look({one: not level for one, level in levels.items()}, last_ns + 1) == []  # It may move yet.
    levels |= {line: not levels[line]} if line else {}
    events = [*tracker.look(levels, last_ns + AFTER_NS), *tracker.tick(last_ns + AFTER_NS)]
    (rested,) = [event for event in events if isinstance(event, WheelRested)]
    assert (rested.fault.sensor if rested.fault is not None else None) == named
    assert (rested.section is None) == bool(named)
    assert tracker.look(levels, last_ns + AFTER_NS) == []
