"""What a hand, or a line that breaks, does to a wheel: by its marks, by the times of its last counts, at a peg."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.events.words import NOTHING, Text, text
from controller.tracking.clapper_wheel.energy import SpinLoss, SpinRun
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.hand import DETECTORS, Ending, cannot_have_passed, must_have_passed, touch
from controller.tracking.clapper_wheel.trajectory import (
    ContactEdge,
    CountRun,
    LastSections,
    PegPass,
    Trajectory,
)


def ended(
    geometry: WheelGeometry,
    runs: Sequence[CountRun],
    contact: Sequence[ContactEdge] = (),
    section: float = 0.0,
    origin: int = 0,
) -> Ending:
    """A wheel whose last sections were these; ``section`` is the squared speed that one takes, 0 if not known."""
    if section:
        geometry = replace(geometry, losses=(SpinLoss(section, 0.0), SpinLoss(section, 0.0)))
    run = SpinRun(1, [1.0] * 4, geometry.sections)
    last = LastSections(runs, contact, geometry.counts_per_turn)
    return Ending(geometry, run, 0.0, False, last, origin, slipped=False)


def ended_so(geometry: WheelGeometry, trajectory: Trajectory, direction: int) -> Ending:
    """A wheel that was thrown in a direction and made this way."""
    run, middle = trajectory.run(direction)
    last = LastSections(trajectory.last_runs(), (), geometry.counts_per_turn)
    return Ending(geometry, run, middle, trajectory.lossy, last, 0, slipped=False)


def said(ending: Ending, *names: str) -> Text:
    """What the first of these detectors finds that finds a hand."""
    verdicts = ((name, DETECTORS[name](ending)) for name in names)
    return next((Text(name, figures) for name, figures in verdicts if figures is not None), NOTHING)


NS, MS = 1_000_000_000, 1_000_000

# -- by its energy -------------------------------------------------------------------------------------------------

LOSS = SpinLoss(section=187.0, air=0.0)
SECTIONS, COUNTS = 54, 10
"""Sections of the wheel, and counts of its encoder for each."""


def stopped(energy: float, before: float, way: int) -> Text:
    """What is said of a wheel with the energy for so many sections that stands so many sections too soon."""
    geometry = WheelGeometry(SECTIONS * COUNTS, 0, SECTIONS, losses=(LOSS, LOSS))
    pitch, whole = 360 / SECTIONS, math.sqrt(energy)
    ways = [(i + 1) / COUNTS for i in range(round((energy - before) * COUNTS))]
    stamps = [round(NS * 2 * pitch / math.sqrt(LOSS.section) * (whole - math.sqrt(energy - one))) for one in ways]
    made = Trajectory(geometry, 0, 0)
    made.moved(0, len(stamps), way, stamps, 0)
    return touch(ended_so(geometry, made, way))


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("energy", [170.3, 170.8, 171.0])
@pytest.mark.parametrize("before", [0.1, 0.5, 0.9, 1.1])
def test_a_peg_that_takes_the_last_of_a_wheels_energy_is_no_hand(before: float, energy: float, way: int) -> None:
    """It may take a section's, at once: a void for it would take a winner's money."""
    assert stopped(energy, before, way) == NOTHING


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize(
    ("before", "said"),
    [
        (1.5, text("stopped-fast", speed=17)),
        *((how, text("stopped-short", sections=int(how))) for how in (2.2, 3.2, 6.0)),
    ],
)
def test_a_wheel_that_stands_too_soon_was_stopped_by_a_hand(before: float, said: Text, way: int) -> None:
    assert stopped(170.3, before, way) == said


# -- by its last counts --------------------------------------------------------------------------------------------

TURN = 1440
_FREE = PegSide(0, 800, 1200)
MEASURED = WheelGeometry(TURN, 7, SECTIONS, places=Places(_FREE, _FREE))
FREE = next(count for count in range(TURN) if not any(MEASURED.bends(count, way) for way in (1, -1)))
"""A count at which no peg bends the leather, whichever way the wheel came."""


def run(direction: int, first: int, begun_ns: int, waits_ms: Sequence[int]) -> CountRun:
    """Counts one after the other, so many milliseconds apart."""
    stamps = [begun_ns]
    for wait_ms in waits_ms:
        stamps.append(stamps[-1] + wait_ms * MS)
    return CountRun(direction, first, stamps)


def moved(runs: list[CountRun], section: float) -> str:
    return said(ended(MEASURED, runs, (), section), "pushed-back", "moved-on", "gained").code


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(("counts", "found"), [(2, ""), (3, "moved-on"), (4, "moved-on")])
def test_a_wheel_that_stood_free_of_the_pegs_and_runs_on_was_moved_on(
    counts: int, found: str, direction: int
) -> None:
    """It creeps, stands for half a second, and runs. By two counts a wheel at rest may tremble."""
    waits_ms = [100, 100, 100, 500, *[10] * counts]
    assert moved([run(direction, FREE - 3 * direction, 0, waits_ms)], 40.0) == found


@pytest.mark.parametrize(("counts", "found"), [(2, ""), (3, "pushed-back")])
def test_a_wheel_that_turns_back_where_no_peg_pushes_it_was_pushed(counts: int, found: str) -> None:
    comes = run(1, FREE - 20, 0, [40 + count for count in range(20)])
    back = run(-1, comes.last - 1, comes.stamps[-1] + 60 * MS, [60] * counts)
    assert moved([comes, back], 0.0) == found


@pytest.mark.parametrize(("faster", "found"), [(1.0, ""), (1.1, ""), (1.5, "gained")])
def test_a_wheel_that_becomes_faster_was_pushed_on(faster: float, found: str) -> None:
    assert moved([run(1, 5000, 0, [20] * 20 + [round(20 / faster)] * 20)], 0.0) == found


# -- by the times of its counts alone ------------------------------------------------------------------------------


def impossible(runs: list[CountRun], turn: int = 2880) -> str:
    ending = ended(WheelGeometry(turn, 0, SECTIONS), runs)
    return said(ending, "turned-at-speed", "counted-at-once").code


def counted(direction: int, *seconds: float) -> CountRun:
    return CountRun(direction, 0, [round(at * NS) for at in seconds])


def thrown_against(force: float, back: float, into: float, counts: int) -> list[CountRun]:
    """A wheel that turns ``into`` a count (0 to 1), slowed down by ``force`` and pushed back by a part of it."""
    there = [math.sqrt(2 * (count + into) / force) for count in range(counts)]
    return [
        counted(1, *(-at for at in reversed(there))),
        counted(-1, *(math.sqrt(2 * (count + into) / (force * back)) for count in range(counts))),
    ]


@given(st.floats(2, 4000), st.floats(0.2, 1), st.floats(0, 1), st.integers(1, 40))
def test_a_wheel_that_a_force_turns_back_can_do_that(force: float, back: float, into: float, counts: int) -> None:
    assert impossible(thrown_against(force, back, into, counts)) == ""


@given(st.floats(0.004, 0.2), st.integers(8, 40), st.integers(4, 40))
def test_a_wheel_that_turns_back_at_full_speed_cannot(step: float, before: int, after: int) -> None:
    """So it looks when A and B are crossed while it turns."""
    runs = [
        counted(1, *(step * count for count in range(before))),
        counted(-1, *(step * (before + count) for count in range(after))),
    ]
    assert impossible(runs) == "turned-at-speed"


@given(st.integers(0, 15))
def test_a_single_late_stamp_is_not_a_turn_at_speed(which: int) -> None:
    runs = thrown_against(40.0, 0.8, 0.5, 12)
    runs[which % 2].stamps[which // 2] += 3_000_000
    assert impossible(runs) == ""


@given(st.floats(0.03, 1), st.floats(0.03, 1), st.floats(0, 0.0005), st.integers(1, 6), st.integers(1, 6))
def test_two_counts_at_once_of_a_slow_wheel_are_lines_that_came_back(
    before: float, after: float, apart: float, earlier: int, later: int
) -> None:
    """A plug that was out for a while: both lines change as it is put in."""
    back = [before * earlier, before * earlier + apart]
    onward = [back[-1] + after * (count + 1) for count in range(later)]
    runs = [counted(1, *(before * count for count in range(earlier)), *back, *onward)]
    assert impossible(runs, 1600) == "counted-at-once"


@given(st.lists(st.floats(0.5, 1.5), min_size=8, max_size=8), st.floats(0.001, 0.5), st.integers(0, 7))
def test_uneven_lines_and_a_late_stamp_are_no_counts_at_once(widths: list[float], step: float, late: int) -> None:
    stamps = [round(step * sum(widths[:count]) * NS) for count in range(8)]
    stamps[late] = min([stamps[late] + 3_000_000, *stamps[late + 1 : late + 2]])
    assert impossible([CountRun(1, 0, stamps)]) == ""


# -- at a peg ------------------------------------------------------------------------------------------------------

TAKEN, SECTION = 100.0, 120.0
"""Squared speeds, (degrees/s)²: what bending the leather takes, and what a section takes."""
CLOSE, SLIP = 0.5, 3.0
SIDE = PegSide(500, 3000, 3000)


def with_losses(there: float, back: float) -> WheelGeometry:
    losses = SpinLoss(there, 0), SpinLoss(back, 0)
    return WheelGeometry(TURN, 0, SECTIONS, places=Places(SIDE, SIDE), losses=losses)


GEOMETRY = with_losses(SECTION, SECTION)


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
            contact.append((round(now * NS), int(bent)))
        if (entered := math.floor(at * TURN / 360)) != count:
            count = entered
            runs[-1].stamps.append(round(now * NS))
        if passed and at > SLIP + 1:
            break
    return [run for run in runs if run.stamps], contact, passed


def only_pass(runs: list[CountRun], contact: list[ContactEdge]) -> PegPass:
    (passed,) = LastSections(runs, contact, TURN).passes
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
    passed = PegPass(direction, 0, 20_000_000, range(10), True, 0.75 * SECTION)
    easy, hard = (with_losses(*losses[::direction]) for losses in ((SECTION / 2, 2 * SECTION), (2 * SECTION, 60)))
    assert must_have_passed(passed, easy)
    assert not must_have_passed(passed, hard)
    assert not cannot_have_passed(passed, easy)
    assert cannot_have_passed(passed, hard)
