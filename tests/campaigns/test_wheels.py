"""Samples of the campaigns of wheels, and every section of every clapper wheel."""

import pytest
from campaigns import fault_campaign, roulette_campaign
from campaigns.fleet_wheel import FleetWheel
from campaigns.running import run

from controller.bench.oracle import OracleTally
from hal.mock.settings import WheelSettings

COUNTS = (720, 1000, 1080, 1440, 4096)
"""Counts a turn: some of them divided by the sections, most not."""
PLACES = (0.02, 0.25, 0.5, 0.75, 0.98)
"""How far into the free part of a section: from where the leather slips off a peg to where the next touches it."""
NEAR_DEG = 0.15
"""A peg may be that far out of place, and what is thrown into a section is not to end before it."""
SAMPLE = {20, 37, 60}


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(2, 16))])
def test_no_fault_makes_a_wrong_result(seed: int) -> None:
    tally = run(fault_campaign.play_batch, fault_campaign.batches(100, seed), OracleTally())
    assert tally.spins >= 100
    assert tally.results > 0
    assert tally.locks > 0
    assert not tally.broken
    assert not tally.wrong, "\n".join(tally.wrong)


@pytest.mark.parametrize(
    ("spins", "seed"), [(60, 1), *(pytest.param(1000, seed, marks=pytest.mark.campaign) for seed in range(2, 6))]
)
def test_honest_spins_of_a_ball_are_results_and_hostile_ones_are_none(spins: int, seed: int) -> None:
    """No wrong result; of honest spins at most 1 in 100 a false alarm. The aim is 1 in 20,000."""
    total = run(roulette_campaign.play, roulette_campaign.wheels(spins, seed), roulette_campaign.Tally())
    assert total.honest > spins / 3
    assert total.hostile.total() > spins / 3
    assert len(total.alarms) <= total.honest / 100, total.alarms
    assert total.wrong == []


# -- every section -----------------------------------------------------------------------------------------------


def wheel_of(sections: int, counts: int) -> FleetWheel:
    """Even, and turning as easily as a wheel of 54 sections, whatever the number of pegs."""
    peg_j = 0.2 * 54 / sections
    settings = {"seed": sections, "sections": sections, "counts_per_turn": counts, "peg_j": peg_j, "slip_deg": 2.4}
    return FleetWheel(sections, settings=WheelSettings.model_validate(settings))


def place_of(wheel: FleetWheel, free_part: float) -> float:
    """The same from the middle of the peg that is passed last, in sections."""
    settings, section_deg = wheel.settings, 360 / wheel.sections
    begins = settings.slip_deg - settings.half_deg + NEAR_DEG
    ends = section_deg - settings.half_deg - NEAR_DEG
    return (begins + free_part * (ends - begins)) / section_deg


@pytest.mark.parametrize(
    "sections",
    [pytest.param(one, marks=() if one in SAMPLE else pytest.mark.campaign) for one in range(20, 61)],
)
@pytest.mark.parametrize("counts", [720, *(pytest.param(one, marks=pytest.mark.campaign) for one in COUNTS[1:])])
def test_what_is_said_is_where_the_wheel_stands(sections: int, counts: int) -> None:
    """Each wheel is calibrated from a recording of itself. Then it is thrown into each section, each time farther
    into it, and onto the peg before each."""
    wheel = wheel_of(sections, counts)
    for direction in (1, -1):
        for section in range(sections):
            place = place_of(wheel, PLACES[(section + sections) % len(PLACES)])
            free = wheel.stop_in(section, direction, place)
            assert wheel.head.true_position() == (section, False)
            assert (free.said, free.right) == ("result", True), (section, direction, place, free)
            bent = wheel.stop_on_peg(section, direction)
            assert (bent.said, bent.bent) == ("between", True), (section, direction, bent)
