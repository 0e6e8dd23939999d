"""The simulated roulette wheel behaves like one: the ball slows, drops, and rests where the reader sees it."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.errors import UnknownLineError
from hal.events import EdgeBatch, ReaderEvent
from hal.mock.ball import BallRun, RotorMotion
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.rotor import MockRotorHead
from hal.mock.roulette_fleet import draw_rotor
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


@given(speed=st.floats(0.05, 1), direction=st.sampled_from([1, -1]), seconds=st.floats(0, 100))
def test_the_rotor_slows_evenly_and_stops(speed: float, direction: int, seconds: float) -> None:
    motion = RotorMotion(0, 0.25, direction, speed, 0.003)
    moved = min(seconds, speed / 0.003)
    angle = motion.angle_at(int(seconds * 1e9))
    assert angle == pytest.approx(0.25 + direction * (speed * moved - 0.0015 * moved * moved), abs=1e-6)
    assert motion.angle_at(motion.stops_ns + 10**12) == pytest.approx(motion.angle_at(motion.stops_ns))


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


def test_stamps_never_run_backwards_however_edges_are_delivered() -> None:
    for slice_ns in (None, 20_000_000):
        wheel = Wheel(slice_ns=slice_ns)
        wheel.spin()
        stamps = [at_ns for batch in wheel.batches for at_ns in batch.timestamps_ns]
        seqnos = [number for batch in wheel.batches for number in batch.seqnos]
        assert stamps == sorted(stamps)
        assert seqnos == list(range(1, len(seqnos) + 1))


def test_beams_are_dark_in_turn_and_ever_longer() -> None:
    wheel = Wheel()
    wheel.spin(9)
    edges = wheel.seen("PpQq")
    assert [letter for letter, _ in edges][:8] in (list("PpQqPpQq"), list("QqPpQqPp"))
    dark = [free - enters for (_, enters), (_, free) in zip(edges[::2], edges[1::2], strict=True)]
    assert dark[:-1] == sorted(dark[:-1])


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


def test_a_pocket_that_the_wheel_does_not_have() -> None:
    with pytest.raises(UnknownLineError, match="no pocket '00'"):
        Wheel().spin(into="00")


def test_every_pocket_is_as_likely_as_every_other() -> None:
    """A chi-square of 36 degrees of freedom: beyond 80 once in 30,000 fair wheels."""
    wheel, found = Wheel(seed=8), Counter[str]()
    for _ in range(1500):
        wheel.head.push_rotor(wheel.head.rng.uniform(0.3, 0.5), -1)
        wheel.head.throw_ball(wheel.head.rng.uniform(5, 12), 1)
        wheel.clock.advance_to(wheel.head.at_rest_ns)
        assert wheel.head.ball is not None
        found[wheel.head.ball.pocket] += 1
    expected = 1500 / 37
    assert sum((found[pocket] - expected) ** 2 / expected for pocket in wheel.head.pockets) < 80


@pytest.mark.parametrize("gated", ["no", "a", "a-and-b"])
@pytest.mark.parametrize("low", [False, True])
def test_an_index_is_as_wide_as_its_kind(gated: str, low: bool) -> None:
    wheel = Wheel(index_gated=gated, index_low=low, index_begins_counts=0.3, index_wide_counts=1.5, jitter_us=0)
    wheel.head.push_rotor(0.4, 1)
    wheel.wait(9)
    edges = wheel.seen("Zz")
    begins, ends = ("z", "Z") if low else ("Z", "z")
    pulses = list(
        zip([at for one, at in edges if one == begins], [at for one, at in edges if one == ends], strict=True)
    )
    counts = [(ends_ns - begins_ns) / 1e9 * 0.39 * 400 for begins_ns, ends_ns in pulses]
    assert len(counts) == 3
    assert counts == pytest.approx([{"no": 1.5, "a": 2, "a-and-b": 1}[gated]] * 3, rel=0.1)


def test_a_ball_on_a_wheel_that_is_not_level_is_faster_on_one_side() -> None:
    run = BallRun(0, 0.1, 1, 9.0, 0.55, 0.037, 0.04, 0.05, 0.6)
    for way in (0.0, 0.3, 1.7, 8.9):
        assert run.way_to(run.angle_after(way)) == pytest.approx(way, abs=1e-6)
    level = BallRun(0, 0.1, 1, 9.0, 0.55, 0.037, 0.04)

    def takes(of: BallRun, low: float, high: float) -> int:
        return of.time_ns(of.way_to(high)) - of.time_ns(of.way_to(low))

    assert takes(run, 0.45, 0.55) < takes(level, 0.45, 0.55)  # At 0.6 it is fastest.
    assert takes(run, 0.95, 1.05) > takes(level, 0.95, 1.05)


def test_a_ball_that_leaps_crosses_either_beam_twice_at_most_after_it_left() -> None:
    wheel = Wheel(leaps_part=1.0, seed=3)
    found = Counter[int]()
    for _ in range(12):
        wheel.batches.clear()
        wheel.spin(6)
        assert wheel.head.ball is not None
        left_ns = wheel.head.ball.leaves_ns
        leaps = [(at_ns, one) for one, at_ns in wheel.seen("PQ") if at_ns > left_ns]
        assert all(at_ns < left_ns + 5 * NS_PER_S for at_ns, _ in leaps)
        counted = Counter(one for _, one in leaps)
        assert max(counted.values(), default=0) <= 2
        found[len(leaps)] += 1
    assert len(found) > 2


def test_a_hand_slows_the_rotor_and_turns_it_around() -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, 1)
    wheel.wait(1)
    wheel.head.hand_rotor(-0.3, 0.5)
    wheel.wait(0.2)
    slowed = wheel.head.rotor_angle
    wheel.wait(0.01)
    assert 0 < wheel.head.rotor_angle - slowed < 0.0025
    wheel.wait(0.4)
    assert wheel.head.rotor_direction == -1


def test_a_rotor_that_stopped_has_delivered_every_edge() -> None:
    wheel = Wheel(rotor_slows_rev_s2=0.2)
    at = wheel.head.rotor_angle
    wheel.head.push_rotor(0.33, 1)
    wheel.wait(1.0)
    wheel.wait(5.0)
    turned = wheel.head.rotor_angle - at
    assert len(wheel.seen("AaBb")) == pytest.approx(turned * 400, abs=1)


def test_the_fleet_is_always_the_same_and_no_two_wheels_are_alike() -> None:
    wheels = [draw_rotor(seed) for seed in range(60)]
    assert wheels == [draw_rotor(seed) for seed in range(60)]
    assert {wheel.index_gated for wheel in wheels} == {"no", "a", "a-and-b"}
    assert {wheel.index_low for wheel in wheels} == {True, False}
    assert len({wheel.leaves_rev_s for wheel in wheels}) == 60
    assert all(0.5 <= wheel.leaves_rev_s <= 0.8 for wheel in wheels)


@pytest.mark.parametrize("after", [3.0, 20.0])
def test_a_ball_that_leaves_the_wheel_lies_nowhere(after: float) -> None:
    wheel = Wheel()
    wheel.spin(leaves_after=after)
    assert wheel.head.ball is not None
    assert not wheel.head.ball.natural
    assert wheel.head.ball.pocket == ""
    assert wheel.read == []


def test_a_ball_that_is_taken_out_leaves_the_beams_free() -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.head.throw_ball(9, 1)
    while wheel.seen("PpQq")[-1:] == [] or wheel.seen("PpQq")[-1][0].islower():
        wheel.wait(0.001)
    wheel.head.take_ball()
    wheel.wait(10)
    assert wheel.seen("PpQq")[-1][0].islower()
    assert len(wheel.seen("PpQq")) == 2
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


def test_a_table_has_one_kind_of_wheel() -> None:
    world = Wheel().world
    with pytest.raises(UnknownLineError, match="no wheel with a clapper"):
        world.throw(3, 1)
    with pytest.raises(UnknownLineError, match="no line 'clapper'; the head's lines are: encoder_a"):
        world.fault("dead-clapper")
    with pytest.raises(UnknownLineError, match="no roulette wheel"):
        World.of(VirtualClock()).fault("reader-silent")
