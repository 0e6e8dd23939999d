"""How a machine answered an event."""

from enum import Enum
from typing import NamedTuple

from controller.events.effect import Effect


class Outcome(Enum):
    ACCEPTED = "accepted"
    REFUSED = "refused"
    """A press that is not possible now."""
    NOTED = "noted"
    """Without consequence for the round."""
    FAILED = "failed"
    """The controller's own code raised; nothing changed."""


class Decision(NamedTuple):
    outcome: Outcome
    state: str
    """The state of the table after the event."""
    effects: tuple[Effect, ...]
