"""Transitions of a settlement: losers collected, then winners paid; or one prompt after another."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from controller.events.event import Event
from controller.events.text import spoken
from controller.statechart.guards import keep
from controller.statechart.machine import Step, Transition
from hal.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Stepwise:
    """The part of a table's data about a settlement in steps."""

    steps: tuple[str, ...] = ()
    """The remaining steps in order, as text for the dealer."""


_PAID = re.compile(r"[a-z]+(?:-[a-z0-9]+)+(?= \d+ to \d+)")
"""An area of several words, before what it pays."""
S = TypeVar("S", bound=Enum)
D = TypeVar("D")
W = TypeVar("W", bound=Stepwise)


def settlement(result: S, collected: S, paid: S) -> Iterator[Transition[S, D]]:
    """Transitions from a result to the state after which clear ends the round."""
    yield Transition(result, "press done", collected, keep)
    yield Transition(collected, "press done", paid, keep)


def step_text(data: Stepwise, name: Callable[[str], str] = spoken) -> str:
    """The present step. On record its wagers have the names of their areas; people read words.

    Args:
        name: an area in words.
    """
    return _PAID.sub(lambda area: name(area[0]), data.steps[0])


def step_words(data: Stepwise, name: Callable[[str], str] = spoken) -> str:
    """What a settlement waits for, as text for the dealer."""
    return f"{step_text(data, name)}, then press done"


def more_steps(data: Stepwise, event: Event) -> bool:
    return len(data.steps) > 1


def next_step(data: W, event: Event) -> Step[W]:
    """A step of the settlement is done."""
    return Step(replace(data, steps=data.steps[1:]))
