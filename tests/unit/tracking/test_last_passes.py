"""A peg takes energy of a wheel, and time: who passes it, and who turns back, by the times of counts alone."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tracking.clapper_wheel.energy import SpinLoss
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.hand import cannot_have_passed
from controller.tracking.clapper_wheel.rest import must_have_passed
from controller.tracking.clapper_wheel.way import ContactEdge, CountRun, LastWay, PegPass

TURN, SECOND = 1440, 1_000_000_000
TAKEN, SECTION = 100.0, 120.0
"""Squared speeds, (degrees/s)²: what bending the leather takes, and what a section takes."""
TOUCH, CLOSE, SLIP = 0.0, 0.5, 3.0
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


def test_a_contact_that_opens_soon_before_a_fast_wheel_has_turned_did_not_open_by_a_rock_back() -> None:
    runs, _, _ = against_a_peg(90)
    closed_ns = runs[0].stamps[-10]
    contact = [(closed_ns, 1), (closed_ns + 20_000_000, 0)]
    assert must_have_passed(only_pass(runs, contact), GEOMETRY)


def mirrored(runs: list[CountRun]) -> list[CountRun]:
    """The same way in the other direction: count 0 lies on the other side of its border."""
    return [CountRun(-run.direction, -run.first - 1, list(run.stamps)) for run in runs]


@pytest.mark.parametrize("energy", [50, 120])
def test_a_wheel_that_turns_the_other_way_was_at_the_mirrored_places(energy: float) -> None:
    runs, _, _ = against_a_peg(energy)
    way, other = LastWay(runs, (), TURN), LastWay(mirrored(runs), (), TURN)
    moments = range(runs[0].stamps[0], runs[-1].stamps[-1], SECOND // 50)
    seen = [(way.place(at_ns), other.place(at_ns)) for at_ns in moments]
    assert any(one is not None for one, _ in seen)
    for one, back in seen:
        assert (back is None) == (one is None)
        if one is not None and back is not None:
            assert back == (pytest.approx(-one[0]), -one[1])


def test_how_far_a_wheel_went_on_while_the_contact_was_closed_is_known_unless_it_turned() -> None:
    went_on, turned = (only_pass(*against_a_peg(energy)[:2]) for energy in (150, 50))
    assert len(went_on.onward or ()) == round((SLIP - CLOSE) * TURN / 360)
    assert went_on.goes_on
    assert turned.onward is None
    assert not turned.goes_on


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
