"""Faults of a roulette wheel: runs of the ball that do not count, sensors that fail."""

import random

import pytest
from roulette_wheel import Wheel, faults

from controller.events.event import BallLeftTrack, Direction, Health
from controller.tracking.roulette.ball import BallTracker
from controller.tracking.roulette.rotor import RotorGeometry
from hal.mock.clock import NS_PER_S

# -- runs that do not count ----------------------------------------------------------------------------------------


def test_a_hand_or_a_cloth_in_the_beams_is_no_ball() -> None:
    wheel, rng = Wheel(), random.Random(5)
    for _ in range(200):
        wheel.world.fault("stuck-high", rng.choice(["ball_1", "ball_2"]))
        wheel.wait(rng.uniform(0.02, 0.8))
        wheel.world.repair()
        wheel.wait(rng.uniform(0.02, 0.8))
    assert wheel.events == []


@pytest.mark.parametrize("beam", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("ms", [5.0, 12.0, 30.0])
def test_a_finger_in_a_beam_before_the_throw_turns_no_run_around(beam: int, first: int, ms: float) -> None:
    """With the ball's first two passes it may look like a ball that runs slowly the other way."""
    for before_ms in range(40, 4000, 40):
        beams = Beams()
        beams.beam = 1 - first
        beams.dark(beam, ms)
        beams.now_ms += before_ms
        for _ in range(13):
            beams.go(1)
            assert beams.ball.direction in ((-1,) if beams.ball.running else (-1, 0, 1)), before_ms
        assert (beams.ball.revolutions, beams.named) == (6, None), before_ms


def test_a_ball_that_gains_speed_in_its_first_turns_is_in_doubt() -> None:
    beams = Beams()
    beams.go(6)
    beams.turn_ms = 860
    beams.go(3)
    assert beams.named is not None


def test_hands_in_a_beam_and_one_pass_are_no_ball_past_a_silent_beam() -> None:
    beams = Beams()
    for ms in (290, 369, 14):
        beams.now_ms += 1000
        beams.dark(1, ms)
    assert (beams.ball.running, beams.named) == (False, None)


class Beams:
    """A ball's passes at two beams a quarter of a turn apart, made one by one."""

    def __init__(self, turn_ms: int = 1000) -> None:
        self.turn_ms = turn_ms
        self.ball = BallTracker(RotorGeometry(400), (False, False))
        self.now_ms = 1000.0
        self.beam = 1
        self.left: list[BallLeftTrack] = []

    def go(self, parts: int) -> None:
        """The next passes as they should come, the ball running clockwise and ever slower."""
        for _ in range(parts):
            self.pass_unseen()
            self.dark(self.beam, self.turn_ms * 0.0084)

    def pass_unseen(self) -> None:
        """The ball comes to the next beam, which it does not darken."""
        self.beam = 1 - self.beam
        self.now_ms += self.turn_ms * (0.75 if self.beam == 0 else 0.25)
        self.turn_ms += 5

    def dark(self, beam: int, ms: float) -> None:
        for dark, at_ms in ((True, self.now_ms), (False, self.now_ms + ms)):
            if (left := self.ball.tick(int(at_ms * 1e6))) is not None:
                self.left.append(left)
            self.ball.edge(beam, dark, int(at_ms * 1e6))

    @property
    def named(self) -> tuple[str, Health] | None:
        doubt = self.ball.doubt
        return None if doubt is None else (doubt.sensor, doubt.health)


def test_fingers_that_pass_as_slowly_as_no_ball_are_none() -> None:
    beams = Beams(3000)
    beams.go(3)
    beams.turn_ms = 800
    beams.go(13)
    assert (beams.ball.revolutions, beams.named, beams.left) == (6, None, [])


@pytest.mark.parametrize("turn_ms", [500, 800, 1000])
@pytest.mark.parametrize(("passes", "sensor"), [(12, "ball_1"), (11, "ball_2")])
def test_a_beam_that_a_running_ball_does_not_darken_is_named(passes: int, sensor: str, turn_ms: int) -> None:
    """It is the same run: a fast ball does not leave the track, and nobody throws another one."""
    beams = Beams(turn_ms)
    beams.go(passes)
    thrown_ns = beams.ball.thrown_ns
    assert beams.named is None
    beams.pass_unseen()
    beams.go(1)
    assert beams.named == (sensor, Health.SILENT)
    beams.go(8)
    assert (beams.named, beams.left, beams.ball.thrown_ns) == (None, [], thrown_ns)


@pytest.mark.parametrize(
    ("part", "parts_of_a_ball"), [(0.25, 0.1), (0.25, 5.0), (0.05, 1), (0.19, 1), (0.4, 1), (0.5, 1)]
)
def test_a_pass_not_as_long_as_a_balls_or_at_another_time_breaks_the_chain(
    part: float, parts_of_a_ball: float
) -> None:
    """A part of a turn after the last pass, where a quarter is due. Four revolutions end the doubt."""
    beams = Beams()
    beams.go(11)
    beams.now_ms += beams.turn_ms * part
    beams.dark(1, beams.turn_ms * 0.0084 * parts_of_a_ball)
    assert (beams.ball.revolutions, beams.named) == (0, ("ball_2", Health.NOISY))


def test_four_revolutions_after_a_doubt_end_it_and_three_do_not() -> None:
    beams = Beams()
    beams.go(11)
    beams.dark(beams.beam, 0.05)
    assert beams.named is not None
    beams.go(6)
    assert (beams.ball.revolutions, beams.named is None) == (3, False)
    beams.go(1)
    assert (beams.ball.revolutions, beams.named) == (4, None)


SHORT, AS_LONG_AS_A_BALL = 0.1, 14.0
"""Pulses of a slow ball that comes down, in milliseconds."""


def slow_ball(*pulses: tuple[int, float, float]) -> Beams:
    """A ball that has gone five revolutions at 1.5 s a turn, and pulses after that.

    Args:
        pulses: the beam, when it goes dark as a part of a turn after the last pass, which was at beam 0, and for
            how many milliseconds.
    """
    beams = Beams(turn_ms=1500)
    beams.go(11)
    last_ms = beams.now_ms
    for beam, part, ms in pulses:
        beams.now_ms = last_ms + beams.turn_ms * part
        beams.dark(beam, ms)
    beams.now_ms = last_ms
    return beams


@pytest.mark.parametrize("beam", [0, 1])
@pytest.mark.parametrize("part", [0.05, 0.2, 0.26, 0.36])
@pytest.mark.parametrize("again", [(), ((0, 0.37, SHORT),), ((0, 0.37, AS_LONG_AS_A_BALL),)])
def test_a_ball_that_drops_with_short_pulses_keeps_its_revolutions(
    beam: int, part: float, again: tuple[tuple[int, float, float], ...]
) -> None:
    beams = slow_ball((beam, part, SHORT), *again)
    left = beams.ball.tick(int((beams.now_ms + 1000) * 1e6))
    assert left is not None
    assert (left.revolutions, left.direction, left.fault, left.early) == (5, Direction.CLOCKWISE, None, False)
    assert left.left_ns == int((beams.now_ms + beams.turn_ms * part) * 1e6)
    assert left.at_ns > left.left_ns


@pytest.mark.parametrize("pulse", [(1, 0.2, SHORT), (0, 0.2, SHORT), (0, 0.02, AS_LONG_AS_A_BALL)])
def test_a_pulse_after_which_a_slow_ball_runs_on_is_noise(pulse: tuple[int, float, float]) -> None:
    beams = slow_ball(pulse)
    beams.go(3)
    assert (beams.ball.running, beams.ball.proved) == (True, False)
    assert beams.ball.doubt is not None
    assert beams.ball.doubt.health is Health.NOISY


@pytest.mark.clause("617a.5(a)")
@pytest.mark.parametrize("ms", [SHORT, 4.0, AS_LONG_AS_A_BALL])
@pytest.mark.parametrize("beam", [0, 1])
def test_a_leap_at_any_moment_is_not_the_fourth_revolution(beam: int, ms: float) -> None:
    """A ball that is down darkens the beam when, and for about as long as, one that runs on might."""
    for hundredth in range(3, 140):
        beams = Beams(turn_ms=1150)
        beams.go(8)
        beams.now_ms += beams.turn_ms * hundredth / 100
        beams.dark(beam, ms)
        left = beams.ball.tick(60 * NS_PER_S)
        assert left is not None
        assert left.revolutions == 3, hundredth


def test_leaps_that_a_ball_would_have_to_gain_speed_for_keep_its_revolutions() -> None:
    beams, left = slow_ball(), None
    last_ms = beams.now_ms
    for beam, part in ((1, 0.22), (1, 1.07), (0, 1.70)):
        beams.now_ms = last_ms + beams.turn_ms * part
        left = left or beams.ball.tick(int(beams.now_ms * 1e6))
        beams.dark(beam, AS_LONG_AS_A_BALL)
    assert left is not None
    assert (left.revolutions, left.fault, beams.named) == (5, None, None)


def test_leaps_after_a_ball_has_left_begin_no_run_within_two_revolutions() -> None:
    beams = slow_ball()
    assert beams.ball.tick(int((beams.now_ms + 1000) * 1e6)) is not None
    beams.now_ms, beams.turn_ms = beams.now_ms + 1500, 800
    beams.go(3)
    assert not beams.ball.running
    beams.go(2)
    assert (beams.ball.running, beams.ball.revolutions) == (True, 2)


def test_a_ball_that_is_caught_and_thrown_again_is_not_the_end_of_its_first_run() -> None:
    beams = slow_ball()
    beams.now_ms, beams.turn_ms = beams.now_ms + 250, 600
    beams.go(7)
    assert (beams.ball.running, beams.ball.proved) == (True, False)
    assert beams.named is not None


def test_more_pulses_than_a_ball_makes_are_noise() -> None:
    """It leaps across either beam twice at most, and may touch it."""
    for pulses, revolutions in ((8, 5), (9, 0)):
        beams = slow_ball(*[(1, 0.04 * part, SHORT) for part in range(1, pulses + 1)])
        assert (beams.ball.revolutions, beams.named is None) == (revolutions, pulses == 8)


# -- faults --------------------------------------------------------------------------------------------------------


SENSOR_OF = [
    ("stuck-low", "ball_1", 0, ("ball_1", Health.SILENT)),
    ("stuck-low", "ball_2", 0, ("ball_2", Health.SILENT)),
    ("stuck-high", "ball_1", 0, ("ball_1", Health.STUCK)),
    ("open", "ball_2", 0, ("ball_2", Health.STUCK)),
    ("noise", "ball_1", 20, ("ball_1", Health.NOISY)),
    ("stuck-low", "encoder_a", 0, ("encoder_a", Health.STUCK)),
    ("open", "encoder_b", 0, ("encoder_b", Health.STUCK)),
    ("missing-index", "", 0, ("index", Health.SILENT)),
    ("swapped", "", 0, ("encoder", Health.NOISY)),
    ("lost-edges", "", 0.02, ("encoder", Health.LOSSY)),
    ("overflow", "", 200, ("encoder", Health.LOSSY)),
]


@pytest.mark.parametrize(("fault", "line", "amount", "named"), SENSOR_OF, ids=[f"{f[0]} {f[1]}" for f in SENSOR_OF])
@pytest.mark.parametrize("moment", ["before", "during"])
@pytest.mark.parametrize("reversed_", [False, True])
def test_every_fault_is_found_and_named(
    fault: str, line: str, amount: float, named: tuple[str, Health], moment: str, reversed_: bool
) -> None:
    wheel = Wheel(seed=4, reversed=reversed_)
    wheel.head.push_rotor(0.5, -1)
    wheel.wait(5)
    if moment == "before":
        wheel.world.fault(fault, line, amount)
    wheel.head.throw_ball(9, 1)
    wheel.wait(3)
    if moment == "during":
        wheel.world.fault(fault, line, amount)
    wheel.rest()
    assert named in faults(wheel)
    times = [event.at_ns for event in wheel.events]
    assert times == sorted(times)
