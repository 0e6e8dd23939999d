"""Transitions for the floorperson's key in several games: it opens the menu, and it allows a correction."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from controller.events.effect import Note
from controller.events.event import Event, Press
from controller.games.shared.table_data import Attended, Closable, R, remember, returns_to
from controller.statechart.guards import Action, Guard, always, both, keep
from controller.statechart.machine import Step, Transition
from controller.statechart.menu import MenuEntry

S = TypeVar("S", bound=Enum)
T = TypeVar("T")
KEY = "press floor-key"
MENU_PROMPT = "floorperson: choose, or clear to leave"
"""What a table whose menu is open waits for; the menu is a list of its own."""
LEAVE = MenuEntry("clear", "leave the menu")
CLOSED_ALREADY = "the table is closed already"
CORRECTION_WORDS = "the floorperson's key allows the correction; clear gives it up"


def identified(event: Event) -> str:
    """The credential number of who turned the key; empty if the table does not ask for one."""
    assert isinstance(event, Press)
    return event.by


def floorperson(event: Event) -> str:
    """Who turned the key, for the record: the person whom the credential identified, if the table asks for one."""
    by = identified(event)
    return f"floorperson {by}" if by else "the floorperson"


def opener(data: Closable) -> str:
    """Who opened the menu, for the record of what is chosen there."""
    by = data.by if isinstance(data, Attended) else ""
    return f"floorperson {by}" if by else "the floorperson"


def _opened(state: Enum) -> Action[R]:
    """The key opens the menu, which will return to this state."""

    def action(data: R, event: Event) -> Step[R]:
        data = replace(data, back=state)
        if isinstance(data, Attended):
            assert isinstance(event, Press)
            data = replace(data, by=event.by)
        return Step(data)

    return action


def opens_menu(menu: S, states: Iterable[S]) -> Iterator[Transition[S, R]]:
    """Transitions from these states to the floorperson's menu."""
    for state in states:
        yield Transition(state, KEY, menu, _opened(state))


def leaves(
    source: S, on: str, states: Iterable[S], action: Action[R] = keep, guard: Guard[R] = always, why: str = ""
) -> Iterator[Transition[S, R]]:
    """Transitions from a side path back to the one of these states from which it was taken."""
    for state in states:
        back = both(guard, returns_to(state))
        yield Transition(source, on, state, action, back, f"{why}from {state.value}")


def correction(
    correcting: S, states: Iterable[S], guard: Guard[R] | None = None, why: str = ""
) -> Iterator[Transition[S, R]]:
    """Transitions that request a correction in these states, and cancel it; the game adds that of the key."""
    for state in states:
        yield Transition(state, "press correct", correcting, remember(state), guard, why)
        yield from leaves(correcting, "press clear", [state])


def correction_allowed(event: Event, words: str) -> Note:
    """The floorperson allowed a new entry.

    Args:
        event: the turn of the key.
    """
    return Note(f"{floorperson(event)} allowed a correction of {words}")


def corrected(before: T, after: T, words: Callable[[T], str]) -> tuple[Note, ...]:
    """The note on a correction, with both entries; none if ``before`` is empty."""
    return (Note(f"{words(before)} was corrected to {words(after)}"),) if before else ()
