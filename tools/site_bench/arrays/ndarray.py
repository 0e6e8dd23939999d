"""One array, of one or two dimensions, in plain Python: values in a list, in order of rows.

A slice of a one-dimensional array shares its values, as NumPy's does.
"""

import operator
from array import array as machine_array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, compress, repeat
from typing import Any

Kind = str
"""The type of values, as the standard library's arrays call it: ``?`` (bool), ``B``, ``q`` or ``d``."""
_ORDER = "?Bqd"
KINDS = {bool: "?", int: "q", float: "d"}
_TAKES: dict[Kind, Callable[[Any], Any]] = {"?": bool, "B": lambda value: int(value) & 255, "q": int, "d": float}
Number = bool | int | float
Binary = Callable[[Any, Any], Any]


def kind_of(value: object) -> Kind:
    """The kind of a number or an array."""
    return value.kind if isinstance(value, ndarray) else KINDS[type(value)]


def wider(one: object, other: object) -> Kind:
    """The kind of what is calculated of two; a whole number takes the kind of the array that it meets."""
    kinds = [kind_of(one), kind_of(other)]
    for mine, value in enumerate((one, other)):
        if kind_of(value) == "q" and not isinstance(value, ndarray) and kinds[1 - mine] != "?":
            return kinds[1 - mine]
    return max(kinds, key=_ORDER.index)


