"""Speeds from mark to mark: the very edges that they are taken between."""

from itertools import accumulate, pairwise
from random import Random

import pytest

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.trajectory import Trajectory

TURN, SECTIONS = 2160, 54
MARK = TURN // SECTIONS
"""Counts from mark to mark: whole cycles of A and B."""


def speeds(stamps: list[int]) -> list[float]:
    return [(360 / SECTIONS * 1e9 / (other - one)) ** 2 for one, other in pairwise(stamps)]


def unevenly(edges: int, from_ns: int = 0) -> list[int]:
    rng = Random(edges)
    return list(accumulate((rng.randint(1, 1_000_000) for _ in range(edges)), initial=from_ns))[1:]


@pytest.mark.parametrize("edges", [MARK * 5 - 1, MARK * 5, MARK * 5 + 1])
@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_a_mark_is_passed_where_its_count_is_entered_upwards_and_left_downwards(edges: int, cut: int) -> None:
    trajectory = Trajectory(WheelGeometry(TURN, 0, SECTIONS), 0, 0)
    up = unevenly(edges)
    for first in range(0, edges, cut):
        trajectory.moved(first, min(cut, edges - first), 1, up, first)
    entered = up[MARK - 1 :: MARK]
    run, middle = trajectory.run(1)
    assert run.speeds == pytest.approx(speeds(entered))
    assert middle == (len(entered) - 0.5) * MARK
    down = unevenly(edges, up[-1])
    for first in range(0, edges, cut):
        trajectory.moved(edges - first, min(cut, edges - first), -1, down, first)
    left = down[edges % MARK :: MARK]
    run, middle = trajectory.run(-1)
    assert run.speeds == pytest.approx(speeds(left))
    assert middle == (edges // MARK - len(left) + 1.5) * MARK
    assert trajectory.run(1)[0].speeds == pytest.approx(speeds(entered))


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("cut", [300, 5000])
def test_of_a_wheel_that_turns_on_and_on_the_last_forty_turns_are_as_they_were(way: int, cut: int) -> None:
    edges = 50 * TURN + 17
    trajectory, stamps = Trajectory(WheelGeometry(TURN, 0, SECTIONS), 0, 0), unevenly(edges)
    for first in range(0, edges, cut):
        trajectory.moved(way * first, min(cut, edges - first), way, stamps, first)
    passed = stamps[MARK - 1 :: MARK] if way > 0 else stamps[::MARK]
    run, _ = trajectory.run(way)
    assert 39 * SECTIONS - 1 <= len(run.speeds) <= 40 * SECTIONS
    assert run.speeds == pytest.approx(speeds(passed)[-len(run.speeds) :])
    for back in (0, 1, 500, 30 * TURN):
        assert trajectory.count_at(stamps[-1 - back]) == way * (edges - back)
    (last,) = trajectory.last_runs()
    assert (last.last, last.stamps) == (way * edges, stamps[-9 * MARK :])
