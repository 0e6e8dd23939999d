"""One transition of a machine, what an action computes, and how a machine answered an event."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from controller.events.effect import Effect
from controller.events.event import Event

S = TypeVar("S", bound=Enum)
D = TypeVar("D")
F = TypeVar("F")
R = TypeVar("R")
PRESS = "press "
"""Begins the name of the event of a control."""


class Outcome(Enum):
    """How the machine answered an event."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    """A press that is not possible now."""
    NOTED = "noted"
    """Without consequence in this state."""
    FAILED = "failed"
    """The controller's own code raised; nothing changed."""


class Step(NamedTuple, Generic[D]):
    """The result of an action: the round's new data, and the effects in the order in which they are performed."""

    data: D
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class Transition(Generic[S, D]):
    """One transition of a machine."""

    source: S
    on: str
    """The event by its name (:func:`controller.events.event.trigger`): ``press done``, ``wheel-rested``."""
    to: S | None
    """The next state; None to stay."""
    action: Callable[[D, Event], Step[D]]
    guard: Callable[[D, Event], bool] | None = None
    why: str = field(default="", compare=False)
    """The condition in words, for the diagram."""


def on_event(kind: type[F], function: Callable[[D, F], R]) -> Callable[[D, Event], R]:
    """A guard or action from a function that takes one kind of event."""

    def call(data: D, event: Event) -> R:
        if not isinstance(event, kind):
            raise TypeError(f"{function.__name__} takes {kind.__name__}, not {type(event).__name__}")
        return function(data, event)

    return call


class Decision(NamedTuple):
    """How a machine answered an event."""

    outcome: Outcome
    state: str
    """The state after the event."""
    effects: tuple[Effect, ...]
