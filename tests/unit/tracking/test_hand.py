"""What a hand, or a line that breaks, does to a wheel: by its marks, by the times of its last counts, at a peg."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.events.words import NOTHING, Text, text
from controller.tracking.clapper_wheel.energy import SpinLoss, SpinRun, uneven
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.hand import DETECTORS, Ending, cannot_have_passed, touch
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
    run = SpinRun(runs[0].direction if runs else 1, [1.0] * 4, geometry.sections)
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


@pytest.mark.parametrize("seed", range(20))
def test_marks_that_are_stamped_a_little_off_are_no_hand(seed: int) -> None:
    """By 20 microseconds at most: on a fast wheel, the energy of a section."""
    rng, sections = random.Random(seed), 60
    loss = SpinLoss(section=140.0, air=0.05, spread=1.0)
    energies = [loss.section / 2]
    while len(energies) <= 7 * sections:
        energies.append(energies[-1] * (1 + loss.air / sections) + loss.section)
    ends = pairwise(reversed(energies))
    took_s = accumulate(2 * 360 / sections / (math.sqrt(one) + math.sqrt(other)) for one, other in ends)
    stamps = [at_s + rng.uniform(-2e-5, 2e-5) for at_s in took_s]
    speeds = [(360 / sections / (other - one)) ** 2 for one, other in pairwise(stamps)]
    assert uneven(SpinRun(1, speeds, sections), loss) is None


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize(
    ("energy", "before", "said"),
    [
        *((energy, before, NOTHING) for energy in (170.3, 170.8, 171.0) for before in (0.1, 0.5, 0.9, 1.1)),
        (170.3, 1.5, text("stopped-fast", speed=17)),
        *((170.3, before, text("stopped-short", sections=int(before))) for before in (2.2, 3.2, 6.0)),
    ],
)
def test_a_wheel_that_stands_too_soon_was_stopped_unless_a_peg_took_its_last_energy(
    energy: float, before: float, said: Text, way: int
) -> None:
    """A peg may take a section's, at once: a void for it would take a winner's money."""
    assert stopped(energy, before, way) == said


@pytest.mark.parametrize(
    ("sections", "figures"),
    [(0, None), (5, None), (30, {"slow": 148, "fast": 162}), (300, {"slow": 148, "fast": 277})],
)
def test_a_wheel_that_is_pushed_again(sections: int, figures: dict[str, int] | None) -> None:
    """By so many sections' loss after two turns: less than that is found by comparing turns."""
    speeds = [40_000 - mark * LOSS.section + (mark > 100) * sections * LOSS.section for mark in range(200)]
    ending = replace(ended(MEASURED, [], section=LOSS.section), run=SpinRun(1, speeds, SECTIONS))
    assert DETECTORS["pushed-again"](ending) == figures


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


COMES = run(1, FREE - 20, 0, [40 + count for count in range(20)])


@pytest.mark.parametrize(
    ("runs", "section", "found"),
    [
        # It creeps, stands for half a second, and runs. By two counts a wheel at rest may tremble.
        *(
            ([run(way, FREE - 3 * way, 0, [100, 100, 100, 500, *[10] * counts])], 40.0, found)
            for way in (1, -1)
            for counts, found in ((2, ""), (3, "moved-on"), (4, "moved-on"))
        ),
        # A stamp that comes late makes no pause.
        ([run(1, FREE - 3, 0, [100, 100, 100, 340, *[10] * 4])], 40.0, ""),
        # It turns back where no peg pushes it.
        *(
            ([COMES, run(-1, COMES.last - 1, COMES.stamps[-1] + 60 * MS, [60] * counts)], 0.0, found)
            for counts, found in ((2, ""), (3, "pushed-back"))
        ),
        # It becomes faster.
        *(
            ([run(1, 5000, 0, [20] * 20 + [round(20 / faster)] * 20)], 0.0, found)
            for faster, found in ((1.0, ""), (1.1, ""), (1.5, "gained"))
        ),
    ],
)
def test_a_wheel_that_a_hand_moves_at_its_end(runs: list[CountRun], section: float, found: str) -> None:
    assert said(ended(MEASURED, runs, (), section), "pushed-back", "moved-on", "gained").code == found


