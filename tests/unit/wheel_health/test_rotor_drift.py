"""A roulette wheel that is not level, or whose bearing wears, is named; a healthy one never."""

import random

import pytest

from controller.tracking.roulette.health import SpinHealth
from controller.wheel_health.findings import WheelSign
from controller.wheel_health.rotor_drift import FIRST, RotorWheelHealth


def spin(between: bool | None, slows: float | None = 0.003) -> SpinHealth:
    return SpinHealth(0, 0, 90_000, between, slows)


def looked_at(health: RotorWheelHealth, rng: random.Random, spins: int, share: float, slows: float) -> int | None:
    """After how many spins something was found; None if nothing was."""
    for number in range(1, spins + 1):
        loss = slows * rng.lognormvariate(0, 0.15)
        if health.add(spin(rng.random() < share, loss)):
            return number
    return None


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("share", [0.18, 0.25, 0.32])
@pytest.mark.campaign
def test_a_healthy_wheel_raises_nothing(seed: int, share: float) -> None:
    """Each wheel's beams, track and dealers have a way of their own, within what is allowed."""
    assert looked_at(RotorWheelHealth(90_000), random.Random(f"{seed} {share}"), 2000, share, 0.003) is None


@pytest.mark.parametrize(("share", "within"), [(0.9, 40), (0.6, 160), (0.0, 80)])
def test_a_wheel_that_is_not_level_is_named(share: float, within: int) -> None:
    for seed in range(20):
        health = RotorWheelHealth(90_000)
        found = looked_at(health, random.Random(f"{seed} {share}"), within, share, 0.003)
        assert found is not None, seed
        assert health.signs == {WheelSign.DROPS}
        assert "on a level wheel 25% do" in health.findings[0].what


def test_a_bearing_that_wears_is_named_once() -> None:
    health, rng = RotorWheelHealth(90_000), random.Random(1)
    assert looked_at(health, rng, 200, 0.25, 0.003) is None
    found = looked_at(health, rng, 80, 0.25, 0.006)
    assert found is not None
    assert health.signs == {WheelSign.FRICTION}
    assert "times as fast as in the first 30 spins" in health.findings[0].what
    assert health.findings[0].value == pytest.approx(2, abs=0.3)
    assert looked_at(health, rng, 200, 0.25, 0.006) is None


def test_what_is_not_known_counts_for_nothing() -> None:
    health = RotorWheelHealth(180_000)
    for _ in range(1000):
        assert health.add(spin(None, None)) == []
    assert (health.spins, health.usual_rev_s2) == (1000, None)


def test_a_rotor_that_is_pushed_in_every_spin_has_nothing_to_be_compared_with() -> None:
    health = RotorWheelHealth(90_000)
    for number in range(10 * FIRST):
        assert health.add(spin(number % 4 == 0, -0.01)) == []
