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
from controller.tracking.motion import Travel


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
    return Ending(geometry, run, 0.0, False, last, origin, slipped=False, back=0)


def ended_so(geometry: WheelGeometry, trajectory: Trajectory, direction: int) -> Ending:
    """A wheel that was thrown in a direction and made this way."""
    run, middle = trajectory.run(direction)
    last = LastSections(trajectory.last_runs(), (), geometry.counts_per_turn)
    return Ending(geometry, run, middle, trajectory.lossy, last, 0, slipped=False, back=0)


def said(ending: Ending, *names: str) -> Text:
    """What the first of these detectors finds that finds a hand."""
    verdicts = ((name, DETECTORS[name](ending)) for name in names)
    return next((Text(name, figures) for name, figures in verdicts if figures is not None), NOTHING)


NS, MS = 1_000_000_000, 1_000_000

# -- by its energy -------------------------------------------------------------------------------------------------

LOSS = SpinLoss(section=187.0, air=0.0)
SECTIONS, COUNTS = 54, 10
"""Sections of the wheel, and counts of its encoder for each."""


def stopped(energy: float, before: float, way: int, bent: bool = False) -> Text:
    """What is said of a wheel with the energy for so many sections that stands so many sections too soon.

    Args:
        bent: a peg has opened the contact in the last count.
    """
    geometry = WheelGeometry(SECTIONS * COUNTS, 0, SECTIONS, losses=(LOSS, LOSS))
    pitch, whole = 360 / SECTIONS, math.sqrt(energy)
    ways = [(i + 1) / COUNTS for i in range(round((energy - before) * COUNTS))]
    stamps = [round(NS * 2 * pitch / math.sqrt(LOSS.section) * (whole - math.sqrt(energy - one))) for one in ways]
    made = Trajectory(geometry, 0, 0)
    made.moved(0, len(stamps), way, stamps, 0)
    ending = ended_so(geometry, made, way)
    contact = [(stamps[-1] - 1, way)] if bent else []
    return touch(replace(ending, last=LastSections(ending.last.runs, contact, geometry.counts_per_turn)))


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
    ("energy", "before", "bent", "said"),
    [
        *((energy, 0.1, False, NOTHING) for energy in (170.3, 170.8, 171.0)),
        *((170.8, before, True, NOTHING) for before in (0.1, 0.5, 0.9, 1.1)),
        *((170.8, before, False, text("stopped-fast", speed=speed)) for before, speed in ((0.9, 13), (1.1, 14))),
        *((170.3, before, True, text("stopped-short", sections=int(before))) for before in (2.2, 3.2, 6.0)),
    ],
)
def test_a_wheel_that_stands_too_soon_was_stopped_unless_a_peg_took_its_last_energy(
    energy: float, before: float, bent: bool, said: Text, way: int
) -> None:
    """A peg may take a section's, at once, and opens the contact: a void for it would take a winner's money."""
    assert stopped(energy, before, way, bent) == said


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


