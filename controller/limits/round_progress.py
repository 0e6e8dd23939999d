"""Whether a round is in progress, and since when the table is quiet.

A round begins with the first key or throw while wagers are open. It ends where the machine opens the next one.

Every game has the state :data:`OPEN`, in which wagers are placed. A game may return to it within a round, as a
football game does after each throw. A transition to it from elsewhere (the floorperson's menu, locating a wheel)
begins no round.
"""

from typing import NamedTuple

from controller.events.effect import RoundOpened
from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    Event,
    PocketRead,
    PowerRestored,
    Press,
    RevolutionCompleted,
    RulesChanged,
    ShakerCycled,
    TableStarted,
    WheelRested,
    WheelThrown,
)
from controller.events.record import Outcome, Record

OPEN = "bets-open"
_FLOOR_KEY = "floor-key"
_ACCEPTED = Outcome.ACCEPTED.value
_THROWN = (WheelThrown, BallThrown, ShakerCycled)
_MOVED = (WheelRested, RevolutionCompleted, BallRevolution, BallLeftTrack, PocketRead)
_STARTED = (TableStarted, PowerRestored, RulesChanged)
_ACTIVE = (Press, *_THROWN, *_MOVED, *_STARTED)
"""What people do at a table, and starts: nobody knows what was done before. A rotor may turn while nobody plays."""
QUIET_NS = 60_000_000_000
"""Where nobody plays, nothing is keyed or thrown for this long."""


class RoundProgress(NamedTuple):
    state: str = ""
    opened: bool = False
    begun: bool = False
    """Something has been keyed or thrown since then."""
    active_ns: int = 0
    """Monotonic time of what was last keyed or thrown, the floorperson's key apart, or of the round's opening."""

    def take(self, record: Record) -> "RoundProgress":
        event = record.event
        active_ns = event.at_ns if _is_active(event) else self.active_ns
        if RoundOpened in map(type, record.effects):
            return RoundProgress(record.state, True, active_ns=event.at_ns)
        accepted = record.outcome == _ACCEPTED
        begun = self.begun or (self.state == OPEN and accepted and _begins_round(event))
        if (record.state, begun, active_ns) == (self.state, self.begun, self.active_ns):
            return self
        return RoundProgress(record.state, self.opened, begun, active_ns)

    @property
    def idle(self) -> bool:
        """Wagers are open and nothing has been keyed or thrown: nobody may be playing only at such a time."""
        return self.opened and self.state == OPEN and not self.begun

    def quiet_in_ns(self, now_ns: int) -> int:
        """For how long nothing may happen yet until the table counts as quiet; 0 if it does."""
        return max(0, self.active_ns + QUIET_NS - now_ns)


def _is_active(event: Event) -> bool:
    return isinstance(event, _ACTIVE) and not (isinstance(event, Press) and event.control == _FLOOR_KEY)


def _begins_round(event: Event) -> bool:
    if isinstance(event, Press):
        return event.control != _FLOOR_KEY
    return isinstance(event, _THROWN)
