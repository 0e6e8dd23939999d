"""Edges that come one by one prove what the same edges prove in batches, whatever is lost among them."""

from array import array

import pytest

from benchmarks.decoding import Train, spin_train
from controller.events.event import Event, SensorHealth
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

GEOMETRY = WheelGeometry(1440, 7, 54)
AFTER_NS = 10_000_000_000
Numbered = tuple[bytes, list[int], list[int]]
"""Edges, stamps, and sequence numbers."""


@pytest.fixture
def train() -> Train:
    return spin_train()


def events(numbered: Numbered, levels: dict[str, bool], size: int, reverse: bool = False) -> list[Event]:
    """What a tracker finds, rest included."""
    geometry = WheelGeometry(1440, 7, 54, reversed=True) if reverse else GEOMETRY
    tracker, found = WheelTracker(geometry, levels), list[Event]()

    def passed(now_ns: int) -> None:
        while tracker.due_ns is not None and tracker.due_ns <= now_ns:
            found.extend(tracker.tick(tracker.due_ns))

    edges, stamps, numbers = numbered
    for at in range(0, len(edges), size):
        passed(stamps[at])
        end = at + size
        found.extend(tracker.feed(EdgeBatch(edges[at:end], array("q", stamps[at:end]), numbers[at:end])))
    passed(stamps[-1] + AFTER_NS)
    return found


def whole(train: Train) -> Numbered:
    edges, stamps, _ = train
    return edges, list(stamps), [*range(1, len(edges) + 1)]


def without(numbered: Numbered, places: set[int], renumbered: bool) -> Numbered:
    """Some edges lost: by the kernel's buffer, whose numbers tell, or before it."""
    edges, stamps, numbers = numbered
    left = [place for place in range(len(edges)) if place not in places]
    numbers = [*range(1, len(left) + 1)] if renumbered else [numbers[place] for place in left]
    return bytes(edges[place] for place in left), [stamps[place] for place in left], numbers


@pytest.mark.parametrize("reverse", [False, True])
def test_a_spin_whose_edges_come_one_by_one(train: Train, reverse: bool) -> None:
    numbered, levels = whole(train), dict(train[2])
    found = events(numbered, levels, 1, reverse)
    assert found == events(numbered, levels, 64, reverse)
    assert len(found) > 4


@pytest.mark.parametrize("renumbered", [False, True])
@pytest.mark.parametrize("places", [{1000}, {2500, 2501}, {3000, 3100, 3200}, set(range(4000, 4040)), {7200}])
def test_with_edges_lost(train: Train, places: set[int], renumbered: bool) -> None:
    numbered, levels = without(whole(train), places, renumbered), dict(train[2])
    one, many = ([event for event in events(numbered, levels, size) if moved(event)] for size in (1, 64))
    assert one == many


def moved(event: Event) -> bool:
    """What the kernel lost is reported at the first edge of a batch; how the wheel moved does not depend on it."""
    return not isinstance(event, SensorHealth)


def test_a_pause_in_the_middle_is_a_rest_for_both(train: Train) -> None:
    edges, stamps, numbers = whole(train)
    paused = [*stamps[:3000], *(stamp + 4_000_000_000 for stamp in stamps[3000:])]
    levels = dict(train[2])
    found = events((edges, paused, numbers), levels, 1)
    assert found == events((edges, paused, numbers), levels, 64)
    assert sum(type(event).__name__ == "WheelRested" for event in found) == 2


def test_an_edge_that_is_stamped_before_the_last_one_is_named(train: Train) -> None:
    edges, stamps, numbers = whole(train)
    stamps[2000] = stamps[1000]
    levels = dict(train[2])
    assert any("run backwards" in repr(event) for event in events((edges, stamps, numbers), levels, 1))
