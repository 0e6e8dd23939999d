"""A peg takes energy of a wheel, and time: who passes it, and who turns back, by the times of counts alone."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tracking.clapper_wheel.energy import SpinLoss
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.hand import cannot_have_passed, must_have_passed
from controller.tracking.clapper_wheel.way import ContactEdge, CountRun, LastWay, PegPass

TURN, SECOND = 1440, 1_000_000_000
TAKEN, SECTION = 100.0, 120.0
"""Squared speeds, (degrees/s)²: what bending the leather takes, and what a section takes."""
CLOSE, SLIP = 0.5, 3.0
SIDE = PegSide(500, 3000, 3000)
GEOMETRY = WheelGeometry(
    TURN, 0, 54, places=Places(SIDE, SIDE), losses=(SpinLoss(SECTION, 0), SpinLoss(SECTION, 0))
)


def against_a_peg(energy: float, gives_back: float = 0.3) -> tuple[list[CountRun], list[ContactEdge], bool]:
    """A wheel with so much energy before a peg whose leather is a spring; whether it passes the peg."""
    rate = math.sqrt(TAKEN) / SLIP
    speed, at, now, step = math.sqrt(energy), -2.9, 0.0, 200e-6
    runs, contact = [CountRun(1, -12, [0])], list[ContactEdge]()
    closed, passed = False, False
    count, direction = -12, 1
    while direction > 0 or at > -1.0:
        pull = -(rate**2) * at if 0 < at < SLIP and not passed else 0.0
        speed += (pull * (gives_back if direction < 0 else 1.0)) * step
        at += speed * step
        now += step
        if speed < 0 < direction:
            direction = -1
            runs.append(CountRun(-1, count - 1, []))
        passed = passed or at >= SLIP
        bent = CLOSE <= at < SLIP and not passed
        if bent != closed:
            closed = bent
            contact.append((round(now * SECOND), int(bent)))
        if (entered := math.floor(at * TURN / 360)) != count:
            count = entered
            runs[-1].stamps.append(round(now * SECOND))
        if passed and at > SLIP + 1:
            break
    return [run for run in runs if run.stamps], contact, passed


def only_pass(runs: list[CountRun], contact: list[ContactEdge]) -> PegPass:
    (passed,) = LastWay(runs, contact, TURN).passes
    return passed


def crossed(runs: list[CountRun]) -> list[CountRun]:
    """As if A and B were crossed when the wheel turned: it seems to go on."""
    stamps = [at_ns for run in runs for at_ns in run.stamps]
    return [CountRun(1, runs[0].first, stamps)]


@pytest.mark.parametrize("energy", [105, 120, 150, 300, 2000])
def test_a_wheel_that_passes_a_peg_had_the_energy_and_the_time(energy: float) -> None:
    runs, contact, passed = against_a_peg(energy)
    assert passed
    assert not cannot_have_passed(only_pass(runs, contact), GEOMETRY)


@pytest.mark.parametrize("energy", [15, 30, 50, 70, 85, 95, 98])
def test_a_wheel_that_turned_back_cannot_have_passed_the_peg(energy: float) -> None:
    """Whatever its lines say of its direction."""
    runs, contact, passed = against_a_peg(energy)
    assert not passed
    assert cannot_have_passed(only_pass(crossed(runs), contact), GEOMETRY)


@settings(max_examples=25, deadline=None)
@given(st.floats(10, 98), st.floats(0.1, 0.6))
def test_no_rock_back_ends_as_soon_as_a_pass_does(energy: float, gives_back: float) -> None:
    runs, contact, _ = against_a_peg(energy, gives_back)
    assert not must_have_passed(only_pass(runs, contact), GEOMETRY)


@pytest.mark.parametrize("direction", [1, -1])
def test_each_direction_has_losses_of_its_own(direction: int) -> None:
    """A leather that is bent more easily one way."""
    easy, hard = SpinLoss(SECTION / 2, 0), SpinLoss(2 * SECTION, 0)
    passed = PegPass(direction, 0, 20_000_000, range(10), True, 0.75 * SECTION)

    def geometry(there: SpinLoss, back: SpinLoss) -> WheelGeometry:
        losses = (there, back) if direction > 0 else (back, there)
        return WheelGeometry(TURN, 0, 54, places=Places(SIDE, SIDE), losses=losses)

    assert must_have_passed(passed, geometry(easy, hard))
    assert not must_have_passed(passed, geometry(hard, easy))
    assert not cannot_have_passed(passed, geometry(easy, hard))
    assert cannot_have_passed(passed, geometry(hard, easy))
