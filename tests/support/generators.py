"""What generators return."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def finished(steps: Generator[None, None, T]) -> T:
    """What a generator returns in the end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
