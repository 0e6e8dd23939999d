"""What a recording says of its wheel: it is measured as it was built, and what is wrong with it is named."""

import math
import random
from collections.abc import Callable

import pytest
from recorded_wheel import CALIBRATED, Edge, Recorded, RecordedWheel

from controller.commissioning.wheel_recording import MeasurementError
from controller.commissioning.wheel_spins import fit
from controller.games.big_six.game import ORDER
from controller.runtime.trackers import clapper_places
from controller.tracking.clapper_wheel.energy import SpinLoss, SpinRun
from controller.tracking.clapper_wheel.trajectory import LastSections
from hal.mock.clock import NS_PER_S
from hal.mock.settings import WheelSettings

SECTIONS = len(ORDER)
COUNTS, COUNTS_PER_DEG = 1440, 4


def wheel_with(**built: object) -> RecordedWheel:
    return RecordedWheel(WheelSettings.model_validate({"sections": SECTIONS, "seed": 3, **built}))


def apart_deg(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


@pytest.mark.parametrize(
    ("counts", "offset", "mirrored"),
    [(720, 240, False), (4096, 1365, True), (1440, 0, False), (1440, 1, True), (1440, 1439, True)],
)
def test_figures_are_those_of_the_wheel_wherever_its_index_is(counts: int, offset: int, mirrored: bool) -> None:
    wheel = wheel_with(
        counts_per_turn=counts,
        index_offset_counts=offset,
        reversed=mirrored,
        peg_error_deg=0.3,
        runout_deg=0.25,
        runout_at_deg=200,
        strike_delay_ms=2.0,
        release_delay_ms=3.0,
        threshold_deg=0.4,
    )
    found, built, true_deg = wheel.calibrated().wheel, wheel.settings, wheel.head.physics.peg_at
    clapper = found.clapper
    assert clapper is not None
    assert clapper.measured == CALIBRATED.isoformat()
    assert apart_deg((found.index_offset_counts - offset) * 360 / counts, 0) <= max(0.25, 360 / counts)
    assert found.reversed == mirrored
    opens, slips = (angle - built.half_deg for angle in (built.threshold_deg, built.slip_deg))
    for way in ("clockwise", "counterclockwise"):
        strikes, least, most = (
            float(getattr(places, way))
            for places in (clapper.strikes_deg, clapper.releases_from_deg, clapper.releases_to_deg)
        )
        assert strikes == pytest.approx(opens, abs=0.05)
        assert slips - 0.25 < least < slips < most < slips + 0.25
    assert float(clapper.strike_delay_ms) == pytest.approx(2, abs=0.3)
    assert float(clapper.release_delay_ms) == pytest.approx(3, abs=0.3)
    assert float(clapper.runout_deg) == pytest.approx(0.25, abs=0.1)
    off = [
        error / 1000 - (true_deg(peg) - peg) * 360 / SECTIONS
        for peg, error in enumerate(clapper_places(clapper).pegs_mdeg)
    ]
    assert max(off) - min(off) < 2 * 0.25 + 0.2, "what is left beside each peg's own error is the encoder's"


# -- what is wrong with a wheel ------------------------------------------------------------------------------


def refused(wheel: RecordedWheel, recorded: Recorded | None = None) -> str:
    with pytest.raises(MeasurementError) as refusal:
        wheel.calibrated(recorded)
    return str(refusal.value)


def beside(peg: int) -> str:
    return f"between sections #{(peg - 1) % SECTIONS + 1} and #{peg % SECTIONS + 1}"


@pytest.mark.parametrize(("peg", "bent_deg", "mirrored"), [(0, 1.0, False), (20, -1.1, True), (53, 1.2, False)])
def test_a_bent_peg_is_named_and_measured(peg: int, bent_deg: float, mirrored: bool) -> None:
    wheel = wheel_with(bent_pegs={peg: bent_deg}, peg_error_deg=0, index_offset_counts=500, reversed=mirrored)
    found = wheel.calibrated()
    (warning,) = found.warnings
    assert warning.startswith(f"the peg {beside(peg)} is bent by ")
    assert float(warning.split()[-2]) == pytest.approx(bent_deg, abs=0.15)
    assert found.wheel.clapper is not None
    assert float(found.wheel.clapper.pegs_deg[peg]) == pytest.approx(bent_deg, abs=0.15)


@pytest.mark.parametrize(("samples_ns", "warned"), [(400_000, True), (101_317, True), (20_833, False)])
def test_a_recorder_whose_samples_are_too_far_apart_is_named(samples_ns: int, warned: bool) -> None:
    wheel = wheel_with()
    recorded = wheel.record().edited(lambda edge: (edge[0], edge[1] // samples_ns * samples_ns))
    said = [f"edges are stamped every {samples_ns / 1e6:.2f} ms"] * warned
    assert [warning.partition(":")[0] for warning in wheel.calibrated(recorded).warnings] == said


@pytest.mark.parametrize(("heavy_at_deg", "share"), [(0, 0.0), (0, 0.2), (100, 0.2), (250, 0.2)])
def test_a_wheel_out_of_balance_is_named_with_the_sector_that_it_favours(heavy_at_deg: float, share: float) -> None:
    """The wheel rests the more often where it lifts the heavy spot: a quarter of the wheel away from it."""
    even = WheelSettings(sections=SECTIONS)
    section_j = even.peg_j + even.friction_nm * 2 * math.pi / SECTIONS
    torque = share * section_j * SECTIONS / (2 * math.pi)
    warnings = wheel_with(imbalance_nm=torque, heavy_at_deg=heavy_at_deg).calibrated().warnings
    if not share:
        assert warnings == ()
        return
    words = warnings[0].split()
    assert words[:6] == "The wheel is out of balance:".split()
    assert float(words[8].rstrip("%")) / 100 == pytest.approx(share, abs=0.06)
    named = [int(word.lstrip("#")) for word in words if word[0] == "#"]
    for section, way in zip(named, (-1, 1), strict=False):
        assert apart_deg((section - 0.5) * 360 / SECTIONS, heavy_at_deg + way * 90) < 15


@pytest.mark.parametrize(
    ("built", "fault", "words"),
    [
        ({"bent_pegs": {12: 2.0}}, (), (f"the peg {beside(12)} is bent by +1.",)),
        *(
            ({"missing_pegs": pegs}, (), ("missing", *(f"the peg {beside(peg)}" for peg in pegs)))
            for pegs in ((0,), (53,), (5, 30))
        ),
        ({}, ("overflow", 7), ("edges were lost",)),
        ({}, ("slip", 0.05), ("counts",)),
    ],
)
def test_what_has_to_be_repaired_first(
    built: dict[str, object], fault: tuple[str, float], words: tuple[str, ...]
) -> None:
    wheel = wheel_with(peg_error_deg=0, index_offset_counts=700, **built)
    if fault:
        wheel.world.fault(fault[0], amount=fault[1])
    said = refused(wheel)
    assert all(word in said for word in words)
    assert said.count("the peg between") == sum("the peg" in word for word in words)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda edge, act: None if edge in "Cc" else edge, "the clapper's contact never changed"),
        (lambda edge, act: None if edge in "Zz" else edge, "the index was not seen in two turns"),
        (
            lambda edge, act: edge.swapcase() if edge in "Cc" else edge,
            "it works the wrong way round (use its other terminal)",
        ),
        *(
            (
                lambda edge, act, deaf=deaf: None if edge in "Cc" and act % 2 == deaf else edge,
                f"turning {name}, no peg opens the contact: it is on the wrong side of the leather",
            )
            for deaf, name in enumerate(("clockwise", "counterclockwise"))
        ),
    ],
)
def test_lines_that_are_wrong_are_named(edit: Callable[[str, int], str | None], words: str) -> None:
    """By what they do in which act of the technician."""
    wheel = wheel_with()
    recorded = wheel.record()

    def edited(edge: Edge) -> Edge | None:
        letter = edit(edge[0], sum(end_ns < edge[1] for end_ns in recorded.ends_ns))
        return None if letter is None else (letter, edge[1])

    recorded.levels["C"] ^= edit("C", 0) == "c"
    assert words in refused(wheel, recorded.edited(edited))


