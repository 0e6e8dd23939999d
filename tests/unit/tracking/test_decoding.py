"""Edges to counts, and counts to rest: what is a fault, and when a wheel is at rest, by brute force."""

import math
import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.tracking.motion import NEVER, Rest
from controller.tracking.quadrature import Quadrature

MS = 1_000_000
REST_NS = 1_500 * MS


@pytest.mark.parametrize(("moves", "stands"), [("A", "encoder_b"), ("B", "encoder_a")])
def test_a_line_stands_still_once_the_other_has_changed_three_times(moves: str, stands: str) -> None:
    lines = Quadrature(False, False)
    found = []
    for letter in (b"B" if moves == "A" else b"A") + f"{moves}{moves.lower()}{moves}".encode():
        lines.edge(letter)
        found.append(lines.counted(letter))
    assert found == [None, None, None, stands]


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
            away = [left_ns for left_ns, at in self.left if abs(at - self.at) > 2]
            starts = [at_ns] if not self.moved and abs(self.at) > 2 else []
            self.since_ns = max([self.since_ns, *away[-1:], *starts])
            self.moved = self.moved or abs(self.at) > 2
        self.now_ns = stamps[-1]
        return stamps


@pytest.mark.parametrize("seed", range(30))
def test_a_wheel_is_at_rest_once_all_its_positions_of_that_time_lie_within_two_counts(seed: int) -> None:
    """By the ruling; whether its edges come one by one or many at once. A rest may be put off once, by as long."""
    draw, put_off_ns = random.Random(seed), -1
    wheel, rest = EveryPosition(), Rest(0, REST_NS)
    for _ in range(80):
        direction, edges = draw.choice((1, -1)), draw.choice((1, 1, 2, 2, 3, 4, 5, 9)) if wheel.moved else 1
        start = wheel.at
        stamps = wheel.run(direction, [draw.randint(1, 60) * MS for _ in range(edges)])
        before = draw.randint(0, 3)  # Edges of an earlier run, in the same batch.
        rest.advance(start, edges, direction, [0] * before + stamps, before)
        assert rest.moving is wheel.moved
        waits_ns = 2 * REST_NS if wheel.since_ns == put_off_ns else REST_NS
        assert rest.due_ns == (wheel.since_ns + waits_ns if wheel.moved else NEVER)
        if wheel.moved and draw.random() < 0.3:
            assert rest.extend() is (wheel.since_ns != put_off_ns)
            assert rest.due_ns == wheel.since_ns + 2 * REST_NS
            put_off_ns = wheel.since_ns


@given(st.floats(0.7, 50), st.floats(0.001, 0.999))
def test_a_wheel_that_slows_down_evenly_stands_before_it_is_at_rest(slows: float, past: float) -> None:
    """However coarse its encoder is: a peg may bend the clapper between the last count and the rest.

    Args:
        slows: by so many counts/s a second.
        past: the part of a count that it turns after the last one.
    """
    left_s = [math.sqrt(2 * (counts + past) / slows) for counts in range(12)]
    stamps = [round((left_s[-1] - left) * 1000 * MS) for left in reversed(left_s)]
    rest = Rest(0, REST_NS)
    for count in range(3):
        rest.advance(count, 1, 1, stamps, count)
    rest.advance(3, len(stamps) - 3, 1, stamps, 3)
    rest.wait_for_next_count()
    assert round(left_s[-1] * 1000 * MS) <= rest.due_ns <= stamps[-3] + 2 * REST_NS
