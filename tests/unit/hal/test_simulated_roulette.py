"""The simulated roulette wheel behaves like one: the ball slows, drops, and rests where the reader sees it."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.events import EdgeBatch, ReaderEvent
from hal.mock.ball import BallRun
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


@given(turns=st.floats(1, 20), direction=st.sampled_from([1, -1]))
@settings(deadline=None, max_examples=30)
def test_the_ball_obeys_friction_and_drag(turns: float, direction: int) -> None:
    """The closed form against the equation of motion, taken in small steps from the end backwards."""
    run = BallRun(0, 0.3, direction, turns, 0.55, 0.037, 0.04)
    step_s, speed, left, time_s = 1e-4, 0.55, turns, 0.0
    while left > 0:
        speed += (0.037 + 0.04 * speed * speed) * step_s
        left -= speed * step_s
        time_s += step_s
    assert run.leaves_ns / 1e9 == pytest.approx(time_s, rel=2e-3)
    assert run.time_ns(0) == 0


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


def test_the_ball_lies_in_a_pocket_and_the_reader_says_so() -> None:
    wheel = Wheel()
    wheel.spin()
    assert wheel.head.ball is not None
    assert [event.pocket for event in wheel.read] == [wheel.head.ball.pocket]
    assert wheel.read[0].timestamp_ns > wheel.head.ball.rests_ns > wheel.head.ball.leaves_ns


@pytest.mark.parametrize("pocket", ["0", "17", "36"])
def test_the_pocket_can_be_chosen(pocket: str) -> None:
    wheel = Wheel()
    wheel.spin(into=pocket)
    assert [event.pocket for event in wheel.read] == [pocket]


@pytest.mark.parametrize("after", [3.0, 20.0])
def test_a_ball_that_leaves_the_wheel_lies_nowhere(after: float) -> None:
    wheel = Wheel()
    wheel.spin(leaves_after=after)
    assert wheel.head.ball is not None
    assert not wheel.head.ball.natural
    assert wheel.head.ball.pocket == ""
    assert wheel.read == []


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


def test_a_reader_that_is_broken() -> None:
    for fault, amount, pockets in (
        ("reader-silent", 0, []),
        ("reader-garbled", 0, [""]),
        ("reader-astray", 2, ["19"]),
    ):
        wheel = Wheel()
        wheel.world.fault(fault, "", amount)
        wheel.spin(into="17")
        assert [event.pocket for event in wheel.read] == pockets
        assert all(event.pocket or event.fault for event in wheel.read)
