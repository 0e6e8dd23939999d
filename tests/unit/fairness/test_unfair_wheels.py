"""Unfair wheels are found, fair ones are not, and what a chi-square does instead."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from raised_sections import raised

from controller.fairness.chi_square import p_value, upper_tail
from controller.fairness.evidence import DIRECTIONS, Evidence
from controller.games.dreamcatcher.game import ORDER

CW, CCW, UNKNOWN = DIRECTIONS


# -- what is found -------------------------------------------------------------------------------------------------


def drawn(seed: int, spins: int, chances: Sequence[float], fair_ccw: bool = False) -> Evidence:
    """A wheel that was spun so often each way."""
    rng = np.random.default_rng(seed)
    other = [1 / len(chances)] * len(chances) if fair_ccw else chances
    counts = {CW: rng.multinomial(spins, chances).tolist(), CCW: rng.multinomial(spins, other).tolist()}
    return Evidence(len(chances), counts)


def test_a_section_that_is_favoured_is_named() -> None:
    evidence = drawn(1, 40_000, raised(12, 1, 1.3))
    assert evidence.log10 > 4
    assert evidence.suspicion().startswith("section 13, favoured by about ")
    assert evidence.suspicion(ORDER).startswith(f"section 13 ({ORDER[12]}), favoured by about ")
    assert 25 <= _percent(evidence.suspicion()) <= 35


def test_a_section_that_rarely_comes_is_named() -> None:
    evidence = drawn(2, 40_000, raised(53, 1, 0.7))
    assert evidence.suspicion().startswith("section 54, disfavoured by about ")
    assert 25 <= _percent(evidence.suspicion()) <= 35


def test_a_sector_is_named_also_across_the_first_section() -> None:
    evidence = drawn(4, 40_000, raised(52, 3, 1.25))
    assert evidence.suspicion().startswith("sections 53 to 1, favoured by about 2")
    assert evidence.suspicion(ORDER).startswith(f"sections 53 to 1 ({ORDER[52]}, {ORDER[53]}, {ORDER[0]}), ")


@pytest.mark.parametrize("sections", [37, 38, 54])
def test_what_happens_in_one_direction_alone_is_found_and_named(sections: int) -> None:
    chances = np.full(sections, 1.0)
    chances[11:14] *= 1.3
    evidence = drawn(6, 40_000, (chances / chances.sum()).tolist(), fair_ccw=True)
    assert evidence.log10 > 4
    assert evidence.suspicion().startswith("sections 12 to 14 when the wheel turns clockwise, favoured by about ")


def test_opposite_faults_of_the_two_directions_do_not_hide_each_other() -> None:
    """Together the counts are even: a test of the sum sees nothing."""
    up, down = (np.full(54, 1 / 54) for _ in range(2))
    up[[5, 30]] *= (1.4, 0.6)
    down[[5, 30]] *= (0.6, 1.4)
    rng = np.random.default_rng(7)
    counts = {CW: rng.multinomial(40_000, up).tolist(), CCW: rng.multinomial(40_000, down).tolist()}
    assert p_value([a + b for a, b in zip(counts[CW], counts[CCW], strict=True)]) > 0.01
    assert Evidence(54, counts).log10 > 4


def test_a_tilted_wheel_is_named_as_one() -> None:
    tilt = (1 + 0.06 * np.cos(2 * np.pi * (np.arange(54) - 20) / 54)) / 54
    words = drawn(8, 20_000, tilt.tolist()).suspicion(ORDER)
    assert words.startswith("the side around section ")
    assert words.endswith("the side opposite as much too rare")
    assert abs(int(words.split("section ")[1].split()[0]) - 21) <= 3
    assert 4 <= _percent(words) <= 8


def test_doubt_is_stated() -> None:
    """Two sections alike: the evidence points to neither of them alone."""
    counts = [1000] * 54
    counts[3] = counts[40] = 1170
    evidence = Evidence(54, {UNKNOWN: counts})
    assert evidence.log10 > 1
    assert evidence.suspicion().startswith("not clear yet; foremost section ")


def test_nothing_is_reported_of_a_wheel_within_chance() -> None:
    fair = [drawn(seed, 20_000, [1 / 54] * 54) for seed in range(20)]
    assert not any(evidence.suspicion(ORDER) for evidence in fair if evidence.log10 < 1)
    assert sum(evidence.log10 < 1 for evidence in fair) >= 18


def _percent(words: str) -> float:
    return float(words.split("by about ")[1].split("%")[0])


# -- chi-square ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "statistic", "p"),
    [
        # Tables of critical values, three decimals.
        *((1, 3.841, 0.05), (1, 6.635, 0.01), (1, 10.828, 0.001), (2, 5.991, 0.05), (2, 13.816, 0.001)),
        *((5, 11.070, 0.05), (10, 18.307, 0.05), (10, 2.558, 0.99), (30, 43.773, 0.05), (50, 76.154, 0.01)),
        *((100, 124.342, 0.05), (100, 149.449, 0.001)),
    ],
)
def test_the_tail_is_that_of_the_tables(degrees: int, statistic: float, p: float) -> None:
    assert upper_tail(statistic, degrees) == pytest.approx(p, rel=2e-3)


@pytest.mark.parametrize("degrees", [1, 2, 3, 7, 36, 37, 53, 99])
@pytest.mark.parametrize("statistic", [0.0, 0.01, 1.0, 20.0, 53.0, 110.0, 400.0])
def test_the_tail_is_one_less_the_series_of_the_lower_part(degrees: int, statistic: float) -> None:
    a, x = degrees / 2, statistic / 2
    terms = [0.0] if not x else [math.exp((a + k) * math.log(x) - x - math.lgamma(a + k + 1)) for k in range(2000)]
    assert upper_tail(statistic, degrees) == pytest.approx(1 - math.fsum(terms), abs=1e-11)


def test_the_p_value_is_that_of_the_statistic() -> None:
    assert p_value([10, 20, 30]) == pytest.approx(math.exp(-5)), "a statistic of 10 with 2 degrees of freedom"
    assert p_value([0, 0, 0]) == p_value([7, 7, 7]) == 1


@pytest.mark.parametrize("counts", [[], [5], [3, -1]])
def test_invalid_counts_have_no_chi_square(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="two or more numbers"):
        p_value(counts)


# -- fair wheels ---------------------------------------------------------------------------------------------------


def _peak(sections: int, codes: list[int]) -> float:
    evidence, peak = Evidence(sections), 0.0
    for code in codes:
        evidence.add(code % sections, CW if code < sections else CCW)
        peak = max(peak, evidence.log10)
    return 10**peak


@pytest.mark.campaign
def test_fair_wheels_keep_the_promise() -> None:
    """Looked at after every spin. Were the promise only just kept, one of 10 would be found at 10 to 1, on average;
    more than 35 of 200 come by chance once in a thousand times, more than 8 at 100 to 1."""
    rng = np.random.default_rng(1)
    peaks = [_peak(54, rng.integers(0, 2 * 54, 1000).tolist()) for _ in range(200)]
    assert 0 < sum(peak >= 10 for peak in peaks) <= 35
    assert sum(peak >= 100 for peak in peaks) <= 8