class ndarray:  # noqa: N801 - as NumPy calls it.
    """Values of one kind.

    Args:
        shape: of two dimensions, rows and columns; None for one dimension.
        places: which of the values it has, if it is a slice of another.
    """

    __slots__ = ("_places", "_values", "kind", "shape")

    def __init__(
        self, values: list[Any], kind: Kind, shape: tuple[int, ...] | None = None, places: range | None = None
    ) -> None:
        self._values, self.kind, self._places = values, kind, places
        self.shape = shape if shape is not None else (len(values if places is None else places),)

    def __class_getitem__(cls, item: object) -> type:
        return cls

    @property
    def values(self) -> list[Any]:
        """Its values by rows; not to be changed."""
        return self._values if self._places is None else self._values[_slice_of(self._places)]

    @property
    def size(self) -> int:
        return len(self.values)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values) if len(self.shape) == 1 else iter(self._rows())

    def __repr__(self) -> str:
        return f"array({self.tolist()})"

    def _rows(self) -> list["ndarray"]:
        rows, columns = self.shape
        return [ndarray(self.values[row * columns : (row + 1) * columns], self.kind) for row in range(rows)]

    @property
    def T(self) -> "ndarray":  # noqa: N802 - as NumPy calls it.
        """Rows as columns."""
        rows, columns = self.shape
        values = [value for column in range(columns) for value in self.values[column::columns]]
        return ndarray(values, self.kind, (columns, rows))

    # -- parts ---------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            _, columns = key
            if columns is None:
                return ndarray(self.values, self.kind, (len(self), 1))
            rows = [row[columns] for row in self._rows()]
            return ndarray([value for row in rows for value in row], self.kind, (len(rows), len(rows[0])))
        if isinstance(key, slice):
            return ndarray(self._values, self.kind, None, (self._places or range(len(self._values)))[key])
        values = self.values
        if isinstance(key, ndarray):
            if key.kind == "?":
                return ndarray(list(compress(values, key.values)), self.kind)
            return ndarray([values[place] for place in key.values], self.kind, key.shape)
        return ndarray([values[place] for place in key], self.kind) if isinstance(key, list) else values[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        places = self._places or range(len(self._values))
        if isinstance(key, ndarray):
            chosen: Iterable[int] = compress(places, key.values)
        elif isinstance(key, slice):
            chosen = places[key]
        else:
            chosen = (places[key],)
        takes = _TAKES[self.kind]
        for place, one in zip(chosen, value.values if isinstance(value, ndarray) else repeat(value), strict=False):
            self._values[place] = takes(one)

    def fill_from(self, values: Sequence[Any]) -> "ndarray":
        """Take these values, one for each of its own."""
        self._values[slice(None) if self._places is None else _slice_of(self._places)] = values
        return self

    # -- calculating ---------------------------------------------------------------------------------------

    def _with(self, other: Any, act: Binary, kind: Kind | None = None) -> "ndarray":
        return broadcast(act, self, other, kind or wider(self, other))

    def _onto(self, other: Any, act: Binary) -> "ndarray":
        return self.fill_from(broadcast(act, self, other, self.kind).values)

    def __add__(self, other: Any) -> "ndarray":
        return self._with(other, operator.add)

    def __radd__(self, other: Any) -> "ndarray":
        return broadcast(operator.add, other, self, wider(self, other))

    def __sub__(self, other: Any) -> "ndarray":
        return self._with(other, operator.sub)

    def __rsub__(self, other: Any) -> "ndarray":
        return broadcast(operator.sub, other, self, wider(self, other))

    def __mul__(self, other: Any) -> "ndarray":
        return self._with(other, operator.mul)

    def __rmul__(self, other: Any) -> "ndarray":
        return broadcast(operator.mul, other, self, wider(self, other))

    def __truediv__(self, other: Any) -> "ndarray":
        return self._with(other, operator.truediv, "d")

    def __rtruediv__(self, other: Any) -> "ndarray":
        return broadcast(operator.truediv, other, self, "d")

    def __mod__(self, other: Any) -> "ndarray":
        return self._with(other, operator.mod)

    def __pow__(self, other: int) -> "ndarray":
        # NumPy squares by multiplying.
        return self * self if other == 2 else self._with(other, operator.pow)

    def __and__(self, other: Any) -> "ndarray":
        return self._with(other, operator.and_)

    def __or__(self, other: Any) -> "ndarray":
        return self._with(other, operator.or_)

    def __xor__(self, other: Any) -> "ndarray":
        return self._with(other, operator.xor)

    def __iadd__(self, other: Any) -> "ndarray":
        return self._onto(other, operator.add)

    def __imul__(self, other: Any) -> "ndarray":
        return self._onto(other, operator.mul)

    def __iand__(self, other: Any) -> "ndarray":
        return self._onto(other, operator.and_)

    def __neg__(self) -> "ndarray":
        return ndarray([-value for value in self.values], self.kind, self.shape)

    def __abs__(self) -> "ndarray":
        return ndarray([abs(value) for value in self.values], self.kind, self.shape)

    def __lt__(self, other: Any) -> "ndarray":
        return self._with(other, operator.lt, "?")

    def __le__(self, other: Any) -> "ndarray":
        return self._with(other, operator.le, "?")

    def __gt__(self, other: Any) -> "ndarray":
        return self._with(other, operator.gt, "?")

    def __ge__(self, other: Any) -> "ndarray":
        return self._with(other, operator.ge, "?")

    def __eq__(self, other: Any) -> "ndarray":  # type: ignore[override]
        return self._with(other, operator.eq, "?")

    def __ne__(self, other: Any) -> "ndarray":  # type: ignore[override]
        return self._with(other, operator.ne, "?")

    __hash__ = None  # type: ignore[assignment]

    # -- of all values -------------------------------------------------------------------------------------

    def any(self) -> bool:
        return any(self.values)

    def all(self) -> bool:
        return all(self.values)

    def min(self) -> Any:
        return min(self.values)

    def max(self) -> Any:
        return max(self.values)

    def argmax(self) -> int:
        values = self.values
        return values.index(max(values))

    def clip(self, least: Number, most: Number) -> "ndarray":
        return ndarray([min(most, max(least, value)) for value in self.values], self.kind, self.shape)

    def cumsum(self, axis: int = 0, out: "ndarray | None" = None) -> "ndarray":
        """Sums so far; of two dimensions, down the columns."""
        if len(self.shape) == 1:
            summed = list(accumulate(self.values))
            return ndarray(summed, self.kind) if out is None else out.fill_from(summed)
        sums = accumulate(self._rows(), operator.add)
        return ndarray([value for row in sums for value in row], self.kind, self.shape)

    def searchsorted(self, sought: Any, side: str = "left") -> Any:
        values, find = self.values, bisect_left if side == "left" else bisect_right
        if isinstance(sought, int | float):
            return find(values, sought)
        return ndarray([find(values, value) for value in sought], "q")

    def argsort(self, kind: str = "stable") -> "ndarray":
        return ndarray(sorted(range(len(self)), key=self.values.__getitem__), "q")

    def nonzero(self) -> tuple["ndarray"]:
        return (ndarray([place for place, value in enumerate(self.values) if value], "q"),)

    def repeat(self, counts: "ndarray", axis: int) -> "ndarray":
        """Each column as often as ``counts`` says."""
        rows = [
            [value for value, count in zip(row, counts, strict=True) for _ in range(count)] for row in self._rows()
        ]
        return ndarray([value for row in rows for value in row], self.kind, (len(rows), len(rows[0])))

    def ravel(self) -> "ndarray":
        return ndarray(self.values, self.kind)

    def copy(self) -> "ndarray":
        return ndarray(list(self.values), self.kind, self.shape)

    def astype(self, kind: Any) -> "ndarray":
        return ndarray(list(map(_TAKES[kind_named(kind)], self.values)), kind_named(kind), self.shape)

    def tolist(self) -> list[Any]:
        return list(self.values) if len(self.shape) == 1 else [row.tolist() for row in self._rows()]

    def tobytes(self) -> bytes:
        return machine_array("B" if self.kind == "?" else self.kind, self.values).tobytes()


def kind_named(kind: Any) -> Kind:
    """The kind that Python's type or :class:`array`'s letter names."""
    return KINDS[kind] if isinstance(kind, type) else str(kind)


def _slice_of(places: range) -> slice:
    stop = places.stop if places.stop >= 0 else None
    return slice(places.start, stop, places.step) if len(places) else slice(0, 0)


def broadcast(act: Binary, one: Any, other: Any, kind: Kind) -> ndarray:
    """What an action makes of two arrays or numbers, value by value."""
    first, second = isinstance(one, ndarray), isinstance(other, ndarray)
    if first and second and one.shape != other.shape:
        shape = _shape_of(one.shape, other.shape)
        return ndarray(list(map(act, _spread(one, shape), _spread(other, shape))), kind, shape)
    values = map(act, one.values if first else repeat(one), other.values if second else repeat(other))
    return ndarray(list(values), kind, one.shape if first else other.shape)


def _shape_of(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    pairs = zip((1, *one)[-2:], (1, *other)[-2:], strict=True)
    shape = tuple(max(pair) if 0 not in pair else 0 for pair in pairs)
    return shape if 2 in (len(one), len(other)) else shape[1:]


def _spread(one: ndarray, shape: tuple[int, ...]) -> list[Any]:
    """Its values repeated to a shape."""
    rows, columns = (1, *shape)[-2:]
    values = one.values
    if one.shape[-1] == 1 and columns != 1:
        values = [value for value in values for _ in range(columns)]
    return values if len(values) == rows * columns else values * rows
