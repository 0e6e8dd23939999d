"""The simulated wheel behaves like one: it slows, strikes, rocks back, and stands where its sensors say."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.errors import UnknownLineError
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.edges import MockHead
from hal.mock.pegs import Pegs
from hal.mock.settings import WheelSettings
from hal.mock.wheel import WheelPhysics
from hal.mock.world import FAULTS, World

SECTIONS = 54


def physics(**options: object) -> WheelPhysics:
    return WheelPhysics(WheelSettings.model_validate({"sections": SECTIONS, **options}), np.random.default_rng(1))


def spun(
    seed: int, revolutions: float, direction: int, **options: object
) -> tuple[MockHead, list[EdgeBatch], VirtualClock]:
    clock = VirtualClock()
    world = World.of(clock)
    head = world.fit_wheel(WheelSettings.model_validate({"sections": SECTIONS, "seed": seed, **options}))
    batches: list[EdgeBatch] = []
    head.start(batches.append)
    world.throw(revolutions, direction)
    clock.advance_to(head.at_rest_ns + 10_000_000)
    head.poll()
    return head, batches, clock


@given(seed=st.integers(0, 10**6), revolutions=st.floats(0.5, 6), direction=st.sampled_from([1, -1]))
@settings(deadline=None, max_examples=60)
def test_edges_tell_exactly_where_the_wheel_went(seed: int, revolutions: float, direction: int) -> None:
    """Counting the edges by hand leads to the simulated wheel's true place."""
    head, batches, _ = spun(seed, revolutions, direction)
    edges = b"".join(batch.edges for batch in batches)
    start, end = 0.5 * 1440 / SECTIONS, head._x * 1440 / SECTIONS
    expected = int(np.floor(end)) - int(np.floor(start))
    a, b = (int(np.floor(start)) % 4 in levels for levels in ((1, 2), (2, 3)))
    count = 0
    for letter in edges.decode():
        if letter in "Aa":
            count += 1 if letter.isupper() != b else -1
            a = letter.isupper()
        elif letter in "Bb":
            count += 1 if letter.isupper() == a else -1
            b = letter.isupper()
    assert count == expected


@given(seed=st.integers(0, 10**6), direction=st.sampled_from([1, -1]))
@settings(deadline=None, max_examples=40)
def test_time_stamps_never_run_backwards_and_sequence_numbers_have_no_gap(seed: int, direction: int) -> None:
    _, batches, _ = spun(seed, 4, direction)
    stamps = [at for batch in batches for at in batch.timestamps_ns]
    assert stamps == sorted(stamps)
    assert [n for batch in batches for n in batch.seqnos] == list(range(1, len(stamps) + 1))


def test_a_spin_takes_its_time_and_slows_down() -> None:
    wheel = physics()
    legs, _ = wheel.throw(0.5, None, 1, wheel.speed_for(4.5 * SECTIONS))
    main = legs[0]
    assert 8 < sum(leg.duration_s for leg in legs) < 30
    assert np.all(np.diff(main.w2) < 0)
    turns = main.times_at(np.array([0.5 + SECTIONS * n for n in (1, 2, 3, 4)]))
    assert np.all(np.diff(turns, 2) > 0)


def test_position_and_time_agree() -> None:
    wheel = physics()
    leg = wheel.throw(0.5, None, 1, wheel.speed_for(100))[0][0]
    for place in (0.7, 5.1, 33.3, 80.2):
        (at,) = leg.times_at(np.array([place]))
        assert leg.position_at(float(at)) == pytest.approx(place, abs=1e-6)


@given(seed=st.integers(0, 10**6), part=st.floats(0.4, 0.95), sections=st.integers(20, 300))
@settings(deadline=None, max_examples=60)
def test_the_wheel_stops_where_it_is_thrown_to(seed: int, part: float, sections: int) -> None:
    wheel = WheelPhysics(WheelSettings(sections=SECTIONS, seed=seed), np.random.default_rng(seed))
    target = wheel.peg_at(sections) + part
    w2 = wheel.speed_to_reach(0.5, None, target)
    legs, held = wheel.throw(0.5, None, 1, w2)
    if held is None and len(legs) == 1:
        assert legs[0].xs[-1] == pytest.approx(target, abs=1e-3)
    else:
        assert target >= wheel.leather.touch(sections + 1, 1), "only a peg may turn it back"


