"""Exact tests of counts, against sums of fractions."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.fairness.exact_tests import binomial_tail, hypergeometric_tail


@given(trials=st.integers(0, 60), share=st.integers(0, 60), chance=st.sampled_from([0.1, 0.5, 0.9]))
def test_the_tail_of_a_binomial_distribution(trials: int, share: int, chance: float) -> None:
    hits, p = min(share, trials), Fraction(chance)
    exact = sum(comb(trials, count) * p**count * (1 - p) ** (trials - count) for count in range(hits, trials + 1))
    assert binomial_tail(hits, trials, chance) == pytest.approx(float(exact), rel=1e-9)


@given(total=st.integers(1, 60), drawn=st.integers(0, 60), marked=st.integers(0, 60), share=st.integers(0, 60))
def test_the_tail_of_a_hypergeometric_distribution(total: int, drawn: int, marked: int, share: int) -> None:
    drawn, marked = min(drawn, total), min(marked, total)
    least, most = max(0, drawn + marked - total), min(drawn, marked)
    hits = least + share % (most - least + 1)
    ways = sum(comb(marked, count) * comb(total - marked, drawn - count) for count in range(hits, most + 1))
    assert hypergeometric_tail(hits, drawn, marked, total) == pytest.approx(ways / comb(total, drawn), rel=1e-9)


def test_many_thousand_throws_are_no_trouble() -> None:
    assert binomial_tail(9_500, 10_000, 0.9) < 1e-60
    assert binomial_tail(90_000, 100_000, 0.9) == pytest.approx(0.5, abs=0.01)
    assert 0 < hypergeometric_tail(700, 10_000, 5_000, 100_000) < 1e-16


@pytest.mark.parametrize("given_", [(-1, 3, 0.5), (4, 3, 0.5), (1, 3, 0.0), (1, 3, 1.0)])
def test_what_cannot_be_is_refused(given_: tuple[int, int, float]) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        binomial_tail(*given_)


@pytest.mark.parametrize("given_", [(3, 2, 5, 10), (0, 8, 5, 10), (1, 11, 5, 10), (-1, 2, 2, 4)])
def test_counts_that_do_not_fit_are_refused(given_: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        hypergeometric_tail(*given_)
