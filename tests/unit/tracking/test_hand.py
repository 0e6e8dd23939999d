"""What a hand did to a wheel, by its marks: from how many of them on, and how much too soon it stopped."""

import math
from collections.abc import Sequence

import pytest
from endings import ended_so

from controller.events.words import NOTHING, Text, text
from controller.tracking.clapper_wheel.energy import SpinLoss
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.hand import touch
from controller.tracking.clapper_wheel.way import Way

NS = 1_000_000_000
LOSS = SpinLoss(section=187.0, air=0.0)
SECTIONS, COUNTS = 54, 10
"""Sections of the wheel, and counts of its encoder for each."""


def moved(geometry: WheelGeometry, way: int, stamps: Sequence[int]) -> Way:
    """What is known of a wheel that has moved by a count at each of these times."""
    made = Way(geometry, 0)
    made.moved(0, len(stamps), way, stamps, 0)
    return made


def ran(energy: float, sections: float) -> list[int]:
    """When each count was entered by a wheel with the energy for so many sections that stands after fewer."""
    pitch = 360 / SECTIONS
    ways = [(i + 1) / COUNTS for i in range(round(sections * COUNTS))]
    whole = math.sqrt(energy)
    return [round(NS * 2 * pitch / math.sqrt(LOSS.section) * (whole - math.sqrt(energy - way))) for way in ways]


def stopped(energy: float, before: float, way: int) -> Text:
    """What is said of a wheel that stands so many sections before its energy is spent."""
    geometry = WheelGeometry(SECTIONS * COUNTS, 0, SECTIONS, losses=(LOSS, LOSS))
    return touch(ended_so(geometry, moved(geometry, way, ran(energy, energy - before)), way))


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
