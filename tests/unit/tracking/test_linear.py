"""Linear equations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.tracking.linear import SingularError, solved

FACTORS = st.integers(-4, 4)


@given(st.lists(st.lists(FACTORS, min_size=3, max_size=3), min_size=3, max_size=3), st.tuples(*[FACTORS] * 3))
def test_what_is_found_solves_the_equations(rows: list[list[int]], unknowns: tuple[int, int, int]) -> None:
    right = [sum(factor * value for factor, value in zip(row, unknowns, strict=True)) for row in rows]
    (a, b, c), (d, e, f), (g, h, i) = rows
    equations = [[*map(float, row), float(value)] for row, value in zip(rows, right, strict=True)]
    if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g):
        assert solved(equations) == pytest.approx(unknowns, abs=1e-9)
    else:
        with pytest.raises(SingularError):
            solved(equations)


def test_a_zero_on_the_diagonal_is_passed_over() -> None:
    assert solved([[0.0, 2.0, 6.0], [4.0, 1.0, 7.0]]) == [1.0, 3.0]


def test_the_equations_stay_as_they_were() -> None:
    equations = [[2.0, 1.0, 3.0], [1.0, 3.0, 4.0]]
    solved(equations)
    assert equations == [[2.0, 1.0, 3.0], [1.0, 3.0, 4.0]]
