"""A clapper whose line says that it hangs free lies where no peg closes the contact: by the last strikes."""

import pytest

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.last_strikes import LastStrikes
from controller.tracking.clapper_wheel.places import assumed

GEOMETRY = WheelGeometry(3600, 0, 54, places=assumed(2400))
BENT = 2
"""Counts, of a tenth of a degree, by which a peg may have been bent since it was measured."""


def place(peg: int, direction: int) -> int:
    first, last = GEOMETRY.strike_at(peg, direction)
    return (first + last) // 2


def struck(off: int, strikes: int = 5, direction: int = 1, geometry: WheelGeometry = GEOMETRY) -> LastStrikes:
    """Strikes of the last pegs, each so many counts beyond its calibrated place."""
    last = LastStrikes(geometry)
    for peg in range(strikes):
        last.add(peg, direction, place(peg, direction) + direction * off)
    return last


@pytest.mark.parametrize("off", [-2, 0, 2])
def test_beyond_the_place_of_the_next_strike_the_contact_would_be_closed(off: int) -> None:
    """Wherever that place has drifted to."""
    last = struck(off)
    at = place(8, 1) + off
    assert not last.bent_in(7, at + BENT)
    assert last.bent_in(7, at + BENT + 1)


def test_so_it_is_at_the_peg_behind_when_the_wheel_last_turned_the_other_way() -> None:
    last = struck(0, direction=-1)
    assert not last.bent_in(7, place(7, -1) - BENT)
    assert last.bent_in(7, place(7, -1) - BENT - 1)


def test_a_few_strikes_say_nothing() -> None:
    assert not struck(0, strikes=3).bent_in(7, place(8, 1) + 20)


def test_a_position_that_was_found_anew_says_nothing_of_strikes_before() -> None:
    last = struck(0)
    last.forget()
    assert not last.bent_in(7, place(8, 1) + 20)


def test_of_a_wheel_that_is_not_calibrated_each_peg_has_a_place_of_its_own() -> None:
    """Up to 0.3 degrees beside that of the others: their strikes say nothing of it."""
    assert not struck(0, geometry=WheelGeometry(3600, 0, 54)).bent_in(7, place(8, 1) + 20)