def test_the_rock_back_on_the_last_peg_is_less_than_a_section() -> None:
    wheel, rng = physics(), np.random.default_rng(3)
    rocked = 0
    for _ in range(300):
        direction = int(rng.choice((1, -1)))
        legs, _ = wheel.throw(0.5, None, direction, wheel.speed_for(170 + 10 * rng.random()))
        back = [abs(float(leg.xs[-1] - leg.xs[0])) for leg in legs[1:]]
        rocked += bool(back)
        assert all(distance < 1 for distance in back)
    assert rocked > 100


def test_a_wheel_can_come_to_rest_on_a_peg() -> None:
    clock = VirtualClock()
    world = World.of(clock)
    head = world.fit_wheel(WheelSettings(sections=SECTIONS))
    for boundary in (0, 17, 53):
        for direction in (1, -1):
            world.throw_onto(boundary, 3.2, direction)
            clock.advance_to(head.at_rest_ns + 10_000_000)
            _, bent = head.true_stand()
            assert bent


def test_the_clapper_chatters() -> None:
    def clapper_edges(part: float) -> int:
        return sum(batch.edges.lower().count(b"c") for batch in spun(5, 3, 1, chatter_part=part)[1])

    assert clapper_edges(0.5) > 1.3 * clapper_edges(0)


def test_the_same_seed_gives_the_same_spin() -> None:
    one, other, third = (spun(seed, 4, 1)[1] for seed in (7, 7, 8))
    assert [batch.edges for batch in one] == [batch.edges for batch in other]
    assert [list(batch.timestamps_ns) for batch in one] == [list(batch.timestamps_ns) for batch in other]
    assert [list(batch.timestamps_ns) for batch in one] != [list(batch.timestamps_ns) for batch in third]


def test_an_unknown_fault_line_key_or_lamp_is_named() -> None:
    world = World.of(VirtualClock())
    with pytest.raises(UnknownLineError, match="no fault 'gremlin'; there are: stuck-high"):
        world.fault("gremlin")
    with pytest.raises(UnknownLineError, match="this table has no wheel"):
        world.fault("swapped")
    world.fit_wheel(WheelSettings(sections=SECTIONS))
    with pytest.raises(UnknownLineError, match="no line 'encoder_c'"):
        world.fault("stuck-low", "encoder_c")
    with pytest.raises(UnknownLineError, match="no lamp '99'"):
        world.fault("dead-lamp", "99")
    with pytest.raises(UnknownLineError, match="no control 'dance'"):
        world.press("dance")
    assert len(FAULTS) == 21


def test_a_gap_in_the_sequence_tells_of_an_overflow_and_lost_edges_leave_none() -> None:
    def gaps(fault: str, amount: float) -> int:
        clock = VirtualClock()
        world = World.of(clock)
        head = world.fit_wheel(WheelSettings(sections=SECTIONS))
        batches: list[EdgeBatch] = []
        head.start(batches.append)
        world.throw(3, 1)
        clock.advance_to(2_000_000_000)
        head.poll()
        world.fault(fault, "", amount)
        clock.advance_to(head.at_rest_ns + 10_000_000)
        head.poll()
        numbers = [n for batch in batches for n in batch.seqnos]
        return numbers[-1] - len(numbers)

    assert gaps("overflow", 33) == 33
    assert gaps("lost-edges", 0.1) == 0


def test_a_world_goes_with_its_clock() -> None:
    clock = VirtualClock()
    world = weakref.ref(World.of(clock))
    assert World.of(clock) is world()
    del clock
    gc.collect()
    assert world() is None


@given(st.integers(0, 40), st.floats(-200, 200), st.sampled_from(((), (3,), (0, 53))))
def test_the_next_peg_is_the_first_that_stands_there_or_beyond(seed: int, x: float, gone: tuple[int, ...]) -> None:
    pegs = Pegs(WheelSettings(sections=54, missing_pegs=gone), 54, np.random.default_rng(seed))
    for place in (x, pegs.place(int(x)), np.nextafter(pegs.place(int(x)), np.inf), 54.0 * int(x)):
        ordinal = pegs.ordinal_from(float(place))
        assert pegs.place(ordinal - 1) < place <= pegs.place(ordinal)
