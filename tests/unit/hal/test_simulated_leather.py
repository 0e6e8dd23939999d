"""Where and when the simulated clapper speaks: touch, switch, slip and delay, by direction and by speed."""

import numpy as np
import pytest

from hal.errors import HalError
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.edges import MockHead
from hal.mock.legs import Lean, LeatherRelease
from hal.mock.settings import WheelSettings
from hal.mock.world import World

SECTIONS = 54
DEG = SECTIONS / 360
EXACT = {
    "chatter_part": 0.0,
    "jitter_us": 0.0,
    "peg_error_deg": 0.0,
    "closing_delay_ms": 0.0,
    "opening_delay_ms": 0.0,
}
# A peg of 10 mm and a leather of 6 mm on 0.7 m: half of both is 0.6548 degrees.
LEATHER = {"peg_mm": 10.0, "leather_mm": 6.0, "peg_radius_m": 0.7, "threshold_deg": 0.4, "slip_deg": 2.5}
HALF_DEG = 0.6548


class Wheel:
    """A simulated wheel and the edges of its clapper."""

    def __init__(self, **options: object) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        chosen = {"sections": SECTIONS, **EXACT, **LEATHER, **options}
        self.head: MockHead = self.world.fit_wheel(WheelSettings.model_validate(chosen))
        self.edges: list[tuple[int, str]] = []
        self.head.start(self._take)

    def _take(self, batch: EdgeBatch) -> None:
        self.edges += zip(batch.timestamps_ns, batch.edges.decode(), strict=True)

    def clapper(self) -> list[tuple[int, str]]:
        """The clapper's edges since this was asked last."""
        self.head.poll()
        found = [edge for edge in self.edges if edge[1] in "Cc"]
        self.edges.clear()
        return found

    def rest(self) -> None:
        self.clock.advance_to(self.head.at_rest_ns + 20_000_000)

    def places_deg(self, direction: int, sections: float = 3.0, seconds: float = 30.0) -> list[tuple[str, float]]:
        """Turn by hand; the clapper's edges and how far from the middle of a peg they fell, in degrees."""
        self.rest()
        self.clapper()
        self.head.push(direction * sections, seconds)
        legs = list(self.head._legs)
        self.rest()
        return [
            (letter, _from_peg_deg(leg.position_at((at_ns - start_ns) / 1e9)))
            for at_ns, letter in self.clapper()
            for start_ns, leg in legs[:1]
        ]


def _from_peg_deg(x: float) -> float:
    return (x - round(x)) / DEG


def test_the_contact_closes_and_opens_on_the_side_from_which_the_peg_comes() -> None:
    wheel = Wheel()
    for direction in (1, -1):
        places = wheel.places_deg(direction)
        assert [letter for letter, _ in places] == ["C", "c"] * 3
        for letter, place_deg in places:
            bend_deg = 0.4 if letter == "C" else 2.5
            assert place_deg == pytest.approx(direction * (bend_deg - HALF_DEG), abs=0.01)


def test_a_leather_that_took_a_set_is_touched_later_one_way_and_earlier_the_other_and_slips_off_where_it_did() -> (
    None
):
    wheel = Wheel(set_deg=0.3)
    for direction in (1, -1):
        for letter, place_deg in wheel.places_deg(direction):
            expected_deg = 0.3 + direction * (0.4 - HALF_DEG) if letter == "C" else direction * (2.5 - HALF_DEG)
            assert place_deg == pytest.approx(expected_deg, abs=0.01)


@pytest.mark.parametrize("set_deg", [0.8, -0.8])
def test_a_leather_that_hangs_far_to_one_side_is_before_a_peg_that_has_not_touched_it(set_deg: float) -> None:
    """Whatever the middle of the peg has passed."""
    physics = Wheel(set_deg=set_deg).head.physics
    for peg in (7, 30):
        for off_deg in (-0.7, 0.7):
            at = peg + (set_deg + off_deg) * DEG
            assert physics.section(at, None) == (peg if off_deg > 0 else peg - 1)


def test_the_leather_cannot_swing_free_while_the_peg_is_beneath_it() -> None:
    wheel = Wheel(slip_deg=0.9)
    for direction in (1, -1):
        releases = [place_deg for letter, place_deg in wheel.places_deg(direction) if letter == "c"]
        assert releases == pytest.approx([direction * HALF_DEG] * 3, abs=0.01)


def test_the_delay_is_a_time_so_strikes_lie_the_later_the_faster_the_wheel() -> None:
    wheel = Wheel(closing_delay_ms=4.0, opening_delay_ms=2.0)
    slow, fast = wheel.places_deg(1, 3.0, 3.0), wheel.places_deg(1, 3.0, 0.5)
    # At mid-way 13 and 80 degrees a second: the second of three pegs.
    for (letter, slow_deg), (_, fast_deg) in zip(slow[2:4], fast[2:4], strict=True):
        place_deg = (0.4 if letter == "C" else 2.5) - HALF_DEG
        delay_s = 0.004 if letter == "C" else 0.002
        assert slow_deg == pytest.approx(place_deg + 13 * delay_s, abs=0.02)
        assert fast_deg == pytest.approx(place_deg + 78 * delay_s, abs=0.05)