def test_a_clapper_that_is_too_loose() -> None:
    """It opens its contact anywhere within two degrees behind each peg's place."""
    wheel = wheel_with(chatter_part=0)
    recorded, rng = wheel.record(), random.Random(1)
    recording = recorded.fed(wheel.in_file())
    trajectory = LastSections(recording.runs, (), COUNTS)
    late_ns = {
        struck_ns: round(rng.uniform(0, 2) * COUNTS_PER_DEG / trajectory.speed(struck_ns, 4) * NS_PER_S)
        for struck_ns, strikes in recording.contact.edges
        if strikes and trajectory.place(struck_ns) is not None
    }
    loose = recorded.edited(lambda edge: ("C", edge[1] + late_ns.get(edge[1], 0)) if edge[0] == "C" else edge)
    assert "the clapper is too loose" in refused(wheel, loose)


@pytest.mark.parametrize(
    ("left_out", "words"),
    [
        ((0, 2), "the wheel was not turned clockwise far enough"),
        ((1, 3), "the wheel was not turned counterclockwise far enough"),
        ((2, 3), "the wheel was not thrown"),
    ],
)
def test_a_wheel_that_was_not_turned_and_thrown_each_way(left_out: tuple[int, int], words: str) -> None:
    """From slow turns alone, a contact's delay would be a guess."""
    wheel = wheel_with()
    acts = [act for place, act in enumerate(wheel.acts()) if place not in left_out]
    assert words in refused(wheel, wheel.record(acts))


# -- what a throw loses --------------------------------------------------------------------------------------------

PITCH = 360 / SECTIONS


def thrown(loss: SpinLoss, fastest: float = 240) -> SpinRun:
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
def test_what_is_lost_in_proportion_to_the_speed_is_found_and_true_of_a_faster_throw(loss: SpinLoss) -> None:
    found = fit(thrown(loss))
    assert found is not None
    assert found.section == pytest.approx(loss.section, rel=0.06)
    assert found.drag == pytest.approx(loss.drag, rel=0.3)
    faster, line = thrown(loss, 320), thrown(loss).line()
    assert line is not None
    assert max(map(abs, faster.unlike(found))) < 0.6
    assert max(map(abs, faster.unlike(line))) > 2
