"""Closing and locking a table, by the floorperson or by a fault of a device: actions, transitions and texts."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from controller.events.effect import Alert, Light, Note, WagersReturned
from controller.events.event import Event
from controller.events.text import spoken
from controller.games.shared.floor import floorperson, opener
from controller.games.shared.table_data import Closable, R, stops
from controller.statechart.device_text import CHECK_SUPPLY, FAULTS, LOOK_INSIDE, fault_text, remedy_of
from controller.statechart.guards import Action, Guard, both, dark, keep, then
from controller.statechart.locking import LOCKING, locking
from controller.statechart.machine import Step, Transition

S = TypeVar("S", bound=Enum)
C = TypeVar("C", bound=Closable)
D = TypeVar("D")
ResumedIn = Callable[[S], Action[C]]
_NAME = re.compile(r"[a-z]+(?:-[a-z0-9]+)+")
_OPENED = re.compile("the [a-z0-9-]+ (is open|was opened)")
_SUPPLY = re.compile("the supply voltage")
_NAMING = ("panel: no light at ", "panel: light that should be out at ", "the key ")
"""Begin the causes that name lamps or a key."""
LATER = "settle by the screen; the table locks after this round"
"""The remedy for a fault while wagers are settled."""


def cause_words(data: Closable, name: Callable[[str], str] = spoken) -> str:
    """Why the table is not in play. On record lamps and keys have their names; people read words.

    Args:
        name: the game's name of an area.
    """
    cause = data.cause
    return _NAME.sub(lambda found: name(found[0]), cause) if cause.startswith(_NAMING) else cause


def closed_words(data: Closable, secure: str = "", name: Callable[[str], str] = spoken) -> str:
    """What a closed table waits for, as text for the dealer.

    Args:
        secure: what is to be secured while nobody plays, up to the text that follows.
        name: the game's name of an area.
    """
    cause = f" ({cause_words(data, name)})" if data.cause else ""
    return f"the table is closed{cause}: {secure}the floorperson's key opens the menu"


def locked_words(data: Closable, name: Callable[[str], str] = spoken) -> str:
    """What a locked table waits for, as text for the dealer.

    Args:
        name: the game's name of an area.
    """
    cause = cause_words(data, name)
    mended = LOOK_INSIDE if _OPENED.match(cause) else CHECK_SUPPLY if _SUPPLY.match(cause) else "mend it"
    return f"the table is locked: {cause}; {mended}, then turn the floorperson's key"


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


def closed_by_floorperson(opened: Enum) -> Action[R]:
    """The floorperson whose key opened the menu closes the table."""

    def closed(data: R, event: Event) -> Step[R]:
        action: Action[R] = closes(f"closed by {opener(data)}", opened)
        return action(data, event)

    return closed


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
        return Step(replace(data, cause=cause), (Alert(what + text, remedy_of(event, remedy)),))

    return action


def locks(remedy: str) -> Action[C]:
    """A fault locks the table."""
    return fault(remedy, "table locked: ")


def unlocked(lit: Callable[[], tuple[str, ...]]) -> Action[C]:
    """The lock was opened. The lamps of ``lit`` are set again, which tests whether the panel was repaired."""

    def opened(data: C, event: Event) -> Step[C]:
        return Step(replace(data, cause=""), (Note(f"{floorperson(event)} opened the lock"), Light(lit())))

    return opened


def stopped_first(
    transitions: Iterable[Transition[S, C]],
    sources: Iterable[S],
    idle: Iterable[S],
    locked: S,
    resumes: ResumedIn[S, C],
) -> Iterator[Transition[S, C]]:
    """These transitions, and before each by which play would go on after a fault, one to the lock.

    Args:
        sources: the states in which a fault does not lock the table at once.
        idle: those in which it does, so that none is come into after a fault.
        resumes: makes the action after which the table is resumed in a state.
    """
    under_way, waiting = tuple(sources), tuple(idle)
    for one in transitions:
        anew = one.on == "power-restored"  # The table lights its panel anew, and says what fails.
        if one.to is not None and one.source in under_way and one.to in waiting and not anew:
            fails = both(one.guard, stops) if one.guard is not None else stops
            why = ", ".join(filter(None, (one.why, "fault in this round")))
            yield Transition(one.source, one.on, locked, then(one.action, resumes(one.to)), fails, why)
        yield one


def on_faults(
    states: Iterable[S], to: S | None, action: Action[D], guard: Guard[D] | None = None, why: str = ""
) -> Iterator[Transition[S, D]]:
    """Transitions for every fault in these states."""
    places = tuple(states)
    for on in FAULTS:
        for state in places:
            yield Transition(state, on, to, action, guard, why)
    for state in places:
        yield from on_locking(state, to, action, guard, why)


def on_locking(
    state: S, to: S | None, action: Action[D], guard: Guard[D] | None = None, why: str = ""
) -> Iterator[Transition[S, D]]:
    """Transitions for what locks a table though no device of the game failed: an opened contact, a low supply."""
    locks_it: Guard[D] = locking if guard is None else both(guard, locking)
    for on in LOCKING:
        yield Transition(state, on, to, action, locks_it, ", ".join(filter(None, (why, "it is to lock"))))


def on_lamps_and_locking(
    state: S, to: S | None, action: Action[D], guard: Guard[D] | None = None, why: str = ""
) -> Iterator[Transition[S, D]]:
    """Transitions for a fault of the panel, and for what locks a table."""
    yield Transition(state, "panel-fault", to, action, guard, why)
    yield from on_locking(state, to, action, guard, why)


def fault_closes(state: S, menu: S, opened: S, remedy: str) -> Action[R]:
    """A fault closes the table at once; the wagers of a round that has not begun go back."""
    returned: Action[R] = keep
    if state is opened:
        returned = wagers_back("malfunction")
    elif state is menu:
        returned = wagers_back_from(opened, "malfunction")
    return then(returned, dark, fault(remedy, "table closed: "))
