"""Linear equations, as many as unknowns."""

from collections.abc import Sequence

_SMALL = 1e-12


class SingularError(ValueError):
    """The equations do not differ enough to have one solution."""


def solved(equations: Sequence[Sequence[float]]) -> list[float]:
    """The unknowns, by Gaussian elimination with partial pivoting.

    Args:
        equations: a row each: the unknowns' factors, then the right side. Factors are of the order of 1.

    Raises:
        SingularError: they have no solution, or more than one.
    """
    table = [list(row) for row in equations]
    size = len(table)
    for pivot in range(size):
        best = max(range(pivot, size), key=lambda i: abs(table[i][pivot]))
        table[pivot], table[best] = table[best], table[pivot]
        if abs(table[pivot][pivot]) < _SMALL:
            raise SingularError(f"equation {pivot + 1} of {size} follows from those before it")
        for below in range(pivot + 1, size):
            part = table[below][pivot] / table[pivot][pivot]
            table[below] = [x - part * y for x, y in zip(table[below], table[pivot], strict=True)]
    found = [0.0] * size
    for i in reversed(range(size)):
        known = sum([table[i][k] * found[k] for k in range(i + 1, size)])
        found[i] = (table[i][size] - known) / table[i][i]
    return found


def least_squares(columns: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """The factors of the columns whose sum is nearest to the values.

    Raises:
        SingularError: the columns do not differ enough.
    """
    size = len(values)

    def product(one: Sequence[float], other: Sequence[float]) -> float:
        return sum([x * y for x, y in zip(one, other, strict=True)]) / size

    return solved([[*(product(one, other) for other in columns), product(one, values)] for one in columns])
