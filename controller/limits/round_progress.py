"""Whether a round is in progress: from the first key or throw while wagers are open.

Every game has the state :data:`OPEN`, in which wagers are placed. A game may return to it within a round, as a
football game does after each throw. A transition to it from elsewhere (the floorperson's menu, locating a wheel)
begins no round.
"""

from dataclasses import dataclass

from controller.events.effect import RoundOpened
from controller.events.event import BallThrown, Event, Press, ShakerCycled, WheelThrown
from controller.events.record import Record
from controller.statechart.machine import Outcome

OPEN = "bets-open"
_FLOOR_KEY = "floor-key"
_ACCEPTED = Outcome.ACCEPTED.value
_THROWN = (WheelThrown, BallThrown, ShakerCycled)


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """The progress of a round."""

    state: str = ""
    """The machine's state."""
    opened: bool = False
    """A round has been opened."""
    begun: bool = False
    """Something has been keyed or thrown since then."""

    def take(self, record: Record) -> "RoundProgress":
        """The progress after a record."""
        if RoundOpened in map(type, record.effects):
            return RoundProgress(record.state, True)
        accepted = record.outcome == _ACCEPTED
        begun = self.begun or (self.state == OPEN and accepted and _begins_round(record.event))
        if (record.state, begun) == (self.state, self.begun):
            return self
        return RoundProgress(record.state, self.opened, begun)

    @property
    def idle(self) -> bool:
        """Wagers are open and nothing has been keyed or thrown: nobody may be playing only at such a time."""
        return self.opened and self.state == OPEN and not self.begun


def _begins_round(event: Event) -> bool:
    if isinstance(event, Press):
        return event.control != _FLOOR_KEY
    return isinstance(event, _THROWN)
