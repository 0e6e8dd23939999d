"""Transitions of a settlement: losers collected, then winners paid; or one prompt after another."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from controller.events.event import Event
from controller.statechart.guards import keep
from controller.statechart.machine import Step, Transition


@dataclass(frozen=True)
class Stepwise:
    """The part of a table's data about a settlement in steps."""

    steps: tuple[str, ...] = ()
    """The remaining steps in order, as text for the dealer."""


S = TypeVar("S", bound=Enum)
D = TypeVar("D")
W = TypeVar("W", bound=Stepwise)


def settlement(result: S, collected: S, paid: S) -> Iterator[Transition[S, D]]:
    """Transitions from a result to the state after which clear ends the round."""
    yield Transition(result, "press done", collected, keep)
    yield Transition(collected, "press done", paid, keep)


def step_words(data: Stepwise) -> str:
    """What a settlement waits for, as text for the dealer."""
    return f"{data.steps[0]}, then press done"


def more_steps(data: Stepwise, event: Event) -> bool:
    return len(data.steps) > 1


def next_step(data: W, event: Event) -> Step[W]:
    """A step of the settlement is done."""
    return Step(replace(data, steps=data.steps[1:]))
