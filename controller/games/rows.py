"""Conditions and steps that the rows of any game use."""

from collections.abc import Callable
from typing import TypeVar

from controller.effects import Light
from controller.facts import Fact
from controller.games.machine import Step

D = TypeVar("D")
When = Callable[[D, Fact], bool]
"""Whether a row holds."""
Do = Callable[[D, Fact], Step[D]]
"""What a row does."""


def always(data: object, fact: Fact) -> bool:
    return True


def both(*conditions: When[D]) -> When[D]:
    """All of these hold."""
    return lambda data, fact: all(condition(data, fact) for condition in conditions)


def unless(condition: When[D]) -> When[D]:
    return lambda data, fact: not condition(data, fact)


def keep(data: D, fact: Fact) -> Step[D]:
    """Only the state changes."""
    return Step(data)


def dark(data: D, fact: Fact) -> Step[D]:
    """Every lamp goes out."""
    return Step(data, (Light(()),))
