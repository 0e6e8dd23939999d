"""The last passes of a ball and its first leaps: a leap is never the fourth revolution, and never a doubt."""

import random

import pytest
from roulette_physics import Hand, Leap, Spin, Throw

from controller.events.event import BallLeftTrack, BallRevolution, Event, Health, SensorHealth
from controller.games.roulette.rules import void_reason

THROWN_S = 8.0


def left(events: list[Event]) -> BallLeftTrack:
    (found,) = [event for event in events if isinstance(event, BallLeftTrack)]
    return found


def doubts(events: list[Event]) -> list[SensorHealth]:
    return [event for event in events if isinstance(event, SensorHealth) and event.health is not Health.OK]


def soft_throw(leaps: tuple[Leap, ...] = (), speed: float = 1.14) -> Spin:
    """A ball that makes three revolutions, and comes down before its fourth."""
    throw = Throw(THROWN_S, speed, -1, 0.7, 0.04, 0.06, 0.3)
    return Spin([Hand(1, 0.4)], throw, beam_angle_deg=60.0, counts=40, leaps=leaps)


@pytest.mark.clause("617a.5(a)")
def test_a_leap_at_any_moment_is_not_the_fourth_revolution() -> None:
    """A ball that is down darkens the beam when, and for about as long as, one that runs on might."""
    assert soft_throw().revolutions == 3
    for after_s in range(50, 1500, 25):
        for stays_ms in (4, 7, 20, 28):
            for beam in (0, 1):
                spin = soft_throw((Leap(after_s / 1000, beam, stays_ms / 1000),))
                events = spin.events()
                assert left(events).revolutions <= 3, (after_s, stays_ms, beam)
                assert not [one for one in events if isinstance(one, BallRevolution) and one.number > 3]
                assert void_reason(left(events), True) == "fewer-than-four-revolutions"


@pytest.mark.parametrize("beams", [1, 2])
@pytest.mark.parametrize("tilt", [0.0, 0.03])
def test_a_ball_that_comes_down_right_after_its_fourth_return_makes_a_spin(beams: int, tilt: float) -> None:
    """It comes when it must, and darkens the beam as long: no leap does both but by rare chance."""
    valid = 0
    for hundredth in range(115, 150):
        throw = Throw(THROWN_S, hundredth / 100, 1, 0.7, 0.04, 0.06, 0.3, tilt)
        spin = Spin([Hand(1, -0.4)], throw, beams=beams, counts=40)
        if spin.revolutions == 4:
            events = spin.events()
            assert (left(events).revolutions, doubts(events)) == (4, [])
            valid += 1
    assert valid > 5


@pytest.mark.parametrize("tilt", [0.0, 0.03])
@pytest.mark.parametrize(("speed", "hand"), [(1.0, 0.6), (1.01, 0.6), (1.01, 0.9), (1.02, 0.9), (1.03, 0.3)])
def test_a_ball_that_is_slow_from_its_fourth_pass_on_and_makes_four_revolutions_makes_a_spin(
    tilt: float, speed: float, hand: float
) -> None:
    """Three passes after one that is beyond doubt are a ball's that runs on: so are those up to its eighth."""
    throw = Throw(THROWN_S, speed, 1, 0.5, 0.08, 0.01, hand, tilt)
    spin = Spin([Hand(1, -0.4)], throw, counts=40)
    events = spin.events()
    assert (left(events).revolutions, spin.revolutions, doubts(events)) == (4, 4, [])


@pytest.mark.campaign
def test_leaps_for_which_a_ball_would_have_to_gain_speed_are_no_doubt() -> None:
    """Of a ball that leaves early, two leaps at one beam looked like a pass, and like the other beam's silence."""
    for seed in range(300):
        rng = random.Random(seed)
        throw = Throw(
            THROWN_S, rng.uniform(1.5, 1.9), 1, rng.uniform(0.74, 0.8), 0.05, 0.09, rng.choice([0.1, 0.4, 0.6])
        )
        first_s = rng.uniform(0.05, 0.6)
        leaps = (Leap(first_s, 0, rng.uniform(3e-3, 2e-2)), Leap(first_s + rng.uniform(0.1, 0.5), 0, 3.2e-3))
        spin = Spin([Hand(1, -0.4)], throw, beam_angle_deg=rng.choice([60.0, 270.0]), counts=40, leaps=leaps)
        events = spin.events()
        assert not doubts(events), seed
        assert (void_reason(left(events), True), spin.revolutions >= 4) == ("", True), (seed, left(events))


# -- the rotor -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("back", [0.02, 0.03])
def test_a_coarse_encoders_rotor_that_a_hand_turns_back_by_a_count_makes_no_spin(back: float) -> None:
    """For a third of a second, while it is slow: its counts come far apart anyway."""
    for part in range(8):
        hands = [Hand(1, 0.3), Hand(11, 0.06, 0.5), Hand(12.5, -back, 0.09, 0.2), Hand(12.79, 0.5, 0.09)]
        spin = Spin(hands, Throw(10, 1.9, -1), 0.0, 200, at=part / 1600)
        assert void_reason(spin.left, True) == "rotor-not-turning", part
