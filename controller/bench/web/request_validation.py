"""Validation of the values in a request of the bench's page.

They come from JSON that anybody may have written. Every function raises ValueError for an invalid value; the
message says what is allowed.
"""

from collections.abc import Mapping

from hal.mock.faults import Breakage

_MOST = 1e6
_KINDS = {bool: "true or false", int: "a number", float: "a number", str: "a text", type(None): "nothing"}


def one_of(allowed: tuple[str, ...], value: object, what: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{quoted(value)} is no {what} of this table; it has: {', '.join(allowed)}")
    return value


def turns_of(value: object, limits: tuple[float, float], what: str) -> float:
    least, most = limits
    turns = _number(value, most)
    if turns is None or abs(turns) < least:
        raise ValueError(
            f"'{what}' is a number of turns from {least:g} to {most:g}; negative is the other way round"
        )
    return turns


def size_of(value: object, limits: tuple[float, float], what: str, unit: str, negative: str) -> float:
    """A number within limits, whatever its sign.

    Args:
        negative: what a negative one means.
    """
    least, most = limits
    number = _number(value, most)
    if number is None or abs(number) < least:
        raise ValueError(f"'{what}' is {least:g} to {most:g} {unit}; negative is {negative}")
    return number


def positive_of(value: object, most: float, what: str, unit: str) -> float:
    """A number above 0."""
    number = _number(value, most)
    if number is None or number <= 0:
        raise ValueError(f"{_shown(value)} is no '{what}'; it is above 0, at most {most:g} {unit}")
    return number


def float_of(value: object, what: str) -> float:
    number = _number(value, _MOST)
    if number is None:
        raise ValueError(f"{_shown(value)} is no '{what}'; it is a number")
    return number


def whole_of(value: object, limits: tuple[int, int], what: str) -> int:
    """A whole number within limits."""
    least, most = limits
    number = _number(value, most)
    if number is None or number < least or number % 1:
        raise ValueError(f"{_shown(value)} is no {what}; it is a whole number from {least} to {most}")
    return int(number)


def target_of(item: Breakage, allowed: tuple[str, ...], value: object) -> str:
    if allowed:
        return one_of(allowed, value, item.target)
    if value != "":
        raise ValueError(f"'{item.fault}' has no target")
    return ""


def amount_of(item: Breakage, value: object) -> float:
    amount = _number(value, item.most)
    if not item.most:
        if amount is None:
            raise ValueError(f"'{item.fault}' has no amount")
        return 0.0
    # A share is any part of 1; edges, pockets and disturbances per second are whole numbers.
    counted = item.most > 1
    if amount is None or amount <= 0 or (counted and amount % 1):
        limits = (
            f"a whole number from 1 to {item.most:g}" if counted else f"a number above 0, at most {item.most:g}"
        )
        raise ValueError(f"the amount of '{item.fault}' is {limits}")
    return amount


def _number(value: object, most: float) -> float | None:
    """A number from ``-most`` to ``most``; None for anything else."""
    # NaN compares as false; a bool is an int in Python, but not in JSON.
    if isinstance(value, bool) or not isinstance(value, int | float) or not -most <= value <= most:
        return None
    return float(value)


def is_true(body: Mapping[str, object], act: str) -> None:
    if body[act] is not True:
        raise ValueError(f"'{act}' can only be true")


def quoted(value: object) -> str:
    """A value for a message: text shortened and escaped, otherwise the kind of the value."""
    return ascii(value[:40]) if isinstance(value, str) else kind_of(value)


def _shown(value: object) -> str:
    """As :func:`quoted`, but a number as it is."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}"
    return quoted(value)


def kind_of(value: object) -> str:
    return _KINDS.get(type(value), "a list" if isinstance(value, list) else "an object")
