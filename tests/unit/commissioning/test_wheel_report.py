"""What is found on simulated wheels that changed since their calibration and that it finds nothing else."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from fleet import draw_wheel
from recorded_wheel import CALIBRATED, RecordedWheel

from config.schema import WheelSection
from controller.commissioning.roulette_report import BallRun, roulette_report
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording
from controller.commissioning.wheel_report import WheelReport, clapper_report
from controller.tracking.roulette.rotor import RotorGeometry
from hal.mock.settings import WheelSettings

TURNS = (4.1, -4.7, 5.2, -3.9)


@dataclass(frozen=True)
class CalibratedWheel:
    """A wheel as it was built, and its section of the table's file."""

    built: WheelSettings
    wheel: WheelSection
    sections: int

    def spun(self, turns: tuple[float, ...] = TURNS, **changed: object) -> list[WheelRecording]:
        """Spins of this wheel with other parts."""
        worn = RecordedWheel(self.built.model_copy(update=changed))
        return [worn.record([partial(worn.throw, way)]).fed(self.wheel) for way in turns]

    def turned(self, **changed: object) -> WheelRecording:
        """Three turns by hand, as fast as a throw."""
        wheel = RecordedWheel(self.built.model_copy(update=changed))
        return wheel.record([partial(wheel.head.turn, 3.0 * self.sections, 6.0), wheel.rest]).fed(self.wheel)

    def report(self, **changed: object) -> WheelReport:
        spins = [*self.spun(**changed), self.turned(**changed)]
        return clapper_report(spins, self.wheel, self.sections)

    def drifted(self, **changed: object) -> dict[str, str]:
        """The figures that have drifted, with what to do."""
        return {one.name: one.remedy for one in self.report(**changed).figures if one.remedy}


def calibrated(seed: int, **built: object) -> CalibratedWheel:
    wheel = RecordedWheel(draw_wheel(seed).model_copy(update={"imbalance_nm": 0.0, **built}))
    return CalibratedWheel(wheel.settings, wheel.calibrated().wheel, wheel.head.sections)


@pytest.fixture(scope="module")
def wheel() -> CalibratedWheel:
    return calibrated(3)


@pytest.mark.parametrize("seed", [0, 3, 4, 6, 8])
def test_of_an_unchanged_wheel_nothing_has_drifted(seed: int) -> None:
    """Whether its index is joined with the encoder's lines, or not."""
    healthy = calibrated(seed)
    report = healthy.report()
    assert [str(one) for one in report.figures if one.remedy] == []
    assert not report.drifted
    assert report.title == f"calibrated {CALIBRATED}: 4 spins measured"
    values = {one.name: one for one in report.figures}
    for way in ("clockwise", "counterclockwise"):
        strikes = values[f"strike {way}"]
        assert strikes.now == pytest.approx(strikes.before, abs=0.03)


STRIKES, RELEASES, SECTIONS = (
    [f"{name} {way}" for way in ("clockwise", "counterclockwise")]
    for name in ("strike", "release", "section takes")
)
BETWEEN = "the peg between sections "


@pytest.mark.parametrize(
    ("part", "change", "names", "remedy"),
    [
        ("threshold_deg", lambda was: was + 0.2, STRIKES, "Look at the leather"),
        ("slip_deg", lambda was: was - 0.8, RELEASES, "Look at the leather"),
        ("strike_delay_ms", lambda was: was + 1, ["strike delay"], "Look at the contact and its wire"),
        ("runout_deg", lambda was: was + 0.2, ["encoder is out of centre by"], "See that the encoder and its coup"),
        ("friction_nm", lambda was: was * 1.8, SECTIONS, "Clean and grease"),
        ("bent_pegs", lambda was: {0: was.get(0, 0.0) + 0.4}, [f"{BETWEEN}#54 and #1"], "It is bent or loose."),
        ("bent_pegs", lambda was: {53: was.get(53, 0.0) - 0.5}, [f"{BETWEEN}#53 and #54"], "It is bent or loose."),
        ("missing_pegs", lambda was: (30,), [f"{BETWEEN}#30 and #31"], "It did not open the contact"),
    ],
)
def test_what_has_drifted_is_named_with_what_to_do_and_nothing_else(
    wheel: CalibratedWheel, part: str, change: Any, names: list[str], remedy: str
) -> None:
    found = wheel.drifted(**{part: change(getattr(wheel.built, part))})
    assert sorted(found) == names
    assert all(text.startswith(remedy) for text in found.values())