@given(st.lists(st.integers(1, 300), min_size=1, max_size=8, unique=True), st.sampled_from((1, -1)))
def test_how_far_it_went_back_after_its_longest_run(counts: list[int], way: int) -> None:
    """A leather pushes no wheel back by more than three sections. Runs of less than a section are no turning."""
    travel, at = Travel(0, TURN, SECTIONS), 0
    runs = [30 + count for count in counts]
    for number, run in enumerate(runs):
        at += way * run * (-1) ** number
        travel.advance(at, way * (-1) ** number)
    longest = max(range(len(runs)), key=runs.__getitem__)
    assert (travel.counts, travel.back) == (runs[longest], max(runs[longest + 1 :], default=0))
    ending = replace(ended(MEASURED, [CountRun(1, FREE, [0])]), back=travel.back)
    assert said(ending, "pushed-back").code == ("pushed-back" if travel.back > TURN * 3 // SECTIONS else "")


# -- by the times of its counts alone ------------------------------------------------------------------------------


def impossible(runs: list[CountRun], turn: int = 2880) -> str:
    ending = ended(WheelGeometry(turn, 0, SECTIONS), runs)
    return said(ending, "counted-at-once").code


def counted(direction: int, *seconds: float) -> CountRun:
    return CountRun(direction, 0, [round(at * NS) for at in seconds])


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
    ending = Ending(geometry, SpinRun(way, [], SECTIONS), 0.0, True, LastSections([], [], TURN), 0, True, 0)
    return cannot_have_passed(
        PegPass(way, 0, round(seconds * NS), range(10), True, energy * SECTION, None, 0), ending
    )


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


PITCH = TURN / SECTIONS
STRIKES, SLIPS = 2, 12
"""So many counts after the peg :data:`SIDE` opens the contact and closes it."""


def to_last_peg(part: float, way: int, energy: float, bent: int, back: int, pegs: int = 6) -> Ending:
    """A wheel that passes pegs, comes to the last one with so many sections' energy, and turns there.

    Args:
        part: of what a section takes, what bending the leather takes.
        bent: so many counts after the strike it turns,
        back: and goes back so many.
    """
    losses = SpinLoss(SECTION, 0), SpinLoss(SECTION, 0)
    geometry = WheelGeometry(TURN, 0, SECTIONS, places=Places(SIDE, SIDE), losses=losses)
    places = [round(peg * PITCH) for peg in range(1, pegs + 1)]
    last = places[-1] + STRIKES

    def bending(count: int) -> bool:
        return any(STRIKES <= count - place < SLIPS for place in places[:-1])

    takes = [SECTION * ((1 - part) / PITCH + part / (SLIPS - STRIKES) * bending(count)) for count in range(last)]
    left = [energy * SECTION + sum(takes[count:]) for count in range(last)] + [energy * SECTION] * (bent + back)
    entered_ns = [round(NS * at_s) for at_s in accumulate(360 / TURN / math.sqrt(one) for one in left)]
    turns = last + bent
    onward = CountRun(way, -(way < 0), entered_ns[:turns])
    rocked = CountRun(-way, onward.last - way, entered_ns[turns:])
    contact = [
        (entered_ns[place + beyond] - 1, way * (beyond == STRIKES))
        for place in places
        for beyond in (STRIKES, SLIPS)
        if place + beyond <= last
    ]
    return ended(geometry, [onward, rocked][: 1 + bool(back)], contact, SECTION)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_the_last_pegs_tell_what_bending_the_leather_takes(part: float, way: int) -> None:
    thrown = to_last_peg(part, way, 0.5, 5, 5)
    assert thrown.leather == pytest.approx(part, abs=0.03)
    assert to_last_peg(part, way, 0.5, 5, 5, pegs=3).leather is None
    narrow = replace(thrown.geometry, sections=60)
    assert replace(thrown, geometry=narrow).leather is None  # Of a section too little is free.


def test_a_peg_under_which_the_wheel_turned_does_not_tell_it() -> None:
    on, back, again = (
        run(way, first, begun * MS, [50] * 19) for way, first, begun in ((1, 0, 0), (-1, 18, 999), (1, 0, 1998))
    )
    passed = [(on.stamps[15], 1), (again.stamps[10], 0)]
    (turned,) = LastSections([on, back, again], passed, TURN).passes
    (straight,) = LastSections([on], [(on.stamps[8], 1), (on.stamps[12], 0)], TURN).passes
    assert (turned.entry is None, turned.after) == (False, None)
    assert straight.after is not None


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize(("part", "energy"), [(0.3, 0.25), (0.3, 0.18), (0.9, 0.7), (0.9, 0.55)])
def test_no_wheel_passes_a_peg_with_much_less_energy_than_the_others_took(
    part: float, energy: float, way: int
) -> None:
    ending = to_last_peg(part, way, 0.5, 5, 5)
    last = PegPass(way, 0, 0, range(10), True, energy * SECTION, None, 0)
    assert cannot_have_passed(last, ending) is (energy < 0.7 * part)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize(
    ("part", "energy", "bent", "possible"),
    [
        # Bent by half of the way to the slip: with the place where the peg touches, at most 0.63 of it.
        *((0.5, energy, 5, energy < 0.5) for energy in (0.1, 0.4, 0.6, 0.8)),
        *((0.9, energy, 5, energy < 0.6) for energy in (0.1, 0.5, 0.7)),
        # Not bent further than where the contact opens.
        *((part, energy, 0, energy < 0.3) for part in (0.5, 0.9) for energy in (0.1, 0.2, 0.5, 2.0)),
        # Bent almost to the slip.
        (0.5, 0.6, 9, True),
        (0.9, 0.9, 9, True),
        (0.1, 0.5, 9, True),  # Most of that is friction.
        (0.5, 1.0, 9, False),
    ],
)
def test_a_peg_turns_a_wheel_back_as_far_as_the_leather_takes_its_energy(
    part: float, energy: float, bent: int, possible: bool, way: int
) -> None:
    """A leather's energy grows with the square of its bend. Crossed lines, and dead ones, seem to turn it."""
    assert said(to_last_peg(part, way, energy, bent, 6), "turned-at-speed") == (
        NOTHING if possible else text("turned-at-speed")
    )


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize(("energy", "back", "trembles"), [(0.08, 1, True), (0.15, 1, False), (0.08, 5, False)])
def test_a_wheel_trembles_only_where_it_stands(energy: float, back: int, trembles: bool, way: int) -> None:
    """It goes back by a single count, and no peg touches the leather any more."""
    trembled = to_last_peg(0.6, way, energy, 6, back)
    assert trembled.trembled is trembles
    touched = [*trembled.last.contact, (trembled.last.runs[-1].stamps[-1], 0)]
    assert not replace(trembled, last=LastSections(trembled.last.runs, touched, TURN)).trembled
