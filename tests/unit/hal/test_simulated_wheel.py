"""The simulated wheel behaves like one: it slows, strikes, rocks back, and stands where its sensors say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.errors import UnknownLineError
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.edges import MockHead
from hal.mock.settings import WheelSettings
from hal.mock.wheel import WheelPhysics
from hal.mock.world import World

SECTIONS = 54


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
