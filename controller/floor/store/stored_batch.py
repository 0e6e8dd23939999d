"""What became of a batch of messages."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from controller.floor.store.gaps import MissingRange
from controller.messages.models import RoundClosed


class RoundNote(NamedTuple):
    """What is counted of a round for the floor's metrics.

    Attributes:
        fate: the value of a :class:`controller.floor.store.rounds.RoundFate`.
        lag_s: seconds from its closing to its arrival, 0 at least; None unless it was stored now.
    """

    game: str
    fate: str
    spins: int
    voids: list[str]
    corrections: int
    lag_s: float | None


def note_of(message: RoundClosed, fate: str, stored: bool, arrived_ns: int) -> RoundNote:
    """What is counted of a round.

    Args:
        arrived_ns: the floor's wall time at which it arrived.
    """
    lag_s = None
    if stored:
        lag_s = max(0.0, arrived_ns / 1e9 - datetime.fromisoformat(message.closed).timestamp())
    return RoundNote(message.game, fate, len(message.spins), message.voids, message.corrections, lag_s)


@dataclass(slots=True)
class StoredBatch:
    """How a batch was handled.

    Attributes:
        rounds: rounds stored.
        repeats: rounds that were stored already.
        disputed: rounds that contradict what is stored.
        unproven: rounds that cannot be derived from entries yet.
        refused: invalid messages.
        over_limit: messages of tables that are more than their house may have, by the name of the house itself.
        reasons: of those, by reason.
        notes: of each round that came, what is counted of it.
        costs_ns: the processor time that each message took, of those that were handled: the first of the batch.
        lacks: for every table with a message, what the floor now lacks from its record; None for nothing.
    """

    rounds: int = 0
    repeats: int = 0
    disputed: int = 0
    unproven: int = 0
    refused: int = 0
    over_limit: dict[str, int] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    notes: list[RoundNote] = field(default_factory=list)
    costs_ns: list[int] = field(default_factory=list)
    lacks: dict[str, MissingRange | None] = field(default_factory=dict)

    def add(self, other: "StoredBatch") -> None:
        """Add the counts of a further batch."""
        self.rounds += other.rounds
        self.repeats += other.repeats
        self.disputed += other.disputed
        self.unproven += other.unproven
        self.refused += other.refused
        self.over_limit |= {
            house: self.over_limit.get(house, 0) + count for house, count in other.over_limit.items()
        }
        self.reasons += other.reasons
        self.notes += other.notes
        self.costs_ns += other.costs_ns
        self.lacks |= other.lacks
