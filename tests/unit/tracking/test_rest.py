"""When a wheel is at rest, by brute force over all the positions that it had."""

import random
from itertools import accumulate

import pytest

from controller.tracking.motion import NEVER, REST_COUNTS, Rest

MS = 1_000_000
REST_NS = 1_500 * MS


class EveryPosition:
    """A wheel that moves count by count; what it had done at each edge is looked at anew each time."""

    def __init__(self) -> None:
        self.at, self.now_ns = 0, 0
        self.left: list[tuple[int, int]] = []
        """When it left a position, and which."""
        self.since_ns = 0
        self.moved = False

    def run(self, direction: int, steps_ns: list[int]) -> list[int]:
        """Move by a count after each of these times; the stamps."""
        stamps = [self.now_ns + took for took in accumulate(steps_ns)]
        for at_ns in stamps:
            self.left.append((at_ns, self.at))
            self.at += direction
            away = [left_ns for left_ns, at in self.left if abs(at - self.at) > REST_COUNTS]
            self.since_ns = max([self.since_ns, *away[-1:]])
        self.now_ns = stamps[-1]
        self.moved = self.moved or abs(self.at) > REST_COUNTS
        return stamps


@pytest.mark.parametrize("seed", range(30))
def test_a_wheel_is_at_rest_once_all_its_positions_of_that_time_lie_within_two_counts(seed: int) -> None:
    """By the ruling; whether its edges come one by one or many at once."""
    draw = random.Random(seed)
    wheel, rest = EveryPosition(), Rest(0, REST_NS)
    for _ in range(80):
        direction, edges = draw.choice((1, -1)), draw.choice((1, 1, 2, 2, 3, 4, 5, 9))
        start = wheel.at
        stamps = wheel.run(direction, [draw.randint(1, 60) * MS for _ in range(edges)])
        before = draw.randint(0, 3)  # Edges of an earlier run, in the same batch.
        rest.advance(start, edges, direction, [0] * before + stamps, before)
        assert rest.due_ns == (wheel.since_ns + REST_NS if wheel.moved else NEVER)
        assert rest.moving is wheel.moved


@pytest.mark.parametrize(("on", "moves"), [(3, False), (4, True)])
def test_a_wheel_that_stands_moves_once_it_is_three_counts_from_where_it_stood(on: int, moves: bool) -> None:
    """A hand that rocks it by two counts either way is not a movement, however its edges come."""
    for back, forth in ((-1, 1), (1, -1)):
        rest = Rest(0, REST_NS)
        rest.advance(0, 1, back, [MS], 0)
        rest.advance(back, on, forth, [2 * MS + i for i in range(on)], 0)
        assert rest.moving is moves
