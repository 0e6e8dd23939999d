"""Simulated wheels behave like real ones: motion by the laws of physics, and edges that say where it went."""

import math

import numpy as np
import pytest
from fleet import draw_wheel
from hypothesis import given
from hypothesis import strategies as st

from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.motion import Encoder
from hal.mock.physics import Lean, Moving, Physics
from hal.mock.settings import EncoderSettings, RotorSettings
from hal.mock.world import World

STEP_S = 2e-4


def by_small_steps(physics: Physics, x: float, v: float) -> tuple[float, Lean | None, float]:
    """Where a wheel comes to rest, on what its leather leans, and when: by its forces alone."""
    lean, at_s, way = None, 0.0, (1 if v > 0 else -1)
    while True:
        if lean is None:
            near = [Lean(peg, way) for peg in range(round(x) - 1, round(x) + 2)]
            lean = next((one for one in near if 0 <= physics.bend(x, one) < abs(v) * STEP_S), None)
        force = physics._pull(x, 1) - way * (physics.friction + physics._drag * v * v)
        if lean is not None:
            spring = 2 * physics._stiffness[lean.peg % physics.sections] * physics.bend(x, lean)
            force -= lean.direction * spring * (1 if lean.direction == way else physics._restitution)
        after = v + force / 2 * STEP_S
        x, at_s = x + (v + after) / 2 * STEP_S, at_s + STEP_S
        if lean is not None and not 0 <= physics.bend(x, lean) < physics.sides[lean.direction].slip:
            lean = None
        v = after if after * way > 0 else 0.0
        if not v:
            way = physics._driven(Moving(x, lean))
            if not way:
                return x, lean, at_s


@pytest.mark.parametrize("seed", range(12))
def test_a_wheel_runs_out_and_rocks_as_its_forces_have_it(seed: int) -> None:
    physics = Physics(draw_wheel(9000 + seed, sections=54), np.random.default_rng(seed))
    velocity = math.sqrt(physics.speed_for(4 + seed / 3)) * (1 if seed % 2 else -1)
    now, took_s = Moving(0.5, None, velocity), 0.0
    for run in physics.free(now):
        now, took_s = physics.after(now, run), took_s + run.duration_s
    x, lean, at_s = by_small_steps(physics, 0.5, velocity)
    assert (now.lean, now.x) == (lean, pytest.approx(x, abs=0.02))
    assert took_s == pytest.approx(at_s, abs=0.1)


@given(
    options=st.builds(
        EncoderSettings,
        counts_per_turn=st.sampled_from([40, 400, 1440]),
        reversed=st.booleans(),
        index_offset_counts=st.integers(0, 39),
        index_gate=st.sampled_from(["none", "a", "ab"]),
        index_inverted=st.booleans(),
        runout_deg=st.sampled_from([0.0, 0.3]),
    ),
    start=st.floats(-1000, 1000),
    way=st.floats(-3000, 3000),
)
def test_edges_of_an_encoder_lead_from_its_levels_here_to_those_there(
    options: EncoderSettings, start: float, way: float
) -> None:
    encoder, turn = Encoder(options), options.counts_per_turn
    levels, (counts, index) = encoder.levels(start), encoder.edges(start, start + way)
    for letter in b"".join(letters.tobytes() for letters, _ in (counts, index)).decode():
        assert levels[letter.upper()] != letter.isupper()
        levels[letter.upper()] = letter.isupper()
    assert levels == encoder.levels(start + way)
    assert abs(len(counts[0]) - abs(way)) < 1 + 2 * options.runout_deg / 360 * turn
    assert abs(len(index[0]) - 2 * abs(way) / turn) < 3
    for _, angles in (counts, index):
        assert (np.diff(angles) * way > 0).all()


@pytest.mark.parametrize(
    ("push", "rotor", "again", "against"),
    [
        (0.4, -1, None, True),
        (0.4, 1, None, False),
        (0.4, -1, 0.0, False),  # Held, and pushed on.
        (0.005, -1, 0.4, False),  # It ran out, and was pushed on.
    ],
)
def test_the_truth_of_the_direction(push: float, rotor: int, again: float | None, against: bool) -> None:
    """The oracle compares with it."""
    clock = VirtualClock()
    wheel = World.of(clock).fit_rotor(RotorSettings(), 2)
    wheel.push_rotor(push, rotor)
    wheel.throw_ball(9, 1)
    clock.advance_to(3 * NS_PER_S)
    for speed in () if again is None else (again, 0.4):
        wheel.push_rotor(speed, rotor)
    clock.advance_to(23 * NS_PER_S)
    assert wheel.ball is not None
    assert wheel.ball.against is against
