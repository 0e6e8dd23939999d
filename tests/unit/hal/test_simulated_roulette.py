"""The simulated roulette wheel behaves like one: the ball slows, drops, and rests where the reader sees it."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.events import EdgeBatch, ReaderEvent
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.rotor import MockRotorHead
from hal.mock.settings import RotorSettings
from hal.mock.world import World


class Wheel:
    def __init__(self, beams: int = 2, slice_ns: int | None = None, **options: object) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.world.slice_ns = slice_ns
        self.head: MockRotorHead = self.world.fit_rotor(RotorSettings.model_validate(options), beams)
        self.batches: list[EdgeBatch] = []
        self.read: list[ReaderEvent] = []
        self.head.start(self.batches.append)
        self.world.reader.start(self.read.append)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * NS_PER_S))
        self.head.poll()

    def spin(self, turns: float = 9, ball: int = 1, rotor: int = -1, **how: object) -> None:
        self.head.push_rotor(0.4, rotor)
        self.wait(1)
        self.head.throw_ball(turns, ball, **how)  # type: ignore[arg-type]
        self.wait((self.head.at_rest_ns - self.clock.now_ns()) / 1e9 + 15)

    def seen(self, letters: str) -> list[tuple[str, int]]:
        return [
            (letter, at_ns)
            for batch in self.batches
            for letter, at_ns in zip(batch.edges.decode(), batch.timestamps_ns, strict=True)
            if letter in letters
        ]


@given(seed=st.integers(0, 10**6), rotor=st.sampled_from([1, -1]), backwards=st.booleans())
@settings(deadline=None, max_examples=25)
def test_the_encoders_edges_add_up_and_the_index_lies_in_the_high_half_of_a(
    seed: int, rotor: int, backwards: bool
) -> None:
    wheel = Wheel(seed=seed, reversed=backwards)
    (a, b), count, inside = _levels(wheel), 0, []
    before = math.floor(wheel.head.rotor_angle * 400)
    wheel.spin(rotor=rotor)
    index = False
    for letter, _ in wheel.seen("AaBbZz"):
        if letter in "Zz":
            index = letter == "Z"
        elif letter in "Aa":
            assert not index
            count += 1 if (letter == "A") != b else -1
            a = letter == "A"
        else:
            inside += [letter] if index else []
            count += 1 if (letter == "B") == a else -1
            b = letter == "B"
    now = math.floor(wheel.head.rotor_angle * 400)
    assert count * (-1 if backwards else 1) == now - before
    assert len(inside) >= 2


def _levels(wheel: Wheel) -> tuple[bool, bool]:
    levels = wheel.head.levels()
    return levels["A"], levels["B"]


@pytest.mark.parametrize(("rotor", "held", "against"), [(-1, False, True), (1, False, False), (-1, True, False)])
def test_the_truth_of_the_direction(rotor: int, held: bool, against: bool) -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, rotor)
    wheel.head.throw_ball(9, 1)
    wheel.wait(2)
    if held:
        wheel.head.push_rotor(0, 1)
        wheel.head.push_rotor(0.4, rotor)
    wheel.wait(20)
    assert wheel.head.ball is not None
    assert wheel.head.ball.against is against


def test_the_truth_of_a_rotor_that_runs_out_and_is_pushed_on() -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.005, -1)
    wheel.head.throw_ball(9, 1)
    wheel.wait(3)
    assert wheel.head.rotor_direction == 0
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(20)
    assert wheel.head.ball is not None
    assert not wheel.head.ball.against
