"""Edges to counts, and counts to rest: what is a fault, and when a wheel is at rest, by brute force."""

import random
from itertools import accumulate

import pytest

from controller.events.event import Fault, Health, SensorHealth
from controller.events.words import Text
from controller.tracking.motion import NEVER, REST_COUNTS, Rest
from controller.tracking.quadrature import LONGEST, STUCK_EDGES, Quadrature
from controller.tracking.tracker import ReportedHealth

MS = 1_000_000
REST_NS = 1_500 * MS
ENCODER = Fault("encoder", Health.LOSSY, Text("edges-lost"))
CLAPPER = Fault("clapper", Health.SILENT, Text("no-strike"))


@pytest.mark.parametrize(("moves", "stands"), [("A", "encoder_b"), ("B", "encoder_a")])
def test_a_line_stands_still_once_the_other_has_changed_three_times(moves: str, stands: str) -> None:
    lines = Quadrature(False, False)
    other = "B" if moves == "A" else "A"
    lines.edge(ord(other))
    for number in range(1, STUCK_EDGES):
        lines.edge(ord(moves if number % 2 else moves.lower()))
        assert lines.stuck is None, number
    lines.edge(ord(moves if STUCK_EDGES % 2 else moves.lower()))
    assert lines.stuck == stands


@pytest.mark.parametrize("levels", [(False, False), (True, False), (True, True), (False, True)])
@pytest.mark.parametrize("many", [2, 3, 7, LONGEST])
def test_only_what_follows_from_the_levels_is_a_clean_run(levels: tuple[bool, bool], many: int) -> None:
    """A run that would need an edge in between is none: that edge was lost."""
    clean = {}
    for way in (1, -1):
        one_by_one, train = Quadrature(*levels), b""
        for _ in range(many):
            letter = next(one for one in b"ABab" if _copy(one_by_one).edge(one) == way)
            one_by_one.edge(letter)
            train += bytes([letter])
        clean[train] = way
    trains = [(one * (many // 4 + 2))[at : at + many] for one in (b"ABab", b"BAba") for at in range(4)]
    assert {train: Quadrature(*levels).heading(train) for train in trains} == {
        train: clean.get(train, 0) for train in trains
    }


def _copy(lines: Quadrature) -> Quadrature:
    return Quadrature(*lines.levels)


# -- what is reported ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), [(ENCODER, CLAPPER), (CLAPPER, ENCODER)])
def test_a_doubt_that_passes_to_another_sensor_is_over_for_the_first(before: Fault, after: Fault) -> None:
    reported = ReportedHealth()
    reported.change(before, 1)
    assert reported.change(after, 2) == [
        SensorHealth(2, before.sensor, Health.OK),
        SensorHealth(2, after.sensor, after.health, after.found),
    ]
    assert reported.change(None, 3) == [SensorHealth(3, after.sensor, Health.OK)]


# -- rest --------------------------------------------------------------------------------------------------------


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
