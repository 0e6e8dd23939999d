"""The way of a spin is the same however its edges were delivered."""

from itertools import chain

from hypothesis import example, given
from hypothesis import strategies as st

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.way import Way

GEOMETRY = WheelGeometry(540, 0, 54)
KEPT = 90
"""Counts of the nine last sections."""


def moved(ways: list[int], cuts: set[int]) -> list[tuple[int, int, list[int]]]:
    """The last runs of a wheel that moved by a count in each of these directions, a count a millisecond."""
    way, stamps = Way(GEOMETRY, 0), range(1000, 1000 + len(ways))
    begin = at = 0
    for end in range(1, len(ways) + 1):
        if end == len(ways) or end in cuts or ways[end] != ways[begin]:
            way.moved(at, end - begin, ways[begin], stamps, begin)
            at += (end - begin) * ways[begin]
            begin = end
    return [(run.direction, run.first, list(run.stamps)) for run in way.last_runs()]


WAYS = st.lists(
    st.sampled_from((1, -1)).flatmap(lambda way: st.integers(1, 60).map(lambda n: [way] * n)), max_size=9
)


@given(WAYS, st.sets(st.integers(1, 300)))
@example([[1] * 50, [-1] * KEPT], set())
@example([[1] * 50, [1] * KEPT], {50})
def test_the_last_runs_do_not_depend_on_the_cuts(parts: list[list[int]], cuts: set[int]) -> None:
    ways = [*chain.from_iterable(parts)]
    runs = moved(ways, cuts)
    assert runs == moved(ways, set())
    assert all(stamps for _, _, stamps in runs)
    assert [at for _, _, stamps in runs for at in stamps] == [*range(1000, 1000 + len(ways))][-KEPT:]
