"""Simulated wheels move by the laws of physics."""

import math

import numpy as np
import pytest
from fleet import draw_wheel

from hal.mock.physics import Lean, Moving, Physics

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
