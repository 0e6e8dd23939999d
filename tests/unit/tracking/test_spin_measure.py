"""The measure of a spin that each rest carries, on simulated wheels; and the alert before drift voids a spin."""

from collections.abc import Iterator
from datetime import date

import pytest
from fleet import draw_wheel
from recorded_wheel import RecordedWheel

from config.schema import WheelSection
from controller.commissioning.wheel_calibration import calibrate
from controller.events.event import Event, Health, SensorHealth, SpinMeasure, WheelRested
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch
from hal.mock.settings import WheelSettings

SEED = 4
"""Its index is not joined with the encoder's lines: no count of doubt."""


@pytest.fixture(scope="module")
def calibrated() -> tuple[WheelSettings, WheelSection]:
    wheel = RecordedWheel(draw_wheel(SEED).model_copy(update={"imbalance_nm": 0.0}))
    recording = wheel.record().fed(wheel.in_file())
    found = calibrate(recording, wheel.head.sections, wheel.section, date(2026, 1, 1))
    return wheel.settings, found.wheel


class TrackedWheel:
    """A wheel, and a tracker that keeps its geometry when the wheel changes."""

    def __init__(self, built: WheelSettings, section: WheelSection) -> None:
        self.built = built
        self.wheel = RecordedWheel(built)
        self.events: list[Event] = []
        self.tracker = WheelTracker(geometry(section, self.wheel.head.sections), self.wheel.head.levels())
        self.wheel.head.start(self._feed)
        self.wheel.turn(1.3)
        self._tick()

    def _feed(self, batch: EdgeBatch) -> None:
        self.events += self.tracker.feed(batch)

    def _tick(self) -> None:
        self.events += self.tracker.tick(self.wheel.clock.now_ns())

    def change(self, **parts: float) -> None:
        self.wheel.free()
        self._tick()
        self.wheel.head.refit(self.built.model_copy(update=parts))

    def thrown(self, turns: float) -> WheelRested:
        self.events.clear()
        self.wheel.throw(turns)
        self._tick()
        return next(event for event in self.events if isinstance(event, WheelRested))

    def measures(self) -> Iterator[SpinMeasure]:
        for turns in (4.2, -4.8, 5.1, -3.7):
            measure = self.thrown(turns).measure
            assert measure is not None
            yield measure


def test_a_spin_measures_its_own_direction_and_is_as_calibrated(
    calibrated: tuple[WheelSettings, WheelSection],
) -> None:
    for place, measure in enumerate(TrackedWheel(*calibrated).measures()):
        turned, other = measure.counterclockwise_mdeg, measure.clockwise_mdeg
        turned, other = (other, turned) if place % 2 else (turned, other)
        assert other is None
        assert abs(turned or 0) < 20
        assert abs(measure.widest_mdeg) < 60
        assert abs((measure.loss_permille or 0) - 1000) < 40


def test_what_moved_and_what_rubs_shows_in_the_measure(calibrated: tuple[WheelSettings, WheelSection]) -> None:
    built, _ = calibrated
    worn = TrackedWheel(*calibrated)
    worn.change(threshold_deg=built.threshold_deg + 0.15, friction_nm=built.friction_nm * 2)
    for measure in worn.measures():
        for late in (measure.clockwise_mdeg, measure.counterclockwise_mdeg):
            assert late is None or abs(late - 150) < 30
        assert (measure.loss_permille or 0) > 1080


def test_of_a_wheel_that_was_not_calibrated_nothing_is_measured(
    calibrated: tuple[WheelSettings, WheelSection],
) -> None:
    built, section = calibrated
    assert TrackedWheel(built, section.model_copy(update={"clapper": None})).thrown(4.2).measure is None


def test_a_leather_that_drifts_is_announced_before_it_voids_a_spin_and_once(
    calibrated: tuple[WheelSettings, WheelSection],
) -> None:
    built, _ = calibrated
    wheel, announced = TrackedWheel(*calibrated), 0
    for spin in range(200):
        wheel.change(threshold_deg=built.threshold_deg + 0.004 * spin)
        rested = wheel.thrown(4.2 if spin % 2 else -4.4)
        said = [event for event in wheel.events if isinstance(event, SensorHealth)]
        if rested.fault is not None:
            break
        assert all((one.sensor, one.health) == ("clapper", Health.DEGRADED) for one in said)
        announced += len(said)
    assert rested.fault is not None
    assert announced == 1