def test_a_leather_that_hangs_to_one_side_moves_both_places_along_the_rim() -> None:
    wheel = calibrated(4)
    found = {one.name: one for one in wheel.report(set_deg=wheel.built.set_deg + 0.2).figures}
    ways = [found[f"strike {way}"] for way in ("clockwise", "counterclockwise")]
    moved = [(one.now or 0) - (one.before or 0) for one in ways]
    assert all(one.remedy for one in ways)
    assert moved[0] == pytest.approx(-moved[1], abs=0.05)
    assert abs(moved[0]) == pytest.approx(0.2, abs=0.05)


def test_a_heavy_spot_is_named_with_where_it_is(wheel: CalibratedWheel) -> None:
    section_j = wheel.built.peg_j + wheel.built.friction_nm * 2 * math.pi / wheel.sections
    torque = 0.15 * section_j * wheel.sections / (2 * math.pi)
    found = wheel.drifted(imbalance_nm=torque, heavy_at_deg=100)
    assert list(found) == ["best section is favoured by"]
    heavy = int(found["best section is favoured by"].partition("near section #")[2].split()[0])
    assert abs(heavy - 100 * 54 / 360) < 3


def test_a_wheel_that_is_thrown_one_way_only_is_measured_that_way() -> None:
    wheel = calibrated(4)
    one_way = (4.0, 4.6, 5.1)
    assert not clapper_report(wheel.spun(one_way), wheel.wheel, wheel.sections).drifted
    moved = wheel.spun(one_way, threshold_deg=wheel.built.threshold_deg + 0.2)
    found = [one.name for one in clapper_report(moved, wheel.wheel, wheel.sections).figures if one.remedy]
    assert found == ["strike counterclockwise"]


def test_too_few_spins_are_refused_with_how_many_are_needed(wheel: CalibratedWheel) -> None:
    with pytest.raises(MeasurementError, match=r"^1 of 2 spins of two turns or more that are needed$"):
        clapper_report(wheel.spun((4.0,)), wheel.wheel, wheel.sections)
    lost = wheel.spun()
    for one in lost[1:]:
        one.lost = 1
    with pytest.raises(MeasurementError, match=r"^1 of 2 .* needed; left out: 3 \(edges were lost\)$"):
        clapper_report(lost, wheel.wheel, wheel.sections)


# -- roulette ----------------------------------------------------------------------------------------------------


def ran(share: float, rotor: float = 1.0, ball: float = 15.0, runs: int = 40) -> list[BallRun]:
    return [BallRun(place < share * runs, rotor, ball) for place in range(runs)]


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        (ran(0.25), []),
        (ran(0.4), []),
        (ran(0.8), ["balls that drop from ball_1 to ball_2"]),
        (ran(0.25, runs=20) + ran(0.25, rotor=1.5, runs=20), ["rotor loses"]),
        (ran(0.25, runs=20) + ran(0.25, ball=22, runs=20), ["ball loses"]),
    ],
)
def test_a_roulette_wheel_is_compared_with_a_level_one_and_with_itself(runs: Any, names: list[str]) -> None:
    report = roulette_report(runs, RotorGeometry(4000))
    assert [one.name for one in report.figures if one.remedy] == names
    assert len(report.figures) == 3


def test_too_few_balls_are_refused() -> None:
    with pytest.raises(MeasurementError, match="19 of 20 spins whose ball left the track by itself"):
        roulette_report(ran(0.25, runs=19), RotorGeometry(4000))
