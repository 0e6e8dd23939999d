"""What several games keep of a table, and the conditions and steps that ask for no more than that."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeVar

from controller.events.event import Event
from controller.statechart.guards import Action, Guard
from controller.statechart.machine import Step


@dataclass(frozen=True)
class Closable:
    """The part of a table's data that tells why it is not played on."""

    cause: str = ""
    """Why the table is closed or locked, or will be once this round is settled."""


@dataclass(frozen=True)
class Returning(Closable):
    """The part of a table's data that tells where a side path leads back to. A game gives ``back`` its own type."""

    back: Enum = field(kw_only=True)
    """Where the floorperson's menu, or a correction that is given up, returns to."""


R = TypeVar("R", bound=Returning)


def stops(data: Closable, event: Event) -> bool:
    """A fault in this round closes or locks the table once it is settled."""
    return bool(data.cause)


def remember(state: Enum) -> Action[R]:
    """A side path is taken that will lead back to this state."""
    return lambda data, event: Step(replace(data, back=state))


def returns_to(state: Enum) -> Guard[Returning]:
    """The side path was taken from this state."""
    return lambda data, event: data.back is state
