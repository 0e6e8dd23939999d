"""Edges that the kernel lost last are followed by none: where the wheel rests, the levels of its lines tell."""

import pickle

import pytest
from campaigns.fleet_wheel import FleetWheel

from controller.events.event import WheelRested
from controller.tracking.clapper_wheel.geometry import WheelGeometry
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


def test_an_encoder_that_trembles_at_rest_for_hours_is_not_remembered() -> None:
    tracker, number, sizes = WheelTracker(WheelGeometry(1440, 0, 54), dict.fromkeys("ABZC", False)), 0, list[int]()
    letters = b"Aa" * 100
    for _ in range(200):
        stamps = [10_000_000 * (number + one) for one in range(1, len(letters) + 1)]
        tracker.feed(EdgeBatch(letters, stamps, range(number + 1, number + 1 + len(letters))))
        number += len(letters)
        sizes.append(len(pickle.dumps(tracker)))
    assert not tracker.moving
    assert sizes[-1] <= sizes[len(sizes) // 10] * 1.1
