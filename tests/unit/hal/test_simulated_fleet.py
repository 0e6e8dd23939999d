"""The fleet: wheels as workshops build them, each of which can be built and spun."""

from functools import partial

import numpy as np
import pytest

from hal.errors import HalError
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.fleet import draw_wheel
from hal.mock.wheel import WheelPhysics
from hal.mock.world import World

WHEELS = 150


def _keep(edges: bytearray, batch: EdgeBatch) -> None:
    edges.extend(batch.edges)


def test_the_same_seed_draws_the_same_wheel_and_the_game_may_say_its_sections() -> None:
    assert draw_wheel(7) == draw_wheel(7) != draw_wheel(8)
    assert draw_wheel(7, sections=24).sections == 24
    sections = [draw_wheel(seed).sections or 0 for seed in range(WHEELS)]
    assert sections.count(54) > WHEELS / 2
    assert min(sections) < 30
    assert max(sections) > 55


def test_every_wheel_spins_as_wheels_do() -> None:
    """Three to seven turns from 150 to 300 degrees a second or so, in 12 to 25 s with the rocking."""
    seconds, speeds_deg_s = [], []
    for seed in range(WHEELS):
        wheel = WheelPhysics(draw_wheel(seed), np.random.default_rng(seed))
        for turns in (3.1, 5.0, 6.9):
            w2 = wheel.speed_for(turns * wheel.sections)
            legs, _ = wheel.throw(0.5, None, 1 if seed % 2 else -1, w2)
            run = abs(float(legs[0].xs[-1]) - 0.5) / wheel.sections
            assert abs(run - turns) < 0.3 * turns
            seconds.append(sum(leg.duration_s for leg in legs))
            speeds_deg_s.append(np.sqrt(w2) * 360 / wheel.sections)
    low, middle, high = np.percentile(seconds, [5, 50, 95])
    assert 11 < low < middle < high < 27
    low, middle, high = np.percentile(speeds_deg_s, [5, 50, 95])
    assert 140 < low < middle < high < 320


def test_every_kind_of_wheel_is_in_the_fleet() -> None:
    fleet = [draw_wheel(seed) for seed in range(WHEELS)]
    assert {wheel.index_gate for wheel in fleet} == {"none", "a", "ab"}
    assert {wheel.index_inverted for wheel in fleet} == {wheel.reversed for wheel in fleet} == {True, False}
    assert any(wheel.bent_pegs for wheel in fleet)
    assert any(wheel.missing_pegs for wheel in fleet)
    assert all(wheel.counts_per_turn >= 720 for wheel in fleet)


def test_some_wheels_rest_free_a_hair_from_a_peg_some_bent_and_some_rock_between_pegs() -> None:
    nearest_deg, bent, rocked = [], 0, 0
    for seed in range(WHEELS):
        clock = VirtualClock()
        world = World.of(clock)
        head = world.fit_wheel(draw_wheel(seed))
        world.throw(3.5, 1 if seed % 2 else -1)
        rocked += len(head._legs) > 2
        clock.advance_to(head.at_rest_ns + 10_000_000)
        section, closed = head.true_stand()
        bent += closed
        if not closed:
            pegs = (head.physics.peg_at(round(head.x)), head.x)
            nearest_deg.append(abs(pegs[0] - pegs[1]) * 360 / head.sections)
        assert 0 <= section < head.sections
    assert 0 < bent < WHEELS / 4
    assert rocked > WHEELS / 20
    assert sum(place_deg < 0.8 for place_deg in nearest_deg) > WHEELS / 20


def test_the_contacts_edges_alternate_whatever_delays_and_chatter_and_end_at_the_true_level() -> None:
    """Also where it bounces longer than a fast peg bends the leather, or answers later than the peg is gone."""
    for seed in range(WHEELS):
        clock = VirtualClock()
        world = World.of(clock)
        head = world.fit_wheel(draw_wheel(seed).model_copy(update={"chatter_part": 0.5, "chatter_us": 1000.0}))
        edges = bytearray()
        head.start(partial(_keep, edges))
        world.hands.throw(300.0 if seed % 2 else -300.0)
        for _ in range(5):
            clock.advance_to(clock.now_ns() + 731_000_000)
            head.poll()
        clock.advance_to(head.at_rest_ns + 20_000_000)
        clapper = edges.translate(None, b"ABabZz")
        assert clapper == (b"Cc" * len(clapper))[: len(clapper)]
        assert head.levels()["C"] is head.true_stand()[1] is (len(clapper) % 2 == 1)


def test_any_wheel_can_be_thrown_onto_a_peg_and_into_a_section() -> None:
    for seed in range(60):
        clock = VirtualClock()
        world = World.of(clock)
        settings = draw_wheel(seed).model_copy(update={"missing_pegs": (), "friction_spread": 0.0})
        head = world.fit_wheel(settings.model_copy(update={"imbalance_nm": 0.0}))
        for peg, direction in ((3, 1), (11, -1)):
            world.throw_onto(peg, 3.1, direction)
            clock.advance_to(head.at_rest_ns + 10_000_000)
            assert head.true_stand() == (peg - (direction > 0), True)
            world.throw_into(peg, 3.1, direction, part=0.8)
            clock.advance_to(head.at_rest_ns + 10_000_000)
            assert head.true_stand()[0] == peg
    with pytest.raises(HalError, match="peg 3 of the simulated wheel is missing"):
        World.of(VirtualClock()).fit_wheel(
            draw_wheel(1).model_copy(update={"missing_pegs": (3,)})
        ).physics.held_bend(3, 1)
