"""The plot of a ball's run: the rotor is drawn only while something was recorded of it."""

from array import array
from itertools import pairwise

import pytest
from roulette_wheel import Wheel

from controller.drawing.plots import Plot, text
from controller.events.event import BallThrown
from controller.journal.replay.edge_replay import Run
from controller.journal.replay.motion import rotor_plots
from controller.journal.replay.trace import EdgeStretch

NS = 1_000_000_000


@pytest.fixture
def spun() -> Wheel:
    """A wheel after a good spin; the rotor still turns."""
    wheel = Wheel(seed=3)
    wheel.spin(8)
    return wheel


def plot(wheel: Wheel, begin_ns: int, end_ns: int) -> Plot:
    """The plot of a recording from a time to a time."""
    edges, stamps, levels = bytearray(), array("q"), dict(wheel.levels)
    for batch in wheel.batches:
        for letter, at_ns in zip(batch.edges, batch.timestamps_ns, strict=True):
            if begin_ns <= at_ns <= end_ns:
                edges.append(letter)
                stamps.append(at_ns)
            elif at_ns < begin_ns:
                levels[chr(letter).upper()] = chr(letter).isupper()
    run = Run((EdgeStretch(levels, bytes(edges), stamps),), tuple(wheel.events))
    (found,) = rotor_plots(run, wheel.geometry)
    return found


def speed(of: Plot) -> list[tuple[float, float]]:
    (curve,) = [curve for curve in of.curves if curve.label == "rotor's speed, turns a second"]
    return list(curve.points)


@pytest.mark.parametrize("ends_s", [0.0, 1.5, 4.0])
def test_a_rotor_does_not_brake_because_the_recording_ends(spun: Wheel, ends_s: float) -> None:
    end_ns = spun.left.left_ns - int(ends_s * NS)
    of = plot(spun, 0, end_ns)
    points = speed(of)
    assert min(value for _, value in points) > 0.25
    assert points[-1][0] < of.seconds - ends_s
    steps = [other - one for (_, one), (_, other) in pairwise(points)]
    assert max(map(abs, steps)) < 0.1


def test_a_rotor_does_not_start_because_the_recording_begins(spun: Wheel) -> None:
    points = speed(plot(spun, spun.of(BallThrown)[0].at_ns, spun.left.at_ns + NS))
    assert min(value for _, value in points) > 0.25
    assert points[0][0] >= 1


def test_a_rotor_that_stands_while_the_ball_is_recorded_is_drawn_at_rest() -> None:
    wheel = Wheel(seed=3)
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(4)
    wheel.head.throw_ball(8, 1)
    wheel.wait(3)
    wheel.head.push_rotor(0.0, -1)
    wheel.rest()
    points = speed(plot(wheel, 0, wheel.clock.now_ns()))
    assert points[-1][1] == pytest.approx(0, abs=0.01)


def test_a_recording_that_has_nothing_of_the_run_is_drawn_without_a_rotor(spun: Wheel) -> None:
    of = plot(spun, spun.left.at_ns + 2 * NS, spun.left.at_ns + 3 * NS)
    assert speed(of) == []
    assert text(of)
