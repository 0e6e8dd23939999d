"""What a wheel loses by itself, found from one throw."""

import math

import pytest

from controller.commissioning.wheel_spins import fit
from controller.tracking.clapper_wheel.energy import SpinLoss, SpinRun

SECTIONS = 54
PITCH = 360 / SECTIONS


def thrown(loss: SpinLoss, fastest: float = 290) -> SpinRun:
    """A wheel that is thrown and loses so much, in steps of a hundredth of a section."""
    squared, took, speeds = fastest**2, 0.0, []
    while squared > 3 * loss.section:
        for _ in range(100):
            speed = math.sqrt(squared)
            turns = 1 / SECTIONS / 100
            squared += math.log1p(-loss.air) * squared * turns - loss.drag * speed * turns - loss.section / 100
            took += PITCH / 100 / speed
        speeds.append((PITCH / took) ** 2)
        took = 0.0
    return SpinRun(1, speeds, SECTIONS)


@pytest.mark.parametrize(
    "loss", [SpinLoss(187, 0.08, drag=29), SpinLoss(100, 0.0, drag=20), SpinLoss(230, 0.01, drag=8)]
)
def test_what_is_lost_in_proportion_to_the_speed_is_found(loss: SpinLoss) -> None:
    found = fit(thrown(loss))
    assert found is not None
    assert found.section == pytest.approx(loss.section, rel=0.06)
    assert found.drag == pytest.approx(loss.drag, rel=0.3)


@pytest.mark.parametrize("loss", [SpinLoss(187, 0.08), SpinLoss(100, 0.15), SpinLoss(230, 0.0)])
def test_a_wheel_that_loses_nothing_so_has_none(loss: SpinLoss) -> None:
    found = fit(thrown(loss))
    assert found is not None
    assert found.drag == 0
    assert found.section == pytest.approx(loss.section * (1 - loss.air / 2), rel=0.01)


@pytest.mark.parametrize(
    "loss", [SpinLoss(187, 0.08, drag=29), SpinLoss(100, 0.0, drag=20), SpinLoss(230, 0.01, drag=8)]
)
def test_a_faster_throw_loses_what_the_slower_one_said(loss: SpinLoss) -> None:
    slower, faster = thrown(loss, 240), thrown(loss, 320)
    found, line = fit(slower), slower.line()
    assert found is not None
    assert line is not None
    assert max(map(abs, faster.unlike(found))) < 0.6
    assert max(map(abs, faster.unlike(line))) > 2
