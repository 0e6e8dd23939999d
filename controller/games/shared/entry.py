"""Entries that are keyed digit by digit: three dice, the number of a pocket."""

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Annotated, TypeVar

from controller.events.event import Event, Press
from controller.statechart.guards import Guard, always, both
from controller.statechart.machine import Step, Transition
from controller.statechart.snapshots import ADDED
from hal.lazy_dataclass import dataclass

DIGITS = tuple("0123456789")
DICE = 3
FACES = tuple("123456")


@dataclass(frozen=True)
class Diced:
    """The part of a table's data that holds three dice."""

    entry: tuple[int, ...] = ()
    """The dice keyed so far."""
    seen: Annotated[bool, ADDED] = False
    """A die of this throw was keyed: people have seen them, whether the entry was wiped or not."""


S = TypeVar("S", bound=Enum)
E = TypeVar("E", bound=Diced)


def pressed(event: Event) -> str:
    """The control of a press."""
    assert isinstance(event, Press)
    return event.control


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


def nothing_keyed(data: Diced, event: Event) -> bool:
    """No die is keyed now."""
    return not data.entry


def _incomplete(data: Diced, event: Event) -> bool:
    return len(data.entry) < DICE


def key_die(data: E, event: Event) -> Step[E]:
    """One more die."""
    return Step(replace(data, entry=(*data.entry, int(pressed(event))), seen=True))


def wipe(data: E, event: Event) -> Step[E]:
    """The entry is cleared."""
    return Step(replace(data, entry=()))
