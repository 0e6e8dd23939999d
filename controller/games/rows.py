"""Conditions and steps that the rows of any game use."""

from collections.abc import Callable
from typing import TypeVar

from controller.effects import Alert, Light, Note
from controller.facts import Fact, Health, KeyStuck, SensorHealth
from controller.games.machine import Step
from controller.games.words import fault_words

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


def sensor_health(data: D, fact: SensorHealth) -> Step[D]:
    """The health of a sensor is worth a line, and changes nothing by itself."""
    if fact.health is Health.OK:
        return Step(data, (Note(f"{fact.sensor} is in order"),))
    return Step(data, (Note(f"{fact.sensor} {fact.health.value}: {fact.detail}"),))


def key_stuck(data: D, fact: KeyStuck) -> Step[D]:
    """A key is stuck: whoever needs it will notice."""
    return Step(data, (Alert(fault_words(fact), "free the key, or have it mended"),))
