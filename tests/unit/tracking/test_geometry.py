"""Where pegs strike, hold and release the leather: by brute force over every count of a turn and more."""

import pytest

from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry

SECTIONS = 54
# The leather hangs off centre: it is bent further one way than the other.
PLACES = Places(PegSide(400, 1500, 1900), PegSide(-250, 700, 1100))
GEOMETRIES = [WheelGeometry(turn, 7, SECTIONS, places=PLACES) for turn in (1440, 4096)]
WHEELS = pytest.mark.parametrize("wheel", GEOMETRIES, ids=lambda wheel: str(wheel.counts_per_turn))


@WHEELS
@pytest.mark.parametrize("direction", [1, -1])
def test_the_leather_may_be_bent_from_where_a_peg_may_strike_to_where_it_slips_off(
    wheel: WheelGeometry, direction: int
) -> None:
    """The first and the last count of it included."""
    turn, bent = wheel.counts_per_turn, set()
    for peg in range(-2, SECTIONS + 3):
        ends = (*wheel.reopen_at(peg, direction), *wheel.slip_at(peg, direction))
        bent |= set(range(min(ends), max(ends) + 1))
    assert [count for count in range(turn) if wheel.bends(count, direction)] == sorted(bent & set(range(turn)))


@WHEELS
@pytest.mark.parametrize("section", [-1, 0, 30, 53, 54])
def test_between_two_pegs_the_clapper_may_hang_free_up_to_where_either_may_strike(
    wheel: WheelGeometry, section: int
) -> None:
    """Coming back from the peg above it strikes the one below, going on the one above."""
    assert wheel.free_in(section) == (wheel.strike_at(section, -1)[0], wheel.strike_at(section + 1, 1)[1])
