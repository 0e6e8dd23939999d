"""Guards and actions that the transitions of any game use."""

from collections.abc import Callable
from typing import TypeVar

from controller.events.effect import Effect, Light
from controller.events.event import Event, Press
from controller.statechart.machine import Step

D = TypeVar("D")
Guard = Callable[[D, Event], bool]
"""The condition of a transition."""
Action = Callable[[D, Event], Step[D]]
"""What a transition does."""


def always(data: object, event: Event) -> bool:
    return True


def both(*conditions: Guard[D]) -> Guard[D]:
    """All of these conditions hold."""
    return lambda data, event: all(condition(data, event) for condition in conditions)


def unless(condition: Guard[D]) -> Guard[D]:
    return lambda data, event: not condition(data, event)


def once(data: object, event: Event) -> bool:
    """No second press of the same control by a hand that saw no answer to the first."""
    return not (isinstance(event, Press) and event.again)


def then(*actions: Action[D]) -> Action[D]:
    """Several actions in order, with the effects of all."""

    def call(data: D, event: Event) -> Step[D]:
        effects: tuple[Effect, ...] = ()
        for action in actions:
            step = action(data, event)
            data, effects = step.data, (*effects, *step.effects)
        return Step(data, effects)

    return call


def keep(data: D, event: Event) -> Step[D]:
    """Change only the state."""
    return Step(data)


def dark(data: D, event: Event) -> Step[D]:
    """Turn every lamp off."""
    return Step(data, (Light(()),))
