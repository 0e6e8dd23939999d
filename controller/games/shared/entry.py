"""Transitions for entries that are keyed digit by digit: a credential number, three dice."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from controller.events.event import Event, Press
from controller.statechart.guards import Action, Guard, always, both
from controller.statechart.machine import Step, Transition

DIGITS = tuple("0123456789")
LONGEST_NUMBER = 8
"""Digits of a credential number."""
DICE = 3
FACES = tuple("123456")


@dataclass(frozen=True)
class Numbered:
    """The part of a table's data that holds a credential number."""

    number: str = ""
    """The digits keyed so far."""


@dataclass(frozen=True)
class Diced:
    """The part of a table's data that holds three dice."""

    entry: tuple[int, ...] = ()
    """The dice keyed so far."""


S = TypeVar("S", bound=Enum)
N = TypeVar("N", bound=Numbered)
E = TypeVar("E", bound=Diced)


def pressed(event: Event) -> str:
    """The control of a press."""
    assert isinstance(event, Press)
    return event.control


# -- a credential number ---------------------------------------------------------------------------------------


def number_keys(state: S, to: S, entered: Action[N], left: S, given_up: Action[N]) -> Iterator[Transition[S, N]]:
    """Transitions that take a number. Enter leads to ``to``; clear empties the entry, then leads to ``left``."""
    for digit in DIGITS:
        yield Transition(state, f"press {digit}", None, _digit, _number_open, "up to 8 digits")
    yield Transition(state, "press enter", to, entered, _has_number, "a number")
    yield Transition(state, "press clear", None, _no_number, _has_number, "a number")
    yield Transition(state, "press clear", left, given_up)


def _number_open(data: Numbered, event: Event) -> bool:
    return len(data.number) < LONGEST_NUMBER


def _has_number(data: Numbered, event: Event) -> bool:
    return bool(data.number)


def _digit(data: N, event: Event) -> Step[N]:
    return Step(replace(data, number=data.number + pressed(event)))


def _no_number(data: N, event: Event) -> Step[N]:
    return Step(replace(data, number=""))


# -- three dice ------------------------------------------------------------------------------------------------


def dice_keys(state: S, guard: Guard[E] | None = None, why: str = "") -> Iterator[Transition[S, E]]:
    """Transitions that take up to three dice; clear empties the entry."""
    may, words = guard or always, f"{why}, " if why else ""
    for face in FACES:
        yield Transition(
            state, f"press {face}", None, key_die, both(may, _incomplete), f"{words}fewer than three dice"
        )
    yield Transition(state, "press clear", None, wipe, guard, why)


def complete(data: Diced, event: Event) -> bool:
    """All dice are keyed."""
    return len(data.entry) == DICE


def _incomplete(data: Diced, event: Event) -> bool:
    return len(data.entry) < DICE


def key_die(data: E, event: Event) -> Step[E]:
    """One more die."""
    return Step(replace(data, entry=(*data.entry, int(pressed(event)))))


def wipe(data: E, event: Event) -> Step[E]:
    """The entry is cleared."""
    return Step(replace(data, entry=()))
