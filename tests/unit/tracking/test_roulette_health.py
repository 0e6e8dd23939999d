"""Where the ball comes down, and how the rotor slows down, from the edges of a round."""

import pytest
from roulette_wheel import Wheel

from controller.tracking.roulette.health import SpinHealth, spin_health
from hal.mock.clock import NS_PER_S


def health(wheel: Wheel) -> list[SpinHealth]:
    return spin_health(wheel.batches, wheel.levels, wheel.geometry)


def place_of_drop(wheel: Wheel) -> float:
    """Where the ball truly left the track, in turns counterclockwise from ball_1."""
    run = wheel.head._run
    assert run is not None
    return (run.at + run.direction * run.turns) % 1.0


@pytest.mark.parametrize("ball", [1, -1])
@pytest.mark.parametrize("turns", [8.2, 8.5, 8.8, 9.1])
def test_the_ball_comes_down_between_the_beams_that_are_named(ball: int, turns: float) -> None:
    wheel = Wheel(seed=3)
    truth = wheel.spin(turns, ball, -ball)
    (found,) = health(wheel)
    assert truth.leaves_ns - 2 * NS_PER_S < found.left_ns <= truth.leaves_ns
    way = (place_of_drop(wheel) - found.drops_from_mdeg / 360_000) * ball % 1.0
    assert way < found.drops_within_mdeg / 360_000 + 0.01
    # Clockwise from ball_1, at 0, to ball_2, at 270 degrees counterclockwise.
    assert found.between_beams == (place_of_drop(wheel) > 0.75)


def test_the_rotors_friction_is_found_in_spite_of_a_push() -> None:
    wheel = Wheel(seed=1)
    wheel.head.push_rotor(0.5, -1)
    wheel.wait(4)
    wheel.head.throw_ball(13, 1)
    wheel.wait(6)
    wheel.head.push_rotor(0.55, -1)
    wheel.rest()
    (found,) = health(wheel)
    assert found.rotor_slows_rev_s2 == pytest.approx(0.003, rel=0.3)
