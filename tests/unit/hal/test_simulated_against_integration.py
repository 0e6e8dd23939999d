"""The simulated wheel's closed form against SciPy's integration of the same equations."""

import math

import numpy as np
import pytest
from wheel_integration import Integration

from hal.mock.fleet import draw_wheel
from hal.mock.legs import Motion
from hal.mock.settings import WheelSettings
from hal.mock.wheel import WheelPhysics

FLEET = 24
MARGIN = 5e-5
"""Two throws this part of a speed apart must end alike, or the spin was at a fork and says nothing."""


def drawn(seed: int) -> tuple[WheelSettings, WheelPhysics]:
    """A wheel of the fleet. Its leather takes the same from each peg, for the integration knows no other."""
    settings = draw_wheel(seed).model_copy(update={"leather_spread": 0.0})
    return settings, WheelPhysics(settings, np.random.default_rng(seed))


def position_deg(motion: Motion, seconds: float, sections: int) -> float:
    """Where the simulated wheel is."""
    legs = motion[0]
    for leg in legs:
        if seconds < leg.duration_s:
            return leg.position_at(seconds) * 360 / sections
        seconds -= leg.duration_s
    return float(legs[-1].xs[-1]) * 360 / sections


def end(motion: Motion, wheel: WheelPhysics) -> tuple[int, bool, int]:
    """The section, whether the leather is on a peg, and how often the wheel turned back."""
    legs, lean = motion
    return wheel.section(float(legs[-1].xs[-1]), lean), lean is not None, len(legs)


def compared(seed: int, turns: float, direction: int) -> float | None:
    """The largest difference on the way, in degrees; None at a fork. Both must end alike.

    Between nodes the closed form takes the torque as constant: a few milliseconds in a spin.
    """
    settings, wheel = drawn(seed)
    w2 = wheel.speed_for(turns * wheel.sections)
    motion = wheel.throw(0.5, None, direction, w2)
    ends = {end(wheel.throw(0.5, None, direction, w2 * (1 + 2 * part)), wheel) for part in (-MARGIN, MARGIN)}
    if ends != {end(motion, wheel)}:
        return None
    section_rad = 2 * math.pi / wheel.sections
    pegs_rad = [float(place) * section_rad for place in wheel.pegs.there]
    other = Integration(settings, pegs_rad, 0.5 * section_rad)
    other.run(direction * math.sqrt(w2) * section_rad)
    place = wheel.section(other.track[-1][1] / section_rad, motion[1] if other.touch else None)
    assert (place, other.touch is not None) == end(motion, wheel)[:2]
    return max(
        abs(math.degrees(angle) - position_deg(motion, seconds, wheel.sections))
        for seconds, angle in other.track[:: max(1, len(other.track) // 400)] + other.track[-1:]
    )


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.campaign
def test_the_closed_form_is_where_the_integration_is(direction: int) -> None:
    found = [compared(seed, 3.1 + seed % 4, direction) for seed in range(FLEET)]
    off_deg = sorted(one for one in found if one is not None)
    assert len(off_deg) > 0.7 * FLEET
    assert off_deg[len(off_deg) // 2] < 0.06
    assert off_deg[-1] < 0.15
