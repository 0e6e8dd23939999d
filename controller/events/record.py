"""The decision on an event, and its record."""

from enum import Enum
from typing import NamedTuple

from controller.events.effect import Effect
from controller.events.event import Event
from controller.events.frozen import Frozen


class Outcome(Enum):
    ACCEPTED = "accepted"
    REFUSED = "refused"
    """A press that is not possible now."""
    NOTED = "noted"
    """Without consequence for the round."""
    FAILED = "failed"
    """The controller's own code raised; nothing changed."""


class Decision(NamedTuple):
    """How a machine answered an event."""

    outcome: Outcome
    state: str
    """The state of the table after the event."""
    effects: tuple[Effect, ...]


class Record(Frozen):
    """An event and the decision on it."""

    event: Event
    outcome: str
    """The value of an :class:`Outcome`."""
    state: str
    """The state of the table after the event."""
    effects: tuple[Effect, ...]
