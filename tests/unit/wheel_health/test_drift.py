"""Findings by simulation of known size: each named in time, and none of a healthy wheel."""

from collections.abc import Iterator

import pytest
from campaigns.measured_wheel import MeasuredWheel

from controller.wheel_health.drift import WheelHealth
from controller.wheel_health.findings import WheelFinding, WheelSign

SEEDS = (0, 3, 5, 42)


def balanced(seed: int) -> MeasuredWheel:
    """A wheel of the fleet, calibrated, its heavy spot taken off."""
    return MeasuredWheel(seed).worn(imbalance_nm=0.0)


def looked_at(wheel: MeasuredWheel, health: WheelHealth, spins: int) -> Iterator[WheelFinding]:
    """New findings as they come."""
    for spin, measures in wheel.spins(spins):
        yield from health.add(measures, touched=spin.said == "touched")


def found(wheel: MeasuredWheel, spins: int) -> list[WheelFinding]:
    return list(looked_at(wheel, WheelHealth(wheel.geometry), spins))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.campaign
def test_a_healthy_wheel_raises_nothing(seed: int) -> None:
    assert found(balanced(seed), 80) == []


@pytest.mark.parametrize("bent_deg", [0.35, -0.35, 0.8])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_bent_peg_is_named_by_one_spin(seed: int, bent_deg: float) -> None:
    wheel = balanced(seed)
    bent = {**wheel.settings.bent_pegs, 11: wheel.settings.bent_pegs.get(11, 0.0) + bent_deg}
    (finding,) = found(wheel.worn(bent_pegs=bent), 1)
    assert finding.sign is WheelSign.BENT_PEG
    assert finding.peg == 11
    assert finding.value == pytest.approx(bent_deg, abs=0.03)
    assert "The peg between sections #11 and #12" in str(finding)
