"""Events do not depend on how edges were split into batches: recorded spins, of sound wheels and broken ones."""

from collections.abc import Iterable
from functools import cache
from itertools import chain, cycle, repeat

from hypothesis import given, settings
from hypothesis import strategies as st
from reference.edges import Case, Edge
from reference.play_tracking import load, tracker_of

from controller.events.event import Event
from hal.events import EdgeBatch

_AFTER_NS = 10_000_000_000
"""So long after the last edge a wheel is at rest and a ball is down."""


@cache
def cases(kind: str) -> list[Case]:
    """Without those in which the kernel's buffer overflowed: a batch tells of that only where it begins."""
    return [case for case in load() if case.wheel["kind"] == kind and "o" not in case.line["ops"]]


def tracked(case: Case, edges: list[Edge], sizes: Iterable[int]) -> list[Event]:
    tracker = tracker_of(case.wheel)({line.upper(): line.isupper() for line in case.prologue["levels"]})
    events: list[Event] = []
    first, ends = 0, iter(sizes)
    while first < len(edges):
        part = edges[first : first + next(ends)]
        letters = "".join(edge.letter for edge in part).encode()
        events += tracker.feed(
            EdgeBatch(letters, [edge.at for edge in part], range(first + 1, first + len(part) + 1))
        )
        first += len(part)
    return events + tracker.tick(edges[-1].at + _AFTER_NS)


SIZES = st.lists(st.integers(1, 300), min_size=1, max_size=6)


def depends_on_the_splits(case: Case, sizes: list[int]) -> bool:
    edges = [edge for edge in chain(*case.edges()) if not edge.fate]
    one_by_one = tracked(case, edges, repeat(1))
    return any(tracked(case, edges, some) != one_by_one for some in ([len(edges)], cycle(sizes)))


@settings(max_examples=30, deadline=None)
@given(st.data(), SIZES)
def test_a_clapper_wheels_events_do_not_depend_on_the_splits(data: st.DataObject, sizes: list[int]) -> None:
    assert not depends_on_the_splits(data.draw(st.sampled_from(cases("clapper"))), sizes)


@settings(max_examples=30, deadline=None)
@given(st.data(), SIZES)
def test_a_roulette_wheels_events_do_not_depend_on_the_splits(data: st.DataObject, sizes: list[int]) -> None:
    assert not depends_on_the_splits(data.draw(st.sampled_from(cases("roulette"))), sizes)
