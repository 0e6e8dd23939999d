"""The part of NumPy that the simulated hardware uses, in plain Python, for a browser without NumPy's wheel.

In the folder of the site it is the package ``numpy``. Each name does what NumPy's does with the arguments that
``hal/mock`` and the bench give it, and nothing else; ``tests/unit/packaging/test_site_arrays.py`` compares them.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate, pairwise
from typing import Any

from . import random as random
from .ndarray import broadcast, kind_of, wider
from .ndarray import ndarray as ndarray

uint8, int64, intp, float64, bool_ = "B", "q", "q", "d", "?"
dtype = ndarray


def array(values: Iterable[Any], dtype: Any = None) -> ndarray:
    """An array of numbers, or of rows of them."""
    items = list(values)
    rows = [item if isinstance(item, ndarray) else array(item) for item in items if not _is_number(item)]
    if rows:
        flat = [value for row in rows for value in row]
        return ndarray(flat, max((row.kind for row in rows), key="?Bqd".index), (len(rows), len(rows[0])))
    kind = max(map(kind_of, items), key="?Bqd".index) if items else "d"
    found = ndarray(items, kind)
    return found.astype(dtype or kind)


def _is_number(item: object) -> bool:
    return isinstance(item, int | float)


def _listed(values: Any) -> ndarray:
    return values if isinstance(values, ndarray) else array(values)


def full(count: int, value: Any) -> ndarray:
    return ndarray([value] * count, kind_of(value))


def zeros(count: int, dtype: Any = float) -> ndarray:
    return full(count, 0.0).astype(dtype)


def ones(count: int, dtype: Any = float) -> ndarray:
    return full(count, 1.0).astype(dtype)


empty = zeros


def arange(first: int, stop: int | None = None, step: int = 1, dtype: Any = int) -> ndarray:
    """Whole numbers."""
    return ndarray(list(range(first) if stop is None else range(first, stop, step)), "q").astype(dtype)


def linspace(first: float, last: float, count: int) -> ndarray:
    step = (last - first) / (count - 1)
    return ndarray([*(place * step + first for place in range(count - 1)), last], "d")


def frombuffer(data: bytes, dtype: Any) -> ndarray:
    """Bytes as numbers."""
    return ndarray(list(data), uint8)


def concatenate(parts: Iterable[Any]) -> ndarray:
    arrays = [_listed(part) for part in parts]
    kind = max((part.kind for part in arrays), key="?Bqd".index)
    joined = ndarray([value for part in arrays for value in part.values], kind)
    return joined.astype(kind) if any(part.kind != kind for part in arrays) else joined


def append(values: ndarray, value: float) -> ndarray:
    return concatenate((values, [value]))


def insert(values: ndarray, place: int, value: float) -> ndarray:
    return concatenate((values[:place], [value], values[place:]))


def tile(values: ndarray, times: int) -> ndarray:
    return ndarray(values.values * times, values.kind)


def diff(values: ndarray, prepend: float | None = None, append: float | None = None) -> ndarray:
    """Differences of neighbours, with a value before the first or after the last."""
    all_values = [*([] if prepend is None else [prepend]), *values, *([] if append is None else [append])]
    return ndarray([after - before for before, after in pairwise(all_values)], values.kind)


def where(condition: ndarray, yes: Any, no: Any) -> ndarray:
    return ndarray([yes if one else no for one in condition], kind_of(yes))


def searchsorted(values: ndarray, sought: Any, side: str = "left") -> Any:
    return values.searchsorted(sought, side)


def sort(values: ndarray) -> ndarray:
    return ndarray(sorted(values), values.kind)


def argsort(values: ndarray, kind: str = "stable") -> ndarray:
    return values.argsort(kind)


def divmod(values: ndarray, by: int) -> tuple[ndarray, ndarray]:
    turns = ndarray([value // by for value in values], values.kind)
    return turns, values % by


def interp(at: ndarray, places: Any, values: Any) -> ndarray:
    """Values between knots, by straight lines."""
    xs, ys = list(places), list(values)

    def between(x: float) -> float:
        after = bisect_right(xs, x)
        if after in (0, len(xs)) or xs[after - 1] == x:
            return float(ys[max(0, after - 1)])
        before = after - 1
        slope = (ys[after] - ys[before]) / (xs[after] - xs[before])
        return float(slope * (x - xs[before]) + ys[before])

    return ndarray([between(x) for x in at], "d")


class _Choice:
    """``maximum`` or ``minimum``."""

    def __init__(self, of: Callable[[Any, Any], Any]) -> None:
        self._of = of

    def __call__(self, one: Any, other: Any, out: ndarray | None = None) -> ndarray:
        found = broadcast(self._of, one, other, wider(one, other))
        return found if out is None else out.fill_from(found.values)

    def accumulate(self, values: ndarray) -> ndarray:
        return ndarray(list(accumulate(values, self._of)), values.kind)


maximum, minimum = _Choice(max), _Choice(min)


def _each(function: Callable[[float], float]) -> Callable[..., ndarray]:
    def of(values: ndarray, out: ndarray | None = None) -> ndarray:
        found = list(map(function, values.values))
        return ndarray(found, "d", values.shape) if out is None else out.fill_from(found)

    return of


sqrt, exp, sin, cos = _each(math.sqrt), _each(math.exp), _each(math.sin), _each(math.cos)
abs = abs
