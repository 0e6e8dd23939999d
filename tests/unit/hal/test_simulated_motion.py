"""Motion in closed form agrees with a brute force that takes small steps."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.mock.motion import Run

STEPS = 20_000


def speed_after(w2: float, rate: float, spring: float, way: float) -> float:
    return math.sqrt(max(0.0, w2 - rate * way - spring * way * way))


@given(
    speed=st.floats(0.0, 40.0),
    rate=st.floats(-5.0, 5.0),
    spring=st.one_of(st.just(0.0), st.floats(0.01, 100.0)),
    length=st.floats(0.01, 1.0),
)
@settings(deadline=None, max_examples=60)
def test_time_and_place_follow_from_one_another(speed: float, rate: float, spring: float, length: float) -> None:
    least = 1.0 + max(0.0, rate * length + spring * length * length)
    w2 = speed**2 + least
    ends = w2 - rate * length - spring * length * length
    run = Run.of(3.0, -1, np.array((0.0, length)), np.array((w2, ends)), np.array((spring,)))
    steps = (np.arange(STEPS) + 0.5) / STEPS * length
    speeds = np.sqrt(w2 - rate * steps - spring * steps * steps)
    assert run.duration_s == pytest.approx((length / STEPS / speeds).sum(), rel=1e-6)
    for part in (0.1, 0.5, 0.9):
        (at_s,) = run.times_at(np.array((3.0 - part * length,)))
        assert run.place_at(at_s) == pytest.approx(3.0 - part * length, abs=1e-9)
        assert run.speed_at(at_s) == pytest.approx(speed_after(w2, rate, spring, part * length), rel=1e-6)


def test_a_wheel_that_swings_on_its_leather_from_rest_to_rest_takes_half_a_period() -> None:
    spring, bend = 4.0, 0.2
    run = Run.of(0.0, 1, np.array((0.0, 2 * bend)), np.zeros(2), np.array((spring,)))
    assert run.duration_s == pytest.approx(math.pi / math.sqrt(spring), rel=1e-6)
    assert run.place_at(run.duration_s / 2) == pytest.approx(bend, rel=1e-6)
