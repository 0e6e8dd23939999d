"""Linear equations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.commissioning.wheel_spins import least_squares
from controller.tracking.clapper_wheel.energy import SingularError, solved

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


def test_the_nearest_sum_of_columns() -> None:
    """The straight line through four points, which is 0.25 above or below each."""
    rows = [(1.0, 0.0, 1.25), (1.0, 1.0, 2.75), (1.0, 2.0, 4.75), (1.0, 3.0, 7.25)]
    assert least_squares(rows) == pytest.approx([1.0, 2.0])
