"""A wheel's energy from turn to turn: what friction, a late stamp or a mean at the end is, no hand's doing."""

import pytest

from controller.commissioning.wheel_spins import pass_spread
from controller.tracking.clapper_wheel.energy import SpinLoss, SpinRun, evened, pushed_again, uneven

SECTIONS = 54
LOSS = SpinLoss(section=40.0, air=0.02)
NOISE = 0.001


def speeds(turns: float, friction: float = 1.0, rubs: float = 0.0) -> list[float]:
    """Squared speeds from mark to mark, down to a wheel that nearly stands.

    Args:
        friction: how many times what is usual the bearing and the leather take.
        rubs: so many sections' loss a turn besides, at 100 degrees a second.
    """
    found = [LOSS.section]
    for _ in range(int(turns * SECTIONS)):
        slow = found[-1]
        of_turn = SECTIONS * friction + rubs * slow**0.5 / 100
        found.append(slow + LOSS.section * of_turn / SECTIONS + LOSS.air * slow / SECTIONS)
    return found[::-1]


def run(squared: list[float]) -> SpinRun:
    return SpinRun(1, squared, SECTIONS)


@pytest.mark.parametrize("friction", [0.94, 1.06])
@pytest.mark.parametrize("rubs", [0.0, 2.0])
def test_a_spin_with_another_friction_than_others_was_touched_by_nobody(friction: float, rubs: float) -> None:
    """It costs more, or less, in every turn: nothing of that is left once its turns are compared."""
    other = run(speeds(8, friction, rubs))
    assert min(abs(more) for more in other.unlike(LOSS)) > 1
    assert max(abs(more) for more in evened(other, LOSS)) < 0.5
    assert uneven(other, LOSS, NOISE) is None


def test_a_last_speed_that_says_less_of_the_energy_is_no_hand() -> None:
    """It is a mean over the last section, in which the wheel loses much of what it has."""
    honest = speeds(8)
    last = run([*honest[:-1], honest[-1] - 0.7 * LOSS.section])
    assert uneven(last, LOSS, NOISE) is None


def test_a_last_speed_that_is_off_by_more_than_a_mean_may_be_is_that_of_a_hand() -> None:
    """A hand that took a section's loss and a quarter in the last section."""
    honest = speeds(8)
    found = uneven(run([*honest[:-1], honest[-1] - 1.25 * LOSS.section]), LOSS, NOISE)
    assert found is not None
    assert found[1] == pytest.approx(1.2, abs=0.1)


@pytest.mark.parametrize("more", [1.7, 2.2, -1.7, -2.2])
def test_a_hand_in_the_last_section_of_a_wheel_of_four_is_seen_by_its_last_speed_alone(more: float) -> None:
    """Three turns are twelve marks, too few for levels around a jump; no late stamp is as wrong as that."""
    sections, honest = 4, [3 * LOSS.section]
    for _ in range(3 * sections - 2):
        honest.insert(0, honest[0] * (1 + LOSS.air / sections) + LOSS.section)
    assert uneven(SpinRun(1, honest, sections), LOSS, NOISE) is None
    touched = SpinRun(1, [*honest[:-1], honest[-1] - more * LOSS.section], sections)
    found = uneven(touched, LOSS, NOISE)
    assert found is not None
    assert found[1] == pytest.approx(0.8 * more, abs=0.1)


def test_a_turn_that_costs_more_in_its_last_marks_was_touched() -> None:
    honest = speeds(8)
    braked = run([*honest[:-6], *(speed - 2.4 * LOSS.section for speed in honest[-6:])])
    found = uneven(braked, LOSS, NOISE)
    assert found is not None
    assert found[1] > 1.8


def test_passes_that_differ_only_where_the_wheel_is_fast_say_nothing_of_its_leather() -> None:
    """There a stamp's error looks like a pass's: the fast third of a run does not count, short as it may be."""
    honest = speeds(29 / 18)
    third = len(honest) // 3
    noisy = [speed + (i % 2) * 30 * LOSS.section for i, speed in enumerate(honest[:third])]
    assert pass_spread(run([*noisy, *honest[third:]]), LOSS.section) == pass_spread(run(honest), LOSS.section)


def test_a_wheel_that_gains_speed_again_was_pushed_again() -> None:
    """By half of the energy that it had, or by all of it."""
    honest = speeds(8)
    for more in (1.5, 2.0):
        at = next(i for i, speed in enumerate(honest) if speed < 100 * LOSS.section)
        again = pushed_again(run([*honest[:at], *(speed * more for speed in honest[at:])]), LOSS.section)
        assert again is not None
        assert again[0] == pytest.approx(honest[at - 1], rel=0.15)
        assert again[1] > again[0]
    assert pushed_again(run(honest), LOSS.section) is None