def test_on_a_rock_back_it_opens_where_it_closed_less_the_hysteresis() -> None:
    wheel = Wheel(hysteresis_deg=0.15)
    wheel.head.throw_to(4 + (2.0 - HALF_DEG) * DEG)
    wheel.clock.advance_to(wheel.head._legs[0][0] + int(wheel.head._legs[0][1].duration_s * 1e9))
    wheel.clapper()
    (start_ns, back) = wheel.head._legs[-1]
    wheel.rest()
    (at_ns, letter), *others = wheel.clapper()
    assert letter == "c"
    assert not others
    assert _from_peg_deg(back.position_at((at_ns - start_ns) / 1e9)) == pytest.approx(0.25 - HALF_DEG, abs=0.01)


def test_the_leather_stays_bent_where_friction_holds_it() -> None:
    """What it gives back grows with the bend: it rests bent below the bend at which that is the friction."""
    wheel = Wheel(threshold_deg=0.2, hysteresis_deg=0.05)
    physics = wheel.head.physics
    bends_deg = []
    for stopped_deg in np.arange(0.1, 2.45, 0.05):
        legs, lean = physics.settle(5 + (stopped_deg - HALF_DEG) * DEG, Lean(5, 1))
        x = float(legs[-1].xs[-1]) if legs else 5 + (stopped_deg - HALF_DEG) * DEG
        bends_deg.append(physics.leather.bend(x, lean) / DEG if lean else 0.0)
    # 2 * 0.14 * 0.2 J / slip² * bend = 0.25 Nm at a bend of 0.487 degrees.
    assert max(bends_deg) == pytest.approx(0.487, abs=0.03)
    assert bends_deg[0] == pytest.approx(0.1, abs=1e-3)
    assert bends_deg[-1] == 0.0


def test_a_bent_peg_is_met_where_it_stands_and_a_missing_one_not_at_all() -> None:
    wheel = Wheel(bent_pegs={2: 1.2}, missing_pegs=(3,))
    strikes = [place_deg for letter, place_deg in wheel.places_deg(1, 4.0) if letter == "C"]
    assert strikes == pytest.approx([0.4 - HALF_DEG, 1.6 - HALF_DEG, 0.4 - HALF_DEG], abs=0.01)
    head = wheel.head
    for x, section in ((1.9, 1), (2 + 1.0 * DEG, 1), (2 + 1.4 * DEG, 2), (2.9, 2), (3.1, 3)):
        assert head.physics.section(x, None) == section


def test_a_leather_that_has_not_slipped_off_hangs_before_its_peg_however_far_it_is_bent() -> None:
    wheel = Wheel()
    wheel.world.throw_onto(7, 1.0, 1)
    wheel.rest()
    assert wheel.head.true_stand() == (6, True)
    wheel.world.throw_onto(7, 1.0, -1)
    wheel.rest()
    assert wheel.head.true_stand() == (7, True)


def test_where_the_leather_slips_off_may_be_given_from_the_middle_of_the_peg_as_a_tables_file_does() -> None:
    assert WheelSettings(contact_deg=2.0).slips_off_deg == pytest.approx(2.6, abs=0.01)
    assert WheelSettings(contact_deg=2.0, slip_deg=1.5).slips_off_deg == 1.5


def test_a_wheel_that_cannot_be_built_is_refused() -> None:
    with pytest.raises(HalError, match="before its switch closes at threshold_deg"):
        Wheel(threshold_deg=1.5, slip_deg=1.4)
    with pytest.raises(HalError, match="bend the leather at once"):
        Wheel(sections=120, slip_deg=3.2)
    with pytest.raises(HalError, match="bent past each other"):
        Wheel(sections=120, slip_deg=1.0, bent_pegs={4: 3.0})


@pytest.mark.parametrize("way", [1, -1])
def test_the_last_release_says_from_which_peg_and_how(way: int) -> None:
    wheel = Wheel(restitution=0.9, friction_nm=0.01)
    leather = wheel.head.physics.leather
    slipped = LeatherRelease(way * 3, way, True)
    touch, slip = leather.touch(way * 3, way), leather.sides[way].slip
    begin, behind = touch - way * 1.2, touch + way * (slip + 0.05)
    assert leather.released(begin, None, way, touch - way * 0.01) == LeatherRelease(way * 2, way, True)
    assert leather.released(touch - way * 0.01, None, way, touch + way * slip / 2) is None
    assert leather.released(begin, None, way, behind) == slipped
    lean = Lean(way * 3, way)
    assert leather.released(touch + way * slip / 2, lean, way, behind) == slipped
    back = LeatherRelease(way * 3, way, False)
    assert leather.released(touch + way * slip / 2, lean, -way, touch + way * slip / 4) is None
    assert leather.released(touch + way * slip / 2, lean, -way, touch - way * 0.01) == back
