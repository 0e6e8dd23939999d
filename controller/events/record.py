"""The record of a decision: the event, the outcome, the state after it, and the effects."""

from dataclasses import dataclass

from controller.events.effect import AnyEffect
from controller.events.event import AnyEvent
from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Record(Frozen):
    """An event and the decision on it."""

    event: AnyEvent
    outcome: str
    """``accepted``, ``refused``, ``noted``, or ``failed`` where the controller's own code raised."""
    state: str
    """The state after it."""
    effects: tuple[AnyEffect, ...]
