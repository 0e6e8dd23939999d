"""From the edges of a roulette wheel's sensors to what is believed of rotor and ball (§ 617a.5(a), § 617a.6)."""

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    Direction,
    Event,
    Health,
    RotorTurned,
    SensorHealth,
)
from controller.tracking.roulette.ball import BallTracker
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.rotor import BallTruth, MockRotorHead
from hal.mock.settings import RotorSettings
from hal.mock.world import World

WAYS = {1: Direction.COUNTERCLOCKWISE, -1: Direction.CLOCKWISE}


@dataclass
class Wheel:
    """A roulette wheel, its tracker, and all that was seen."""

    seed: int = 0
    beams: int = 2
    angle_deg: float = 90.0
    counts: int = 400
    reversed: bool = False
    slice_ns: int | None = None
    events: list[Event] = field(default_factory=list)
    batches: list[EdgeBatch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.world.slice_ns = self.slice_ns
        options = RotorSettings(
            seed=self.seed, counts_per_turn=self.counts, reversed=self.reversed, beam_angle_deg=self.angle_deg
        )
        self.head: MockRotorHead = self.world.fit_rotor(options, self.beams)
        self.geometry = RotorGeometry(self.counts, self.beams, int(self.angle_deg * 1000), self.reversed)
        self.levels = self.head.levels()
        self.tracker = RouletteTracker(self.geometry, self.levels)
        self.head.start(self._see)

    def _see(self, batch: EdgeBatch) -> None:
        self.batches.append(batch)
        self.events += self.tracker.feed(batch)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * NS_PER_S))
        self.head.poll()
        self.events += self.tracker.tick(self.clock.now_ns())

    def spin(
        self, turns: float, ball: int = 1, rotor: int = -1, speed: float = 0.4, before_s: float = 4.0
    ) -> BallTruth:
        """Push the rotor, throw the ball, and wait until both have said all."""
        self.head.push_rotor(speed, rotor)
        self.wait(before_s)
        self.head.throw_ball(turns, ball)
        self.rest()
        assert self.head.ball is not None
        return self.head.ball

    def rest(self) -> None:
        self.wait((self.head.at_rest_ns - self.clock.now_ns()) / 1e9 + 3)

    def of(self, kind: type) -> list:  # type: ignore[type-arg]
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def left(self) -> BallLeftTrack:
        (event,) = self.of(BallLeftTrack)
        return event


def faults(wheel: Wheel) -> list[tuple[str, Health]]:
    return [(event.sensor, event.health) for event in wheel.of(SensorHealth) if event.health is not Health.OK]


# -- what is seen is what was so -----------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 10**6),
    turns=st.floats(2.2, 16),
    ball=st.sampled_from([1, -1]),
    rotor=st.sampled_from([1, -1]),
    speed=st.floats(0.3, 0.6),
    angle=st.sampled_from([30.0, 60.0, 90.0, 135.0, 225.0, 270.0, 330.0]),
    beams=st.sampled_from([1, 2, 2]),
    counts=st.sampled_from([40, 100, 400, 1000]),
    backwards=st.booleans(),
)
@settings(deadline=None, max_examples=150)
def test_revolutions_and_directions_are_the_true_ones(
    seed: int,
    turns: float,
    ball: int,
    rotor: int,
    speed: float,
    angle: float,
    beams: int,
    counts: int,
    backwards: bool,
) -> None:
    wheel = Wheel(seed, beams, angle, counts, backwards)
    truth = wheel.spin(turns, ball, rotor, speed)
    if beams == 1 and truth.revolutions < 2:
        return  # Two passes of one beam may be anything.
    left = wheel.left
    came_down_in_a_beam = truth.leaves_ns - left.left_ns < 20_000_000
    assert truth.revolutions - came_down_in_a_beam <= left.revolutions <= truth.revolutions
    assert left.direction is (WAYS[ball] if beams == 2 else None)
    assert left.rotor is WAYS[rotor]
    assert left.against is (ball != rotor if beams == 2 else None)
    assert not left.early
    assert left.fault is None
    assert truth.leaves_ns - left.left_ns < 2 * NS_PER_S
    assert left.at_ns > truth.leaves_ns
    assert [event.direction for event in wheel.of(RotorTurned)] == [WAYS[rotor]]
    assert not faults(wheel)


