"""Data that several games have, and the guards and actions that need no more than these."""

from dataclasses import field, replace
from enum import Enum
from typing import Annotated, TypeVar

from controller.events.event import Event
from controller.statechart.guards import Action, Guard
from controller.statechart.machine import Step
from controller.statechart.snapshots import ADDED
from hal.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Closable:
    """The part of a table's data about why it is not in play."""

    cause: str = ""
    """Why the table is closed or locked, or will be once this round is settled."""


@dataclass(frozen=True)
class Returning(Closable):
    """The part of a table's data about the end of a side path. A game gives ``back`` its own type."""

    back: Enum = field(kw_only=True)
    """The state to which the floorperson's menu, or a cancelled correction, returns."""


R = TypeVar("R", bound=Returning)


@dataclass(frozen=True)
class Attended(Returning):
    """The part of a table's data about who opened the menu."""

    by: Annotated[str, ADDED] = ""
    """Credential number of the floorperson whose key opened the menu; empty where the table does not ask for it."""


def stops(data: Closable, event: Event) -> bool:
    """A fault in this round closes or locks the table once it is settled."""
    return bool(data.cause)


def remember(state: Enum) -> Action[R]:
    """Take a side path that will return to this state."""
    return lambda data, event: Step(replace(data, back=state))


def returns_to(state: Enum) -> Guard[Returning]:
    """The side path was taken from this state."""
    return lambda data, event: data.back is state
