"""Simulated wheels behave like real ones: motion by the laws of physics, and edges that say where the wheel went."""

import math

import numpy as np
import pytest
from fleet import draw_wheel
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.events import EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.physics import Lean, Moving, Physics
from hal.mock.rotor import MockRotorHead
from hal.mock.settings import RotorSettings, WheelSettings
from hal.mock.wheel import MockHead
from hal.mock.world import World

STEP_S = 2e-4
seeds = st.integers(0, 10**6)
directions = st.sampled_from([1, -1])


class Watched:
    """A simulated head, and its edges."""

    def __init__(self, options: WheelSettings | RotorSettings) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        wheel = isinstance(options, WheelSettings)
        self.head = self.world.fit_wheel(options) if wheel else self.world.fit_rotor(options, 2)  # type: ignore[arg-type]
        self.batches: list[EdgeBatch] = []
        self.levels = self.head.levels()
        self.head.start(self.batches.append)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * NS_PER_S))
        self.head.poll()

    def counted(self) -> int:
        """The encoder's edges, added up by hand."""
        a, b, count = self.levels["A"], self.levels["B"], 0
        for letter in b"".join(batch.edges for batch in self.batches).decode():
            if letter in "Aa":
                count += 1 if letter.isupper() != b else -1
                a = letter.isupper()
            elif letter in "Bb":
                count += 1 if letter.isupper() == a else -1
                b = letter.isupper()
        return count


# -- motion ----------------------------------------------------------------------------------------------------


def by_small_steps(physics: Physics, x: float, v: float) -> tuple[float, Lean | None, float]:
    """Where a wheel comes to rest, on what its leather leans, and when: by its forces alone."""
    lean, at_s, way, held = None, 0.0, (1 if v > 0 else -1), physics.friction
    while True:
        if lean is None:
            touches = [(x - physics.touch(Lean(peg, way))) * way for peg in range(round(x) - 1, round(x) + 2)]
            near = [bend for bend in touches if 0 <= bend < abs(v) * STEP_S]
            lean = Lean(round(x) - 1 + touches.index(near[0]), way) if near else None
        spring = 0.0
        if lean is not None:
            spring = 2 * physics._stiffness[lean.peg % physics.sections] * physics.bend(x, lean)
            spring *= -lean.direction * (1 if lean.direction == way else physics._restitution)
        angle = x * physics._section_rad - physics._heavy_rad
        pull = spring + physics._weight * physics._section_rad * math.sin(angle)
        after = v + (pull - way * (held + physics._drag * v * v)) / 2 * STEP_S
        x, at_s = x + (v + after) / 2 * STEP_S, at_s + STEP_S
        if lean is not None and not 0 <= physics.bend(x, lean) < physics.sides[lean.direction].slip:
            lean = None
        if after * way > 0:
            v = after
            continue
        v, back = 0.0, physics._driven(Moving(x, lean))
        if not back:
            return x, lean, at_s
        way = back


@pytest.mark.parametrize("seed", range(12))
def test_a_wheel_runs_out_and_rocks_as_its_forces_have_it(seed: int) -> None:
    physics = Physics(draw_wheel(9000 + seed, sections=54), np.random.default_rng(seed))
    velocity = math.sqrt(physics.speed_for(4 + seed / 3)) * (1 if seed % 2 else -1)
    now, took_s = Moving(0.5, None, velocity), 0.0
    for run in physics.free(now):
        now, took_s = physics.after(now, run), took_s + run.duration_s
    x, lean, at_s = by_small_steps(physics, 0.5, velocity)
    assert (now.lean, now.x) == (lean, pytest.approx(x, abs=0.03))
    assert took_s == pytest.approx(at_s, abs=0.15)


# -- edges -----------------------------------------------------------------------------------------------------


@given(seed=seeds, revolutions=st.floats(0.5, 6), direction=directions)
@settings(deadline=None, max_examples=40)
def test_edges_of_a_clapper_wheel_tell_exactly_where_it_went(seed: int, revolutions: float, direction: int) -> None:
    wheel = Watched(WheelSettings(seed=seed, sections=54))
    assert isinstance(wheel.head, MockHead)
    wheel.head.throw(revolutions, direction)
    wheel.wait(60)
    assert wheel.counted() == math.floor(wheel.head.x * 1440 / 54) - math.floor(0.5 * 1440 / 54)


@given(seed=seeds, rotor=directions, backwards=st.booleans())
@settings(deadline=None, max_examples=20)
def test_edges_of_a_rotor_tell_where_it_went(seed: int, rotor: int, backwards: bool) -> None:
    wheel = Watched(RotorSettings(seed=seed, reversed=backwards))
    assert isinstance(wheel.head, MockRotorHead)
    before = math.floor(wheel.head.x * 400)
    wheel.head.push_rotor(0.4, rotor)
    wheel.head.throw_ball(9, 1)
    wheel.wait(15)
    assert wheel.counted() * (-1 if backwards else 1) == math.floor(wheel.head.x * 400) - before


@pytest.mark.parametrize(("fault", "amount", "gap"), [("overflow", 33, 33), ("lost-edges", 0.1, 0)])
def test_only_an_overflow_leaves_a_gap_in_the_sequence(fault: str, amount: float, gap: int) -> None:
    wheel = Watched(WheelSettings(sections=54))
    assert isinstance(wheel.head, MockHead)
    wheel.head.throw(3)
    wheel.wait(2)
    wheel.world.fault(fault, "", amount)
    wheel.wait(30)
    assert wheel.batches[-1].seqnos[-1] - sum(map(len, wheel.batches)) == gap


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
    wheel = Watched(RotorSettings())
    assert isinstance(wheel.head, MockRotorHead)
    wheel.head.push_rotor(push, rotor)
    wheel.head.throw_ball(9, 1)
    wheel.wait(3)
    if again is not None:
        wheel.head.push_rotor(again, rotor)
        wheel.head.push_rotor(0.4, rotor)
    wheel.wait(20)
    assert wheel.head.ball is not None
    assert wheel.head.ball.against is against