@pytest.mark.parametrize("ball", [1, -1])
@pytest.mark.parametrize("beams", [1, 2])
def test_the_fourth_return_to_the_first_beam_counts_and_a_hair_less_does_not(ball: int, beams: int) -> None:
    """§ 617a.5(a): searched to a thousandth of a turn for the shortest throw that has four revolutions."""
    low, high = 3.5, 6.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        truth = Wheel(3, beams).spin(middle, ball, -ball)
        low, high = (middle, high) if truth.revolutions < 4 else (low, middle)
    short, full = Wheel(3, beams), Wheel(3, beams)
    short.spin(low, ball, -ball)
    full.spin(high + 0.006, ball, -ball)  # The ball darkens the beam for a quarter of its width at least.
    assert (short.left.revolutions, full.left.revolutions) == (3, 4)


def test_revolutions_are_told_as_they_come() -> None:
    wheel = Wheel()
    truth = wheel.spin(8)
    numbers = [event.number for event in wheel.of(BallRevolution)]
    assert numbers == list(range(1, truth.revolutions + 1))
    (thrown,) = wheel.of(BallThrown)
    assert thrown.direction is Direction.COUNTERCLOCKWISE
    assert wheel.of(BallRevolution)[0].at_ns == thrown.at_ns


def test_a_ball_with_the_rotor_is_told_at_its_first_revolution() -> None:
    """§ 617a.6(a): in time to take it out before it drops."""
    wheel = Wheel()
    wheel.spin(9, ball=1, rotor=1, before_s=8)
    assert wheel.of(BallRevolution)[0].against is False


@pytest.mark.parametrize("cut", [1, 3, 7, 64, 1000])
@pytest.mark.parametrize("fault", ["", "lost-edges", "noise", "swapped", "overflow", "missing-index"])
def test_events_do_not_depend_on_how_edges_are_cut_into_batches(cut: int, fault: str) -> None:
    wheel = Wheel(seed=cut, slice_ns=None)
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(4)
    if fault:
        target = {"noise": "ball_1"}.get(fault, "")
        wheel.world.fault(fault, target, {"lost-edges": 0.01, "noise": 3, "overflow": 30}.get(fault, 0))
    wheel.head.throw_ball(9, 1)
    wheel.rest()
    again = RouletteTracker(wheel.geometry, wheel.levels)
    events: list[Event] = []
    for batch in wheel.batches:
        for i in range(0, len(batch), cut):
            part = slice(i, i + cut)
            events += again.feed(EdgeBatch(batch.edges[part], batch.timestamps_ns[part], batch.seqnos[part]))
    events += again.tick(wheel.clock.now_ns())
    assert events == wheel.events


# -- rotors that do not do -----------------------------------------------------------------------------------------


def test_a_rotor_that_stands_has_no_direction() -> None:
    wheel = Wheel()
    wheel.spin(8, speed=0.0)
    assert wheel.left.rotor is None


def test_a_rotor_that_is_turned_the_other_way_while_the_ball_runs_has_none_either() -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(5)
    wheel.head.throw_ball(12, 1)
    wheel.wait(2)
    wheel.head.push_rotor(0.6, 1)
    wheel.rest()
    assert wheel.left.rotor is None
    assert [event.direction for event in wheel.of(RotorTurned)] == [Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE]


def test_a_rotor_that_is_held_while_the_ball_runs() -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(5)
    wheel.head.throw_ball(12, 1)
    wheel.wait(2)
    wheel.head.push_rotor(0.0, 1)
    wheel.wait(2)
    wheel.head.push_rotor(0.4, -1)
    wheel.rest()
    assert wheel.left.rotor is None


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("way", [1, -1])
def test_a_rotor_that_is_turned_around_anywhere_at_the_index_is_in_order(way: int, mirrored: bool) -> None:
    """A count takes some 55 ms; it is turned around at every tenth of one, from two before the index on."""

    def turning() -> Wheel:
        wheel = Wheel(counts=40, reversed=mirrored)
        wheel.head.push_rotor(0.5, way)
        return wheel

    straight = turning()
    straight.wait(8)
    stamps = [
        at_ns
        for batch in straight.batches
        for letter, at_ns in zip(batch.edges, batch.timestamps_ns, strict=True)
        if letter in b"Zz" and at_ns > 5 * NS_PER_S
    ]
    for step in range(-20, 40):
        wheel = turning()
        wheel.wait((stamps[0] + step * 5_500_000) / NS_PER_S)
        wheel.head.push_rotor(0.5, -way)
        wheel.wait(6)
        assert not faults(wheel), step
        assert wheel.tracker.rotor.turning(wheel.clock.now_ns()) == -way


