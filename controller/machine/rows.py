"""The rows of a round's machine: in which states, on which event, what happens, and which state follows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar

from controller.events.effect import Effect
from controller.events.event import Act, Event, Press

S = TypeVar("S", bound=Enum)
D = TypeVar("D")
F = TypeVar("F")
R = TypeVar("R")


class Step(NamedTuple, Generic[D]):
    """What an action computes: the round's new data, and the effects in the order in which they are performed."""

    data: D
    effects: tuple[Effect, ...] = ()


Action = Callable[[D, Event], Step[D]]
"""A pure function, called before the state changes. If it raises, state and data stay as they are."""
Guard = Callable[[D, Event], bool]


def keep(data: D, event: Event) -> Step[D]:
    """Change only the state."""
    return Step(data)


@dataclass(frozen=True)
class Row(Generic[S, D]):
    """One row. The first row of a state and event whose condition holds is taken."""

    source: S | tuple[S, ...]
    on: str | tuple[str, ...]
    """The events (:func:`controller.events.event.trigger`): ``press done``, ``act void``, ``wheel-rested``, …"""
    to: S | None = None
    """The next state; None to stay."""
    action: Action[D] = keep
    when: Guard[D] | None = None
    why: str = ""
    """The condition in words, for the diagram."""

    @property
    def sources(self) -> tuple[S, ...]:
        return self.source if isinstance(self.source, tuple) else (self.source,)

    @property
    def events(self) -> tuple[str, ...]:
        return (self.on,) if isinstance(self.on, str) else self.on


def presses(controls: Iterable[str]) -> tuple[str, ...]:
    """The events of several controls."""
    return tuple(f"press {control}" for control in controls)


DIGITS = tuple("0123456789")
FACES = tuple("123456")


def both(*conditions: Guard[D]) -> Guard[D]:
    """All of these conditions hold."""
    return lambda data, event: all(condition(data, event) for condition in conditions)


def unless(condition: Guard[D]) -> Guard[D]:
    return lambda data, event: not condition(data, event)


def asks_for(argument: str) -> Guard[Any]:
    """The act has this argument."""
    return lambda data, event: isinstance(event, Act) and event.argument == argument


def once(data: object, event: Event) -> bool:
    """No second press of the same control by a hand that saw no answer to the first."""
    return not (isinstance(event, Press) and event.again)


def sets(*effects: Effect, **changes: Any) -> Action[Any]:
    """Change these fields of the data, and emit these effects."""
    return lambda data, event: Step(replace(data, **changes), effects)


def then(*actions: Action[D]) -> Action[D]:
    """Several actions in order, with the effects of all."""

    def call(data: D, event: Event) -> Step[D]:
        effects: tuple[Effect, ...] = ()
        for action in actions:
            step = action(data, event)
            data, effects = step.data, (*effects, *step.effects)
        return Step(data, effects)

    return call


def emits(*effects: Effect) -> Action[Any]:
    """Effects that depend on nothing."""
    return lambda data, event: Step(data, effects)


def on_event(kind: type[F], function: Callable[[D, F], R]) -> Callable[[D, Event], R]:
    """A guard or action from a function that takes one kind of event.

    Raises:
        TypeError: (the result) another kind of event.
    """

    def call(data: D, event: Event) -> R:
        if not isinstance(event, kind):
            raise TypeError(f"{function.__name__} takes {kind.__name__}, not {type(event).__name__}")
        return function(data, event)

    return call
