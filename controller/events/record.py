"""The record of a decision: the event, the outcome, the state after it, and the effects."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from controller.events.effect import AnyEffect
from controller.events.event import AnyEvent
from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Record(Frozen):
    """An event and the decision on it."""

    event: Annotated[AnyEvent, Field(alias="fact")]
    """Journals have it under the name ``fact``."""
    outcome: str
    """``accepted``, ``refused``, ``noted``, or ``failed`` where the controller's own code raised."""
    state: str
    """The state after it."""
    effects: tuple[AnyEffect, ...]
