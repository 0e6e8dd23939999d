"""The measures of one spin, against what the simulated wheel is known to be."""

import math
from collections.abc import Sequence
from statistics import fmean

import pytest
from campaigns.measured_wheel import MeasuredWheel

from controller.wheel_health.drift import HEAVY_ALLOWED
from controller.wheel_health.measures import SpinMeasures, measure

SEEDS = (0, 3, 5, 42)
"""Coarse encoders and fine ones, an index of every kind, 54 and 20 sections."""


@pytest.fixture(params=SEEDS)
def wheel(request: pytest.FixtureRequest) -> MeasuredWheel:
    return MeasuredWheel(request.param)


def both_ways(wheel: MeasuredWheel, count: int = 12) -> list[SpinMeasures]:
    measured = [measures for _, measures in wheel.spins(count)]
    assert {measures.direction for measures in measured} == {1, -1}
    return measured


def test_a_new_wheel_is_as_calibrated(wheel: MeasuredWheel) -> None:
    count_deg = 360 / wheel.geometry.counts_per_turn
    for measures in both_ways(wheel):
        # An index on an edge of the encoder's may have been taken for the count before, or after.
        off = measures.strike_deg - round(measures.strike_deg / count_deg) * count_deg * measures.index_on_edge
        assert abs(off) < 0.03
        assert abs(measures.release_deg - measures.strike_deg) < 0.03
        assert measures.loss_ratio == pytest.approx(1, abs=0.04)
        assert max(map(abs, measures.pegs_deg)) < 0.03
        assert measures.missed == ()
        assert sum(measures.passages) == pytest.approx(measures.turns * wheel.sections, abs=2)
        assert 0 < measures.width_deg < 5


def test_a_leather_that_hangs_to_one_side_moves_the_places_one_way(wheel: MeasuredWheel) -> None:
    """Touched so much later by a wheel that turns counterclockwise, and earlier clockwise."""
    new = {m.direction: m.strike_deg for m in both_ways(wheel)}
    old = {m.direction: m for m in both_ways(wheel.worn(set_deg=wheel.settings.set_deg + 0.2))}
    for way in (1, -1):
        assert old[way].strike_deg - new[way] == pytest.approx(0.2 * way, abs=0.02)


def test_a_bent_peg_and_no_other_is_off(wheel: MeasuredWheel) -> None:
    peg = 11
    bent = {**wheel.settings.bent_pegs, peg: wheel.settings.bent_pegs.get(peg, 0.0) - 0.4}
    for measures in both_ways(wheel.worn(bent_pegs=bent)):
        assert measures.odd_peg == peg
        assert measures.pegs_deg[peg] * measures.direction == pytest.approx(-0.4, abs=0.03)
        assert max(abs(off) for other, off in enumerate(measures.pegs_deg) if other != peg) < 0.03


def test_a_peg_that_is_gone_was_missed(wheel: MeasuredWheel) -> None:
    for measures in both_ways(wheel.worn(missing_pegs=(7,))):
        assert measures.missed == (7,)
        assert math.isnan(measures.pegs_deg[7])


def test_a_heavy_spot_is_distinguished_from_an_encoder_out_of_centre(wheel: MeasuredWheel) -> None:
    """The wheel is fastest with the heavy spot below; run-out of the encoder is not taken for it."""
    heavy = wheel.out_of_balance(0.08, 130.0).worn(runout_deg=0.3, runout_at_deg=40.0)
    measured = both_ways(heavy, 12)
    ways = [[m for m in measured if m.direction == way] for way in (1, -1)]
    cosine, sine = (
        fmean(fmean(getattr(m, part) for m in way) for way in ways) for part in ("heavy_cosine", "heavy_sine")
    )
    assert math.hypot(cosine, sine) == pytest.approx(0.08, abs=0.012)
    assert math.degrees(math.atan2(sine, cosine)) % 360 == pytest.approx(310, abs=10)


UNEVEN = {"A": 0.0, "b": 0.12, "a": 0.2, "B": -0.15}
"""By what part of a count each of the encoder's lines comes late: light and shade are not of one width."""


def uneven(edges: bytes, stamps: Sequence[int]) -> tuple[bytes, list[int]]:
    """A spin's edges as an encoder gives them whose lines are not all alike."""
    late, before = list(stamps), stamps[0]
    for place, (letter, at_ns) in enumerate(zip(edges.decode(), stamps, strict=True)):
        if letter in UNEVEN:
            late[place] += int(UNEVEN[letter] * min(at_ns - before, 50_000_000))
            before = at_ns
    order = sorted(range(len(late)), key=late.__getitem__)
    return bytes(edges[place] for place in order), [late[place] for place in order]


def test_an_encoder_whose_lines_are_not_alike_is_no_heavy_spot(wheel: MeasuredWheel) -> None:
    for _ in range(6):
        _, levels, edges, stamps = wheel.recorded()
        even = measure(levels, edges, stamps, wheel.geometry)
        other = measure(levels, *uneven(edges, stamps), wheel.geometry)
        assert even is not None
        assert other is not None
        assert other.heavy_cosine == pytest.approx(even.heavy_cosine, abs=HEAVY_ALLOWED / 15)
        assert other.heavy_sine == pytest.approx(even.heavy_sine, abs=HEAVY_ALLOWED / 15)
        assert other.loss_ratio == pytest.approx(even.loss_ratio, abs=0.001)


def test_what_is_no_whole_spin_is_not_measured(wheel: MeasuredWheel) -> None:
    _, levels, edges, stamps = wheel.recorded()
    geometry = wheel.geometry
    assert measure(levels, edges, stamps, geometry) is not None
    assert measure(levels, b"", stamps[:0], geometry) is None
    assert measure(levels, edges[:1500], stamps[:1500], geometry) is None, "too short"
    lost = next(i for i, letter in enumerate(edges) if i >= 900 and chr(letter) in "AaBb")
    after = lost + 1
    assert measure(levels, edges[:lost] + edges[after:], stamps[:lost] + stamps[after:], geometry) is None
    without = [i for i, letter in enumerate(edges) if chr(letter) not in "Zz"]
    assert measure(levels, bytes(edges[i] for i in without), [stamps[i] for i in without], geometry) is None


def test_a_wheel_that_is_led_by_hand_loses_nothing_of_itself(wheel: MeasuredWheel) -> None:
    measures = wheel.led(3.4)
    assert measures is not None
    assert (measures.section_loss, measures.loss_ratio, measures.ripple_sections) == (0, 0, 0)
    assert max(map(abs, measures.pegs_deg)) < 0.03