def test_a_wheel_that_turned_back_before_all_that_is_looked_at_was_pushed() -> None:
    back = ended(MEASURED, [run(-1, FREE, 0, [30] * 40)])
    thrown = replace(back, run=replace(back.run, direction=1))
    assert [said(ending, "pushed-back").code for ending in (back, thrown)] == ["", "pushed-back"]


# -- by the times of its counts alone ------------------------------------------------------------------------------


def impossible(runs: list[CountRun], turn: int = 2880) -> str:
    ending = ended(WheelGeometry(turn, 0, SECTIONS), runs)
    return said(ending, "turned-at-speed", "counted-at-once").code


def counted(direction: int, *seconds: float) -> CountRun:
    return CountRun(direction, 0, [round(at * NS) for at in seconds])


@given(st.floats(0.004, 0.2), st.integers(8, 40), st.integers(4, 40))
def test_a_wheel_that_turns_back_at_full_speed_cannot(step: float, before: int, after: int) -> None:
    """So it looks when A and B are crossed while it turns."""
    runs = [
        counted(1, *(step * count for count in range(before))),
        counted(-1, *(step * (before + count) for count in range(after))),
    ]
    assert impossible(runs) == "turned-at-speed"


@given(st.floats(0.03, 1), st.floats(0.03, 1), st.floats(0, 0.0005), st.integers(1, 6), st.integers(1, 6))
def test_two_counts_at_once_of_a_slow_wheel_are_lines_that_came_back(
    before: float, after: float, apart: float, earlier: int, later: int
) -> None:
    """A plug that was out for a while: both lines change as it is put in."""
    back = [before * earlier, before * earlier + apart]
    onward = [back[-1] + after * (count + 1) for count in range(later)]
    runs = [counted(1, *(before * count for count in range(earlier)), *back, *onward)]
    assert impossible(runs, 1600) == "counted-at-once"


# -- at a peg ------------------------------------------------------------------------------------------------------

SECTION = 120.0
"""The squared speed that a section takes, (degrees/s)²."""
SIDE = PegSide(500, 3000, 3000)


def at_peg(energy: float, seconds: float, there: float = SECTION, back: float = SECTION, way: int = 1) -> bool:
    """Whether a wheel cannot have passed a peg with so many sections' energy before it."""
    losses = SpinLoss(there, 0), SpinLoss(back, 0)
    geometry = WheelGeometry(TURN, 0, SECTIONS, places=Places(SIDE, SIDE), losses=losses)
    ending = Ending(geometry, SpinRun(way, [], SECTIONS), 0.0, True, LastSections([], [], TURN), 0, True)
    return cannot_have_passed(PegPass(way, 0, round(seconds * NS), range(10), True, energy * SECTION), ending)


@pytest.mark.parametrize(
    ("energy", "seconds", "cannot"),
    [
        (0.4, 0.4, True),  # Bending the leather takes more.
        (0.75, 0.5, False),
        (0.75, 0.6, True),  # On average it would be less than half as fast under the peg.
        (4.0, 0.1, False),
    ],
)
def test_energy_and_time_tell_whether_a_wheel_passed_a_peg(energy: float, seconds: float, cannot: bool) -> None:
    assert at_peg(energy, seconds) is cannot


@pytest.mark.parametrize("way", [1, -1])
def test_each_direction_has_losses_of_its_own(way: int) -> None:
    """A leather that is bent more easily one way."""
    easy, hard = ((SECTION / 2, 2 * SECTION)[::way], (2 * SECTION, SECTION / 2)[::way])
    assert not at_peg(0.75, 0.02, *easy, way)
    assert at_peg(0.75, 0.02, *hard, way)
