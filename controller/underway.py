"""Whether a round is underway: from the first thing that is keyed or thrown while wagers are open.

Every game has the state :data:`OPEN`, in which wagers are placed; it may come back to it within a round, as a
football game does after each throw. What leads to it from elsewhere (the floorperson's menu, a wheel that is looked
for) begins no round.
"""

from dataclasses import dataclass

from controller.effects import RoundOpened
from controller.facts import BallThrown, Fact, Press, ShakerCycled, WheelThrown
from controller.games.machine import Outcome
from controller.records.record import Record

OPEN = "bets-open"
_FLOOR_KEY = "floor-key"


@dataclass(frozen=True, slots=True)
class Underway:
    """What is remembered of a round."""

    state: str = ""
    """The machine's state."""
    opened: bool = False
    """A round has been opened."""
    begun: bool = False
    """Something was keyed or thrown since then."""

    def take(self, record: Record) -> "Underway":
        """What is remembered after a record."""
        if RoundOpened in map(type, record.effects):
            return Underway(record.state, True)
        accepted = record.outcome == Outcome.ACCEPTED.value
        begun = self.begun or (self.state == OPEN and accepted and _plays(record.fact))
        if (record.state, begun) == (self.state, self.begun):
            return self
        return Underway(record.state, self.opened, begun)

    @property
    def idle(self) -> bool:
        """Wagers are open and nothing has been keyed or thrown: the only time at which nobody need be playing."""
        return self.opened and self.state == OPEN and not self.begun


def _plays(fact: Fact) -> bool:
    if isinstance(fact, Press):
        return fact.control != _FLOOR_KEY
    return isinstance(fact, WheelThrown | BallThrown | ShakerCycled)
