"""Spins whose lines break in the last second, once taken for results: found by campaigns, made again here."""

import random

import pytest
from campaigns.broken_spins import LineFault, RecordedThrow, draw_faults
from campaigns.fleet_wheel import FleetWheel
from campaigns.wheel_campaign import of_wheel

LATE_NS = 1_500_000_000
FAULTS, MOMENTS = 20, 5
FOUND = {
    62007: ((1, 1, 2), (1, 2, 1), (1, 2, 11), (1, 2, 13), (1, 4, 16), (2, 4, 17)),
    62018: ((1, 2, 18), (1, 4, 11)),
}
"""By wheel: the spin, the moment, and the number of the faults that were drawn there."""


@pytest.mark.parametrize("seed", FOUND)
def test_a_spin_whose_lines_break_at_the_end_is_never_a_wrong_result(seed: int) -> None:
    """Crossed lines at the turning; a dead encoder line."""
    wheel, rng = FleetWheel(seed), random.Random(seed)
    for number in range(max(spin for spin, *_ in FOUND[seed]) + 1):
        throw = RecordedThrow(wheel)
        for moment in range(MOMENTS):
            begins_ns = max(throw.begins_ns, throw.ends_ns - LATE_NS) if moment else throw.begins_ns
            at_ns = rng.randint(begins_ns, throw.ends_ns)
            for which in range(FAULTS):
                faults = draw_faults(rng, at_ns, throw.ends_ns)
                if (number, moment, which) in FOUND[seed]:
                    said, right = throw.broken(throw.until(at_ns), at_ns, faults, which)
                    assert said != "result" or right, (number, moment, which)


def test_a_plug_that_was_out_while_the_wheel_rocked_back_makes_no_result() -> None:
    """Past a peg and back from the next one: counts, places and contact all fit, one section on."""
    seed = 5210
    wheel, rng = FleetWheel(seed), random.Random(seed)
    for _ in range(6):
        throw = RecordedThrow(wheel)
        for moment in range(6):
            begins_ns = max(throw.begins_ns, throw.ends_ns - LATE_NS) if moment % 5 else throw.begins_ns
            at_ns = rng.randint(begins_ns, throw.ends_ns)
            drawn = [draw_faults(rng, at_ns, throw.ends_ns) for _ in range(10)]
    said, right = throw.broken(throw.until(at_ns), at_ns, drawn[7], 7)
    assert [fault.kind for fault in drawn[7]] == ["unplugged"]
    assert said != "result" or right


@pytest.mark.parametrize(
    ("seed", "faults"),
    [
        pytest.param(60016, 11, id="the shaft comes loose between a strike and the slip"),
        pytest.param(61055, 15, id="the encoder slips"),
        pytest.param(61006, 25, id="A and B are crossed while a peg bends the leather", marks=pytest.mark.campaign),
    ],
)
def test_a_fault_within_the_bend_of_the_leather_makes_no_result(seed: int, faults: int) -> None:
    assert of_wheel(seed, spins=1, faults=faults).wrong == []


@pytest.mark.parametrize(("seed", "before"), [(32, 2), (38, 0), (44, 0)])
def test_a_contact_that_is_shorted_before_the_wheel_stands_on_a_peg_makes_no_result(seed: int, before: int) -> None:
    """The wheel came beyond the place at which that peg strikes, and its contact is closed."""
    wheel = FleetWheel(seed)
    for _ in range(before):
        RecordedThrow(wheel)
    throw = RecordedThrow(wheel)
    assert throw.bent
    for ms in (300, 600, 900):
        at_ns = throw.ends_ns - ms * 1_000_000
        shorted = LineFault("stuck-low", "C", 0.0, at_ns, None)
        said, _ = throw.broken(throw.until(at_ns), at_ns, [shorted], 0)
        assert said == "fault", ms
