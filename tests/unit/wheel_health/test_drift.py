"""Findings by simulation of known size: each named in time, and none of a healthy wheel."""

import random
from array import array
from collections.abc import Iterator

import pytest
from campaigns.measured_wheel import MeasuredWheel, void_by_wear

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.wheel_health.drift import WheelHealth
from controller.wheel_health.findings import WheelFinding, WheelSign
from controller.wheel_health.measures import measure

SEEDS = (0, 3, 5, 42)
SPINS_A_DAY = 1000


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


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.campaign
def test_a_kernel_that_is_held_up_now_and_then_is_no_wear(seed: int) -> None:
    """For up to 3 ms, about once in 2 s: the edges of that time get the stamp of its end."""
    wheel, rng = balanced(seed), random.Random(seed)
    health = WheelHealth(wheel.geometry)
    for _ in range(40):
        _, levels, edges, stamps = wheel.recorded()
        late, held_to = array("q"), 0
        for at_ns, before_ns in zip(stamps, array("q", [stamps[0]]) + stamps, strict=False):
            if rng.random() < (at_ns - before_ns) / 2e9:
                held_to = at_ns + rng.randrange(3_000_000)
            late.append(max(at_ns, held_to))
        measures = measure(levels, edges, late, wheel.geometry)
        if measures is not None:
            assert health.add(measures) == []
    assert health.spins > 30


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.campaign
def test_an_imbalance_that_favours_a_sector_by_5_percent_is_named_within_200_spins(seed: int) -> None:
    finding = next(looked_at(balanced(seed).out_of_balance(0.05, 90.0), WheelHealth(balanced(seed).geometry), 200))
    assert finding.sign is WheelSign.IMBALANCE
    assert finding.value == pytest.approx(0.05, abs=0.01)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.campaign
def test_the_sector_that_is_named_is_the_one_in_which_the_wheel_rests(way: int) -> None:
    """By counting where a wheel rests that is far out of balance."""
    wheel = balanced(5).out_of_balance(0.5, 90.0)
    finding = next(looked_at(wheel, WheelHealth(wheel.geometry), 200))
    named = {1: "#1 turning counterclockwise", -1: "#28 turning clockwise"}[way]
    assert named in finding.what
    section = {1: 0, -1: 27}[way]
    near = rests = 0
    for _, measures in wheel.spins(160):
        if measures.direction == way:
            rests += 1
            near += (
                min((wheel.head.true_stand()[0] - section) % 54, (section - wheel.head.true_stand()[0]) % 54) <= 13
            )
    assert near / rests > 0.58, "half of them on a wheel in balance"


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


def test_a_peg_that_is_gone_is_named_by_one_spin() -> None:
    (finding,) = found(balanced(0).worn(missing_pegs=(0,)), 1)
    assert finding.sign is WheelSign.MISSING_PEG
    assert "The peg between sections #54 and #1" in str(finding)


@pytest.mark.parametrize("more", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.campaign
def test_losses_that_change_are_named(seed: int, more: bool) -> None:
    """By 12%, once: the bearing's dirt, or the leather's softness."""
    wheel = balanced(seed)
    by = {"peg_j": wheel.settings.peg_j - 0.12 * wheel.section_j}
    if more:
        by = {"friction_nm": wheel.settings.friction_nm + 0.12 * wheel.section_j * wheel.sections / 6.2832}
    finding = next(looked_at(wheel.worn(**by), WheelHealth(wheel.geometry), 200))
    assert finding.sign is WheelSign.LOSSES
    assert ("more" in finding.what) is more
    assert abs(finding.value) == pytest.approx(0.12, abs=0.05)


def drifts(seed: int, simulated: int) -> tuple[dict[WheelSign, int], int]:
    """A clapper that drifts 0.1 degrees a week: on which day what was found, and that of the first spin void by it.

    Args:
        simulated: of a day's thousand spins; each counts for as many as are left out.
    """
    wheel = balanced(seed)
    health = WheelHealth(wheel.geometry)
    named: dict[WheelSign, int] = {}
    for day in range(70):
        for spin, measures in wheel.worn(set_deg=wheel.settings.set_deg + 0.1 * day / 7).spins(simulated):
            if void_by_wear(spin):
                return named, day
            for _ in range(SPINS_A_DAY // simulated):
                for one in health.add(measures):
                    named.setdefault(one.sign, day)
    return named, 70


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [3, 5])
def test_a_clapper_that_drifts_is_announced_before_the_first_void(seed: int) -> None:
    named, void = drifts(seed, simulated=10)
    assert 3 < min(named.values()) < void - 2
    assert named[WheelSign.STRIKES] < void


def test_what_was_found_once_is_not_found_again() -> None:
    wheel = balanced(0).worn(missing_pegs=(3,))
    health = WheelHealth(wheel.geometry)
    assert [len(list(looked_at(wheel, health, 1))) for _ in range(3)] == [1, 0, 0]
    assert len(health.findings) == 1


def test_a_wheel_that_was_not_calibrated_has_no_health() -> None:
    with pytest.raises(ValueError, match="not calibrated"):
        WheelHealth(WheelGeometry(1440, 0, 54))


@pytest.mark.parametrize("seed", SEEDS)
def test_one_late_stamp_is_no_bent_peg(seed: int) -> None:
    """A kernel that is held up for 25 ms while one strike comes: its speed, and so its delay, is not known."""
    wheel = balanced(seed)
    _, levels, edges, stamps = wheel.recorded()
    strikes = [at_ns for letter, at_ns in zip(edges, stamps, strict=True) if letter == ord("C")]
    from_ns = strikes[len(strikes) // 2]
    to_ns = from_ns + 25_000_000
    late = array("q", (to_ns if from_ns <= at_ns < to_ns else at_ns for at_ns in stamps))
    measures = measure(levels, edges, late, wheel.geometry)
    assert measures is not None
    assert max(map(abs, measures.pegs_deg)) < 0.03
    assert WheelHealth(wheel.geometry).add(measures) == []
