"""The record of a decision: the event, the outcome, the state after it, and the effects."""

from controller.events.effect import Effect
from controller.events.event import Event
from controller.events.frozen import Frozen


class Record(Frozen):
    """An event and the decision on it."""

    event: Event
    outcome: str
    """``accepted``, ``refused``, ``noted``, or ``failed`` where the controller's own code raised."""
    state: str
    """The state after it."""
    effects: tuple[Effect, ...]
