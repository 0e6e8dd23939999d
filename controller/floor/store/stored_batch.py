"""What became of a batch of messages."""

from dataclasses import dataclass, field

from controller.floor.store.gaps import MissingRange


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
        costs_ns: the processor time that each message took, of those that were handled: the first of the batch.
        lacks: for every table with a message, what the floor now lacks from its record; None for nothing.
    """

    rounds: int = 0
    repeats: int = 0
    disputed: int = 0
    unproven: int = 0
    refused: int = 0
    over_limit: dict[str, int] = field(default_factory=dict)
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
        self.costs_ns += other.costs_ns
        self.lacks |= other.lacks
