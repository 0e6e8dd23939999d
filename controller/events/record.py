"""The record of a decision: the event, the outcome, the state after it, and the effects."""

from typing import Annotated

from pydantic import Field

from controller.events.effect import AnyEffect
from controller.events.event import AnyEvent
from hal.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """An event and the decision on it."""

    event: Annotated[AnyEvent, Field(alias="fact")]
    """Journals have it under the name ``fact``."""
    outcome: str
    """``accepted``, ``refused``, ``noted``, or ``failed`` where the controller's own code raised."""
    state: str
    """The state after it."""
    effects: tuple[AnyEffect, ...]
