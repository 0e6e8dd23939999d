"""The peg that was struck last, where the wheel stands and is thrown again from there.

Wheels of the fleet whose honest spins locked the table in the honest campaign, one in a hundred thousand.
"""

from decimal import Decimal

import pytest
from campaigns.fleet_wheel import FleetWheel
from open_tables import Shipped

from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.passage import Passage


def passage(seed: int) -> Passage:
    return Passage(FleetWheel(seed).geometry)


def test_a_peg_that_touches_the_leather_before_the_encoder_moves_is_no_turn() -> None:
    """The wheel has rocked back to the very count of the strike, and is thrown on from there."""
    rocked = passage(2000282)
    rocked.struck(-2839, -1, -42414)
    rocked.turned_back(-42415, 1)
    rocked.released(-42414, -42414)
    assert rocked.rest_position(-42414, False)[2] is None
    rocked.rested(-42414)
    rocked.struck(-2839, -1, -42414)
    rocked.released(-42414, -42414)
    rocked.chattered()
    rocked.turned_back(-42414, -1)
    rocked.released(-42417, -42417)
    assert rocked.fault is None
    assert rocked.slipped


@pytest.mark.parametrize(("counts", "sound"), [(1, True), (2, True), (3, False)])
def test_bent_leather_that_pushes_a_wheel_at_rest_by_a_count_or_two_does_not_turn_it(
    counts: int, sound: bool
) -> None:
    """At rest is what moves by no more than two counts. Further, only a broken line lets the leather slip."""
    bent = passage(2000415)
    bent.struck(-67, -1, -3759)
    bent.rested(-3781)
    bent.turned_back(-3781, 1)
    bent.turned_back(-3781 + counts, -1)
    bent.released(-3781, -3781)
    assert bent.slipped is sound
    *_, fault = bent.rest_position(-3781, False)
    assert (fault and fault.found.code) == (None if sound else "turned-free")
    assert bent.fault is None  # The next strike tells.


@pytest.mark.parametrize("rests", [True, False])
def test_a_wheel_that_rests_where_the_encoder_cannot_tell_the_section_may_be_thrown_either_way(rests: bool) -> None:
    """Slip and rock-back lie at the same counts. One that turns there without a rest has rocked back, or a hand has
    turned it after the slip: the next strike may be that of either side."""
    either = passage(2000425)
    either.struck(-3875, -1, -57930)
    either.released(-57931, -57931)
    if rests:
        assert either.rest_position(-57932, False) == (None, 13, None)
        either.rested(-57932)
    either.turned_back(-57932, 1)
    assert either.backed_off is not rests
    assert either.strike(-57930, 1) == (-3875, None)


@pytest.mark.parametrize(
    ("at", "slipped", "back"), [(-57936, True, False), (-57935, True, False), (-57934, False, True)]
)
def test_where_a_wheel_turned_with_the_clapper_free_tells_the_section(at: int, slipped: bool, back: bool) -> None:
    """If only one of the two can be free there; slip and rock-back lie at the same counts on this wheel."""
    either = passage(2000425)
    either.struck(-3875, -1, -57930)
    either.released(-57931, -57931)
    either.turned_back(at, 1)
    assert (either.slipped, either.backed_off) == (slipped, back)


@pytest.mark.parametrize("contact_deg", ["0.6", "1.4", "2.4"])
@pytest.mark.parametrize("way", [1, -1])
def test_an_uncalibrated_leather_slips_off_where_the_file_says_and_not_before(
    shipped: Shipped, contact_deg: str, way: int
) -> None:
    """A contact that is shorted while a peg bends the leather closes sooner, and the wheel rocks back."""
    wheel = shipped("dreamcatcher").wheel
    assert wheel is not None
    built = geometry(wheel.model_copy(update={"contact_deg": Decimal(contact_deg)}), 54)
    degree = built.counts_per_turn / 360
    struck = int(built.strike_place(3, way))
    slips = []
    for counts in range(int(4 * degree)):
        passage = Passage(built)
        passage.struck(3, way, struck)
        passage.released(struck + way * counts, struck + way * counts)
        slips.append(passage.slipped)
    first = slips.index(True)
    assert all(slips[first:])
    assert abs(first / degree - float(contact_deg)) <= float(wheel.tolerance_deg) + 1 / degree


def test_before_any_strike_the_count_alone_says_the_section_or_the_nearest_peg() -> None:
    sections, turn, index = 54, 1440, 7
    side = PegSide(0, 800, 1200)
    passage = Passage(WheelGeometry(turn, index, sections, places=Places(side, side)))
    found = [passage.rest_position(count, bent=False) for count in range(turn)]
    for count, (section, boundary, fault) in enumerate(found):
        along = (count + index + 0.5) * sections / turn
        assert fault is None
        if boundary is None:
            assert section == int(along) % sections
        else:
            assert boundary == round(along) % sections
    assert {boundary for _, boundary, _ in found} == {None, *range(sections)}
