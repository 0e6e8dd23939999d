"""Simulated wheels behave like real ones: motion in closed form, and edges that say where the wheel went."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.events import EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.motion import Run
from hal.mock.settings import RotorSettings, WheelSettings
from hal.mock.world import World

STEPS = 20_000
SECTIONS = 54

seeds = st.integers(0, 10**6)
directions = st.sampled_from([1, -1])


class Wheel:
    """A simulated wheel, and its edges."""

    def __init__(self, fit: Callable[[World], Any]) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.head = fit(self.world)
        self.batches: list[EdgeBatch] = []
        self.first = self.head.levels()
        self.head.start(self.batches.append)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * NS_PER_S))
        self.head.poll()

    def rest(self, after_s: float = 0.01) -> None:
        self.wait((self.head.at_rest_ns - self.clock.now_ns()) / NS_PER_S + after_s)

    @property
    def edges(self) -> str:
        return b"".join(batch.edges for batch in self.batches).decode()

    def counted(self) -> int:
        """The encoder's edges, added up by hand."""
        a, b, count = self.first["A"], self.first["B"], 0
        for letter in self.edges:
            if letter in "Aa":
                count += 1 if letter.isupper() != b else -1
                a = letter.isupper()
            elif letter in "Bb":
                count += 1 if letter.isupper() == a else -1
                b = letter.isupper()
        return count


def clapper_wheel(**options: object) -> Wheel:
    return Wheel(lambda world: world.fit_wheel(WheelSettings(sections=SECTIONS, **options)))


def roulette_wheel(**options: object) -> Wheel:
    return Wheel(lambda world: world.fit_rotor(RotorSettings(**options), 2))


# -- motion ----------------------------------------------------------------------------------------------------


@given(
    speed=st.floats(0.0, 40.0),
    rate=st.floats(-5.0, 5.0),
    spring=st.one_of(st.just(0.0), st.floats(0.01, 100.0)),
    length=st.floats(0.01, 1.0),
)
@settings(deadline=None, max_examples=60)
def test_time_and_place_follow_from_one_another(speed: float, rate: float, spring: float, length: float) -> None:
    """Against a brute force that takes small steps."""
    w2 = speed**2 + 1.0 + max(0.0, rate * length + spring * length * length)
    ends = w2 - rate * length - spring * length * length
    run = Run.of(3.0, -1, np.array((0.0, length)), np.array((w2, ends)), np.array((spring,)))
    steps = (np.arange(STEPS) + 0.5) / STEPS * length
    speeds = np.sqrt(w2 - rate * steps - spring * steps * steps)
    assert run.duration_s == pytest.approx((length / STEPS / speeds).sum(), rel=1e-6)
    for part in (0.1, 0.5, 0.9):
        way = part * length
        (at_s,) = run.times_at(np.array((3.0 - way,)))
        assert run.place_at(at_s) == pytest.approx(3.0 - way, abs=1e-9)
        speed_there = math.sqrt(max(0.0, w2 - rate * way - spring * way * way))
        assert run.speed_at(at_s) == pytest.approx(speed_there, rel=1e-6)


def test_a_wheel_that_swings_on_its_leather_from_rest_to_rest_takes_half_a_period() -> None:
    spring, bend = 4.0, 0.2
    run = Run.of(0.0, 1, np.array((0.0, 2 * bend)), np.zeros(2), np.array((spring,)))
    assert run.duration_s == pytest.approx(math.pi / math.sqrt(spring), rel=1e-6)
    assert run.place_at(run.duration_s / 2) == pytest.approx(bend, rel=1e-6)


# -- edges -----------------------------------------------------------------------------------------------------


@given(seed=seeds, revolutions=st.floats(0.5, 6), direction=directions)
@settings(deadline=None, max_examples=60)
def test_edges_of_a_clapper_wheel_tell_exactly_where_it_went(seed: int, revolutions: float, direction: int) -> None:
    wheel = clapper_wheel(seed=seed)
    wheel.head.throw(revolutions, direction)
    wheel.rest()
    start, end = 0.5 * 1440 / SECTIONS, wheel.head._x * 1440 / SECTIONS
    assert wheel.counted() == math.floor(end) - math.floor(start)


@given(seed=seeds, rotor=directions, backwards=st.booleans())
@settings(deadline=None, max_examples=25)
def test_edges_of_a_rotor_tell_where_it_went_and_its_index_lies_in_the_high_half_of_a(
    seed: int, rotor: int, backwards: bool
) -> None:
    wheel = roulette_wheel(seed=seed, reversed=backwards)
    before = math.floor(wheel.head.x * 400)
    wheel.head.push_rotor(0.4, rotor)
    wheel.wait(1)
    wheel.head.throw_ball(9, 1)
    wheel.rest(15)
    now = math.floor(wheel.head.x * 400)
    assert wheel.counted() * (-1 if backwards else 1) == now - before
    within = [part.partition("z")[0] for part in wheel.edges.split("Z")[1:]]
    assert sum(map(len, within)) >= 2
    assert not {*"Aa"} & {*"".join(within)}


def test_a_gap_in_the_sequence_tells_of_an_overflow_and_lost_edges_leave_none() -> None:
    def gaps(fault: str, amount: float) -> int:
        wheel = clapper_wheel()
        wheel.head.throw(3, 1)
        wheel.wait(2)
        wheel.world.fault(fault, "", amount)
        wheel.rest()
        numbers = [n for batch in wheel.batches for n in batch.seqnos]
        return numbers[-1] - len(numbers)

    assert gaps("overflow", 33) == 33
    assert gaps("lost-edges", 0.1) == 0


# -- what the oracle compares with -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("push", "rotor", "again", "against"),
    [
        (0.4, -1, None, True),
        (0.4, 1, None, False),
        (0.4, -1, (0, 1), False),  # Held, and pushed on.
        (0.005, -1, (), False),  # It ran out, and was pushed on.
    ],
)
def test_the_truth_of_the_direction(push: float, rotor: int, again: tuple[int, int] | None, against: bool) -> None:
    wheel = roulette_wheel()
    wheel.head.push_rotor(push, rotor)
    wheel.head.throw_ball(9, 1)
    wheel.wait(3)
    if again is not None:
        if again:
            wheel.head.push_rotor(*again)
        assert wheel.head.rotor_direction == 0
        wheel.head.push_rotor(0.4, rotor)
    wheel.wait(20)
    assert wheel.head.ball is not None
    assert wheel.head.ball.against is against