def test_pulses_of_a_turning_rotors_index_are_noise() -> None:
    for way in (1, -1):
        wheel = Wheel()
        wheel.head.push_rotor(0.4, way)
        wheel.wait(5)
        wheel.world.fault("noise", "index", 20)
        wheel.wait(3)
        assert faults(wheel), way


def test_a_push_the_same_way_keeps_the_direction() -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(5)
    wheel.head.throw_ball(12, 1)
    wheel.wait(2)
    wheel.head.push_rotor(0.6, -1)
    wheel.rest()
    assert wheel.left.rotor is Direction.CLOCKWISE


# -- balls that do not do ------------------------------------------------------------------------------------------


def test_a_ball_that_vanishes_while_it_is_fast_left_early() -> None:
    """§ 617a.6(c): it leaves the wheel, or somebody takes it out."""
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(4)
    wheel.head.throw_ball(14, 1, leaves_after=6)
    wheel.rest()
    assert wheel.left.early


def test_a_hand_or_a_cloth_in_the_beams_is_no_ball() -> None:
    wheel = Wheel()
    rng = random.Random(5)
    for _ in range(200):
        line = rng.choice(["ball_1", "ball_2"])
        wheel.world.fault("stuck-high", line)
        wheel.wait(rng.uniform(0.02, 0.8))
        wheel.world.mend()
        wheel.wait(rng.uniform(0.02, 0.8))
    assert wheel.events == []


def test_what_stands_in_a_beam_is_named_and_forgotten_once_it_is_gone() -> None:
    wheel = Wheel()
    wheel.world.fault("open", "ball_2")
    wheel.wait(6)
    assert faults(wheel) == [("ball_2", Health.STUCK)]
    wheel.world.mend()
    wheel.wait(1)
    assert wheel.of(SensorHealth)[-1].health is Health.OK


class Beams:
    """A ball's passes at two beams a quarter of a turn apart, made one by one."""

    def __init__(self, turn_ms: int = 1000) -> None:
        self.turn_ms = turn_ms
        self.ball = BallTracker(RotorGeometry(400), (False, False))
        self.now_ms = 1000.0
        self.beam = 1

    def go(self, parts: int) -> None:
        """The next passes as they should come, the ball running clockwise and ever slower."""
        for _ in range(parts):
            self.beam = 1 - self.beam
            self.now_ms += self.turn_ms * (0.75 if self.beam == 0 else 0.25)
            self.turn_ms += 5
            self.dark(self.beam, self.turn_ms * 0.0084)

    def dark(self, beam: int, ms: float) -> None:
        assert self.ball.edge(beam, True, int(self.now_ms * 1e6)) is None
        self.ball.edge(beam, False, int((self.now_ms + ms) * 1e6))


def test_passes_as_they_should_come_are_beyond_doubt() -> None:
    beams = Beams()
    beams.go(13)
    assert (beams.ball.revolutions, beams.ball.direction, beams.ball.doubt) == (6, -1, None)


@pytest.mark.parametrize("parts_of_a_ball", [0.1, 5.0])
def test_a_pass_that_is_not_as_long_as_a_balls_breaks_the_chain(parts_of_a_ball: float) -> None:
    beams = Beams()
    beams.go(11)
    beams.now_ms += beams.turn_ms * 0.25
    beams.dark(1, beams.turn_ms * 0.0084 * parts_of_a_ball)
    assert beams.ball.revolutions == 0
    assert beams.ball.doubt is not None
    assert (beams.ball.doubt.sensor, beams.ball.doubt.health) == ("ball_2", Health.NOISY)


@pytest.mark.parametrize("part", [0.05, 0.2, 0.4, 0.5])
def test_a_pass_too_early_or_too_late_for_a_ball_breaks_the_chain(part: float) -> None:
    beams = Beams()
    beams.go(11)
    beams.now_ms += beams.turn_ms * part
    beams.dark(1, beams.turn_ms * 0.0084)
    assert beams.ball.revolutions == 0
    assert beams.ball.doubt is not None


