"""Leather softens and takes a set: places drift by tenths of a degree, and jump with a new leather."""

import pytest

from hal.mock.clock import VirtualClock
from hal.mock.fleet import draw_wheel
from hal.mock.leather import Leather
from hal.mock.settings import WheelSettings
from hal.mock.wear import aged, with_new_leather, with_worn_bearing
from hal.mock.wheel import WheelPhysics
from hal.mock.world import World


def strikes_deg(settings: WheelSettings) -> tuple[float, float]:
    """Where the contact closes, in each direction, from the middle of a peg."""
    import numpy as np

    leather: Leather = WheelPhysics(settings, np.random.default_rng(0)).leather
    return (
        (leather.sides[1].offset + leather.threshold) * 360 / 54,
        (leather.sides[-1].offset - leather.threshold) * 360 / 54,
    )


def test_places_drift_by_tenths_of_a_degree_in_weeks() -> None:
    wheel = WheelSettings(sections=54)
    new, weeks = strikes_deg(wheel), [strikes_deg(aged(wheel, weeks)) for weeks in (1, 4, 12)]
    for direction in (0, 1):
        drift_deg = [abs(old[direction] - new[direction]) for old in weeks]
        assert drift_deg == sorted(drift_deg)
        assert 0.02 < drift_deg[0] < 0.15
        assert 0.1 < drift_deg[2] < 0.6


def test_an_old_leather_takes_less_and_slips_off_sooner() -> None:
    wheel = WheelSettings(sections=54, contact_deg=2.4)
    old = aged(wheel, 20)
    assert old.peg_j < 0.8 * wheel.peg_j
    assert old.restitution < wheel.restitution
    assert old.slips_off_deg < wheel.slips_off_deg - 0.2


@pytest.mark.parametrize("seed", range(30))
def test_every_wheel_of_the_fleet_grows_old_and_gets_a_new_leather(seed: int) -> None:
    wheel = draw_wheel(seed, sections=54)
    assert with_new_leather(wheel, 1) == with_new_leather(wheel, 1) != with_new_leather(wheel, 2)
    old, new = strikes_deg(aged(wheel, 26)), strikes_deg(with_new_leather(aged(wheel, 26), seed))
    assert max(abs(one - other) for one, other in zip(old, new, strict=True)) > 0.01


def test_a_wheel_that_is_refitted_keeps_its_pegs_and_its_place() -> None:
    clock = VirtualClock()
    head = World.of(clock).fit_wheel(WheelSettings(sections=54, seed=5))
    pegs = [head.physics.peg_at(peg) for peg in range(54)]
    stood = head.x
    head.refit(aged(WheelSettings(sections=54, seed=5), 10))
    assert [head.physics.peg_at(peg) for peg in range(54)] == pegs
    assert head.x == stood
    head.throw_about(4 * 54)
    clock.advance_to(head.at_rest_ns + 10_000_000)
    assert head.true_stand()[0] in range(54)


def test_a_bearing_that_nobody_greases_rubs_more_and_differs_more_by_spin() -> None:
    wheel = WheelSettings(sections=54, friction_nm=0.2)
    worn = [with_worn_bearing(wheel, weeks) for weeks in (10, 50, 500)]
    assert [bearing.friction_nm for bearing in worn] == pytest.approx([0.2297, 0.4, 10.0], rel=1e-3)
    assert [bearing.friction_spread for bearing in worn] == pytest.approx([0.01, 0.05, 0.2])
    assert worn[0].model_copy(update={"friction_nm": 0.2, "friction_spread": 0.0}).peg_j == wheel.peg_j
