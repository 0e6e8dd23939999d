"""The measure of a spin that each rest carries, on simulated wheels; and the alert before drift voids a spin."""

from collections.abc import Iterator

import numpy as np
import pytest
from campaigns.fleet_wheel import FleetWheel
from fleet import draw_wheel
from recorded_wheel import RecordedWheel

from controller.events.event import Event, Health, SensorHealth, WheelRested
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.mock.physics import Physics

SEED = 4
"""Its index is not joined with the encoder's lines: no count of doubt."""
BUILT = draw_wheel(SEED).model_copy(update={"imbalance_nm": 0.0})
THRESHOLD_DEG = BUILT.threshold_deg


@pytest.fixture(scope="module")
def geometry() -> WheelGeometry:
    return FleetWheel(SEED, settings=BUILT).geometry


def thrown(wheel: FleetWheel) -> WheelRested:
    wheel.throw()
    wheel.end()
    return next(event for event in wheel.events if isinstance(event, WheelRested))


def rests(geometry: WheelGeometry, **changed: float) -> Iterator[WheelRested]:
    """Of four throws of the wheel with other parts."""
    wheel = FleetWheel(SEED, settings=BUILT.model_copy(update=changed), calibrated=geometry)
    return (thrown(wheel) for _ in range(4))


@pytest.mark.parametrize(
    ("changed", "late_mdeg", "loss_permille"),
    [({}, (-20, 20), (960, 1040)), ({"threshold_deg": THRESHOLD_DEG + 0.15}, (120, 180), (960, 1040)),
     ({"friction_nm": BUILT.friction_nm * 2}, (-20, 20), (1080, 2000))],
)  # fmt: skip
def test_what_moved_and_what_rubs_shows_in_the_measure_of_the_direction(
    geometry: WheelGeometry,
    changed: dict[str, float],
    late_mdeg: tuple[int, int],
    loss_permille: tuple[int, int],
) -> None:
    for rested in rests(geometry, **changed):
        measure = rested.measure
        assert measure is not None
        ways = {"clockwise": measure.clockwise_mdeg, "counterclockwise": measure.counterclockwise_mdeg}
        late = ways.pop(rested.direction.value if rested.direction else "")
        assert late is not None
        assert late_mdeg[0] < late < late_mdeg[1]
        assert loss_permille[0] < (measure.loss_permille or 0) < loss_permille[1]


def test_a_leather_that_drifts_is_announced_before_it_voids_a_spin_and_once(geometry: WheelGeometry) -> None:
    wheel, events, said = RecordedWheel(BUILT), list[Event](), list[SensorHealth]()
    tracker = WheelTracker(geometry, wheel.head.levels())
    wheel.head.start(lambda batch: events.extend(tracker.feed(batch)))
    wheel.turn(1.3)
    for spin in range(200):
        wheel.free()
        events.clear()
        tracker.tick(wheel.clock.now_ns())
        worn = BUILT.model_copy(update={"threshold_deg": THRESHOLD_DEG + 0.004 * spin})
        wheel.head.physics = Physics(worn, np.random.default_rng(worn.seed))
        wheel.throw(4.2 if spin % 2 else -4.4)
        events += tracker.tick(wheel.clock.now_ns())
        if any(isinstance(event, WheelRested) and event.fault is not None for event in events):
            break
        said += [event for event in events if isinstance(event, SensorHealth)]
    assert spin < 199
    assert [(one.sensor, one.health) for one in said] == [("clapper", Health.DEGRADED)]
