"""Closing and locking a table, by the floorperson or by a fault of a device: actions, transitions and texts."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from controller.events.effect import Alert, Light, Note, WagersReturned
from controller.events.event import Event
from controller.games.shared.table_data import Closable, R
from controller.statechart.device_text import FAULTS, fault_text
from controller.statechart.guards import Action, Guard, dark, keep, then
from controller.statechart.machine import Step, Transition

S = TypeVar("S", bound=Enum)
C = TypeVar("C", bound=Closable)
D = TypeVar("D")
LATER = "settle by the screen; the table locks after this round"
"""The remedy for a fault while wagers are settled."""


def closed_words(data: Closable, secure: str = "") -> str:
    """What a closed table waits for, as text for the dealer.

    Args:
        secure: what is to be secured while nobody plays, up to the text that follows.
    """
    cause = f" ({data.cause})" if data.cause else ""
    return f"the table is closed{cause}: {secure}the floorperson's key opens the menu"


def locked_words(data: Closable) -> str:
    """What a locked table waits for, as text for the dealer."""
    return f"the table is locked: {data.cause}; mend it, then turn the floorperson's key"


def wagers_back(reason: str) -> Action[D]:
    """All wagers go back."""
    return lambda data, event: Step(data, (WagersReturned(reason),))


def wagers_back_from(opened: Enum, reason: str) -> Action[R]:
    """All wagers go back, if the menu was reached from ``opened``, the state with open wagers."""
    back: Action[R] = wagers_back(reason)
    return lambda data, event: back(data, event) if data.back is opened else Step(data)


def closes(cause: str, opened: Enum) -> Action[R]:
    """The menu closes the table; wagers placed in ``opened`` go back. An earlier fault stays the cause."""

    def closed(data: R, event: Event) -> Step[R]:
        return Step(replace(data, cause=data.cause or cause), (Light(()), Note(cause)))

    return then(wagers_back_from(opened, "table-closed"), closed)


def fault(remedy: str, what: str = "", first: bool = False) -> Action[C]:
    """A fault of a device or of the controller becomes the cause for which the table stops.

    Args:
        remedy: what to do about it.
        what: the alert's text before that of the fault.
        first: keep an earlier cause.
    """

    def action(data: C, event: Event) -> Step[C]:
        text = fault_text(event)
        cause = data.cause if first and data.cause else text
        return Step(replace(data, cause=cause), (Alert(what + text, remedy),))

    return action


def locks(remedy: str) -> Action[C]:
    """A fault locks the table."""
    return fault(remedy, "table locked: ")


def unlocked(lit: Callable[[], tuple[str, ...]]) -> Action[C]:
    """The lock was opened. The lamps of ``lit`` are set again, which tests whether the panel was repaired."""
    note = Note("the floorperson opened the lock")
    return lambda data, event: Step(replace(data, cause=""), (note, Light(lit())))


def on_faults(
    states: Iterable[S], to: S | None, action: Action[D], guard: Guard[D] | None = None, why: str = ""
) -> Iterator[Transition[S, D]]:
    """Transitions for every fault in these states."""
    for on in FAULTS:
        for state in states:
            yield Transition(state, on, to, action, guard, why)


def fault_closes(state: S, menu: S, opened: S, remedy: str) -> Action[R]:
    """A fault closes the table at once; the wagers of a round that has not begun go back."""
    returned: Action[R] = keep
    if state is opened:
        returned = wagers_back("malfunction")
    elif state is menu:
        returned = wagers_back_from(opened, "malfunction")
    return then(returned, dark, fault(remedy, "table closed: "))
