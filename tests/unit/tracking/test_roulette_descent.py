"""The last pulses of a ball: one that comes down, and one that runs on though a beam does not see it."""

from collections.abc import Sequence

import pytest

from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.track import Descent, Pass, Track

GEOMETRY = RotorGeometry(4096, beams=2, beam_angle_mdeg=90_000)
TURN_NS, DIRECTION = 1_200_000_000, 1


def passed(beam: int, at_ns: float, turn_ns: float = TURN_NS) -> Pass:
    """A ball goes through a beam."""
    return Pass(beam, round(at_ns), round(turn_ns * GEOMETRY.ball_um / GEOMETRY.track_um))


def runs_on(track: Track, passes: int) -> list[Pass]:
    """A ball that goes on, slowing down by a hundredth from beam to beam."""
    found, turn_ns = [passed(0, 0)], float(TURN_NS)
    for _ in range(passes):
        last = found[-1]
        turn_ns *= 1.01
        at_ns = last.at_ns + turn_ns * track.part_mdeg(last.beam, DIRECTION) / 360_000
        found.append(passed(1 - last.beam, at_ns, turn_ns))
    return found


def take(descent: Descent, last: Pass, pulses: Sequence[Pass]) -> list[str]:
    faults = [descent.take(pulse, last, TURN_NS, DIRECTION) for pulse in pulses]
    return ["" if fault is None else f"{fault.sensor} {fault.health.value}" for fault in faults]


def test_two_passes_may_be_leaps_and_the_third_is_a_ball_that_runs_on() -> None:
    track = Track(GEOMETRY)
    last, *pulses = runs_on(track, 3)
    assert take(Descent(track), last, pulses) == ["", "", "ball_2 noisy"]


def test_the_pulse_that_the_ball_did_not_make_is_the_one_that_is_noise() -> None:
    track = Track(GEOMETRY)
    last, *pulses = runs_on(track, 3)
    stray = passed(0, (last.at_ns + pulses[0].at_ns) / 2)
    assert take(Descent(track), last, [stray, *pulses]) == ["", "", "", "ball_1 noisy"]


def test_a_ball_that_one_beam_does_not_see_runs_on_from_turn_to_turn() -> None:
    track = Track(GEOMETRY)
    pulses = [passed(0, turns * 1.02 * TURN_NS, 1.02 * TURN_NS) for turns in (1, 2, 3)]
    assert take(Descent(track), passed(0, 0), pulses) == ["", "", "ball_2 silent"]


def test_pulses_at_the_other_beam_a_turn_later_are_no_ball_that_runs_on() -> None:
    """The ball would have passed that beam before: it comes down."""
    descent, last = Descent(Track(GEOMETRY)), passed(0, 0)
    pulses = [passed(beam, turns * TURN_NS) for beam, turns in ((1, 1.02), (0, 2.04), (1, 3.44))]
    assert [descent.take(pulse, last, TURN_NS, -1) for pulse in pulses] == [None, None, None]
    assert descent.on == []


@pytest.mark.parametrize(("beams", "alone"), [((0, 0, 0), True), ((1, 1, 1), True), ((0, 1, 0), False)])
def test_only_passes_of_one_beam_say_that_the_other_is_silent(beams: tuple[int, int, int], alone: bool) -> None:
    passes = [passed(beam, turns * 1.02 * TURN_NS) for turns, beam in enumerate(beams)]
    assert Track(GEOMETRY).alone(*passes) is alone
    assert not Track(RotorGeometry(4096, beams=1)).alone(*(passed(0, one.at_ns) for one in passes))
