"""From the edges of a roulette wheel's sensors to what is believed of rotor and ball (§ 617a.5(a), § 617a.6)."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from roulette_wheel import Wheel, faults

from controller.events.event import BallRevolution, BallThrown, Direction, RotorTurned
from hal.mock.clock import NS_PER_S

IN_A_BEAM = {"ball": 1, "rotor": 1, "speed": 0.375, "angle": 30.0, "beams": 1, "counts": 40, "backwards": False}
"""A ball that comes down within a beam, which is dark for a shorter time than by any ball that runs."""
A_TOUCH = 1e-5
"""Part of a turn for which a ball darkens a beam some 20 µs: the time stamps err by 2."""
WAYS = {1: Direction.COUNTERCLOCKWISE, -1: Direction.CLOCKWISE}


# -- what is seen is what was so -----------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(a)")
@given(
    seed=st.integers(0, 10**6),
    turns=st.floats(2.2, 16),
    ball=st.sampled_from([1, -1]),
    rotor=st.sampled_from([1, -1]),
    speed=st.floats(0.3, 0.6),
    angle=st.sampled_from([30.0, 60.0, 90.0, 135.0, 225.0, 270.0, 330.0]),
    beams=st.sampled_from([1, 2, 2]),
    counts=st.sampled_from([40, 100, 400, 1000]),
    backwards=st.booleans(),
)
@example(**IN_A_BEAM | {"seed": 2438, "turns": 2.5310710309432025, "speed": 0.3984375, "angle": 135.0, "beams": 2})
@example(**IN_A_BEAM | {"seed": 489, "turns": 3.9045897105025533, "rotor": -1, "speed": 0.4296875})
@example(**IN_A_BEAM | {"seed": 0, "turns": 2.904296875})
@example(**IN_A_BEAM | {"seed": 6421, "turns": 2.2, "ball": -1, "rotor": -1, "speed": 0.3984375, "beams": 2})
@settings(deadline=None, max_examples=150)
def test_revolutions_and_directions_are_the_true_ones(
    seed: int,
    turns: float,
    ball: int,
    rotor: int,
    speed: float,
    angle: float,
    beams: int,
    counts: int,
    backwards: bool,
) -> None:
    wheel = Wheel(seed, beams, angle, counts, backwards)
    truth = wheel.spin(turns, ball, rotor, speed)
    if beams == 1 and truth.revolutions < 2:
        return  # Two passes of one beam may be anything.
    touches = truth.revolutions - Wheel(seed, beams, angle).spin(turns - A_TOUCH, ball, rotor, speed).revolutions
    if touches:
        return  # The last pass may be no pulse at all.
    left = wheel.left
    came_down_in_a_beam = truth.leaves_ns - left.left_ns < 20_000_000
    assert truth.revolutions - came_down_in_a_beam <= left.revolutions <= truth.revolutions
    assert left.direction is (WAYS[ball] if beams == 2 else None)
    assert left.rotor is WAYS[rotor]
    assert left.against is (ball != rotor if beams == 2 else None)
    assert not left.early
    assert left.fault is None
    assert truth.leaves_ns - left.left_ns < 2 * NS_PER_S
    assert left.at_ns >= truth.leaves_ns
    assert [event.direction for event in wheel.of(RotorTurned)] == [WAYS[rotor]]
    assert not faults(wheel)


@pytest.mark.clause("617a.5(a)")
@pytest.mark.parametrize("ball", [1, -1])
@pytest.mark.parametrize("beams", [1, 2])
def test_the_fourth_return_to_the_first_beam_counts_and_a_hair_less_does_not(ball: int, beams: int) -> None:
    """§ 617a.5(a): searched to a thousandth of a turn for the shortest throw that has four revolutions."""
    low, high = 3.5, 6.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        truth = Wheel(3, beams).spin(middle, ball, -ball)
        low, high = (middle, high) if truth.revolutions < 4 else (low, middle)
    short, full = Wheel(3, beams), Wheel(3, beams)
    short.spin(low, ball, -ball)
    full.spin(high + 0.01, ball, -ball)  # The ball is through the beam: cut short, its pulse may be that of a leap.
    assert (short.left.revolutions, full.left.revolutions) == (3, 4)


def test_revolutions_are_reported_as_they_come() -> None:
    wheel = Wheel()
    truth = wheel.spin(8)
    numbers = [event.number for event in wheel.of(BallRevolution)]
    assert numbers == list(range(1, truth.revolutions + 1))
    (thrown,) = wheel.of(BallThrown)
    assert thrown.direction is Direction.COUNTERCLOCKWISE
    assert wheel.of(BallRevolution)[0].at_ns == thrown.at_ns


# -- rotors that do not turn from the throw until the ball has left ------------------------------------------------


@pytest.mark.clause("617a.5(a)")
@pytest.mark.parametrize("after_s", [0.5, 2.0, 6.0])
def test_a_rotor_that_a_hand_stops_while_the_ball_runs_is_not_believed(after_s: float) -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(5)
    wheel.head.throw_ball(9, 1)
    wheel.wait(after_s)
    wheel.head.push_rotor(0.0, -1)
    wheel.wait(0.8)
    wheel.head.push_rotor(0.4, -1)
    wheel.rest()
    assert (wheel.left.rotor, wheel.left.fault) == (None, None)


@pytest.mark.clause("617a.5(a)")
@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.3])
def test_a_rotor_that_is_set_turning_after_the_throw_is_not_believed(way: int, after_s: float) -> None:
    """It turns a whole turn while the ball runs, which was thrown above a wheel that stood."""
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(5)
    wheel.head.push_rotor(0.0, -1)
    wheel.wait(3)
    wheel.head.throw_ball(9, 1)
    wheel.wait(after_s)
    wheel.head.push_rotor(0.5, way)
    wheel.rest()
    assert (wheel.left.rotor, wheel.left.fault) == (None, None)
