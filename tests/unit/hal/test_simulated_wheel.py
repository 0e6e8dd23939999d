"""The simulated wheel behaves like one: it slows, strikes, rocks back, and stands where its sensors say."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.edges import MockHead
from hal.mock.settings import WheelSettings
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