def test_four_revolutions_after_a_doubt_end_it_and_three_do_not() -> None:
    beams = Beams()
    beams.go(11)
    beams.dark(beams.beam, 0.05)
    assert beams.ball.doubt is not None
    beams.go(6)
    assert (beams.ball.revolutions, beams.ball.doubt is None) == (3, False)
    beams.go(1)
    assert (beams.ball.revolutions, beams.ball.doubt) == (4, None)


def test_a_pass_that_is_missed_late_leaves_the_run_in_doubt_and_one_early_does_not() -> None:
    def missed(after_s: float) -> BallLeftTrack:
        wheel = Wheel(seed=2)
        wheel.head.push_rotor(0.5, -1)
        wheel.wait(5)
        wheel.head.throw_ball(13, 1)
        wheel.wait(after_s)
        wheel.world.fault("stuck-low", "ball_2")
        wheel.wait(1.2)
        wheel.world.mend()
        wheel.rest()
        return wheel.left

    late, early = missed(9), missed(2)
    assert late.fault is not None
    assert (late.fault.sensor, late.fault.health) == ("ball_2", Health.SILENT)
    assert early.fault is None
    assert 4 <= early.revolutions < 12


def test_a_rotor_in_doubt_has_no_direction() -> None:
    """Line B is dead, and the rotor turned the other way than last: the ball is not accused of running with it."""
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(6)
    wheel.world.fault("stuck-high", "encoder_b")
    wheel.head.push_rotor(0.4, 1)
    wheel.wait(4)
    wheel.head.throw_ball(9, -1)
    wheel.rest()
    assert [event.against for event in wheel.of(BallRevolution)] == [None] * 8
    assert wheel.left.fault is not None


def test_a_turn_with_a_step_back_proves_no_direction() -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, 1)
    wheel.wait(6)
    assert wheel.tracker.rotor.direction == 1
    passed = len([letter for batch in wheel.batches for letter in batch.edges if letter in b"Z"])
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(0.1)
    wheel.head.push_rotor(0.4, 1)
    while len([letter for batch in wheel.batches for letter in batch.edges if letter in b"Z"]) == passed:
        wheel.wait(0.05)
    assert wheel.tracker.rotor.direction == 0
    wheel.wait(3)
    assert wheel.tracker.rotor.direction == 1


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
def test_every_fault_is_found_and_named(
    fault: str, line: str, amount: float, named: tuple[str, Health], moment: str
) -> None:
    wheel = Wheel(seed=4)
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


@given(
    seed=st.integers(0, 10**6),
    turns=st.floats(2.2, 12),
    ball=st.sampled_from([1, -1]),
    rotor=st.sampled_from([1, -1]),
    fault=st.sampled_from(
        [
            *((name, line, 0.0) for name in ("stuck-high", "stuck-low") for line in ("ball_1", "ball_2", "index")),
            *((name, line, 0.0) for name in ("stuck-high", "stuck-low") for line in ("encoder_a", "encoder_b")),
            *(
                ("noise", line, hertz)
                for line in ("ball_1", "ball_2", "encoder_a", "index")
                for hertz in (2.0, 100.0)
            ),
            *(("lost-edges", "", part) for part in (0.001, 0.03, 0.3)),
            *(("overflow", "", edges) for edges in (3.0, 300.0)),
            ("unplugged", "", 0.0),
            ("swapped", "", 0.0),
        ]
    ),
    after_s=st.floats(-3, 12),
    passes_s=st.one_of(st.none(), st.floats(0.05, 6)),
    slices=st.booleans(),
)
@settings(deadline=None, max_examples=300)
def test_no_fault_makes_a_spin_valid_that_was_not(
    seed: int,
    turns: float,
    ball: int,
    rotor: int,
    fault: tuple[str, str, float],
    after_s: float,
    passes_s: float | None,
    slices: bool,
) -> None:
    wheel = Wheel(seed, slice_ns=50_000_000 if slices else None)
    clock, throw_ns = wheel.clock, 5 * NS_PER_S
    at_ns = throw_ns + int(after_s * 1e9)
    clock.call_at(at_ns, lambda: wheel.world.fault(*fault))
    if passes_s is not None:
        clock.call_at(at_ns + int(passes_s * 1e9), wheel.world.mend)
    truth = wheel.spin(turns, ball, rotor, before_s=5.0)
    for left in wheel.of(BallLeftTrack):
        if left.fault is None and left.against and left.revolutions >= 4:
            assert truth.against
            assert truth.revolutions >= 4
