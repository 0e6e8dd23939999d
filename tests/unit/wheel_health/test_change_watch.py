"""The watch that may be looked at after every spin: false alarms are bounded, changes are found at any time."""

import random

import pytest

from controller.wheel_health.change_watch import ChangeWatch


def found_after(watch: ChangeWatch, values: list[float], odds: float) -> int | None:
    """After how many of the values the odds were reached, if ever."""
    for number, value in enumerate(values, 1):
        watch.add(value)
        if watch.odds >= odds:
            return number
    return None


def test_values_at_the_allowed_mean_seldom_reach_the_odds_however_they_scatter() -> None:
    """Ville's inequality: of 400 watches with the worst allowed mean at most 1 in 10 ever reaches odds of 10."""
    rng = random.Random(1)

    def scattered() -> float:
        return 0.1 + rng.choice((-0.5, 0.5, -0.1, 0.1))

    reached = sum(
        found_after(ChangeWatch(0.1, 1.0), [scattered() for _ in range(400)], 10) is not None for _ in range(400)
    )
    assert reached <= 40


def test_values_below_the_allowed_mean_are_never_evidence() -> None:
    watch = ChangeWatch(0.1, 1.0)
    assert found_after(watch, [0.09] * 20_000, 1.01) is None


@pytest.mark.parametrize("healthy", [0, 1_000, 50_000])
def test_a_change_is_found_soon_also_after_long_health(healthy: int) -> None:
    watch = ChangeWatch(0.1, 1.0)
    for _ in range(healthy):
        watch.add(0.0)
    after = found_after(watch, [0.2] * 1000, 24_000)
    assert after is not None
    assert after < 400


def test_a_single_wild_value_is_no_change() -> None:
    watch = ChangeWatch(0.1, 1.0)
    assert found_after(watch, [0.0] * 50 + [1e9] + [0.0] * 50, 10) is None


def test_what_cannot_be_exceeded_cannot_be_watched() -> None:
    with pytest.raises(ValueError, match="cannot allow"):
        ChangeWatch(1.0, 1.0)
