"""What differs from spin to spin, from peg to peg, and from one side of a wheel to the other."""

import numpy as np
import pytest

from hal.mock.clock import VirtualClock
from hal.mock.settings import WheelSettings
from hal.mock.wheel import WheelPhysics
from hal.mock.world import World

SECTIONS = 54


def physics(**options: object) -> WheelPhysics:
    chosen = {"sections": SECTIONS, "peg_error_deg": 0.0, **options}
    return WheelPhysics(WheelSettings.model_validate(chosen), np.random.default_rng(1))


@pytest.mark.parametrize("heavy_at_deg", [0.0, 130.0])
def test_a_wheel_out_of_balance_rests_more_often_with_its_heavy_side_down(heavy_at_deg: float) -> None:
    """It does where its weight can carry it back over a peg; a stout leather holds it on either side alike."""
    light = {"peg_j": 0.02, "friction_nm": 0.1, "imbalance_nm": 0.5}
    wheel, rng = physics(heavy_at_deg=heavy_at_deg, **light), np.random.default_rng(4)
    down = 0
    for spin in range(300):
        w2 = wheel.speed_for(SECTIONS * rng.uniform(3, 5))
        legs, _ = wheel.throw(0.5, None, 1 if spin % 2 else -1, w2)
        # The pointer is at the top: what stands there is opposite of what hangs below.
        top_deg = float(legs[-1].xs[-1]) * 360 / SECTIONS
        down += np.cos(np.radians(top_deg - heavy_at_deg)) < 0
    assert down > 240


def test_it_runs_faster_while_its_heavy_side_is_below() -> None:
    """Over half a turn downwards it gains as much as it loses over the half upwards: twice the torque."""
    even, odd = physics(), physics(imbalance_nm=0.2, heavy_at_deg=0.0)
    w2 = even.speed_for(4 * SECTIONS)
    falls = []
    for wheel in (even, odd):
        main = wheel.throw(0.0 + 0.5, None, 1, w2)[0][0]
        at = [main.speed_at(float(seconds)) ** 2 for seconds in main.times_at(np.array([SECTIONS, 1.5 * SECTIONS]))]
        falls.append((at[0] - at[1]) / wheel.w2_per_j)
    assert falls[0] - falls[1] == pytest.approx(2 * 0.2, abs=0.02)


def test_a_wheel_that_is_heavier_on_one_side_than_its_bearing_holds_rolls_down_by_itself() -> None:
    wheel = physics(imbalance_nm=0.4, heavy_at_deg=20.0)
    legs, _ = wheel.settle(0.5 + 20 / 360 * SECTIONS + 12, None)
    assert legs
    assert legs[0].direction == 1


def test_the_bearing_differs_from_spin_to_spin_by_as_much_as_was_said() -> None:
    ways = []
    for spread in (0.0, 0.05):
        head = World.of(VirtualClock()).fit_wheel(
            WheelSettings(sections=SECTIONS, friction_spread=spread, friction_nm=1.0)
        )
        frictions = []
        for _ in range(200):
            head.throw_about(200)
            frictions.append(head.physics.friction)
        ways.append(float(np.std(frictions) / np.mean(frictions)))
    assert ways[0] == 0
    assert ways[1] == pytest.approx(0.05, abs=0.01)


def test_the_leather_takes_more_from_one_peg_than_from_another() -> None:
    spreads = []
    for spread in (0.0, 0.05):
        wheel = physics(leather_spread=spread, drag_nm_s2=0.0)
        main = wheel.throw(0.5, None, 1, wheel.speed_for(4 * SECTIONS))[0][0]
        free = np.arange(1, 100) + 0.7
        w2 = np.array([main.speed_at(float(seconds)) ** 2 for seconds in main.times_at(free)])
        taken = -np.diff(w2) / wheel.w2_per_j
        assert taken.mean() == pytest.approx(0.2 + 0.25 * 2 * np.pi / SECTIONS, rel=0.02)
        spreads.append(float(taken.std() / 0.2))
    assert spreads[0] < 1e-3
    assert spreads[1] == pytest.approx(0.05, abs=0.012)
