"""Events do not depend on how edges were split into batches: recorded spins, of sound wheels and broken ones."""

from collections.abc import Iterable
from functools import cache
from itertools import cycle, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.compare import file_of
from reference.data import Case, Edges, Recorded, load
from reference.play import table_of

from controller.events.event import Event
from controller.runtime.trackers import tracker
from hal.events import EdgeBatch

_AFTER_NS = 10_000_000_000
"""So long after the last edge a wheel is at rest and a ball is down."""


@cache
def recorded() -> Recorded:
    return load(file_of("tracking"))


def tracked(case: Case, edges: Edges, sizes: Iterable[int]) -> list[Event]:
    with table_of(case) as config:
        of_wheel = tracker(config)(edges.levels(0, 0))
    events: list[Event] = []
    first, ends = 0, iter(sizes)
    while first < len(edges.letters):
        part = slice(first, first + next(ends))
        letters = bytes(edges.letters[part])
        seqnos = range(first + 1, first + len(letters) + 1)
        events += of_wheel.feed(EdgeBatch(letters, edges.stamps_ns[part], seqnos))
        first += len(letters)
    return events + of_wheel.tick(edges.stamps_ns[-1] + _AFTER_NS)


@pytest.mark.parametrize("roulette", [False, True])
def test_events_do_not_depend_on_the_splits(roulette: bool) -> None:
    """Without cases in which the kernel's buffer overflowed: a batch tells of that only where it begins."""
    cases = [
        case
        for case in recorded().cases
        if (case.game == "roulette") == roulette and "o" not in case.edges.get("ops", "")
    ]

    @settings(max_examples=30, deadline=None)
    @given(st.sampled_from(cases), st.lists(st.integers(1, 300), min_size=1, max_size=6))
    def same(case: Case, sizes: list[int]) -> None:
        edges = recorded().edges_of(case)
        one_by_one = tracked(case, edges, repeat(1))
        assert all(tracked(case, edges, some) == one_by_one for some in ([len(edges.letters)], cycle(sizes)))

    same()
